// The cloud (softness 1) and the lid (softness 0), with the ladders' shadows on them.
uniform sampler2D feed;
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
uniform float softness;
in vec3 point_table;
in vec3 normal_table;
in vec3 albedo;
in float depth;
out vec4 pixel;
void main() {
    vec2 drawn = gl_FragCoord.xy;
    float covered = hand_cover(hand_mask, drawn, depth);
    vec3 colour = vec3(0.0);
    if (covered < 0.996) {
        vec3 normal = normalize(normal_table);
        vec3 to_eye = normalize(eye.xyz - point_table);
        vec2 place = shadow_place(point_table);
        vec2 step = vec2(0.0022) * shadow_area.zw;
        vec4 heights = vec4(texture(shadow_map, place + step * vec2(1.0, 0.4)).r,
                            texture(shadow_map, place + step * vec2(-0.4, 1.0)).r,
                            texture(shadow_map, place - step * vec2(1.0, 0.4)).r,
                            texture(shadow_map, place - step * vec2(-0.4, 1.0)).r) * SHADOW_HEIGHT;
        float visible = 1.0 - 0.80 * dot(smoothstep(0.002, 0.008, heights - point_table.z), vec4(0.25));
        float open = mix(0.50, 1.0, smoothstep(-0.004, 0.022, point_table.z));
        colour = lit(albedo, normal, to_eye, visible, open, 0.40 * softness, 0.02);
        float rim = 1.0 - max(dot(normal, to_eye), 0.0);
        colour += softness * rim * rim * rim * vec3(0.16, 0.18, 0.24);
        colour = graded(colour * mix(1.0, 0.75 + 0.25 * open, softness), drawn);
    }
    if (covered > 0.004)
        colour = mix(colour, graded(texture(feed, feed_place(drawn)).rgb, drawn), covered);
    pixel = vec4(colour, 1.0);
}
