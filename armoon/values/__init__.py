"""The frozen values passed between rooms."""
