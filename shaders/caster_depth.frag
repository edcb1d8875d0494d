// A depth map has no colours.
void main() {}
