"""Heads before the camera, as a few numbers: no picture and no landmark of a face leaves this room."""
