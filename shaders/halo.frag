// The light around a ladder that stands out; nothing where the hand is nearer.
uniform sampler2D hand_mask;
uniform float strength;
in float depth;
flat in vec4 piece_glow;
out vec4 pixel;
void main() {
    float free = 1.0 - hand_cover(hand_mask, gl_FragCoord.xy, depth);
    pixel = vec4(piece_glow.rgb, min(piece_glow.a * 2.0, 1.0) * strength * free);
}
