// The water and the flat marks on the table.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 corner;   // x and y in the mark, -1 to 1 (for water, x is 0 in the middle, 1 at the shore); kind
layout(location = 2) in vec4 colour;
out vec3 spot;
out vec3 point_table;
flat out vec4 flat_colour;
void main() {
    spot = corner;
    point_table = position;
    flat_colour = colour;
    gl_Position = clip_from_table * vec4(position, 1.0);
}
