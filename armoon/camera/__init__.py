"""Camera input: frame sources, the camera's own thread, and the camera's seat at the table."""
