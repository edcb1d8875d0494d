#version 330 core
// The room behind the table, sharp and in linear light; the lens blur is applied afterwards.
// The room is a box in metres around the table (table frame: x right, y away, z up), seen from inside.

uniform vec4 intrinsics;    // fx, fy, cx, cy in pixels
uniform float margin;       // width of the border around the picture, for the blur, in pixels
uniform mat3 table_from_camera;
uniform vec3 eye;           // camera position in the table frame
uniform float player_side;  // 1: the camera faces the player's half of the room

out vec4 light;

const vec3 ROOM_LOW = vec3(-2.7, -3.1, -0.74);
const vec3 ROOM_HIGH = vec3(2.7, 3.1, 1.75);

float hash(vec2 p) {
    p = fract(p * vec2(127.1, 311.7));
    p += dot(p, p + 34.23);
    return fract(p.x * p.y);
}

// 1 inside the box with these corners, with a soft edge.
float box(vec2 p, vec2 low, vec2 high, float rim) {
    vec2 inside = smoothstep(low - rim, low + rim, p) * (1.0 - smoothstep(high - rim, high + rim, p));
    return inside.x * inside.y;
}

float glow(vec2 p, vec2 centre, float radius) {
    vec2 d = (p - centre) / radius;
    return 1.0 / (1.0 + dot(d, d));
}

vec3 books(vec2 p) {
    vec2 shelf = vec2(p.x, (p.y + 0.74) / 0.34);
    float row = floor(shelf.y);
    float column = floor(p.x / 0.055 + 0.37 * row);
    float tone = hash(vec2(column, row));
    float height = 0.60 + 0.28 * hash(vec2(column, row + 7.0));
    vec3 spine = mix(vec3(0.105, 0.050, 0.034), vec3(0.045, 0.062, 0.090), smoothstep(0.35, 0.65, tone));
    spine = mix(spine, vec3(0.150, 0.125, 0.085), step(0.86, tone));
    float filled = step(fract(shelf.y), height) * step(0.12, hash(vec2(column * 0.31, row + 3.0)));
    vec3 board = vec3(0.060, 0.040, 0.028);
    return mix(board * 0.55, spine, filled) * (0.75 + 0.5 * hash(vec2(column, 1.0)));
}

// A row of small bright bulbs on a sagging wire.
vec3 bulbs(vec2 p, float left, float right, float height) {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 15; i++) {
        float t = (float(i) + 0.5) / 15.0;
        float sag = 0.16 * (2.0 * t - 1.0) * (2.0 * t - 1.0);
        vec2 jitter = vec2(hash(vec2(i, 1.0)), hash(vec2(i, 2.0))) - 0.5;
        vec2 centre = vec2(mix(left, right, t), height + sag) + jitter * vec2(0.10, 0.16);
        float size = 0.010 + 0.006 * hash(vec2(i, 3.0));
        vec3 warm = mix(vec3(1.0, 0.52, 0.16), vec3(1.0, 0.78, 0.45), hash(vec2(i, 4.0)));
        sum += warm * (10.0 + 16.0 * hash(vec2(i, 5.0))) * step(length(p - centre), size);
    }
    return sum;
}

