"""The contract: what a game must fill and may bring, and what can be done with any game that fills it."""
