"""What onlookers vote on: pure values and rules, without a clock, a network or a game."""
