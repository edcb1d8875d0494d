"""What is seen of a verdict after it was given, in time: only shown, and over when the next turn begins."""
