"""Attacks on the whole program that take long: fuzz, faults, soak, mutate. ``scripts/`` starts them."""
