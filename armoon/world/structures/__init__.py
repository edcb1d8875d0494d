"""Structures of ladders: stored ones, grown ones, and trial placements on them."""
