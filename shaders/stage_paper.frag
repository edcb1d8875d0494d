#version 330 core
// Paper and ink under the same lights as the hand; the print is averaged over each pixel's area.

in vec3 position;
in vec2 place;
in vec3 in_shadow_map;

uniform vec3 facing;
uniform vec3 to_light;
uniform vec2 size;
uniform float gain;
uniform float fill;
uniform float back;      // 1: the back is visible; its print is in the lower half of the texture
uniform sampler2DShadow shadow_map;
uniform sampler2D ink;

out vec4 colour;

const vec3 KEY = vec3(1.00, 0.90, 0.76) * 1.55;
const vec3 SKY = vec3(0.62, 0.70, 0.82) * 0.60;
const vec3 FILL = vec3(1.00, 0.90, 0.80);
const vec3 TO_FILL = normalize(vec3(-0.25, -0.75, 0.55));
const vec3 BOUNCE = vec3(0.36, 0.25, 0.16) * 0.42;
const int ACROSS = 6;    // samples in each direction

vec3 expose(vec3 light) {
    vec2 off = (gl_FragCoord.xy - size * 0.5) / size.x;
    light *= (1.0 - 0.75 * dot(off, off)) * 1.12 * gain;
    light = max(light / (1.0 + light * 0.28), 0.0);
    return pow(light, vec3(1.0 / 2.2));
}

void main() {
    vec2 right = dFdx(place);
    vec2 down = dFdy(place);
    float white = 0.0;
    for (int i = 0; i < ACROSS; i++) {
        for (int k = 0; k < ACROSS; k++) {
            vec2 off = (vec2(i, k) + 0.5) / float(ACROSS) - 0.5;
            vec2 at = clamp(place + off.x * right + off.y * down, 0.002, 0.998);
            white += texture(ink, vec2(at.x, 0.5 * (at.y + back))).r;
        }
    }
    vec3 albedo = mix(vec3(0.030), vec3(0.70, 0.69, 0.66), white / float(ACROSS * ACROSS));
    float towards = dot(facing, to_light);
    float shadow = texture(shadow_map, in_shadow_map);
    // Some of the light on the other face shines through.
    float key = max(towards, 0.0) * shadow + 0.2 * max(-towards, 0.0);
    vec3 light = KEY * key + FILL * fill * max(dot(facing, TO_FILL), 0.0) + mix(BOUNCE, SKY, facing.z * 0.5 + 0.5) * 1.15;
    colour = vec4(expose(albedo * light), 1.0);
}
