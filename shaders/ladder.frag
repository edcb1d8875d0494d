// A ladder's wood: grain, light and shadows of other ladders; transparent where a hand is nearer. The plain tier uses the
// wood texture and the shadow map; the full tier computes a three-dimensional grain.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
uniform sampler2D wood;
in vec3 point_table;
in vec3 normal_table;
in vec3 grain;
in vec2 marked;
in float depth;
flat in vec4 piece_tint;
flat in vec4 piece_glow;
flat in vec3 piece_paint;
out vec4 pixel;

// Wood with its painted mark, some of the `relief` showing through the paint, and darker corners where rungs meet rails.
vec3 paint_wood(vec3 bare, float relief) {
    float painted = smoothstep(1.06, 0.94, abs(marked.x) + 0.25 * (relief - 0.5));
    float corner = 1.0 - 0.45 * smoothstep(0.84, 1.0, abs(marked.y));
    return mix(bare, piece_paint * (0.75 + 0.5 * relief), 0.94 * painted) * corner;
}

vec3 shade_surface(vec3 normal, vec3 to_eye) {
    // End faces show year rings, and are darker.
    float cut = step(5.0, grain.x);
#ifdef FULL
    // Year rings around a pith that wanders along the bar; detail finer than a pixel fades out.
    float seed = piece_tint.a * 9.0;
    vec2 pith = vec2(0.0045 + 0.002 * sin(grain.x * 21.0 + seed), 0.003 * cos(grain.x * 17.0 + seed * 0.7));
    vec2 section = cut > 0.0 ? vec2(grain.x - 10.0, fract(grain.y / 0.137) * 0.137 - 0.012) : grain.yz;
    vec2 across = section - (cut > 0.0 ? pith * 0.4 : pith) + 0.0012 * (solid_noise(vec3(grain.yz * 140.0, grain.x * 26.0 + seed)) - 0.5);
    float ring = length(across) * 880.0;
    float crowded = clamp(fwidth(ring) * 1.2, 0.0, 1.0);
    float late = mix(smoothstep(0.15, 0.80, fract(ring)) * (1.0 - smoothstep(0.86, 1.0, fract(ring))), 0.42, crowded);
    float fine = clamp(1.6 - (fwidth(grain.y) + fwidth(grain.z)) * 1900.0, 0.2, 1.0);
    float fibre = mix(0.5, solid_noise(vec3(grain.yz * 1900.0, grain.x * 75.0)), fine);
    float strand = solid_noise(vec3(grain.yz * 620.0, grain.x * 30.0 + 4.0));
    vec3 albedo = piece_tint.rgb * mix(vec3(1.08), vec3(0.66, 0.53, 0.42), late * 0.72) * (0.82 + 0.24 * fibre) * (0.88 + 0.22 * strand);
    albedo *= 1.0 - 0.24 * cut;
    albedo *= 1.0 - 0.22 * smoothstep(0.72, 0.93, solid_noise(vec3(grain.yz * 900.0, grain.x * 38.0 + 11.0)));
    albedo = paint_wood(albedo, mix(strand, fibre, 0.5));
    // Slightly uneven faces, as if hewn by hand, reflect irregularly.
    float hewn = solid_noise(vec3(grain.yz * 90.0, grain.x * 95.0 + seed * 3.0)) - 0.5;
    normal = normalize(normal + 0.30 * hewn * cross(normal, vec3(0.0, 0.6, 0.8)));
    vec3 rough_normal = normalize(normal + (vec3(strand, fibre, late) - 0.5) * 0.10 * fine);
    return shade_fully(albedo, point_table, rough_normal, to_eye, 0.14, mix(0.40, 0.58, late));
#else
    vec2 rings = texture(wood, vec2(grain.x * 4.0 + piece_tint.a, grain.y * 26.0 + piece_tint.a * 3.0)).rg;
    rings.r = cut > 0.0 ? 0.45 + 0.55 * fract(length(vec2(grain.x - 9.9985, fract(grain.y / 0.137) * 0.137 - 0.0135)) * 1100.0) : rings.r;
    vec3 albedo = piece_tint.rgb * mix(vec3(1.06), vec3(0.66, 0.55, 0.46), rings.r * 0.75) * (0.86 + 0.28 * rings.g - 0.14 * cut);
    albedo = paint_wood(albedo, rings.g);
    vec4 shade = texture(shadow_map, shadow_place(point_table));
    float above = highest(shade.rg) - point_table.z;
    float visible = 1.0 - 0.80 * smoothstep(0.007, 0.018, above);
    float open = 0.62 + 0.38 * smoothstep(0.02, 0.12, point_table.z);
    return shade_surface(albedo, normal, to_eye, visible, open * (1.0 - 0.25 * shade.b), 0.40, 0.10);
#endif
}

void main() {
    vec2 drawn = gl_FragCoord.xy;
    float covered = find_glass_coverage(hand_mask, drawn, depth);
    vec3 colour = vec3(0.0);
    if (covered < 0.996) {
        vec3 normal = normalize(normal_table);
        vec3 to_eye = normalize(eye.xyz - point_table);
        colour = shade_surface(normal, to_eye);
        float rim = 1.0 - max(dot(normal, to_eye), 0.0);
        // Rim light of ladders in front of the key light.
        if (light.w > 0.0) colour += light.w * rim * rim * max(normal.z * 0.6 + normal.y * 0.4 + 0.25, 0.0) * key.rgb * piece_tint.rgb;
        colour += piece_glow.rgb * piece_glow.a * (0.35 + 0.65 * rim * rim);
        colour = apply_grade(colour, drawn);
    }
    pixel = vec4(colour, 1.0) * (1.0 - covered);
}
