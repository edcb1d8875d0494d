"""The lake on the table as plain values: its drawn bodies, and a player's view of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.games.lake.rules.lines import star_number
from armoon.geometry import pose_apply
from armoon.messages import text
from armoon.values.choices import Palette
from armoon.values.look import PALETTES, rgb
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import BoardBody, BoardScene

#: A dome-pawn: its radius, and how much higher each floor of a stack stands. Two thirds of a wine cork, so that
#: 16 of them stand side by side on either shore of a lake that an arm reaches over.
DOME_RADIUS_M = 0.0125
FLOOR_M = 0.014
#: The pawns' colours on the glass (display colours).
SWATCHES: dict[str, Vec3] = {
    name: rgb(code)
    for name, code in zip(("amber", "jade", "ruby", "sapphire"), PALETTES[Palette.USUAL].pieces, strict=True)
}


@dataclass(frozen=True)
class SceneDome:
    """One dome-pawn in the picture."""

    foot: Vec3
    """The middle of its rim, table frame."""
    colour: str
    """``"amber"``, ``"jade"``, ``"ruby"`` or ``"sapphire"``."""
    strength: int
    """1 to 4: number of lobes, points and knobs."""
    star: int | None = None
    """The star it stands on, 0 to 31; None in the air or in a player's hands."""
    floor: int = 0
    """Which floor of its stack it is, from 0."""
    look: str = "plain"
    """``"plain"``, ``"liftable"``, ``"hover"``, ``"held"``, ``"target"`` or ``"refused"``."""
    scale: float = 1.0


@dataclass(frozen=True)
class SceneMark:
    """Something flat on the table."""

    kind: str
    """``"star"``, ``"target"``, ``"counted"``, ``"chevron"`` or ``"sign"``."""
    place: Vec3
    """Its middle, table frame."""
    size_m: float
    """Half of its width."""
    heading: float = 0.0
    """Where it points, radians from x towards y."""
    way: int = 0
    """1 for what leads clockwise, -1 for counter-clockwise, 0 for neither."""


@dataclass(frozen=True)
class LakeScene(BoardScene):
    """The lake and what stands round it."""

    shore: tuple[Vec3, ...]
    """The water's outline, counter-clockwise from above."""
    stars: tuple[Vec3, ...]
    """Where the 32 stars are."""
    domes: tuple[SceneDome, ...]
    """Those that stand where the rules say."""
    moving: tuple[SceneDome, ...] = ()
    """Held ones, and those that fly."""
    marks: tuple[SceneMark, ...] = ()
    signs: tuple[tuple[int, Vec3], ...] = ()
    """Seats that a half may be carried to, and where; only while a tower is split."""

    def bodies(self) -> tuple[BoardBody, ...]:
        """Return each stack that stands on a star, from its top down, and what is held or flies."""
        stacks = {star: [one for one in self.domes if one.star == star] for star in range(len(self.stars))}
        told = [
            BoardBody(
                f"star {star}",
                text("reader.stack", star=star_number(star), pawns=_named(stack)),
                _corners(stack),
            )
            for star, stack in stacks.items()
            if stack
        ]
        if self.moving:
            words = text("reader.lifted", pawns=_named(self.moving))
            told.append(BoardBody("lifted", words, _corners(self.moving)))
        return tuple(told)

    def turned(self, home_from_table: Pose) -> LakeScene:
        """Return the lake on a table that is turned: it goes round whole."""

        def point(place: Vec3) -> Vec3:
            return pose_apply(home_from_table, place)

        def domes(some: tuple[SceneDome, ...]) -> tuple[SceneDome, ...]:
            return tuple(replace(dome, foot=point(dome.foot)) for dome in some)

        _, _, z, w = home_from_table.rotation
        by_rad = 2.0 * math.atan2(z, w)
        return replace(
            self,
            shore=tuple(map(point, self.shore)),
            stars=tuple(map(point, self.stars)),
            domes=domes(self.domes),
            moving=domes(self.moving),
            marks=tuple(replace(m, place=point(m.place), heading=m.heading + by_rad) for m in self.marks),
            signs=tuple((seat, point(place)) for seat, place in self.signs),
        )


def _named(stack: Sequence[SceneDome]) -> str:
    """Name a stack's domes from its top down."""
    return ", ".join(
        text("lake.pawn", colour=text(f"lake.colour.{dome.colour}"), strength=dome.strength)
        for dome in sorted(stack, key=lambda dome: -dome.foot[2])
    )


def _corners(stack: Sequence[SceneDome]) -> tuple[Vec3, ...]:
    """Return the corners of the box around a stack."""
    return tuple(
        (x + DOME_RADIUS_M * right, y + DOME_RADIUS_M * back, z + FLOOR_M * up)
        for x, y, z in (dome.foot for dome in stack)
        for right in (-1.0, 1.0)
        for back in (-1.0, 1.0)
        for up in (0.0, 1.0)
    )
