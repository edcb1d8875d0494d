"""Pictures come in here: frame sources, the camera's own thread, and where the camera sits at the table."""
