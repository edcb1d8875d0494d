"""An evening's book: its games, heights, figures, clips and guessers on one page that is kept (docs/party.md)."""
