"""The scene in space: solids, light, shadows, the hand's mask, the sky."""
