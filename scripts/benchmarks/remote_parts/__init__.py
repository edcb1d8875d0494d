"""The parts of the benchmark of a game at two tables."""
