// Still bodies from the cache, without hands: premultiplied colour and depth.
uniform sampler2D layer;
uniform sampler2D depths;
uniform sampler2D hand_mask;
out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float depth = to_metres(texelFetch(depths, at, 0).r);
    pixel = texelFetch(layer, at, 0) * (1.0 - find_glass_coverage(hand_mask, gl_FragCoord.xy, depth));
}
