"""Paper ladders in a picture: found by their tags, then followed by everything that is printed on them."""
