"""Live out: the pictures and sounds of the game to a server, by a process of its own (docs/party.md)."""
