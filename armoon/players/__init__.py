"""Simulated players: hands that move like people's, and the demo's camera process."""
