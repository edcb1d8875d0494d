#version 330 core
// The wooden table in front of the blurred room, as the camera records it. Drawn twice per camera: with the key light,
// and without it for the hand's shadow.

uniform vec4 intrinsics;    // fx, fy, cx, cy in pixels
uniform vec2 size;          // of the picture in pixels
uniform float margin;       // width of the room picture's border, in pixels
uniform mat3 table_from_camera;
uniform vec3 eye;           // camera position in the table frame
uniform vec4 table_edges;   // left, right, near, far in metres
uniform vec3 to_light;      // unit
uniform float key;          // 1 with the key light, 0 in its shadow
uniform float gain;
uniform float props;        // 1: there is a mug on the table
uniform sampler2D room;

out vec4 colour;

const vec3 KEY = vec3(1.00, 0.90, 0.76) * 2.45;
const vec3 SKY = vec3(0.62, 0.70, 0.82) * 0.56;
const float PLANK_WIDTH = 0.094;
const float PLANK_LENGTH = 0.66;

float hash(vec2 p) {
    p = fract(p * vec2(123.34, 456.21));
    p += dot(p, p + 45.32);
    return fract(p.x * p.y);
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 t = fract(p);
    t = t * t * (3.0 - 2.0 * t);
    float below = mix(hash(cell), hash(cell + vec2(1.0, 0.0)), t.x);
    float above = mix(hash(cell + vec2(0.0, 1.0)), hash(cell + vec2(1.0, 1.0)), t.x);
    return mix(below, above, t.y);
}

float clouds(vec2 p) {
    float sum = 0.0;
    float weight = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += weight * noise(p);
        p = p * 2.03 + 17.1;
        weight *= 0.5;
    }
    return sum;
}

// Albedo of walnut-stained oak boards; w: roughness.
vec4 wood(vec2 p) {
    float row = floor(p.y / PLANK_WIDTH);
    float across = fract(p.y / PLANK_WIDTH) - 0.5;
    float shifted = p.x + row * 0.387;
    float column = floor(shifted / PLANK_LENGTH);
    float along = fract(shifted / PLANK_LENGTH) - 0.5;
    float board = hash(vec2(row, column) + 3.7);
    float second = hash(vec2(column + 11.0, row));
    vec2 q = vec2(shifted, p.y) + board * vec2(7.3, 3.1);

    // Each board is cut from its own log: rings around an axis that wanders along the board.
    float wander = 0.014 * clouds(q * vec2(2.6, 5.0)) + 0.003 * clouds(q * vec2(9.0, 22.0));
    float offset = across * PLANK_WIDTH + (board - 0.5) * 0.07 + wander * 1.7;
    float depth = 0.016 + 0.03 * second + 0.045 * noise(vec2(q.x * 1.3, board * 9.0));

    // A knot pushes the grain aside.
    vec2 knot = vec2(along * PLANK_LENGTH - (second - 0.5) * 0.4, (across - (board - 0.5) * 0.4) * PLANK_WIDTH);
    float has_knot = step(0.70, hash(vec2(row + 9.0, column)));
    float knot_distance = length(knot * vec2(0.75, 1.2));
    offset += has_knot * 0.006 * exp(-knot_distance * knot_distance / 0.0006) * sign(knot.y + 1e-5);

    float ring = length(vec2(offset, depth)) * 250.0 + 1.4 * clouds(q * vec2(6.0, 40.0));
    float late = smoothstep(0.0, 0.75, fract(ring)) * (1.0 - smoothstep(0.84, 1.0, fract(ring)));
    float fibre = clouds(q * vec2(22.0, 820.0));
    float pores = smoothstep(0.60, 0.90, noise(q * vec2(64.0, 1500.0))) * (0.4 + 0.6 * late);

    vec3 albedo = mix(vec3(0.262, 0.140, 0.070), vec3(0.118, 0.056, 0.027), late * 0.72);
    albedo *= (0.80 + 0.40 * fibre) * (1.0 - 0.32 * pores);
    albedo *= mix(vec3(1.0), vec3(0.84, 0.79, 0.74), board);
    albedo *= (0.84 + 0.32 * second) * (0.90 + 0.20 * clouds(q * vec2(2.0, 3.0)));
    float core = has_knot * smoothstep(0.011, 0.004, knot_distance + 0.003 * noise(knot * 500.0));
    albedo = mix(albedo, vec3(0.050, 0.024, 0.013), 0.8 * core);

    vec2 to_gap = (0.5 - abs(vec2(along, across))) * vec2(PLANK_LENGTH, PLANK_WIDTH);
    float gap = min(to_gap.x, to_gap.y);
    albedo *= mix(0.22, 1.0, smoothstep(0.0003, 0.0015, gap)) * mix(0.86, 1.0, smoothstep(0.0, 0.006, gap));
    return vec4(albedo, 0.30 + 0.28 * fibre + 0.1 * board);
}

