"""Parts of the benchmark of places."""
