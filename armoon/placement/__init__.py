"""The search for places where a ladder would stand as required, in processes of its own."""