// The wall across the table: window at dusk, lights, a low cupboard with a lamp, a bookcase.
vec3 far_wall(vec2 p) {
    vec3 wall = mix(vec3(0.040, 0.036, 0.042), vec3(0.066, 0.062, 0.076), smoothstep(-0.6, 1.2, p.y));
    wall += vec3(0.30, 0.17, 0.07) * 0.55 * glow(p, vec2(0.62, 0.10), 0.34);
    wall += vec3(0.05, 0.07, 0.12) * glow(p, vec2(-1.55, 0.5), 0.9);
    vec3 dusk = mix(vec3(0.46, 0.27, 0.23), vec3(0.13, 0.19, 0.36), smoothstep(-0.25, 0.75, p.y));
    float panes = box(p, vec2(-2.15, -0.22), vec2(-0.98, 1.45), 0.01);
    float frame = box(p, vec2(-1.595, -0.30), vec2(-1.535, 1.5), 0.008) + box(p, vec2(-2.2, 0.42), vec2(-0.9, 0.47), 0.008);
    wall = mix(wall, vec3(0.11, 0.10, 0.10), box(p, vec2(-2.24, -0.31), vec2(-0.89, 1.54), 0.01));
    wall = mix(wall, dusk * 0.85, panes * (1.0 - clamp(frame, 0.0, 1.0)));
    wall = mix(wall, books(p), box(p, vec2(1.22, -0.74), vec2(2.36, 1.30), 0.004));
    float cupboard = box(p, vec2(-0.62, -0.74), vec2(1.02, -0.16), 0.006);
    vec3 wood = vec3(0.085, 0.050, 0.030) * (0.8 + 0.5 * step(0.02, abs(fract(p.x / 0.41) - 0.5) * 0.41));
    wall = mix(wall, wood + vec3(0.10, 0.055, 0.02) * glow(p, vec2(0.62, -0.1), 0.3), cupboard);
    float shade_width = mix(0.17, 0.10, smoothstep(0.02, 0.28, p.y));
    float shade = step(abs(p.x - 0.62), shade_width) * box(p, vec2(0.3, 0.02), vec2(0.95, 0.28), 0.004);
    wall = mix(wall, vec3(1.25, 0.74, 0.34), shade);
    wall = mix(wall, vec3(0.03), box(p, vec2(0.60, -0.16), vec2(0.64, 0.02), 0.004));
    return wall + bulbs(p, -0.85, 1.10, 0.30);
}

// A rubber plant on a stool: long leaves that fan out of a pot.
vec3 plant(vec2 p, vec3 behind) {
    vec3 colour = behind;
    for (int i = 0; i < 11; i++) {
        float side = (float(i) - 5.0) / 5.0;
        float lean = 1.15 * side + 0.25 * (hash(vec2(i, 8.0)) - 0.5);
        vec2 base = vec2(0.05 * side, 0.10 * hash(vec2(i, 9.0)) + 0.22 * (1.0 - abs(side)));
        vec2 along = vec2(sin(lean), cos(lean));
        vec2 q = vec2(dot(p - base, vec2(along.y, -along.x)), dot(p - base, along));
        float size = 0.34 + 0.12 * hash(vec2(i, 10.0));
        float t = clamp(q.y / size, 0.0, 1.0);
        float leaf = step(abs(q.x), 0.26 * size * sin(3.1416 * pow(t, 0.8))) * step(0.0, q.y) * step(q.y, size);
        vec3 green = mix(vec3(0.020, 0.052, 0.026), vec3(0.052, 0.098, 0.036), hash(vec2(i, 11.0)));
        colour = mix(colour, green * (0.7 + 0.5 * step(0.0, q.x)), leaf);
    }
    float pot = box(p, vec2(-0.15, -0.42), vec2(0.15, 0.02), 0.004);
    float stool = box(p, vec2(-0.19, -0.64), vec2(0.19, -0.42), 0.004) * step(0.14, max(abs(p.x), p.y + 0.58));
    colour = mix(colour, vec3(0.060, 0.036, 0.022), stool);
    return mix(colour, vec3(0.17, 0.085, 0.045) * (0.8 - p.x), pot);
}

