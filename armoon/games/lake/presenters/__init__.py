"""The presenters of a lake match, one for each form of output."""
