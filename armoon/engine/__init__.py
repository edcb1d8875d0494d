"""A match as a deterministic state machine: replaying its logged input gives the same result bit for bit."""
