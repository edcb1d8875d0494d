"""The parts of the benchmark of both libraries that find hands."""
