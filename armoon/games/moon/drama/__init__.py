"""How a verdict is shown over time; it ends when the next turn begins."""
