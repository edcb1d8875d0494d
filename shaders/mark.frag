// Kind 0: a glowing dot; 1: a ring, bright along an arc; 2: a dashed line; 3: a solid line; 4: a soft disc; 5: a puff of dust.
in vec3 spot;
flat in vec4 mark_colour;
flat in vec2 mark_shape;
out vec4 pixel;
void main() {
    float kind = spot.z;
    float strength;
    float away = length(spot.xy);
    float soft = fwidth(away) + 1e-4;
    if (kind < 0.5) {
        float core = 1.0 - smoothstep(0.30 - soft, 0.30 + soft, away);
        float glow = max(1.0 - away, 0.0);
        strength = max(core, 0.75 * glow * glow);
    } else if (kind < 1.5) {
        float outer = 1.0 - 1.5 * soft;
        float ring = smoothstep(mark_shape.x - soft, mark_shape.x + soft, away)
                   * (1.0 - smoothstep(outer - soft, outer + soft, away));
        float angle = atan(spot.x, spot.y) / 6.2831853;
        angle = angle < 0.0 ? angle + 1.0 : angle;
        strength = ring * (angle <= mark_shape.y ? 1.0 : 0.25);
    } else if (kind > 4.5) {
        float thick = max(1.0 - away * away, 0.0);
        strength = thick * thick;
    } else if (kind > 3.5) {
        strength = 1.0 - smoothstep(1.0 - 3.0 * soft - 0.25, 1.0, away);
    } else if (kind > 2.5) {
        strength = 1.0 - smoothstep(0.5, 1.0, abs(spot.x));
    } else {
        float dash = abs(fract(spot.y * 0.5 * mark_shape.x) - 0.5);
        float across = 1.0 - smoothstep(0.5, 1.0, abs(spot.x));
        strength = across * smoothstep(0.30, 0.20, dash);
    }
    pixel = vec4(mark_colour.rgb, mark_colour.a * strength);
}
