"""Makers, checks and kept instances of figures."""
