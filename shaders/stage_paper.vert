#version 330 core
// A paper ladder: a flat sheet with a print on each face.

layout(location = 0) in vec3 corner;    // table frame
layout(location = 1) in vec2 on_print;  // position on a face, 0 to 1 from its upper left

uniform mat4 clip_from_table;
uniform mat4 light_from_table;
uniform vec3 facing;     // unit, out of the face that the camera sees

out vec3 position;
out vec2 place;
out vec3 in_shadow_map;

void main() {
    position = corner;
    place = on_print;
    // Sampled slightly in front of the paper, so that it doesn't shadow itself.
    in_shadow_map = (light_from_table * vec4(corner + facing * 0.004, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = clip_from_table * vec4(corner, 1.0);
}
