"""Parts of the benchmark of a demo's look."""
