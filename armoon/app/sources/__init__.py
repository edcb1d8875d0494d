"""Sources of frames: a camera, the demo, nothing."""
