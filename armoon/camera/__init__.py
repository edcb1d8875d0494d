"""Camera input: frame sources, capture, seats and lens profiles; finding and tracking the table in the pictures."""
