"""How the moon is drawn."""
