#version 330 core
// Lays the hands, drawn with smooth edges on nothing, over the table.

uniform sampler2D layer;  // premultiplied

out vec4 colour;

void main() {
    colour = texelFetch(layer, ivec2(gl_FragCoord.xy), 0);
}
