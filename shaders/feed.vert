// Parts of a picture; `place`: their corners in clip space.
layout(location = 0) in vec2 place;
void main() { gl_Position = vec4(place, 0.0, 1.0); }
