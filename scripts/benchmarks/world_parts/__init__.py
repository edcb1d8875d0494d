"""Other engines to measure against."""
