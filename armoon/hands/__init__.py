"""Tracking of hands and paper pieces: from camera frames to landmarks, metric poses and grips."""
