"""armoon: a hand in front of a webcam places virtual wooden ladders; a referee judges."""

__version__ = "0.1.0"
