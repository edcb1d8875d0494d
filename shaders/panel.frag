// Kind 0: panel with rounded corners; 1: tear drop; 2: crescent moon; 3: ladder; 4: die face; 5: disc;
// 6: tick; 7: cross; 8: stroke between two corners of the box; 9: disc with a pattern. Distances are in pixels, negative inside.
in vec2 spot;
flat in vec2 half_size;
flat in vec4 shape_style;
flat in vec4 fill_colour;
flat in vec4 border_colour;
out vec4 pixel;
#ifndef NO_HANDS
uniform sampler2D hand_mask;  // shapes in the sky are behind hands, and show through a transparent hand
#endif

float rounded_box(vec2 p, vec2 half_extent, float radius) {
    vec2 q = abs(p) - half_extent + radius;
    return min(max(q.x, q.y), 0.0) + length(max(q, 0.0)) - radius;
}

float stroke(vec2 p, vec2 a, vec2 b, float radius) {
    vec2 line = b - a;
    return length(p - a - line * clamp(dot(p - a, line) / dot(line, line), 0.0, 1.0)) - radius;
}

// Signed distance to a circle that tapers to a point at the top.
float tear_drop(vec2 p, float radius) {
    p.y += radius * 0.45;
    float tip = radius * 2.1;
    if (p.y < radius * radius / tip) return length(p) - radius;
    vec2 side = vec2(sqrt(tip * tip - radius * radius), radius) / tip;
    return max(dot(vec2(abs(p.x), p.y - tip), side), -p.y);
}

float little_ladder(vec2 p, vec2 size) {
    float bar = max(size.x * 0.16, 0.8);
    float d = min(stroke(p, vec2(-size.x * 0.62, -size.y), vec2(-size.x * 0.62, size.y), bar),
                  stroke(p, vec2(size.x * 0.62, -size.y), vec2(size.x * 0.62, size.y), bar));
    for (int i = -1; i < 2; i++)
        d = min(d, stroke(p, vec2(-size.x * 0.62, float(i) * size.y * 0.58), vec2(size.x * 0.62, float(i) * size.y * 0.58), bar * 0.8));
    return d;
}

float crescent(vec2 p, float radius) {
    return max(length(p) - radius, radius * 0.86 - length(p - vec2(radius * 0.48, radius * 0.16)));
}

float star_dust(vec2 p) {
    vec2 cell = floor(p / 13.0);
    vec2 inside = p / 13.0 - cell - 0.5;
    float chance = fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453);
    vec2 shift = vec2(fract(chance * 57.0), fract(chance * 131.0)) * 0.6 - 0.3;
    return step(0.86, chance) * smoothstep(0.11, 0.02, length(inside - shift)) * (0.25 + 0.5 * fract(chance * 977.0));
}

void main() {
    float kind = shape_style.x;
    float radius = min(half_size.x, half_size.y);
    vec4 colour = fill_colour;
    float d;
    if (kind < 0.5) {
        d = rounded_box(spot, half_size, shape_style.y);
        float lift = spot.y / half_size.y * 0.5 + 0.5;
        colour.rgb *= 0.85 + 0.45 * lift;
        colour.rgb += star_dust(spot + half_size) * vec3(0.7, 0.78, 1.0) * shape_style.w;
        float line = smoothstep(0.75, -0.75, abs(d + shape_style.z * 0.5) - shape_style.z * 0.5);
        colour = mix(colour, vec4(border_colour.rgb, 1.0), line * border_colour.a);
    } else if (kind < 1.5) {
        float size = radius * 0.64;
        d = tear_drop(spot, size);
        float shine = smoothstep(0.30, 0.0, length(spot + vec2(size * 0.32, size * 0.30)) / size);
        colour.rgb = mix(fill_colour.rgb, border_colour.rgb, clamp(spot.y / radius * 0.5 + 0.5, 0.0, 1.0)) + 0.6 * shine;
    } else if (kind < 2.5) {
        d = crescent(spot, radius * 0.92);
        colour.rgb = mix(fill_colour.rgb, border_colour.rgb, clamp(0.5 - spot.x / radius * 0.6, 0.0, 1.0));
    } else if (kind < 3.5) {
        d = little_ladder(spot, half_size * 0.92);
    } else if (kind < 4.5) {
        d = rounded_box(spot, half_size, radius * 0.30);
        float face = shape_style.w;
        float mark = face < 1.5 ? little_ladder(spot, radius * vec2(0.26, 0.60))
                   : face < 2.5 ? min(little_ladder(spot - vec2(radius * 0.38, 0.0), radius * vec2(0.22, 0.58)),
                                      little_ladder(spot + vec2(radius * 0.38, 0.0), radius * vec2(0.22, 0.58)))
                   : face < 3.5 ? crescent(spot, radius * 0.60)
                                : length(spot) - radius * 0.14;
        colour.rgb *= 0.90 + 0.14 * spot.y / half_size.y;
        colour.rgb = mix(colour.rgb, border_colour.rgb, smoothstep(0.7, -0.7, mark));
    } else if (kind < 5.5) {
        d = length(spot) - radius;
    } else if (kind < 6.5) {
        d = min(stroke(spot, vec2(-0.62, -0.02) * radius, vec2(-0.18, -0.48) * radius, radius * 0.17),
                stroke(spot, vec2(-0.18, -0.48) * radius, vec2(0.66, 0.52) * radius, radius * 0.17));
    } else if (kind < 7.5) {
        d = min(stroke(spot, vec2(-0.5) * radius, vec2(0.5) * radius, radius * 0.17),
                stroke(spot, vec2(-0.5, 0.5) * radius, vec2(0.5, -0.5) * radius, radius * 0.17));
    } else if (kind > 8.5) {
        // 1: a horizontal bar; 2: a vertical bar; 3: a dot; 4: a cross; 5: half filled.
        d = length(spot) - radius;
        float pattern = shape_style.w;
        float ink = pattern < 1.5 ? abs(spot.y) - radius * 0.28
                  : pattern < 2.5 ? abs(spot.x) - radius * 0.28
                  : pattern < 3.5 ? length(spot) - radius * 0.45
                  : pattern < 4.5 ? min(stroke(spot, vec2(-0.55) * radius, vec2(0.55) * radius, radius * 0.16),
                                        stroke(spot, vec2(-0.55, 0.55) * radius, vec2(0.55, -0.55) * radius, radius * 0.16))
                                  : (spot.x + spot.y) * 0.7071;
        colour.rgb = mix(colour.rgb, border_colour.rgb, smoothstep(0.7, -0.7, ink));
    } else {
        // Rises or falls to the right; the border's colour is along the edge.
        vec2 end = vec2(half_size.x, half_size.y * shape_style.w);
        d = stroke(spot, -end, end, shape_style.y);
        colour = mix(colour, border_colour, smoothstep(-0.7, 0.7, d + shape_style.z) * step(0.01, shape_style.z));
    }
#ifndef NO_HANDS
    colour.a *= 1.0 - (1.0 - eye.w) * texture(hand_mask, gl_FragCoord.xy / picture.zw).r;
#endif
    pixel = vec4(colour.rgb, colour.a * smoothstep(0.7, -0.7, d));
}
