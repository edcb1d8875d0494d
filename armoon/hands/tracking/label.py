"""Left or right hand: the consensus of a tracked hand's frames over time.

A hand seen edge on is sometimes taken for the other hand, for one to five frames (rendered hand over the
table: 2 % of the frames while lifting), and such a frame shows wrong finger tips: 50 pixels
away, wide apart. Identity never depends on the label; but a frame that contradicts the consensus of the hand's
other frames is rejected.
"""

from __future__ import annotations

from armoon.hands.tracking.landmarks import Side

#: A label is settled when it is ahead by this many frames of 30 Hz: 0.13 s.
SETTLED_LEAD = 4
#: The lead grows no further, so that a label that was wrong from the start is given up after 12 such frames.
MOST_LEAD = 15


class SettledLabel:
    """Counts one hand's labels."""

    def __init__(self) -> None:
        self._lead = 0.0

    @property
    def settled(self) -> Side | None:
        """What the frames agree on; None while they haven't for long enough."""
        if abs(self._lead) < SETTLED_LEAD:
            return None
        return "right" if self._lead > 0 else "left"

    def doubts(self, side: Side, weight: float = 1.0) -> bool:
        """Take in a frame's label; True if the frame should not be believed.

        ``weight`` is how many frames of 30 Hz it stands for: slower frames are fewer, not less sure.
        """
        ours = weight if side == "right" else -weight
        contrary = abs(self._lead) >= SETTLED_LEAD and self._lead * ours < 0.0
        self._lead = max(-MOST_LEAD, min(MOST_LEAD, self._lead + ours))
        return contrary
