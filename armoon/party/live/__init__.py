"""Live streaming: a separate process sends the game's pictures and sounds to a server (docs/party.md)."""
