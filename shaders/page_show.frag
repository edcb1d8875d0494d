// A picture that was painted before, over what is there.
uniform sampler2D painted;
in vec2 part;
out vec4 pixel;
void main() {
    // One texel to a pixel: fetching costs a software renderer half of what filtering does.
    pixel = texelFetch(painted, ivec2(part * vec2(textureSize(painted, 0))), 0);
}
