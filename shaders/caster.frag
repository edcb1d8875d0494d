// The shadow map, blended by maximum. r: (1 + height of ladders) / 2, or 0 without a ladder, so that it also gives the
// coverage by ladders at their edges and in smaller mipmaps; g: height of still bodies; b: coverage by all bodies; a:
// coverage by parts close to the table.
uniform float still;
in float height;
out vec4 pixel;
void main() {
    float up = clamp(height / SHADOW_HEIGHT, 0.0, 1.0);
    pixel = vec4(0.5 * (1.0 + up) * (1.0 - still), up * still, 1.0, 1.0 - smoothstep(0.0, 0.045, height));
}
