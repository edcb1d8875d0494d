// Dome-pawns, in the table frame.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;    // position relative to the rim's centre, metres before scaling
layout(location = 3) in vec4 paint;    // linear colour; strength + 8 * pattern
layout(location = 4) in vec4 halo;     // colour and strength of its glow
out vec3 point_table;
out vec3 normal_table;
out vec3 place_dome;
out float depth;
flat out vec4 dome_paint;
flat out vec4 dome_glow;
void main() {
    point_table = position;
    normal_table = normal;
    place_dome = place;
    dome_paint = paint;
    dome_glow = halo;
    depth = (camera_from_table * vec4(position, 1.0)).z;
    gl_Position = clip_from_table * vec4(position, 1.0);
}
