// The shadow map, blended by maximum: height of ladders in r, of still bodies in g, what lies on the table
// in b, and the part of it that is close to the table in a.
uniform float still;
in float height;
out vec4 pixel;
void main() {
    float up = clamp(height / SHADOW_HEIGHT, 0.0, 1.0);
    pixel = vec4(up * (1.0 - still), up * still, 1.0, 1.0 - smoothstep(0.0, 0.045, height));
}
