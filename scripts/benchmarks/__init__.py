"""Benchmarks: what the project promises, measured; ratios inside one run, because machines are noisy."""
