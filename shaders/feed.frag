// The camera frame, undistorted, under everything else.
uniform sampler2D feed;
out vec4 pixel;
void main() {
    pixel = vec4(graded(texture(feed, feed_place(gl_FragCoord.xy)).rgb, gl_FragCoord.xy), 1.0);
}
