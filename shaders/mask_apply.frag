// The mask as the camera's colours tell it: the mean line at each pixel's own colour. Nearness stays; where the colours
// find more of a hand than its bones reach, it is that of the nearest bones.
uniform sampler2D feed;
uniform sampler2D mask;
uniform sampler2D lines;
uniform vec2 area;    // of this target, pixels
out vec4 pixel;
void main() {
    vec2 uv = gl_FragCoord.xy / area;
    vec4 line = texture(lines, uv);
    float covered = dot(line.rgb, texture(feed, feed_place(uv * picture.zw)).rgb) + line.a;
    float near = texture(mask, uv).g;
    for (float ring = 1.0; ring < 4.0 && covered > 0.25 && near == 0.0; ring += 1.0) {
        vec2 reach = vec2(ring * 0.02 * area.y) / area;
        for (int i = 0; i < 8; i++) {
            float angle = 0.7853982 * float(i);
            near = max(near, texture(mask, uv + reach * vec2(cos(angle), sin(angle))).g);
        }
    }
    pixel = vec4(smoothstep(0.25, 0.75, covered), near, 0.0, 1.0);
}
