#version 330 core
// The shadow map has depth only.
void main() {}
