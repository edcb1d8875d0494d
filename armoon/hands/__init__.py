"""Hand tracking: from camera frames to landmarks, from landmarks to metric poses, and from poses to grips."""
