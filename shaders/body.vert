// Cloud or socle, lid, die and moths: bodies with vertices in the table frame.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 colour;
out vec3 point_table;
out vec3 normal_table;
out vec3 albedo;
out float depth;
void main() {
    point_table = position;
    normal_table = normal;
    albedo = colour;
    depth = (camera_from_table * vec4(position, 1.0)).z;
    gl_Position = clip_from_table * vec4(position, 1.0);
}
