// Parts of the picture, farther than every body; `place` are their corners in clip space.
layout(location = 0) in vec2 place;
void main() { gl_Position = vec4(place, 1.0, 1.0); }
