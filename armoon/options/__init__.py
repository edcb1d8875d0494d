"""Descriptions of options: the kind of value, the default, and the places where an option can be set."""