// The room's reflection in the satin varnish: a dusky window on the left, a warm lamp, dim walls.
vec3 reflect_room(vec3 direction) {
    vec2 p = direction.xz / max(abs(direction.y), 0.2);
    float window = smoothstep(-0.95, -0.70, p.x) * (1.0 - smoothstep(-0.40, -0.15, p.x)) * smoothstep(-0.1, 0.15, p.y);
    vec2 lamp = (p - vec2(0.18, 0.06)) / 0.16;
    return vec3(0.055, 0.052, 0.060) + vec3(0.26, 0.30, 0.42) * window + vec3(0.30, 0.17, 0.07) / (1.0 + dot(lamp, lamp));
}

// A mug of coffee that somebody left beside the game: an open cylinder with a handle, in the table frame.
const vec3 MUG = vec3(-0.255, 0.150, 0.0);
const float MUG_RADIUS = 0.041;
const float MUG_INSIDE = 0.0375;
const float MUG_HEIGHT = 0.088;
const float COFFEE = 0.070;
// The handle: a ring that stands upright, seen from its side.
const float HANDLE_RADIUS = 0.023;
const float HANDLE_THICK = 0.0052;
const vec2 HANDLE_DIRECTION = vec2(0.94, -0.34);

float mug(vec3 p) {
    vec3 q = p - MUG;
    float axis_distance = length(q.xy);
    float wall = max(abs(axis_distance - 0.5 * (MUG_RADIUS + MUG_INSIDE)) - 0.5 * (MUG_RADIUS - MUG_INSIDE) + 0.0008, abs(q.z - 0.5 * MUG_HEIGHT) - 0.5 * MUG_HEIGHT + 0.0008) - 0.0008;
    float coffee = max(axis_distance - MUG_RADIUS + 0.001, max(q.z - COFFEE, -q.z));
    vec3 h = vec3(dot(q.xy, HANDLE_DIRECTION) - MUG_RADIUS - 0.006, dot(q.xy, vec2(-HANDLE_DIRECTION.y, HANDLE_DIRECTION.x)), q.z - 0.5 * MUG_HEIGHT);
    float ring = length(vec2(length(h.xz) - HANDLE_RADIUS, h.y)) - HANDLE_THICK;
    return min(min(wall, coffee), max(ring, MUG_INSIDE - axis_distance + 0.002));
}

// Distance along a ray to the mug; negative: none.
float trace_mug(vec3 from, vec3 way) {
    vec3 to_middle = MUG + vec3(0.0, 0.0, 0.5 * MUG_HEIGHT) - from;
    float along = dot(to_middle, way);
    if (length(to_middle - along * way) > 0.095)
        return -1.0;
    float t = max(0.0, along - 0.11);
    for (int i = 0; i < 96; i++) {
        float gap = mug(from + way * t);
        if (gap < 0.0001)
            return t;
        t += 0.8 * gap;
        if (t > along + 0.11)
            return -1.0;
    }
    return -1.0;
}

// Share of the key light that the mug doesn't block; the shadow's edge softens with distance.
float find_unblocked_by_mug(vec3 p) {
    vec3 to_middle = MUG + vec3(0.0, 0.0, 0.5 * MUG_HEIGHT) - p;
    float along = dot(to_middle, to_light);
    if (length(to_middle - along * to_light) > 0.12)
        return 1.0;
    float seen = 1.0;
    float t = 0.003;
    for (int i = 0; i < 40; i++) {
        float gap = mug(p + to_light * t);
        seen = min(seen, 12.0 * gap / t);
        t += clamp(gap, 0.001, 0.02);
        if (seen < 0.01 || t > along + 0.12)
            break;
    }
    return smoothstep(0.0, 1.0, clamp(seen, 0.0, 1.0));
}

