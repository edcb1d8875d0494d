// Water and marks, by kind. 0: water; 1: a star; 2: a thin ring; 3: a pulsing ring with a glow; 4: a chevron; 5: a
// sign's plate. The output's colour is premultiplied by its opacity.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
uniform float pulse;
in vec3 spot;
in vec3 point_table;
flat in vec4 flat_colour;
out vec4 pixel;

vec4 water() {
    vec2 p = point_table.xy * 90.0;
    float t = more.z;
    float slow = sin(p.x * 0.7 + t * 0.6 + sin(p.y * 0.9 - t * 0.4)) * sin(p.y * 1.3 + t * 0.5 + sin(p.x * 0.5));
    float quick = sin(p.x * 2.1 - t * 1.1 + slow * 1.6) * sin(p.y * 2.9 + t * 0.9 - slow);
    vec3 to_eye = normalize(eye.xyz - point_table);
    vec3 normal = normalize(vec3(slow * 0.05 + quick * 0.03, quick * 0.05 - slow * 0.02, 1.0));
    float edge = 1.0 - max(dot(normal, to_eye), 0.0);
    float sheen = 0.05 + 0.95 * edge * edge * edge * edge * edge;
    vec3 colour = mix(flat_colour.rgb, vec3(0.34, 0.48, 0.70), clamp(sheen * 0.9 + 0.10 * slow, 0.0, 0.7));
    float glint = smoothstep(0.72, 0.98, quick * slow + 0.35 * quick) * 0.35;
    colour += glint * vec3(0.9, 0.88, 0.75);
    float out_there = spot.x;
    float foam = smoothstep(0.90, 0.985, out_there + 0.02 * slow) * 0.35;
    colour = mix(colour, vec3(0.62, 0.74, 0.86), foam);
    colour *= 1.0 - 0.35 * smoothstep(0.002, 0.01, highest(texture(shadow_map, shadow_place(point_table)).rg));
    return vec4(colour, flat_colour.a * (1.0 - smoothstep(0.975, 1.0, out_there)));
}

float star(vec2 p) {
    float angle = atan(p.x, p.y);
    float fifth = abs(mod(angle + 0.6283185, 1.2566371) - 0.6283185);
    // The straight edge from a tip at radius 1 to an inner corner at radius 0.45, a tenth of a circle further.
    float border = 0.2645 / (cos(fifth) * 0.2645 + sin(fifth) * 0.6359);
    float away = length(p);
    float soft = fwidth(away) + 0.02;
    return 1.0 - smoothstep(border - soft, border + soft, away);
}

float ring(vec2 p, float inner, float outer) {
    float away = length(p);
    float soft = fwidth(away) + 0.01;
    return smoothstep(inner - soft, inner + soft, away) * (1.0 - smoothstep(outer - soft, outer + soft, away));
}

void main() {
    vec4 colour;
    if (spot.z < 0.5) {
        colour = water();
    } else if (spot.z < 1.5) {
        colour = vec4(flat_colour.rgb, flat_colour.a * star(spot.xy));
    } else if (spot.z < 2.5) {
        colour = vec4(flat_colour.rgb, 0.75 * ring(spot.xy, 0.84, 0.96));
    } else if (spot.z < 3.5) {
        float glow = max(1.0 - length(spot.xy), 0.0);
        colour = vec4(flat_colour.rgb, max(pulse * ring(spot.xy, 0.76, 0.97), 0.35 * pulse * smoothstep(0.0, 0.4, glow)));
    } else if (spot.z < 4.5) {
        // x points in the direction of the carry: two strokes that meet in front.
        float stroke = abs(spot.x - 0.55 + abs(spot.y) * 0.9);
        float soft = fwidth(stroke) + 0.02;
        float inside = 1.0 - smoothstep(0.75, 0.95, abs(spot.y));
        colour = vec4(flat_colour.rgb, (1.0 - smoothstep(0.24 - soft, 0.24 + soft, stroke)) * inside * (0.55 + 0.45 * pulse));
    } else {
        colour = vec4(vec3(0.06, 0.08, 0.20), 0.65 * (1.0 - smoothstep(0.92, 0.98, length(spot.xy))));
        colour = mix(colour, vec4(1.0, 0.8, 0.42, 0.9), ring(spot.xy, 0.84, 0.95));
    }
    // A real hand is always above the table, whatever its measured depth, so it hides the marks.
    float free = 1.0 - texture(hand_mask, gl_FragCoord.xy / picture.zw).r;
    float opacity = clamp(colour.a, 0.0, 1.0) * free;
    if (opacity < 0.004) discard;
    pixel = vec4(apply_grade(colour.rgb, gl_FragCoord.xy) * opacity, opacity);
}
