"""The paper kit's shapes: two paper ladders with tags on both faces, the die and the lid.

**Card frame** of a paper ladder: origin in the middle of its front, x from the handle to the far end, y upwards as the
front is read, z out of the front; metres as printed at 100 %. The back, printed above the fold, also reads along x.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from armoon.values.poses import Vec2, Vec3

#: OpenCV's name of the tags' dictionary; the calibration board uses a different one.
DICTIONARY = "DICT_4X4_50"
#: Width of a tag in cells, including its black rim.
TAG_CELLS = 6
#: The ladder's ends along x, and its height. The handle reaches from its end to ``HANDLE_M``, where the tags begin.
HANDLE_END_M, FAR_END_M, HEIGHT_M = -0.130, 0.060, 0.030
HANDLE_M = -0.060
#: x at which the held ladder starts: beyond the far end, so that paper and fingers stay out of the structure.
HELD_X_M = FAR_END_M + 0.015
#: Thickness of the two glued layers of paper.
THICKNESS_M = 0.0004
#: Sides and positions along x of the three tags on each face, and of the front's tag below the thumb, at the handle.
TAG_M, TAG_X_M = 0.025, (-0.040, 0.0, 0.040)
THUMB_TAG_M, THUMB_X_M = 0.016, -0.074
#: Tags of the die's six faces, in pairs of opposite faces with the same value; lengths of its edges and tags.
DIE_TAGS = (16, 17, 18, 19, 20, 21)
DIE_EDGE_M, DIE_TAG_M = 0.030, 0.021
#: White margin to the left of a face's tag and above it; the face's sign is to the right of the tag and below it.
DIE_TAG_MARGIN_M = 0.003
#: Outward direction of each face, and the direction to its right as it is read, in the frame of the folded die.
DIE_FACES: tuple[tuple[Vec3, Vec3], ...] = (
    ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
    ((0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)),
    ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0)),
    ((-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.0, 1.0, 0.0), (0.0, 0.0, -1.0)),
    ((0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
)
#: The tag in the middle of the lid's label.
LID_TAG = 24
LID_TAG_M, LID_LABEL_M = 0.040, 0.050


@dataclass(frozen=True)
class Tag:
    """A square tag on one face of a paper ladder."""

    number: int
    centre: Vec2
    """x and y, card frame."""
    side_m: float
    """Side of its black square, metres."""
    front: bool

    @property
    def corners(self) -> tuple[Vec3, Vec3, Vec3, Vec3]:
        """Corners in the card frame, clockwise from the upper left one as the face is read (OpenCV's order)."""
        (x, y), half = self.centre, self.side_m / 2.0
        # The back is folded over, so its upper side is at the front's lower side.
        up, z = (half, 0.0) if self.front else (-half, -THICKNESS_M)
        return ((x - half, y + up, z), (x + half, y + up, z), (x + half, y - up, z), (x - half, y - up, z))


@dataclass(frozen=True)
class PaperLadder:
    """One of the two printed cards that players hold."""

    hand: Literal["left", "right"]
    tags: tuple[Tag, ...]
    """The three tags of the front, from the handle outwards, then those of the back."""
    thumb: Tag
    """The tag on the front that the thumb covers to grip."""

    def scale_by(self, factor: float) -> PaperLadder:
        """Return the ladder as printed, ``factor`` times its intended size."""

        def scale_tag(tag: Tag) -> Tag:
            x, y = tag.centre
            return replace(tag, centre=(x * factor, y * factor), side_m=tag.side_m * factor)

        return replace(self, tags=tuple(map(scale_tag, self.tags)), thumb=scale_tag(self.thumb))


def _make_ladder(hand: Literal["left", "right"], first: int) -> PaperLadder:
    tags = [
        Tag(first + 3 * back + k, (x, 0.0), TAG_M, front=not back)
        for back in (0, 1)
        for k, x in enumerate(TAG_X_M)
    ]
    return PaperLadder(hand, tuple(tags), Tag(first + 6, (THUMB_X_M, 0.0), THUMB_TAG_M, front=True))


#: The two ladders differ only in their tags' numbers, which identify the hand.
RIGHT_LADDER, LEFT_LADDER = _make_ladder("right", 0), _make_ladder("left", 8)
PAPER_LADDERS = (RIGHT_LADDER, LEFT_LADDER)
