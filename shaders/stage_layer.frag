#version 330 core
// Blends the hands, from a transparent layer with smooth edges, over the table.

uniform sampler2D layer;  // premultiplied

out vec4 colour;

void main() {
    colour = texelFetch(layer, ivec2(gl_FragCoord.xy), 0);
}
