"""Inputs other than the hand: they end in the same grips."""
