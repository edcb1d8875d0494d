// A depth map keeps nothing but the depth.
void main() {}
