// A page's painted sky over the live picture: a veil, denser at the edges, with opaque objects in the sky.
uniform sampler2D painted;
uniform float veil;
in vec2 part;
out vec4 pixel;
void main() {
    // Fetch one texel per pixel without filtering, which halves the cost in a software renderer.
    vec4 sky = texelFetch(painted, ivec2(part * vec2(textureSize(painted, 0))), 0);
    vec2 edge = (part - 0.5) * vec2(1.7, 1.5);
    pixel = vec4(sky.rgb, max(sky.a, clamp(veil * (0.92 + 0.30 * dot(edge, edge)), 0.0, 1.0)));
}
