"""Parts of the benchmark of opponents."""
