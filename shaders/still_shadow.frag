// The still bodies' shadow on the table from the cache, without hands; the result multiplies the picture.
uniform sampler2D hand_mask;
uniform sampler2D left;  // share of the light that remains
in float depth;
out vec4 pixel;
void main() {
    vec3 light = texelFetch(left, ivec2(gl_FragCoord.xy), 0).rgb;
    pixel = vec4(mix(light, vec3(1.0), find_hand_coverage(hand_mask, gl_FragCoord.xy, depth)), 1.0);
}
