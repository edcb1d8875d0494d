// What lies flat on the table round the lake.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 corner;   // -1..1 twice, then the kind; of the water: 0 in its middle to 1 at the shore
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
