#version 330 core
// Shared by all shaders of the view: the per-picture block, the camera feed, light, and the hand's cover.
// Frames and units as in armoon/geometry.py: the table frame has z up, metres; colours are linear unless named.

layout(std140) uniform View {
    mat4 clip_from_table;
    mat4 camera_from_table;
    vec4 lens;          // fx, fy, cx, cy in camera pixels
    vec4 picture;       // camera width, height; drawn width, height (pixels)
    vec4 distortion;    // k1, k2, p1, p2
    vec4 more;          // k3; 1 or -1 for mirrored; time in seconds; strength of the evening grade
    vec4 eye;           // the camera in the table frame
    vec4 light;         // unit vector to the key light
    vec4 key;           // colours of the three lights
    vec4 sky;
    vec4 bounce;
    vec4 shadow_area;   // lower left corner on the table; 1 / width, 1 / depth of the shadow map's ground
};

// Where the lens put the ray through a drawn pixel: texture coordinates in the camera frame, top row first.
vec2 feed_place(vec2 drawn) {
    vec2 pixel = vec2(drawn.x, picture.w - drawn.y) * picture.xy / picture.zw;
    if (more.y < 0.0) pixel.x = picture.x - pixel.x;
    if (distortion == vec4(0.0) && more.x == 0.0) return pixel / picture.xy;
    vec2 p = (pixel - 0.5 - lens.zw) / lens.xy;
    float r2 = dot(p, p);
    float radial = 1.0 + r2 * (distortion.x + r2 * (distortion.y + r2 * more.x));
    vec2 bent = p * radial + vec2(2.0 * distortion.z * p.x * p.y + distortion.w * (r2 + 2.0 * p.x * p.x),
                                  distortion.z * (r2 + 2.0 * p.y * p.y) + 2.0 * distortion.w * p.x * p.y);
    return (bent * lens.xy + lens.zw + 0.5) / picture.xy;
}

// One evening grade over real and virtual pixels alike, so that they belong together (display colours).
vec3 graded(vec3 colour, vec2 drawn) {
    vec2 uv = drawn / picture.zw;
    vec2 q = (uv - vec2(0.5, 0.45)) * vec2(1.5, 1.3);
    float edge = clamp(dot(q, q) * 1.15 - 0.22, 0.0, 1.0);
    float top = clamp(uv.y * 2.2 - 1.25, 0.0, 1.0);
    float dusk = 1.0 - (1.0 - 0.42 * edge) * (1.0 - 0.28 * top);
    vec3 contrast = colour * (0.82 + 0.36 * colour * (1.5 - colour));
    vec3 evening = contrast * mix(vec3(0.97, 0.99, 1.04), vec3(0.50, 0.58, 0.84), dusk);
    return mix(colour, evening, more.w);
}

// From 0 (free) to 1 (behind the hand) for something `depth` metres from the camera.
// The mask holds the hand's coverage in r and its nearness in g, see hand_mask.frag.
const float HAND_NEAR = 1.10;   // metres at which nearness is 0; it reaches 1 a metre closer
const float HAND_RAMP = 0.007;  // half of the depth over which the hand fades in, metres
float hand_cover(sampler2D hand_mask, vec2 drawn, float depth) {
    vec2 hand = texture(hand_mask, drawn / picture.zw).rg;
    return hand.r * smoothstep(-HAND_RAMP, HAND_RAMP, depth - (HAND_NEAR - hand.g));
}

// Where the key light's ray through a table-frame point meets the table, as a place in the shadow map.
vec2 shadow_place(vec3 point) {
    return (point.xy - light.xy * (point.z / light.z) - shadow_area.xy) * shadow_area.zw;
}
const float SHADOW_HEIGHT = 0.5;  // the map's 1.0, metres above the table

// Key light with a soft terminator, sky from above, the table's colour from below; display colours.
vec3 lit(vec3 albedo, vec3 normal, vec3 to_eye, float visible, float open, float wrap, float gloss) {
    float lambert = max((dot(normal, light.xyz) + wrap) / (1.0 + wrap), 0.0);
    float highlight = max(dot(normal, normalize(light.xyz + to_eye)), 0.0);
    highlight *= highlight; highlight *= highlight; highlight *= highlight; highlight *= highlight;
    float up = normal.z * 0.5 + 0.5;
    vec3 colour = key.rgb * visible * (albedo * lambert + gloss * highlight)
                + albedo * (sky.rgb * up * open + bounce.rgb * (1.0 - up) * open);
    return sqrt(max(colour, 0.0));
}
