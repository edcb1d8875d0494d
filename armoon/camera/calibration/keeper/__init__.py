"""Locating the table and tracking it, frame by frame."""
