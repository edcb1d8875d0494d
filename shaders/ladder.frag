// Wood in one pass: grain, key light with the others' shadows, and the camera picture where the hand is nearer.
uniform sampler2D feed;
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
uniform sampler2D wood;
in vec3 point_table;
in vec3 normal_table;
in vec2 grain;
in float depth;
flat in vec4 piece_tint;
flat in vec4 piece_glow;
out vec4 pixel;
void main() {
    vec2 drawn = gl_FragCoord.xy;
    float covered = hand_cover(hand_mask, drawn, depth);
    vec3 colour = vec3(0.0);
    if (covered < 0.996) {
        vec3 normal = normalize(normal_table);
        vec3 to_eye = normalize(eye.xyz - point_table);
        vec2 rings = texture(wood, vec2(grain.x * 4.0 + piece_tint.a, grain.y * 26.0 + piece_tint.a * 3.0)).rg;
        vec3 albedo = piece_tint.rgb * mix(vec3(1.06), vec3(0.66, 0.55, 0.46), rings.r * 0.75) * (0.86 + 0.28 * rings.g);
        vec4 shade = texture(shadow_map, shadow_place(point_table));
        float above = max(shade.r, shade.g) * SHADOW_HEIGHT - point_table.z;
        float visible = 1.0 - 0.80 * smoothstep(0.007, 0.018, above);
        float open = 0.62 + 0.38 * smoothstep(0.02, 0.12, point_table.z);
        colour = lit(albedo, normal, to_eye, visible, open * (1.0 - 0.25 * shade.b), 0.40, 0.10);
        float rim = 1.0 - max(dot(normal, to_eye), 0.0);
        colour += piece_glow.rgb * piece_glow.a * (0.35 + 0.65 * rim * rim);
        colour = graded(colour, drawn);
    }
    if (covered > 0.004)
        colour = mix(colour, graded(texture(feed, feed_place(drawn)).rgb, drawn), covered);
    pixel = vec4(colour, 1.0);
}
