"""What people play with, beside their hands: heads, voices, switches and moved keys, and how a game is told to ears."""
