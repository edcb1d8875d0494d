"""The pictures of the lake game's rules."""
