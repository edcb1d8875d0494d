"""Other inputs than the hand: they end in the same grips."""
