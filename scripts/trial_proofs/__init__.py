"""Searches for proofs that trials can be solved, and plays proofs through the engine."""
