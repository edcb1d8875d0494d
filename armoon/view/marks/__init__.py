"""Marks that help to judge depth and show evidence, and the small side view."""
