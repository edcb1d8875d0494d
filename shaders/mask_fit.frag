// Guided filter, first half (He, Sun, Tang: Guided Image Filtering, 2010): around each pixel, the line that best tells
// the mask from the camera's colours. Its three slopes and its offset.
uniform sampler2D feed;
uniform sampler2D mask;
uniform vec2 area;    // of this target, pixels
out vec4 line;
const float SMOOTH = 1e-4;  // colours that differ less (variance) are noise
void main() {
    vec2 uv = gl_FragCoord.xy / area;
    vec3 mean = vec3(0.0);
    vec3 with_mask = vec3(0.0);
    float covered = 0.0;
    vec3 squares = vec3(0.0);
    vec3 products = vec3(0.0);   // rg, rb, gb
    for (int i = 0; i < 16; i++) {
        vec2 place = uv + (vec2(float(i & 3), float(i >> 2)) * 2.0 - 3.0) / area;
        vec3 colour = texture(feed, feed_place(place * picture.zw)).rgb;
        float p = texture(mask, place).r;
        mean += colour;
        covered += p;
        with_mask += colour * p;
        squares += colour * colour;
        products += colour.rrg * colour.gbb;
    }
    mean /= 16.0;
    covered /= 16.0;
    vec3 joint = with_mask / 16.0 - mean * covered;
    squares = squares / 16.0 - mean * mean + SMOOTH;
    products = products / 16.0 - mean.rrg * mean.gbb;
    mat3 spread = mat3(squares.r, products.r, products.g,
                       products.r, squares.g, products.b,
                       products.g, products.b, squares.b);
    vec3 slopes = inverse(spread) * joint;
    line = vec4(slopes, covered - dot(slopes, mean));
}
