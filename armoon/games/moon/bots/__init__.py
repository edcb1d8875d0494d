"""Opponents: programs that play seats of the moon game over lines of plain text, and the hand that they move."""
