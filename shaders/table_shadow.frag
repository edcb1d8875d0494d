// Shadows of virtual bodies on the real table; the result multiplies the picture. In the plain tier, high bodies have
// wide, pale shadows and low ones narrow, dark shadows. The full tier computes the light with the bodies relative to the
// light without them: penumbras that widen with height, occlusion of the sky, and contact shadows; it doesn't remove key
// light that real hands already block.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
in vec2 spot;
in float depth;
out vec4 pixel;

const float LAMP_SIZE = 0.055;  // width of the penumbra relative to the body's height

vec3 find_remaining_light() {
#ifdef FULL
    // Mean height of the casters around here: coverage is in b, heights in r and g.
    float covered = 0.0;
    float high = 0.0;
    for (int i = 0; i < TAPS; i++) {
        vec4 caster = textureLod(shadow_map, spot + DISC[i] * 0.020 * shadow_area.zw, 4.0);
        covered += caster.b;
        high += max(2.0 * caster.r - caster.b, caster.g);
    }
    float hidden = 0.0;
    float near = 0.0;
    for (int i = 0; i < TAPS; i++) {
        // Up to 6.5 cm away, denser near the middle.
        vec2 step = DISC[i] * dot(DISC[i], DISC[i]) * 0.075;
        float above = (1.0 - texture(sky_map, spot + step * shadow_area.zw).r) * SHADOW_HEIGHT;
        float away = length(step) * 0.6;
        hidden += above < 0.001 ? 0.0 : 1.0 / (1.0 + above * above / 1.6e-4 + away * away / 4e-4) + 0.22 * exp(-above * 9.0);
        near += above < 0.001 ? 0.0 : 1.0;
    }
    if (covered + near < 0.004) discard;
    float visible = 1.0;
    if (covered > 0.0) {
        float radius = clamp(high / covered * SHADOW_HEIGHT * LAMP_SIZE, 0.0012, 0.030);
        // The fewer taps, the coarser the mipmap, so that single taps aren't visible.
        float texels = radius * shadow_area.z * float(textureSize(shadow_map, 0).x);
        float level = clamp(log2(texels * 5.6 / float(TAPS)), 0.0, 4.0);
        float sum = 0.0;
        for (int i = 0; i < TAPS; i++) sum += textureLod(shadow_map, spot + DISC[i] * radius * shadow_area.zw, level).b;
        visible -= sum / float(TAPS);
    }
    float contact = textureLod(shadow_map, spot, 2.0).a;
    float open = 1.0 - clamp(hidden / float(TAPS) * 1.15 + 0.30 * contact, 0.0, 0.9);
    float hand = find_unblocked_by_hand(vec3(spot / shadow_area.zw + shadow_area.xy, 0.0));
    vec3 full = key.rgb * light.z;
    return sqrt((full * min(visible, hand) + sky.rgb * open) / (full * hand + sky.rgb));
#else
    float wide = textureLod(shadow_map, spot, 4.0).b;
    if (wide < 0.002) discard;
    vec2 middle = textureLod(shadow_map, spot, 3.0).ba;
    float close = textureLod(shadow_map, spot, 2.0).a;
    float dark = clamp(0.34 * wide + 0.40 * middle.x + 0.26 * middle.y + 0.20 * close, 0.0, 0.80);
    return 1.0 - dark * vec3(1.0, 0.97, 0.90);
#endif
}

void main() {
    vec3 left = find_remaining_light();
    vec2 edge = smoothstep(vec2(0.0), vec2(0.08), spot) * smoothstep(vec2(0.0), vec2(0.08), 1.0 - spot);
    float strength = edge.x * edge.y * (1.0 - find_hand_coverage(hand_mask, gl_FragCoord.xy, depth));
    pixel = vec4(mix(vec3(1.0), left, strength), 1.0);
}
