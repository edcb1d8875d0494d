// The part of the table that may be in shadow.
layout(location = 0) in vec2 place;
out vec2 spot;
out float depth;
void main() {
    vec4 point = vec4(place, 0.0, 1.0);
    spot = (place - shadow_area.xy) * shadow_area.zw;
    depth = (camera_from_table * point).z;
    gl_Position = clip_from_table * point;
}
