"""Sinks: consumers of each frame's result, which return nothing (docs/adding.md explains how to add one)."""
