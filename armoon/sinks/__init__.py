"""Sinks: consumers of each frame's result, which never answer (docs/adding.md explains how to add one)."""
