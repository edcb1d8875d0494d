"""Trials: one player against a task shared by everyone, with medals, bests and the best run's ghost."""
