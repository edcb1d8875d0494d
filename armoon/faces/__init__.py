"""Heads before the camera, as a few numbers: no picture or landmark of a face leaves this package."""
