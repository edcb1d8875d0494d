"""Hand tracking: camera frames to landmarks, landmarks to metric poses, and poses to grips; also paper pieces."""
