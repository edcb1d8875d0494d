"""The pictures of the moon game's rules, drawn from its own ladders as they came to rest in its own physics."""
