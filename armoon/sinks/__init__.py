"""Sinks: observers of each frame's result, which never answer (docs/adding.md tells how to add one)."""
