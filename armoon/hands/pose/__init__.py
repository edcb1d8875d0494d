"""From landmarks to metric poses: scale, filters, the grip's point, how a palm is rotated."""
