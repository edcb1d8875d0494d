// The whole page: a quad that covers the target.
layout(location = 0) in vec2 place;
out vec2 part;   // 0 to 1 from the lower left
void main() {
    part = place * 0.5 + 0.5;
    gl_Position = vec4(place, 0.0, 1.0);
}
