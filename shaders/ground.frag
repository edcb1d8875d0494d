// The finished ground under the bodies, pixel for pixel.
uniform sampler2D ground;
out vec4 pixel;
void main() {
    pixel = texelFetch(ground, ivec2(gl_FragCoord.xy), 0);
}
