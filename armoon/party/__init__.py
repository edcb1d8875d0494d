"""What others get to see of a game: recordings, and later overlays and streams."""
