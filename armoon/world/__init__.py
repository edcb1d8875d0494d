"""The physics world: ladders and base as rigid boxes, the held ladder's drive, and exact facts about them."""
