"""Child processes: Python functions and other programs, and how each of them ends with its parent."""
