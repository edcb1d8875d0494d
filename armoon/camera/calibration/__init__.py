"""The table's pose and the lens: boards, sheets, intrinsics, profiles, and tracking."""
