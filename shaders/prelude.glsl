#version 330 core
// Shared by all shaders of the view: a picture's uniforms, the ladders, the camera's frame, light, and coverage by hands.
// Frames and units as in armoon/geometry.py: the table frame has z up, metres; colours are linear unless named.

layout(std140) uniform View {
    mat4 clip_from_table;
    mat4 camera_from_table;
    vec4 lens;          // fx, fy, cx, cy in camera pixels
    vec4 picture;       // camera width, height; drawn width, height (pixels)
    vec4 distortion;    // k1, k2, p1, p2
    vec4 more;          // k3; 1 or -1 for mirrored; time in seconds; strength of the evening grade
    vec4 eye;           // the camera in the table frame; transparency of a carrying hand, 0 to 1
    vec4 light;         // unit vector to the key light
    vec4 key;           // key light's colour; w: standard deviation of the camera's noise (display colours)
    vec4 sky;           // sky's colour; w: seed of the noise, different in every picture
    vec4 bounce;        // colour of the table's light; w: its factor relative to the table's picture
    vec4 shadow_area;   // lower left corner on the table; 1 / width, 1 / depth of the shadow map's ground
};

// All ladders of a game, by number.
layout(std140) uniform Pieces {
    mat4 table_from_piece[32];
    vec4 tint[32];   // albedo; seed of the ladder's grain
    vec4 glow[32];   // colour and strength of the look
};

// Texture coordinates in the camera's frame, top row first, of the ray through a drawn pixel, with the lens's distortion.
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

// The evening grade of virtual pixels (display colours). camera_picture.py applies the same grade to the camera's
// picture, so that both match.
vec3 apply_grade(vec3 colour, vec2 drawn) {
    vec2 uv = drawn / picture.zw;
    vec2 q = (uv - vec2(0.5, 0.45)) * vec2(1.5, 1.3);
    float edge = clamp(dot(q, q) * 1.15 - 0.22, 0.0, 1.0);
    float top = clamp(uv.y * 2.2 - 1.25, 0.0, 1.0);
    float dusk = 1.0 - (1.0 - 0.42 * edge) * (1.0 - 0.28 * top);
    vec3 contrast = colour * (0.82 + 0.36 * colour * (1.5 - colour));
    vec3 evening = contrast * mix(vec3(0.97, 0.99, 1.04), vec3(0.50, 0.58, 0.84), dusk);
    return mix(colour, evening, more.w);
}

// Distance from the camera, in metres, of a depth in the buffer; the inverse of get_clip_from_camera in camera_picture.py.
float to_metres(float buffered) {
    return 2.0 * 5.0 * 0.05 / (5.0 + 0.05 - (2.0 * buffered - 1.0) * (5.0 - 0.05));
}

// Coverage by hands, 0 to 1, of an object `depth` metres from the camera.
// The mask holds the hand's coverage in r and its nearness in g, see hand_mask.py.
const float HAND_NEAR = 1.10;   // distance with a nearness of 0, metres; the nearness is 1 one metre closer
const float HAND_RAMP = 0.007;  // half of the depth range in which coverage increases, metres
#ifdef NO_HANDS
float find_hand_coverage(sampler2D hand_mask, vec2 drawn, float depth) { return 0.0; }
float find_glass_coverage(sampler2D hand_mask, vec2 drawn, float depth) { return 0.0; }
#else
float find_hand_coverage(sampler2D hand_mask, vec2 drawn, float depth) {
    vec2 hand = texture(hand_mask, drawn / picture.zw).rg;
    return hand.r * smoothstep(-HAND_RAMP, HAND_RAMP, depth - (HAND_NEAR - hand.g));
}

