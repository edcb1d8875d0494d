"""Live streaming: the game's pictures and sounds to a server, by a process of its own (docs/party.md)."""
