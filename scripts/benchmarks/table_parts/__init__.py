"""Scenes for the calibration benchmark."""
