"""The picture: a scene drawn over a camera frame, in a window or offscreen.

Import ``armoon.gl`` or ``armoon.view.window`` first: they choose between a real display and
offscreen drawing, which pyglet allows only once in a process.
"""
