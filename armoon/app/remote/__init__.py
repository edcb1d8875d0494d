"""Meet other tables for a game: invite and join, in the terminal or on pages, until the game starts."""
