"""Input modes beside the hands: heads, voices, switches and reassigned keys; and the game's spoken output."""
