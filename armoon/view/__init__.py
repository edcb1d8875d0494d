"""Draws a scene over a camera frame, in a window or offscreen.

Import ``armoon.gl`` or ``armoon.view.window`` first, because they choose between a display and offscreen drawing, which
pyglet allows only once in a process.
"""
