// Dome-pawns of glazed clay: each colour has its own pattern, and the viewer's side has a dot for each unit of
// strength.
uniform sampler2D hand_mask;
uniform sampler2D shadow_map;
in vec3 point_table;
in vec3 normal_table;
in vec3 place_dome;
in float depth;
flat in vec4 dome_paint;
flat in vec4 dome_glow;
out vec4 pixel;

const float RADIUS = 0.0125;      // metres, as DOME_RADIUS_M in layout.py
const float POINT = 0.00205;      // radius of a dot, metres
const float POINT_STEP = 0.0058;  // spacing of the dots along the wall, metres
const float POINT_HIGH = 0.0073;

// Return the glaze's colour and, in its alpha, the share of the pixel that a dot covers.
vec4 painted() {
    float strength = mod(dome_paint.a, 8.0);
    float pattern = floor(dome_paint.a / 8.0 + 0.01);
    // Patterns 4 to 7 are bold versions of 0 to 3, for players who can't tell the colours apart.
    float bold = pattern > 3.5 ? 1.0 : 0.0;
    pattern -= 4.0 * bold;
    float angle = atan(place_dome.x, -place_dome.y);  // 0 towards the viewer, increasing to the right
    float z = place_dome.z;
    vec3 colour = dome_paint.rgb;
    float wall = 1.0 - smoothstep(0.0125, 0.0145, z);
    // 1: upright lines; 2: a belt below the dots of strength; 3: a pale rim of small dots.
    if (pattern > 0.5 && pattern < 1.5) colour *= 1.0 - mix(0.35, 0.85, bold) * wall * smoothstep(0.55, 0.95, abs(sin(angle * 9.0)));
    if (pattern > 1.5 && pattern < 2.5) {
        float belt = smoothstep(0.0005, 0.001, z) * (1.0 - smoothstep(0.0030, 0.0035, z));
        colour = mix(colour * (1.0 + 0.9 * belt), vec3(0.95), 0.9 * bold * belt);
    }
    if (pattern > 2.5) {
        float dots = smoothstep(0.1, 0.5, sin(angle * 12.0)) * smoothstep(0.0008, 0.0014, z) * (1.0 - smoothstep(0.0030, 0.0036, z));
        colour = mix(colour, mix(vec3(0.30, 0.45, 0.80), vec3(0.95), bold), 0.8 * dots);
    }
    // Darken the seam between two floors.
    colour *= 0.55 + 0.45 * smoothstep(0.0, 0.0011, z);
    // The crown and its knobs are paler.
    colour = mix(colour, vec3(0.95, 0.90, 0.78), 0.75 * smoothstep(0.0160, 0.0166, z));
    float along = angle * RADIUS / POINT_STEP + (strength - 1.0) * 0.5;
    float nearest = clamp(floor(along + 0.5), 0.0, strength - 1.0);
    vec2 off = vec2((along - nearest) * POINT_STEP, z - POINT_HIGH);
    float away = length(off);
    float soft = fwidth(away) * 0.7;
    float ink = 1.0 - smoothstep(POINT * 1.35 - soft, POINT * 1.35 + soft, away);
    float white = 1.0 - smoothstep(POINT - soft, POINT + soft, away);
    return vec4(mix(colour, colour * 0.22, ink), white);
}

vec3 shade_surface(vec3 normal, vec3 to_eye) {
    vec4 paint = painted();
    vec3 albedo = paint.rgb;
#ifdef FULL
    vec3 colour = shade_fully(albedo, point_table, normal, to_eye, 0.05, 0.28);
#else
    vec2 spot = shadow_place(point_table + normal * 0.003);
    float visible = 1.0 - 0.7 * smoothstep(0.004, 0.012, highest(texture(shadow_map, spot).rg) - point_table.z);
    float open = mix(0.55, 1.0, smoothstep(-0.002, 0.016, point_table.z));
    vec3 colour = shade_surface(albedo, normal, to_eye, visible, open, 0.10, 0.16);
#endif
    // The dots are as bright in the shade, so that they stay readable.
    colour = mix(colour, vec3(0.93, 0.90, 0.82), paint.a);
    float rim = 1.0 - max(dot(normal, to_eye), 0.0);
    return mix(colour, dome_glow.rgb, dome_glow.a * (0.45 + 1.1 * rim * rim));
}

void main() {
    vec2 drawn = gl_FragCoord.xy;
    float covered = find_glass_coverage(hand_mask, drawn, depth);
    vec3 colour = vec3(0.0);
    if (covered < 0.996)
        colour = apply_grade(shade_surface(normalize(normal_table), normalize(eye.xyz - point_table)), drawn);
    pixel = vec4(colour, 1.0) * (1.0 - covered);
}
