"""Persistent data: games (saved after every event), players' profiles, results and high scores."""
