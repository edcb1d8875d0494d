"""adding.md tells how to add one)./adding.md tells how to add one)."""
