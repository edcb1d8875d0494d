// The camera frame, undistorted, under everything else. Its place and how dark the evening makes it come from the corners
// of a grid: they change slowly, and working them out for every pixel cost four fifths of this pass without a
// graphics card.
uniform sampler2D feed;
in vec2 place;
in float dusk;
out vec4 pixel;
void main() {
    pixel = vec4(graded_by(texture(feed, place).rgb, dusk), 1.0);
}