// The same for objects that a carrying hand must not hide: well behind the hand, a share eye.w of them shows through. The
// held ladder is close to the fingers, so they hide it.
float find_glass_coverage(sampler2D hand_mask, vec2 drawn, float depth) {
    vec2 hand = texture(hand_mask, drawn / picture.zw).rg;
    float behind = depth - (HAND_NEAR - hand.g);
    float covered = hand.r * smoothstep(-HAND_RAMP, HAND_RAMP, behind);
    return eye.w > 0.0 ? covered * (1.0 - eye.w * smoothstep(0.012, 0.035, behind)) : covered;
}
#endif

// Shadow map coordinates of the point on the table that the key light's ray through a point (table frame) meets.
vec2 shadow_place(vec3 point) {
    return (point.xy - light.xy * (point.z / light.z) - shadow_area.xy) * shadow_area.zw;
}
const float SHADOW_HEIGHT = 0.5;  // height with the value 1.0 in the map, metres above the table
// Height of the highest body, metres, and coverage by ladders, from the shadow map's r and g (see caster.frag).
float highest(vec2 map) { return max(2.0 * map.r - 1.0, map.g) * SHADOW_HEIGHT; }
float covered_by(float ladders) { return min(2.0 * ladders, 1.0); }

// Light from a key light with a soft terminator, from the sky above and from the table below; display colours.
vec3 shade_surface(vec3 albedo, vec3 normal, vec3 to_eye, float visible, float open, float wrap, float gloss) {
    float lambert = max((dot(normal, light.xyz) + wrap) / (1.0 + wrap), 0.0);
    float highlight = max(dot(normal, normalize(light.xyz + to_eye)), 0.0);
    highlight *= highlight; highlight *= highlight; highlight *= highlight; highlight *= highlight;
    float up = normal.z * 0.5 + 0.5;
    vec3 colour = key.rgb * visible * (albedo * lambert + gloss * highlight)
                + albedo * (sky.rgb * up * open + bounce.rgb * (1.0 - up) * open);
    return sqrt(max(colour, 0.0));
}

