"""Jinns of the Lake."""
