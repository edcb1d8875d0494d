"""The feed: what happens at the table, in plain values for spectators; no picture, no landmark (docs/feed.md)."""
