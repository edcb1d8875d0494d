"""Finding the table and keeping it, frame by frame."""