vec3 table(vec3 p, vec3 view) {
    vec4 material = wood(p.xy);
    vec3 normal = normalize(vec3((noise(p.xy * vec2(60.0, 700.0)) - 0.5) * 0.03, (noise(p.xy * vec2(60.0, 700.0) + 9.0) - 0.5) * 0.06, 1.0));
    vec2 from_pool = p.xy - vec2(-0.20, 0.12);
    float pool = key * 1.22 / (1.0 + 2.1 * dot(from_pool, from_pool));
    // The mug occludes some of the room's light near it.
    float beside = length(p.xy - MUG.xy) - MUG_RADIUS;
    float open_sky = mix(1.0, 0.35 + 0.65 * smoothstep(-0.002, 0.045, beside), props);
    if (props > 0.5)
        pool *= find_unblocked_by_mug(p + vec3(0.0, 0.0, 0.0005));
    float facing = max(dot(normal, normalize(to_light - view)), 0.0);
    float shine = pow(facing, mix(150.0, 24.0, material.w));
    float fresnel = 0.04 + 0.96 * pow(1.0 - max(-view.z, 0.0), 5.0);
    vec3 light = material.rgb * (KEY * max(to_light.z, 0.0) * pool + SKY * open_sky);
    return light + reflect_room(reflect(view, normal)) * fresnel * 1.6 + KEY * pool * shine * 0.10;
}

vec3 shade_mug(vec3 p, vec3 view) {
    const vec2 e = vec2(0.0003, 0.0);
    vec3 normal = normalize(vec3(mug(p + e.xyy) - mug(p - e.xyy), mug(p + e.yxy) - mug(p - e.yxy), mug(p + e.yyx) - mug(p - e.yyx)));
    vec3 q = p - MUG;
    bool inside = length(q.xy) < MUG_INSIDE + 0.0002;
    bool coffee = inside && q.z < COFFEE + 0.0006;
    float band = smoothstep(0.0010, 0.0, abs(q.z - 0.022) - 0.0045) * step(MUG_RADIUS - 0.001, length(q.xy)) * step(length(q.xy), MUG_RADIUS + 0.001);
    vec3 albedo = mix(vec3(0.56, 0.55, 0.52), vec3(0.075, 0.115, 0.27), band);
    albedo = coffee ? vec3(0.020, 0.010, 0.006) : albedo;
    float deep = inside ? smoothstep(-0.004, 0.022, q.z - COFFEE) : smoothstep(-0.01, 0.05, q.z);
    float lit = key * max(dot(normal, to_light), 0.0) * find_unblocked_by_mug(p + normal * 0.0008) * 1.15;
    vec3 light = albedo * (KEY * lit + SKY * (0.45 + 0.55 * normal.z * normal.z) * mix(0.45, 1.0, deep) + vec3(0.10, 0.05, 0.025) * max(-normal.z + 0.4, 0.0));
    float fresnel = 0.04 + 0.96 * pow(1.0 - max(dot(-view, normal), 0.0), 5.0);
    float shine = pow(max(dot(normal, normalize(to_light - view)), 0.0), 90.0) * lit;
    return light + reflect_room(reflect(view, normal)) * fresnel * 1.3 + KEY * shine * 0.25;
}

// Lens shading and the camera's tone curve, shared with the skin shader.
vec3 expose(vec3 light, vec2 pixel) {
    vec2 off = (pixel - size * 0.5) / size.x;
    light *= (1.0 - 0.75 * dot(off, off)) * 1.12 * gain;
    light = max(light / (1.0 + light * 0.28), 0.0);
    return pow(light, vec3(1.0 / 2.2));
}

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 16; i++) {
        vec2 shift = (vec2(float(i % 4), float(i / 4)) - 1.5) / 4.0;
        vec2 pixel = gl_FragCoord.xy - 0.5 + shift;
        vec3 view = normalize(table_from_camera * vec3((pixel - intrinsics.zw) / intrinsics.xy, 1.0));
        float reach = -eye.z / view.z;
        vec3 p = eye + view * reach;
        bool on_table = reach > 0.0 && p.x > table_edges.x && p.x < table_edges.y && p.y > table_edges.z && p.y < table_edges.w;
        vec3 light;
        float to_mug = props > 0.5 ? trace_mug(eye, view) : -1.0;
        if (to_mug > 0.0) {
            light = shade_mug(eye + view * to_mug, view);
        } else if (on_table) {
            light = table(p, view);
            // The rounded far edge catches the room's light.
            float rim = smoothstep(0.010, 0.0, table_edges.w - p.y);
            light += vec3(0.10, 0.085, 0.07) * rim * (0.4 + 0.6 * key);
        } else {
            light = texture(room, (pixel + 0.5 + margin) / vec2(textureSize(room, 0))).rgb;
        }
        sum += expose(light, gl_FragCoord.xy);
    }
    colour = vec4(sum / 16.0, 1.0);
}
