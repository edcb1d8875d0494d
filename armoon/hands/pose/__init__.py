"""From landmarks to metric poses: scale, filters, the grip's point, the palm's rotation."""
