// The shadow below a hovering body: a soft disc, hidden by nearer hands.
uniform sampler2D hand_mask;
in vec3 spot;
flat in vec4 mark_colour;
out vec4 pixel;
void main() {
    float away = length(spot.xy);
    float soft = fwidth(away) + 1e-4;
    float strength = 1.0 - smoothstep(1.0 - 3.0 * soft - 0.25, 1.0, away);
    float depth = 1.0 / gl_FragCoord.w;  // corners are in clip space, whose w is the distance along the view
    float free = 1.0 - find_hand_coverage(hand_mask, gl_FragCoord.xy, depth);
    pixel = vec4(mark_colour.rgb, mark_colour.a * strength * free);
}
