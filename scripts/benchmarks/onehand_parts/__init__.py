"""Scenes for the one-hand benchmark."""
