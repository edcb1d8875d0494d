// A corner of the grid over the whole picture, see feed.frag.
layout(location = 0) in vec2 corner;
out vec2 place;
out float dusk;
void main() {
    vec2 drawn = (corner * 0.5 + 0.5) * picture.zw;
    place = feed_place(drawn);
    dusk = dusk_at(drawn);
    gl_Position = vec4(corner, 0.0, 1.0);
}
