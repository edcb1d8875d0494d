"""Long attacks on the whole program: fuzz, faults, soak, mutate. ``scripts/`` starts them."""
