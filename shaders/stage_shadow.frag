#version 330 core
// The table's picture without key light, where the hand blocks it.

in vec3 on_table;
in vec3 in_shadow_map;

uniform vec4 table_edges;  // left, right, near, far in metres
uniform float softness;    // radius of the penumbra in shadow map coordinates
uniform sampler2DShadow shadow_map;
uniform sampler2D without_key;   // the same picture without the key light

out vec4 colour;

// Taps in a disc (Vogel spiral), rotated per pixel so that banding becomes grain.
const int TAPS = 8;
// Opacity of the full shadow; less than 1, because walls reflect some of the lamp's light.
const float DEEPEST = 0.92;

void main() {
    if (on_table.x < table_edges.x || on_table.x > table_edges.y || on_table.y < table_edges.z || on_table.y > table_edges.w) discard;
    float angle_of_pixel = 6.2832 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    float light = 0.0;
    for (int i = 0; i < TAPS; i++) {
        float angle = 2.39996 * float(i) + angle_of_pixel;
        float radius = softness * sqrt((float(i) + 0.5) / float(TAPS));
        light += texture(shadow_map, in_shadow_map + vec3(radius * cos(angle), radius * sin(angle), -0.002));
    }
    float shadow = 1.0 - light / float(TAPS);
    vec2 to_edge = abs(in_shadow_map.xy - 0.5) * 2.0;
    shadow *= 1.0 - smoothstep(0.80, 1.0, max(to_edge.x, to_edge.y));
    if (shadow < 0.004) discard;
    colour = vec4(texelFetch(without_key, ivec2(gl_FragCoord.xy), 0).rgb, 1.0) * shadow * DEEPEST;
}
