// Guided filter, second half: the mean of the lines around each pixel.
uniform sampler2D lines;
uniform vec2 area;    // of this target and of `lines`, pixels
out vec4 mean;
void main() {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 16; i++)
        sum += texture(lines, (gl_FragCoord.xy + vec2(float(i & 3), float(i >> 2)) * 2.0 - 3.0) / area);
    mean = sum / 16.0;
}
