"""OpenGL 3.3 over pyglet: what view and stage draw with."""
