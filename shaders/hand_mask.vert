// One quad around each bone of a hand, in pixels of a picture of the size `area`.
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 ends;     // both joints, pixels
layout(location = 2) in vec4 reach;    // radius at both joints: pixels, then metres
layout(location = 3) in vec2 depths;   // metres
uniform vec2 area;
out vec2 spot;
flat out vec4 bone_ends;
flat out vec4 bone_reach;
flat out vec2 bone_depths;
void main() {
    spot = place;
    bone_ends = ends;
    bone_reach = reach;
    bone_depths = depths;
    gl_Position = vec4(place / area * 2.0 - 1.0, 0.0, 1.0);
}