// A pseudo-random number from 0 to 1 for a point with integer coordinates.
float hash3(vec3 p) {
    p = fract(p * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

#ifdef FULL
// key_map: depth of the highest body along each ray of the key light; sky_map: the same along the vertical. Depth 1 is
// the table, 0 is SHADOW_HEIGHT. hand_shadow: shadow of the real hands, with coverage in r and height in g.
uniform sampler2DShadow key_map;
uniform sampler2D sky_map;
uniform sampler2D hand_shadow;
const int TAPS = 8;
const float SHADOW_BIAS = 0.0012;  // metres; less than half a rung's thickness
const float SKY_REACH = 0.036;     // radius around a point in which bodies hide the sky from it, metres
const vec2 DISC[8] = vec2[8](vec2(0.35, 0.12), vec2(-0.62, -0.55), vec2(0.18, -0.90), vec2(-0.42, 0.71),
                             vec2(-0.21, -0.28), vec2(0.85, -0.36), vec2(0.52, 0.78), vec2(-0.94, 0.16));

// Share of the key light at a point that real hands don't block.
float find_unblocked_by_hand(vec3 point) {
    vec2 hand = texture(hand_shadow, shadow_place(point)).rg;
    return 1.0 - 0.85 * hand.r * smoothstep(0.004, 0.02, hand.g * SHADOW_HEIGHT - point.z);
}

// Share of the key light that reaches a point of a body.
float find_key_light(vec3 point, vec3 normal) {
    vec3 p = point + normal * SHADOW_BIAS;
    vec2 place = shadow_place(p);
    float depth = 1.0 - (p.z + SHADOW_BIAS) / SHADOW_HEIGHT;
    float sum = 0.0;
    for (int i = 0; i < TAPS; i++) sum += texture(key_map, vec3(place + DISC[i] * 0.0011 * shadow_area.zw, depth));
    return sum / float(TAPS) * find_unblocked_by_hand(point);
}

// Share of the sky that is visible from a point of a body.
float find_visible_sky(vec3 point, vec3 normal) {
    vec2 place = (point.xy + normal.xy * 0.003 - shadow_area.xy) * shadow_area.zw;
    float sum = 0.0;
    for (int i = 0; i < TAPS; i++) {
        float above = (1.0 - texture(sky_map, place + DISC[i] * SKY_REACH * shadow_area.zw).r) * SHADOW_HEIGHT - point.z;
        sum += smoothstep(0.006, 0.06, above) * (1.0 - 0.5 * smoothstep(0.10, 0.30, above));
    }
    return 1.0 - 0.80 * sum / float(TAPS);
}
uniform sampler2D small_feed;

float solid_noise(vec3 p) {
    vec3 cell = floor(p);
    vec3 t = fract(p);
    t = t * t * (3.0 - 2.0 * t);
    vec2 o = vec2(0.0, 1.0);
    vec4 low = vec4(hash3(cell), hash3(cell + o.yxx), hash3(cell + o.xyx), hash3(cell + o.yyx));
    vec4 high = vec4(hash3(cell + o.xxy), hash3(cell + o.yxy), hash3(cell + o.xyy), hash3(cell + o.yyy));
    vec4 level = mix(low, high, t.z);
    vec2 line = mix(level.xz, level.yw, t.x);
    return mix(line.x, line.y, t.y);
}

// Colour of the table, in the camera's frame, where a ray from a point meets it; linear.
vec3 find_table_colour(vec3 point, vec3 direction) {
    vec2 foot = point.xy + direction.xy * (max(point.z, 0.0) / max(-direction.z, 0.15));
    vec3 seen = (camera_from_table * vec4(foot, 0.0, 1.0)).xyz;
    vec2 place = (seen.xy / seen.z * lens.xy + lens.zw + 0.5) / picture.xy;
    vec3 colour = texture(small_feed, clamp(place, 0.02, 0.98)).rgb;
    return colour * colour;
}

// Light of a rough surface under key light, sky and the table's reflection; display colours.
vec3 shade_fully(vec3 albedo, vec3 point, vec3 normal, vec3 to_eye, float wrap, float rough) {
    float visible = find_key_light(point, normal);
    float open = find_visible_sky(point, normal);
    float facing = dot(normal, light.xyz);
    vec3 half_way = normalize(light.xyz + to_eye);
    float nh = max(dot(normal, half_way), 0.0);
    float nv = max(dot(normal, to_eye), 0.05);
    float nl = max(facing, 0.0);
    // GGX with Schlick's approximations; 0.045 is the reflectance of wood and paint at normal incidence.
    float a2 = rough * rough * rough * rough;
    float spread = nh * nh * (a2 - 1.0) + 1.0;
    float k = (rough + 1.0) * (rough + 1.0) / 8.0;
    float mirrored = 0.045 + 0.955 * pow(1.0 - max(dot(to_eye, half_way), 0.0), 5.0);
    float shine = a2 / (3.14159 * spread * spread) * mirrored * 0.25 * nl / (mix(max(nl, 0.01), 1.0, k) * mix(nv, 1.0, k));
    float lambert = max((facing + wrap) / (1.0 + wrap), 0.0);
    float up = normal.z * 0.5 + 0.5;
    vec3 back = find_table_colour(point, normalize(vec3(normal.xy * 0.8, min(normal.z, 0.0) - 0.55))) * bounce.w;
    float near = mix(0.55, 1.0, exp(-point.z * 7.0));
    vec3 colour = key.rgb * visible * (albedo * lambert + shine)
                + albedo * (sky.rgb * up * open + back * (1.0 - up) * near * mix(1.0, open, 0.5));
    vec3 away = reflect(-to_eye, normal);
    float edge = 0.045 + 0.955 * pow(1.0 - nv, 5.0) * (1.0 - rough);
    vec3 around = away.z < 0.0 ? find_table_colour(point, away) * bounce.w : sky.rgb * (0.8 + 0.6 * away.z) * open;
    return sqrt(max(colour + around * edge * 0.6, 0.0));
}
#endif
