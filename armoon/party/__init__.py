"""A game's output for onlookers: recordings, overlays, votes and streams."""
