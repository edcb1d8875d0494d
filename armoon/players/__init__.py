"""Simulated players: the hand that moves like a person's, and the demo's camera process."""
