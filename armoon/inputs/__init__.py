"""Input devices other than the hand; they produce the same grips."""
