// The cloud (softness 1) and other bodies (softness 0), with the ladders' shadows on them.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
uniform float softness;
in vec3 point_table;
in vec3 normal_table;
in vec3 albedo;
in float depth;
out vec4 pixel;

vec3 shade_surface(vec3 normal, vec3 to_eye) {
    float crease = mix(0.50, 1.0, smoothstep(-0.004, 0.022, point_table.z));
#ifdef FULL
    // Bumps of the cloud that are too small for the mesh.
    vec3 q = point_table * 55.0;
    vec3 coarse = vec3(solid_noise(q), solid_noise(q + 7.3), solid_noise(q + 15.1)) - 0.5;
    vec3 fine = vec3(solid_noise(q * 3.1), solid_noise(q * 3.1 + 7.3), solid_noise(q * 3.1 + 15.1)) - 0.5;
    vec3 puffed = normalize(normal + softness * (coarse * 0.34 + fine * 0.16));
    vec3 colour = shade_fully(albedo, point_table, puffed, to_eye, 0.40 * softness, mix(0.45, 0.85, softness));
#else
    vec2 place = shadow_place(point_table);
    float hidden = 0.55 * covered_by(textureLod(shadow_map, place, 1.0).r) + 0.45 * covered_by(textureLod(shadow_map, place, 2.0).r);
    vec3 colour = shade_surface(albedo, normal, to_eye, 1.0 - 0.85 * hidden, crease * (1.0 - 0.12 * hidden), 0.40 * softness, 0.02);
#endif
    float rim = 1.0 - max(dot(normal, to_eye), 0.0);
    colour += softness * rim * rim * rim * vec3(0.16, 0.18, 0.24);
    return colour * mix(1.0, 0.75 + 0.25 * crease, softness);
}

void main() {
    vec2 drawn = gl_FragCoord.xy;
    float covered = find_glass_coverage(hand_mask, drawn, depth);
    vec3 colour = vec3(0.0);
    if (covered < 0.996)
        colour = apply_grade(shade_surface(normalize(normal_table), normalize(eye.xyz - point_table)), drawn);
    pixel = vec4(colour, 1.0) * (1.0 - covered);
}
