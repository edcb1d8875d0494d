"""The book of figures: which of the eight printed shapes a placed ladder forms, by geometry alone."""
