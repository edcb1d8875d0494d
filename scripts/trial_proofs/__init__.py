"""Proofs that trials can be solved: searched for, played through the engine, stored for a test."""
