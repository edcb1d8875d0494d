"""OpenGL 3.3 for view and stage: moderngl on the context that pyglet opened, in a window or without a screen."""
