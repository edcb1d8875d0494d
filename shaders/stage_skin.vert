#version 330 core
// Skinning: blends the matrices of four bones per vertex, for the picture (with the camera's clip matrix) or the shadow
// map (with the light's).

layout(location = 0) in vec3 rest_position;
layout(location = 1) in vec3 rest_normal;
layout(location = 2) in vec4 bone_numbers;
layout(location = 3) in vec4 bone_weights;
layout(location = 4) in vec2 surface;  // openness, cloth

uniform vec4 bones[51];          // 17 bones, three rows each: table frame from rest
uniform mat4 clip_from_table;
uniform mat4 light_from_table;   // to the shadow map's clip space

out vec3 position;
out vec3 normal;
out vec3 rest;
out vec2 material;
out vec3 in_shadow_map;

vec4 blended_row(ivec4 first, int row) {
    return bones[first.x + row] * bone_weights.x + bones[first.y + row] * bone_weights.y
         + bones[first.z + row] * bone_weights.z + bones[first.w + row] * bone_weights.w;
}

void main() {
    ivec4 first = ivec4(bone_numbers) * 3;
    vec4 x = blended_row(first, 0);
    vec4 y = blended_row(first, 1);
    vec4 z = blended_row(first, 2);
    vec4 p = vec4(rest_position, 1.0);
    position = vec3(dot(x, p), dot(y, p), dot(z, p));
    normal = normalize(vec3(dot(x.xyz, rest_normal), dot(y.xyz, rest_normal), dot(z.xyz, rest_normal)));
    rest = rest_position;
    material = surface;
    // Sampled slightly outside the skin, so that it doesn't shadow itself.
    in_shadow_map = (light_from_table * vec4(position + normal * 0.0025, 1.0)).xyz * 0.5 + 0.5;
    gl_Position = clip_from_table * vec4(position, 1.0);
}
