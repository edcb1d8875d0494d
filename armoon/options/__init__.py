"""The description of an option: its kind of value, its default, the doors by which it is set."""
