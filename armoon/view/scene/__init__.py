"""The 3D scene: solids, light, shadows, the hand's mask, the sky."""
