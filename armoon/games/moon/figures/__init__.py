"""The book of figures: which of the eight printed shapes a placed ladder makes, told by geometry alone."""
