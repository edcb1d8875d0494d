// Still bodies from the cache, which has no hands: premultiplied colour and depth.
uniform sampler2D layer;
uniform sampler2D depths;
uniform sampler2D hand_mask;
out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    float depth = metres_away(texelFetch(depths, at, 0).r);
    pixel = texelFetch(layer, at, 0) * (1.0 - glass_cover(hand_mask, gl_FragCoord.xy, depth));
}
