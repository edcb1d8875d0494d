"""An evening's book: its games, heights, figures, clips and guessers on one saved page (docs/party.md)."""
