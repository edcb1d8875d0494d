"""Output of a game for onlookers: recordings, overlays, votes and streams."""
