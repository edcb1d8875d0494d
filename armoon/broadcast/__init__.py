"""The feed: events at the table as plain values for spectators, without pictures or landmarks (docs/feed.md)."""
