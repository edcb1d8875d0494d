// A body projected onto the table along the light (its shadow), or with `straight` along the vertical.
layout(location = 0) in vec3 position;
layout(location = 5) in float piece;
uniform float still;     // 1 for bodies with vertices in the table frame
uniform float straight;  // 1 to project along the vertical
out float height;
void main() {
    vec4 place = still > 0.5 ? vec4(position, 1.0) : table_from_piece[int(piece + 0.5)] * vec4(position, 1.0);
    height = place.z;
    vec2 spot = straight > 0.5 ? (place.xy - shadow_area.xy) * shadow_area.zw : shadow_place(place.xyz);
    gl_Position = vec4(spot * 2.0 - 1.0, 1.0 - 2.0 * clamp(height / SHADOW_HEIGHT, 0.0, 1.0), 1.0);
}
