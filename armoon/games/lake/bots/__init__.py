"""Programs that play the lake."""
