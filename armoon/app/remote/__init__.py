"""Invitations to other tables and requests to join them, in the terminal or on pages, until the game starts."""
