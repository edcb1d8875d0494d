"""The presenters of a moon match, one for each form of output."""
