"""The description of an option: its kind of value, its default, the places where it can be set."""
