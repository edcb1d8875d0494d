// The halo of a highlighted ladder; transparent where a hand is nearer.
uniform sampler2D hand_mask;
uniform float strength;
uniform float striped;  // 1: striped, so that it doesn't differ by colour alone
in float depth;
flat in vec4 piece_glow;
out vec4 pixel;
void main() {
    float free = 1.0 - find_hand_coverage(hand_mask, gl_FragCoord.xy, depth);
    float stripe = smoothstep(0.35, 0.65, abs(fract((gl_FragCoord.x + gl_FragCoord.y) / 12.0) * 2.0 - 1.0));
    vec3 colour = mix(piece_glow.rgb, vec3(0.0), striped * stripe);
    pixel = vec4(colour, mix(min(piece_glow.a * 2.0, 1.0), 1.0, striped) * strength * free);
}
