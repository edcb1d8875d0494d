"""The parts of the benchmark of ways to play."""
