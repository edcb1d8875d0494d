"""feed.md)./feed.md)."""
