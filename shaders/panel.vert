// Shapes of the head-up display, in drawn pixels from the lower left.
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 box;      // centre, half size
layout(location = 2) in vec4 style;    // kind, corner radius, border width, a parameter of the kind
layout(location = 3) in vec4 fill;
layout(location = 4) in vec4 border;
out vec2 spot;
flat out vec2 half_size;
flat out vec4 shape_style;
flat out vec4 fill_colour;
flat out vec4 border_colour;
void main() {
    spot = place - box.xy;
    half_size = box.zw;
    shape_style = style;
    fill_colour = fill;
    border_colour = border;
    gl_Position = vec4(place / picture.zw * 2.0 - 1.0, 0.0, 1.0);
}
