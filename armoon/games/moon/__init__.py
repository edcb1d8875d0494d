"""Catch the Moon."""
