"""Seeing hands: camera frames to landmarks, landmarks to metric poses, poses to grips."""
