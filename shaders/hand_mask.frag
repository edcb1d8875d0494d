// A tapered capsule: coverage with a soft edge in r, nearness of the skin in g; blended by maximum. In the hand's
// shadow map nearness is the height over the table, which is given as a negative depth.
uniform float as_shadow;
in vec2 spot;
flat in vec4 bone_ends;
flat in vec4 bone_reach;
flat in vec2 bone_depths;
out vec4 pixel;
void main() {
    vec2 bone = bone_ends.zw - bone_ends.xy;
    float along = clamp(dot(spot - bone_ends.xy, bone) / max(dot(bone, bone), 1e-4), 0.0, 1.0);
    float radius = mix(bone_reach.x, bone_reach.y, along);
    float away = length(spot - bone_ends.xy - bone * along) / radius;
    float edge = 1.5 / radius;
    float skin = mix(bone_reach.z, bone_reach.w, along) * sqrt(max(1.0 - away * away, 0.0));
    float depth = mix(bone_depths.x, bone_depths.y, along) - skin;
    float near = as_shadow > 0.5 ? -depth / SHADOW_HEIGHT : HAND_NEAR - depth;
    // Nearness goes on beyond the capsule: the camera's colours may find that the hand does.
    float inside = step(away, as_shadow > 0.5 ? 1.0 + 2.0 * edge : 1.5 + 2.0 * edge);
    pixel = vec4(smoothstep(1.0 + edge, 1.0 - edge, away), inside * clamp(near, 0.0, 1.0), 0.0, 1.0);
}