// The wall behind the player: a standing lamp, a sofa, pictures, a plant, more lights.
vec3 near_wall(vec2 p) {
    vec3 wall = mix(vec3(0.050, 0.047, 0.050), vec3(0.074, 0.070, 0.076), smoothstep(-0.7, 1.4, p.y));
    wall += vec3(0.40, 0.225, 0.095) * 0.75 * glow(p, vec2(-1.25, 0.70), 0.52);
    wall += vec3(0.06, 0.035, 0.020) * glow(p, vec2(1.8, 1.0), 0.8);
    vec3 lamp = vec3(1.45, 0.88, 0.42);
    float width = mix(0.20, 0.13, smoothstep(0.55, 0.85, p.y));
    wall = mix(wall, lamp, step(abs(p.x + 1.25), width) * box(p, vec2(-1.5, 0.55), vec2(-1.0, 0.85), 0.004));
    wall = mix(wall, vec3(0.02), box(p, vec2(-1.265, -0.74), vec2(-1.235, 0.55), 0.004));

    vec3 frame = vec3(0.026, 0.020, 0.016);
    wall = mix(wall, frame, box(p, vec2(0.18, 0.30), vec2(0.82, 0.86), 0.006));
    float hills = p.y + 0.05 * sin(p.x * 9.0) + 0.02 * sin(p.x * 23.0);
    vec3 painted = mix(vec3(0.055, 0.075, 0.105), vec3(0.26, 0.16, 0.10), smoothstep(0.54, 0.56, hills));
    painted = mix(painted, vec3(0.55, 0.46, 0.30), step(length(p - vec2(0.60, 0.69)), 0.045));
    wall = mix(wall, painted, box(p, vec2(0.22, 0.34), vec2(0.78, 0.82), 0.004));
    wall = mix(wall, frame, box(p, vec2(-0.52, 0.42), vec2(-0.12, 0.94), 0.006));
    wall = mix(wall, vec3(0.20, 0.18, 0.15), box(p, vec2(-0.49, 0.45), vec2(-0.15, 0.91), 0.004));
    wall = mix(wall, vec3(0.10, 0.055, 0.04), step(length((p - vec2(-0.32, 0.68)) * vec2(1.4, 1.0)), 0.13));

    float back = box(p, vec2(-0.95, -0.74), vec2(1.25, 0.06), 0.03);
    float seam = smoothstep(0.352, 0.367, abs(fract((p.x + 0.95) / 0.7334) - 0.5) * 0.7334);  // three seats
    vec3 cloth = vec3(0.030, 0.054, 0.062) * (0.85 + 0.7 * smoothstep(-0.25, 0.06, p.y)) * (1.0 - 0.45 * seam);
    cloth += vec3(0.05, 0.026, 0.010) * glow(p, vec2(-1.25, 0.3), 0.7);
    wall = mix(wall, cloth, back);
    vec2 cushion = p - vec2(0.78, -0.14);
    cushion = mat2(0.94, 0.34, -0.34, 0.94) * cushion;
    wall = mix(wall, vec3(0.19, 0.095, 0.034), box(cushion, vec2(-0.19), vec2(0.19), 0.02));
    cushion = mat2(0.97, -0.24, 0.24, 0.97) * (p - vec2(-0.58, -0.16));
    wall = mix(wall, vec3(0.120, 0.105, 0.090), box(cushion, vec2(-0.18), vec2(0.18), 0.02));

    wall = plant(p - vec2(1.78, -0.10), wall);
    return wall + bulbs(p, 1.0, 2.6, 1.0);
}

vec3 room(vec3 from, vec3 direction) {
    vec3 wall = mix(ROOM_LOW, ROOM_HIGH, step(0.0, direction));
    vec3 reach = (wall - from) / direction;
    if (reach.z < reach.x && reach.z < reach.y) {
        vec2 p = from.xy + direction.xy * reach.z;
        if (direction.z > 0.0) return vec3(0.085, 0.080, 0.078);
        float board = step(0.012, abs(fract(p.x / 0.14) - 0.5) * 0.14);
        return vec3(0.050, 0.034, 0.024) * (0.7 + 0.3 * board) + vec3(0.03, 0.02, 0.01) * glow(p, vec2(0.6, 2.6), 0.8);
    }
    if (reach.x < reach.y) {
        vec3 p = from + direction * reach.x;
        return vec3(0.052, 0.050, 0.058) * (0.8 + 0.2 * p.z) + vec3(0.05, 0.03, 0.015) * glow(p.yz, vec2(2.4, 0.2), 0.8);
    }
    vec3 p = from + direction * reach.y;
    return direction.y > 0.0 ? far_wall(p.xz) : near_wall(vec2(-p.x, p.z));
}

void main() {
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 9; i++) {
        vec2 shift = vec2(float(i % 3) - 1.0, float(i / 3) - 1.0) / 3.0;
        vec2 pixel = gl_FragCoord.xy - 0.5 - margin + shift;
        vec3 direction = table_from_camera * vec3((pixel - intrinsics.zw) / intrinsics.xy, 1.0);
        vec3 from = eye;
        if (player_side > 0.5) {
            direction.xy = -direction.xy;
            from.xy = -from.xy;
        }
        sum += room(from, direction);
    }
    light = vec4(sum / 9.0, 1.0);
}
