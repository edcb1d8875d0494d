// The painted moon, in the sky behind hand and ladders. After a verdict it briefly shows a face: eyes and a mouth, darker
// than the disc, that smile or weep.
uniform sampler2D moon;
uniform sampler2D hand_mask;
uniform vec2 face;  // mood from -1 (sad) to 1 (glad); the face's opacity
in vec2 spot;
out vec4 pixel;

const float DISC_RADIUS = 0.44;  // the disc's radius in the painted picture, which reaches from -1 to 1

float stroke_of(float away, float width, float soft) {
    return 1.0 - smoothstep(width - soft, width + soft, abs(away));
}

float face_at(vec2 p) {
    float soft = fwidth(p.x) * 1.2 + 0.01;
    float shade = 0.0;
    for (float side = -1.0; side < 2.0; side += 2.0) {
        vec2 eye = p - vec2(side * 0.30, 0.16);
        // Glad eyes are arcs; sad ones sag, and rise towards the outside.
        float lid = eye.y + face.x * 0.9 * eye.x * eye.x * 4.0 - 0.04 * face.x + side * eye.x * 0.25 * min(face.x, 0.0);
        shade = max(shade, stroke_of(lid, 0.040, soft) * (1.0 - smoothstep(0.13 - soft, 0.13 + soft, abs(eye.x))));
    }
    float mouth = p.y + 0.30 - face.x * 0.9 * (p.x * p.x - 0.05);
    return max(shade, stroke_of(mouth, 0.042, soft) * (1.0 - smoothstep(0.28 - soft, 0.28 + soft, abs(p.x))));
}

void main() {
    vec4 colour = texture(moon, spot * 0.5 + 0.5);
    if (face.y > 0.0) {
        vec2 p = spot / DISC_RADIUS;
        colour.rgb *= 1.0 - 0.62 * face.y * face_at(p) * step(dot(p, p), 0.8);
    }
    colour.a *= clamp((0.80 - max(abs(spot.x), abs(spot.y))) * 6.0, 0.0, 1.0);  // fade the painted glow out before the quad's edge
    pixel = vec4(colour.rgb, colour.a * (1.0 - (1.0 - eye.w) * texture(hand_mask, gl_FragCoord.xy / picture.zw).r));
}
