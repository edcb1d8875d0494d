// The side view: the table frame's y across and z up, seen from the right.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 5) in float piece;
uniform float still;   // 1 for bodies with vertices in the table frame
uniform vec2 origin;   // the table frame's origin in clip space
uniform vec2 scale;    // clip space per metre
out vec3 colour;
void main() {
    int i = int(piece + 0.5);
    vec3 place = still > 0.5 ? position : (table_from_piece[i] * vec4(position, 1.0)).xyz;
    vec3 up = still > 0.5 ? normal : mat3(table_from_piece[i]) * normal;
    float shade = 0.55 + 0.30 * abs(up.x) + 0.15 * up.z;
    vec3 flat_colour = still > 0.5 ? vec3(0.46, 0.50, 0.62) : mix(sqrt(tint[i].rgb) * 0.85, glow[i].rgb, min(glow[i].a * 4.0, 0.9));
    colour = flat_colour * shade;
    gl_Position = vec4(origin + place.yz * scale, clamp(-place.x * 2.0, -0.99, 0.99), 1.0);
}
