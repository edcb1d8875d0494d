"""The review of a game: how safe each turn was, how safe it could have been, and where the game turned."""
