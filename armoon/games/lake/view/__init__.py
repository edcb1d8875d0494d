"""How the lake is drawn."""
