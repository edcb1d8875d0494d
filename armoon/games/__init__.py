"""The games, each a package; and what the rest of the house may ask of any of them."""
