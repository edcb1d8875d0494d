// The moon with its glow: one quad in drawn pixels.
layout(location = 0) in vec2 place;
layout(location = 1) in vec2 corner;
out vec2 spot;
void main() {
    spot = corner;
    gl_Position = vec4(place / picture.zw * 2.0 - 1.0, 0.0, 1.0);
}
