"""Screen readers: the content of pages and glass, and the adapter to their library."""
