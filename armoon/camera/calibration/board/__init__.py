"""The printed board: its description, its picture, and finding it."""
