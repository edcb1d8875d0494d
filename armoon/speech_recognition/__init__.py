"""Speech recognition on this machine: recognisers of phrases, and the process that listens."""
