// A layer of bodies over the picture, premultiplied; in the full tier with the camera's blur and noise.
uniform sampler2D layer;
out vec4 pixel;
#ifdef FULL
uniform float blur;  // standard deviation, drawn pixels

vec3 camera_noise(vec2 drawn) {
    // One value for each camera pixel, interpolated like the frame.
    vec2 place = feed_place(drawn) * picture.xy - 0.5;
    vec2 cell = floor(place);
    vec2 t = place - cell;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(float(i & 1), float(i >> 1));
        vec2 share = mix(1.0 - t, t, corner);
        vec3 at = vec3(cell + corner, sky.w);
        vec3 chance = vec3(hash3(at), hash3(at + 71.3), hash3(at + 193.7)) + hash3(at + 311.1) - 1.0;
        sum += chance * share.x * share.y;
    }
    return sum * 2.45 * key.w;  // the sum of two uniform numbers has a standard deviation of 0.408
}

void main() {
    vec2 uv = gl_FragCoord.xy / picture.zw;
    // A 3 x 3 binomial kernel of spacing s has a standard deviation of s / sqrt(2).
    vec2 s = 1.414 * blur / picture.zw;
    vec4 sides = texture(layer, uv + vec2(s.x, 0.0)) + texture(layer, uv - vec2(s.x, 0.0))
               + texture(layer, uv + vec2(0.0, s.y)) + texture(layer, uv - vec2(0.0, s.y));
    vec4 corners = texture(layer, uv + s) + texture(layer, uv - s)
                 + texture(layer, uv + vec2(s.x, -s.y)) + texture(layer, uv + vec2(-s.x, s.y));
    vec4 soft = texture(layer, uv) * 0.25 + sides * 0.125 + corners * 0.0625;
    if (soft.a < 0.002) discard;
    pixel = vec4(max(soft.rgb + camera_noise(gl_FragCoord.xy) * soft.a, 0.0), soft.a);
}
#else
uniform vec2 corner;  // the layer's lower left corner, drawn pixels
void main() {
    pixel = texelFetch(layer, ivec2(gl_FragCoord.xy - corner), 0);
}
#endif
