"""Where the table is and what the lens does: boards, sheets, intrinsics, profiles, and staying there."""
