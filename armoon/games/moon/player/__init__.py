"""The demo's player of the moon game: where to place a ladder, and the hand that does it."""
