// The mask as the camera's colours tell it: the mean line at each pixel's own colour. Nearness stays.
uniform sampler2D feed;
uniform sampler2D mask;
uniform sampler2D lines;
uniform vec2 area;    // of this target, pixels
out vec4 pixel;
void main() {
    vec2 uv = gl_FragCoord.xy / area;
    vec4 line = texture(lines, uv);
    float covered = dot(line.rgb, texture(feed, feed_place(uv * picture.zw)).rgb) + line.a;
    pixel = vec4(smoothstep(0.25, 0.75, covered), texture(mask, uv).g, 0.0, 1.0);
}
