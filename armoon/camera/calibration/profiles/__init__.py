"""The lens: capture, intrinsics, focus, and the profiles that store them."""
