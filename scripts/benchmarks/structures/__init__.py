"""Structures that are kept, grown and posed, for benchmarks and tests."""
