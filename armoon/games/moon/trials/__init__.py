"""Trials: one player against a task that everybody shares, with medals, bests and the best run's ghost."""
