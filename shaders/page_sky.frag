// The night sky behind a page: painted once per size, then shown in each frame (page_show.frag). Its alpha is the coverage
// by moon, ladders and clouds.
uniform sampler2D moon;
uniform vec2 sky_style;   // 1 where the moon shines; 1 on the title, with clouds and ladders
uniform vec4 moon_place;  // centre in pixels from the lower left, radius of its quad, spare
in vec2 part;
out vec4 pixel;

const vec3 HIGH = vec3(0.022, 0.034, 0.110);
const vec3 LOW = vec3(0.090, 0.104, 0.270);
const vec3 GOLD = vec3(1.00, 0.80, 0.42);

float random(vec2 cell) { return fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453); }

float stars(vec2 p, float cell_size, float rare) {
    vec2 cell = floor(p / cell_size);
    vec2 inside = p / cell_size - cell - 0.5;
    float number = random(cell);
    vec2 shift = vec2(fract(number * 57.0), fract(number * 131.0)) * 0.7 - 0.35;
    float size = mix(0.9, 2.0, pow(fract(number * 977.0), 4.0)) / cell_size;
    return step(rare, number) * smoothstep(size, size * 0.25, length(inside - shift)) * (0.25 + 0.75 * fract(number * 311.0));
}

// Signed distance to a bank of clouds: one round puff per step of `scale`, above a floor at `base`.
float bank(vec2 p, float base, float scale, float seed) {
    float d = p.y - base;
    float cell = floor(p.x / scale);
    for (int i = -1; i < 2; i++) {
        float number = random(vec2(cell + float(i), seed));
        float other = random(vec2(seed, cell + float(i)));
        vec2 puff = vec2((cell + float(i) + 0.25 + 0.5 * number) * scale, base + 0.22 * scale * other);
        d = min(d, length((p - puff) * vec2(1.0, 1.2)) - scale * (0.50 + 0.34 * number));
    }
    return d;
}

// The moon, enlarged smoothly by a cubic B-spline.
vec4 smooth_moon(vec2 place) {
    vec2 size = vec2(textureSize(moon, 0));
    vec2 at = place * size - 0.5;
    vec2 f = fract(at);
    at -= f;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
    vec2 w1 = (4.0 - 6.0 * f * f + 3.0 * f * f * f) / 6.0;
    vec2 w3 = f * f * f / 6.0;
    vec2 w2 = 1.0 - w0 - w1 - w3;
    vec2 low = w0 + w1, high = w2 + w3;
    vec2 a = (at - 0.5 + w1 / low) / size, b = (at + 1.5 + w3 / high) / size;
    return low.y * (low.x * texture(moon, a) + high.x * texture(moon, vec2(b.x, a.y)))
         + high.y * (low.x * texture(moon, vec2(a.x, b.y)) + high.x * texture(moon, b));
}

// Coverage by a ladder from foot to head; `wide`: half its width; `thick`: half a rail's width; in picture heights.
float ladder(vec2 p, vec2 foot, vec2 head, float wide, float thick, float rungs, float soft) {
    vec2 along = head - foot;
    float height = length(along);
    along /= height;
    vec2 q = vec2(dot(p - foot, vec2(along.y, -along.x)), dot(p - foot, along));
    if (q.y < -thick || q.y > height + thick) return 0.0;
    float rail = abs(abs(q.x) - wide) - thick;
    float step_up = height / rungs;
    float rung = max(abs(mod(q.y, step_up) - step_up * 0.5) - thick * 0.8, abs(q.x) - wide);
    return smoothstep(soft, -soft, min(rail, rung));
}

void main() {
    vec2 size = picture.zw;
    vec2 drawn = part * size;
    vec2 p = drawn / size.y;            // in picture heights
    vec3 colour = mix(LOW, HIGH, smoothstep(0.0, 0.9, part.y));
    float dust = stars(drawn, 23.0, 0.90) + stars(drawn + 301.0, 41.0, 0.82);
    colour += dust * vec3(0.80, 0.88, 1.0) * (0.35 + 0.65 * part.y);
    float alpha = 0.0;
    float soft = 0.8 / size.y;
    if (sky_style.x > 0.5) {
        vec2 from_moon = (drawn - moon_place.xy) / moon_place.z;
        float away = length(from_moon);
        colour += vec3(0.62, 0.55, 0.36) * 0.55 * exp(-away * away * 0.9);
        alpha = max(alpha, 0.55 * exp(-away * away * 1.2));
        vec4 disc = max(abs(from_moon.x), abs(from_moon.y)) < 1.0 ? smooth_moon(from_moon * 0.5 + 0.5) : vec4(0.0);
        colour = mix(colour, disc.rgb, disc.a);
        alpha = max(alpha, disc.a);
    }
    if (sky_style.y > 0.5) {
        float x = size.x / size.y;
        vec2 goal = moon_place.xy / size.y;
        float reach = moon_place.z / size.y * 0.40;
        float far = bank(p + vec2(0.03, 0.0), 0.105, 0.170, 3.0);
        float behind = smoothstep(0.003, -0.003, far);
        colour = mix(colour, mix(vec3(0.09, 0.11, 0.28), vec3(0.25, 0.28, 0.52), smoothstep(0.06, 0.24, p.y)) + 0.07 * smoothstep(-0.035, 0.0, far), behind);
        vec2 meet = vec2(goal.x - 0.035, 0.385);
        float a = ladder(p, vec2(goal.x - 0.175, 0.06), meet + vec2(0.012, 0.045), 0.026, 0.0046, 9.0, soft);
        float b = ladder(p, vec2(goal.x + 0.115, 0.05), meet + vec2(-0.012, 0.030), 0.024, 0.0044, 9.0, soft);
        float c = ladder(p, meet + vec2(-0.030, -0.075), goal + vec2(0.0, -reach - 0.006), 0.022, 0.0040, 10.0, soft);
        vec3 wood = mix(vec3(0.62, 0.40, 0.20), vec3(1.0, 0.84, 0.56), smoothstep(0.1, 0.75, p.y));
        colour = mix(colour, wood * 0.60, b);
        colour = mix(colour, wood * 0.80, a);
        colour = mix(colour, wood, c);
        float near = bank(p, 0.028, 0.125, 8.0);
        float cloud = smoothstep(0.003, -0.003, near);
        vec3 puff = mix(vec3(0.34, 0.38, 0.66), vec3(0.66, 0.71, 0.92), smoothstep(0.0, 0.13, p.y))
                  + 0.16 * smoothstep(-0.040, 0.0, near);
        colour = mix(colour, puff, cloud);
        alpha = max(alpha, max(max(a, b), max(c, max(cloud, behind * 0.9))));
    }
    pixel = vec4(colour, alpha);
}
