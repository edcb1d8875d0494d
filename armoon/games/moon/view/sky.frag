// The painted moon, in the sky behind hand and ladders.
uniform sampler2D moon;
uniform sampler2D hand_mask;
in vec2 spot;
out vec4 pixel;
void main() {
    vec4 colour = texture(moon, spot * 0.5 + 0.5);
    pixel = vec4(colour.rgb, colour.a * (1.0 - texture(hand_mask, gl_FragCoord.xy / picture.zw).r));
}
