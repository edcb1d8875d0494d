"""The 3D scene: camera frame, scenery, light, shadows, solids, the hands' mask."""
