// All ladders of the game in one buffer; each vertex has its ladder's number.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 wood;
layout(location = 3) in vec3 paint;
layout(location = 4) in vec2 mark;
layout(location = 5) in float piece;
out vec3 point_table;
out vec3 normal_table;
out vec3 grain;     // metres along the grain, around the bar, and through its thickness
out vec2 marked;    // paint coordinate (paint covers -1 to 1), and -1 to 1 from joint to joint of a rung
out float depth;
flat out vec4 piece_tint;
flat out vec4 piece_glow;
flat out vec3 piece_paint;
void main() {
    int i = int(piece + 0.5);
    vec4 place = table_from_piece[i] * vec4(position, 1.0);
    point_table = place.xyz;
    normal_table = mat3(table_from_piece[i]) * normal;
    grain = vec3(wood, position.y);
    depth = (camera_from_table * place).z;
    // Bars of one ladder differ slightly in colour.
    float bar = fract(sin(floor(wood.y / 0.137 + 0.01) * 12.9898 + float(i) * 4.1414) * 43758.5453);
    piece_tint = tint[i] * vec4(mix(vec3(0.86, 0.84, 0.82), vec3(1.10, 1.09, 1.06), bar), 1.0);
    piece_glow = glow[i];
    piece_paint = paint;
    marked = mark;
    gl_Position = clip_from_table * place;
}
