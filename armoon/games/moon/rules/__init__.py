"""The pure rules of the moon game, in both its editions."""
