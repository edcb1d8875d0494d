"""What of a scene is drawn in space: solids, light, shadows, the hand's mask, the sky."""
