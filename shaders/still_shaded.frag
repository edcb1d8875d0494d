// As still.frag, with shadows of moving bodies on surfaces that aren't in the shadow of still ones.
uniform sampler2D layer;
uniform sampler2D depths;
uniform sampler2D hand_mask;
uniform sampler2D darkened;    // the layer, entirely in shadow
uniform sampler2D shadow_map;  // of all bodies
uniform sampler2D still_map;   // of still bodies
uniform float hard;            // 1: bodies other than ladders cast shadows on each other
out vec4 pixel;
float find_new_coverage(vec2 spot, float level) {
    return max(covered_by(textureLod(shadow_map, spot, level).r) - covered_by(textureLod(still_map, spot, level).r), 0.0);
}
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    pixel = texelFetch(layer, at, 0);
    if (pixel.a == 0.0) discard;
    float depth = to_metres(texelFetch(depths, at, 0).r);
    vec2 place = vec2(gl_FragCoord.x, picture.w - gl_FragCoord.y) * picture.xy / picture.zw;
    if (more.y < 0.0) place.x = picture.x - place.x;
    vec3 seen = vec3((place - 0.5 - lens.zw) / lens.xy, 1.0);
    vec3 point = eye.xyz + transpose(mat3(camera_from_table)) * seen * depth;
    // For a game's own bodies, sample slightly above the surface, as their shaders do.
    vec3 normal = cross(dFdx(point), dFdy(point));
    normal *= sign(dot(normal, eye.xyz - point)) / max(length(normal), 1e-12);
    vec2 spot = shadow_place(point + hard * 0.003 * normal);
    vec2 own = texture(still_map, spot).rg;
    vec2 other = texture(shadow_map, spot).rg;
    float dark;
    if (own.r > 0.25) {
        // On a ladder: as hard as in ladder.frag, if a moving body is the highest.
        float above = (2.0 * other.r - 1.0) * SHADOW_HEIGHT - point.z;
        dark = smoothstep(0.001, 0.004, other.r - own.r) * smoothstep(0.007, 0.018, above);
    } else if (hard > 0.5) {
        // The same on a game's own bodies.
        float above = other.g * SHADOW_HEIGHT - point.z;
        dark = smoothstep(0.001, 0.004, other.g - own.g) * smoothstep(0.004, 0.012, above);
    } else {
        // On cloud and lid: as soft as in body.frag, except where still ladders cast a shadow already.
        dark = 0.55 * find_new_coverage(spot, 1.0) + 0.45 * find_new_coverage(spot, 2.0);
    }
    pixel.rgb = mix(pixel.rgb, texelFetch(darkened, at, 0).rgb, dark);
    pixel *= 1.0 - find_glass_coverage(hand_mask, gl_FragCoord.xy, depth);
}
