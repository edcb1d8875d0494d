"""Sinks: whoever sees what a frame of the loop came to, and never answers (docs/adding.md tells how to add one)."""
