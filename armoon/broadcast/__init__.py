"""The feed: what happens at the table, in plain values for whoever looks on; no picture, no landmark (docs/feed.md)."""
