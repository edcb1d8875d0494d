// A shell around a highlighted ladder: its mesh, expanded along the normals.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 wood;
layout(location = 5) in float piece;
uniform float width;  // metres
out float depth;
flat out vec4 piece_glow;
void main() {
    int i = int(piece + 0.5);
    vec4 place = table_from_piece[i] * vec4(position + normal * width, 1.0);
    depth = (camera_from_table * place).z;
    piece_glow = glow[i];
    gl_Position = clip_from_table * place;
}
