"""Input devices that grip instead of the hand."""
