"""The pure rules of the lake game."""
