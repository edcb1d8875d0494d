"""The proofs that trials can be solved: searched for, played through the engine, kept for a test."""
