#version 330 core
// The patch of table that the shadow map can darken, as a strip of four corners.

uniform vec4 corners[4];         // table frame, w unused
uniform mat4 clip_from_table;
uniform mat4 light_from_table;

out vec3 on_table;
out vec3 in_shadow_map;

void main() {
    on_table = corners[gl_VertexID].xyz;
    in_shadow_map = (light_from_table * vec4(on_table, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = clip_from_table * vec4(on_table, 1.0);
}
