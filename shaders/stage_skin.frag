#version 330 core
// Skin and sleeve under one key light, a sky from above and the table's warm bounce from below.

in vec3 position;
in vec3 normal;
in vec3 rest;
in vec2 material;
in vec3 in_shadow_map;

uniform vec3 eye;
uniform vec3 to_light;
uniform vec3 tone;        // linear albedo of the skin
uniform vec3 cloth;       // linear albedo of the sleeve
uniform vec4 varnish;     // linear albedo of varnished nails; 1: they are varnished
uniform vec4 ring;        // linear albedo of the ring; 1: there is one
uniform vec3 ring_middle; // in the rest hand's frame, like ring_along, the finger's direction
uniform vec3 ring_along;
uniform vec3 detail_low;  // the detail texture's corner in the rest hand's frame
uniform vec3 detail_size;
uniform vec2 size;
uniform float gain;
uniform float fill;        // strength of the fill light
uniform sampler2DShadow shadow_map;
uniform sampler3D detail; // brightness, redness, palm side, nail

out vec4 colour;

const vec3 KEY = vec3(1.00, 0.90, 0.76) * 1.55;
const vec3 SKY = vec3(0.62, 0.70, 0.82) * 0.60;
// A second, soft light from the camera's left. Without it, the visible side is evenly dark, and the tracker loses hands.
const vec3 FILL = vec3(1.00, 0.90, 0.80);
const vec3 TO_FILL = normalize(vec3(-0.25, -0.75, 0.55));
const vec3 BOUNCE = vec3(0.36, 0.25, 0.16) * 0.42;

float key_light() {
    vec2 step_ = vec2(0.0015, 0.0011);
    float sum = texture(shadow_map, in_shadow_map + vec3(step_, 0.0)) + texture(shadow_map, in_shadow_map - vec3(step_, 0.0));
    sum += texture(shadow_map, in_shadow_map + vec3(-step_.y, step_.x, 0.0)) + texture(shadow_map, in_shadow_map + vec3(step_.y, -step_.x, 0.0));
    return 0.25 * sum;
}

vec3 skin_albedo(vec4 d) {
    vec3 palm = mix(tone, vec3(0.72, 0.43, 0.33), 0.24 + 0.28 * (1.0 - tone.r));
    vec3 albedo = mix(tone, tone * vec3(1.06, 0.80, 0.78), d.g * 0.65);
    albedo = mix(albedo, palm, d.b * 0.75);
    float nail = smoothstep(0.30, 0.60, d.a);
    albedo = mix(albedo, mix(tone, vec3(0.84, 0.58, 0.50), 0.35), nail * 0.8);
    albedo = mix(albedo, mix(tone, vec3(0.80, 0.70, 0.62), 0.6), smoothstep(0.80, 0.98, d.a) * 0.6);
    albedo = mix(albedo, varnish.rgb, nail * varnish.a);
    return albedo * d.r * 1.275;
}

// Coverage by the ring, a band of 4 mm around its finger.
float find_ring_coverage() {
    vec3 off = rest - ring_middle;
    float along = dot(off, ring_along);
    return ring.a * step(length(off - along * ring_along), 0.013) * (1.0 - smoothstep(0.0018, 0.0023, abs(along)));
}

vec3 expose(vec3 light) {
    vec2 off = (gl_FragCoord.xy - size * 0.5) / size.x;
    light *= (1.0 - 0.75 * dot(off, off)) * 1.12 * gain;
    light = max(light / (1.0 + light * 0.28), 0.0);
    return pow(light, vec3(1.0 / 2.2));
}

void main() {
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye - position);
    float facing = dot(n, to_light);
    float diffuse = max(facing, 0.0);
    float half_facing = max(dot(n, normalize(to_light + to_eye)), 0.0);
    float rim = 1.0 - max(dot(n, to_eye), 0.0);
    float open = material.x;
    float shadow = key_light();
    vec3 ambient = mix(BOUNCE, SKY, n.z * 0.5 + 0.5) * open;

    if (material.y > 0.5) {
        float weave = 0.5 + 0.25 * sin(rest.x * 1400.0) + 0.25 * sin(rest.y * 900.0 + rest.z * 1100.0);
        vec3 albedo = cloth * (0.86 + 0.28 * weave);
        vec3 light = albedo * (KEY * diffuse * shadow + ambient * 1.2) + cloth * SKY * rim * rim * 0.35 * open;
        colour = vec4(expose(light), 1.0);
        return;
    }

    vec4 d = texture(detail, (rest - detail_low) / detail_size);
    float worn = find_ring_coverage();
    vec3 albedo = mix(skin_albedo(d), ring.rgb, worn);
    // Subsurface scattering softens the shadow's edge, most of all in red.
    float soft = max((facing + 0.35) * 0.7407, 0.0);
    vec3 sharp_light = vec3(diffuse * shadow);
    vec3 soft_light = vec3(soft * soft * mix(0.35, 1.0, shadow));
    vec3 through = mix(sharp_light, soft_light, vec3(0.45, 0.20, 0.12)) * mix(1.0, open, 0.45);
    float nail = smoothstep(0.30, 0.60, d.a);
    float sheen = pow(half_facing, 20.0) * 0.045 + pow(half_facing, 80.0) * (0.02 + 0.16 * nail + 0.5 * worn);
    float filled = fill * max(dot(n, TO_FILL), 0.0);
    vec3 light = albedo * (KEY * through + FILL * filled * open + ambient * 1.15);
    light += KEY * shadow * sheen * mix(0.4, 1.0, open);
    light += albedo * vec3(0.22, 0.08, 0.04) * rim * rim * rim * 0.35;
    colour = vec4(expose(light), 1.0);
}
