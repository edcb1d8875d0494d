"""Screen readers: a tree of the page and the picture, and the adapter to the accessibility library."""
