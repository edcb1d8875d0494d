"""Meeting other tables for a game: inviting and joining, in the terminal or on pages, until the game begins."""
