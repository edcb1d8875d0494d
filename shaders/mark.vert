// Marks for depth and evidence: quads with corners in clip space.
layout(location = 0) in vec4 place;
layout(location = 1) in vec3 corner;   // x and y from -1 to 1, and the kind of mark
layout(location = 2) in vec4 colour;
layout(location = 3) in vec2 shape;    // kind 1: inner radius, share of the bright arc; kind 2: number of dashes
out vec3 spot;
flat out vec4 mark_colour;
flat out vec2 mark_shape;
void main() {
    spot = corner;
    mark_colour = colour;
    mark_shape = shape;
    gl_Position = place;
}
