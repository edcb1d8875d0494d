"""Why a ladder fell, or would fall: what bore it, and on which side of that its weight was."""

from __future__ import annotations

import math

from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import quat_rotate, table_axes_as_seen
from armoon.messages import text
from armoon.placement.rehearsal import BEARS, BORNE_M, MOST_MOVED_M
from armoon.values.facts import Facts
from armoon.values.pieces import BASE, TABLE
from armoon.values.places import Lay
from armoon.values.poses import Pose, Vec2, Vec3

#: Supports within this of each other are one.
ONE_M = 0.02


def why(match: MoonMatch, lay: Lay) -> str:
    """Return the reason in a few words that fit a foretold fall and a past one."""
    if lay.gave_way is not None:
        return text("why.gave_way")
    if not lay.supports:
        return text("why.none")
    points = [point for _, point in lay.supports]
    beside = _beside(lay.centre, points)
    if beside is None:
        return text("why.slid")
    one = all(math.dist(a, b) < ONE_M for a in points for b in points)
    return text(f"why.{'single' if one else 'several'}.{_side(match, beside)}")


def _beside(centre: Vec3, points: list[Vec3]) -> Vec2 | None:
    """Return the way from what bears to the weight, seen from above; None where it is above what bears it."""
    angles = sorted(math.atan2(y - centre[1], x - centre[0]) for x, y, _ in points)
    gaps = [after - before for before, after in zip(angles, (*angles[1:], angles[0] + math.tau), strict=True)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    if gaps[widest] <= math.pi:
        return None
    way = angles[widest] + 0.5 * gaps[widest]
    return (math.cos(way), math.sin(way))


def _side(match: MoonMatch, way: Vec2) -> str:
    """Return the side as the picture shows it."""
    x, y, _ = quat_rotate(match.home_from_table().rotation, (*way, 0.0))
    right, away = table_axes_as_seen(match.table_from_camera, match.table.mirrored)
    across, deep = x * right[0] + y * right[1], x * away[0] + y * away[1]
    if abs(across) >= abs(deep):
        return "right" if across > 0.0 else "left"
    return "away" if deep > 0.0 else "near"


class Watch:
    """How the ladder that was let go of last lay before it fell, as far as frames show it."""

    def __init__(self) -> None:
        self._from: dict[str, Pose] = {}
        """Where everything was when it was let go of."""
        self.lay: Lay | None = None

    def see(self, match: MoonMatch) -> None:
        """Once a frame."""
        facts, ladder = match.facts, match.state.ladder
        if match.state.phase is Phase.HOLD:
            self._from, self.lay = {piece.piece: piece.pose for piece in facts.pieces}, None
        elif match.state.phase is Phase.SETTLE and ladder in self._from:
            self._settling(facts, ladder)

    def _settling(self, facts: Facts, ladder: str) -> None:
        now = {piece.piece: piece.pose.position for piece in facts.pieces}
        if ladder not in now or math.dist(now[ladder], self._from[ladder].position) > BORNE_M:
            return
        others = ((name, place) for name, place in now.items() if name in self._from and name != ladder)
        gone = [name for name, at in others if math.dist(at, self._from[name].position) >= MOST_MOVED_M]
        ways = [
            (other, c.point, c.normal[2] if c.a == ladder else -c.normal[2])
            for c in facts.contacts
            if ladder in (c.a, c.b) and (other := c.b if c.a == ladder else c.a) not in (BASE, TABLE)
        ]
        bears = tuple((other, point) for other, point, up in ways if up > BEARS)
        before = () if self.lay is None else self.lay.supports
        self.lay = Lay(now[ladder], bears or before, gone[0] if gone else None)
