// What the virtual bodies take from the real table's light: wide and pale from what is high, tight and dark
// from what is close. The result multiplies the picture.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
in vec2 spot;
in float depth;
out vec4 pixel;
void main() {
    float wide = textureLod(shadow_map, spot, 4.0).b;
    if (wide < 0.002) discard;
    vec2 middle = textureLod(shadow_map, spot, 3.0).ba;
    float close = textureLod(shadow_map, spot, 2.0).a;
    float dark = clamp(0.34 * wide + 0.40 * middle.x + 0.26 * middle.y + 0.20 * close, 0.0, 0.80);
    vec2 edge = smoothstep(vec2(0.0), vec2(0.08), spot) * smoothstep(vec2(0.0), vec2(0.08), 1.0 - spot);
    dark *= edge.x * edge.y * (1.0 - hand_cover(hand_mask, gl_FragCoord.xy, depth));
    pixel = vec4(1.0 - dark * vec3(1.0, 0.97, 0.90), 1.0);
}
