"""Screen readers: the content of page and picture as a tree, and the adapter to the accessibility library."""
