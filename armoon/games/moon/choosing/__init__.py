"""A ladder placed by choosing: places are offered, and the house's hand carries it to the one that is confirmed."""
