"""Places that hold: where a ladder would stand as it is asked to, searched for in processes of their own."""
