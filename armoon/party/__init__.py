"""A game's output for others: recordings, overlays, votes and streams."""
