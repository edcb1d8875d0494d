// The shadow map, blended by maximum: in r half of 1 and the height of ladders, 0 where none is, so that at their edges and in
// its smaller copies it says how much of a place they cover; the height of still bodies in g, what lies on the table in b,
// and the part of it that is close to the table in a.
uniform float still;
in float height;
out vec4 pixel;
void main() {
    float up = clamp(height / SHADOW_HEIGHT, 0.0, 1.0);
    pixel = vec4(0.5 * (1.0 + up) * (1.0 - still), up * still, 1.0, 1.0 - smoothstep(0.0, 0.045, height));
}
