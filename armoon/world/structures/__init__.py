"""Structures of ladders: kept ones, grown ones, and trying placements on them."""
