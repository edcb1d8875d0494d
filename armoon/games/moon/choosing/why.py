"""Why a ladder fell, or would fall: what bore it, and on which side of that its weight was."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from armoon.games.moon.rules.values import Phase, Reason, Verdict
from armoon.games.moon.table.match import MoonMatch
from armoon.geometry import quat_rotate, table_axes_as_seen
from armoon.messages import text
from armoon.placement.rehearsal import MOST_MOVED_M
from armoon.values.facts import Facts
from armoon.values.pieces import BASE, TABLE
from armoon.values.places import BEARS, Lay
from armoon.values.poses import Pose, Vec2, Vec3

#: Supports within this of each other are one.
ONE_M = 0.02


def why(match: MoonMatch, lay: Lay) -> str:
    """Return the reason in a few words that fit a foretold fall and a past one."""
    if lay.gave_way is not None:
        return text("why.gave_way")
    if not lay.supports:
        return text("why.none" if lay.met is None else "why.slid")
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
    """How the ladder of a turn lay, and what it touched, before something fell, as far as frames show it."""

    def __init__(self) -> None:
        self._from: dict[str, Pose] = {}
        """Where everything was when it was let go of."""
        self._stood: dict[str, Pose] = {}
        """Where everything was before it was taken."""
        self._touched: dict[str, str] = {}
        """What it has touched since, and how: a key of ``why.others``."""
        self._mover = ""
        """The first other one that went far."""
        self.lay: Lay | None = None

    def see(self, match: MoonMatch) -> None:
        """Once a frame."""
        facts, ladder, phase = match.facts, match.state.ladder, match.state.phase
        if phase in (Phase.ROLL, Phase.DRAW):
            self._touched, self._mover, self._stood = {}, "", {p.piece: p.pose for p in facts.pieces}
        if phase not in (Phase.HOLD, Phase.SETTLE) or ladder is None:
            return
        presses = [
            (other, c.point, c.normal[2] if c.a == ladder else -c.normal[2])
            for c in facts.contacts
            if ladder in (c.a, c.b) and (other := c.b if c.a == ladder else c.a) not in (BASE, TABLE)
        ]
        for other, _, up in presses:
            how = "hand" if phase is Phase.HOLD else "under" if up > BEARS else "beside"
            if self._touched.get(other) != "under":
                self._touched[other] = how
        self._mover = self._mover or next(iter(_gone(self._stood, facts, ladder)), "")
        if phase is Phase.HOLD:
            self._from, self.lay = {piece.piece: piece.pose for piece in facts.pieces}, None
        elif ladder in self._from:
            self._settling(facts, ladder, presses)

    def pushed(self, verdict: Verdict) -> str:
        """Return what the ladder did to the first other one that fell, as a key of ``why.others``; empty: nothing."""
        if verdict.reason is not Reason.OTHERS_FELL or self._mover not in (p for p, _ in verdict.fallen[:1]):
            return ""
        return self._touched.get(self._mover, "")

    def _settling(self, facts: Facts, ladder: str, presses: list[tuple[str, Vec3, float]]) -> None:
        lay = self.lay or Lay(self._from[ladder].position)
        at = next((piece.pose.position for piece in facts.pieces if piece.piece == ladder), None)
        after = lay if at is None else lay.after(at, presses)
        if after is not lay:
            self.lay = replace(after, gave_way=next(iter(_gone(self._from, facts, ladder)), None))


def _gone(before: Mapping[str, Pose], facts: Facts, ladder: str) -> list[str]:
    """Return the others that are no longer where they were."""
    return [
        piece.piece
        for piece in facts.pieces
        if piece.piece in before
        and piece.piece != ladder
        and math.dist(piece.pose.position, before[piece.piece].position) >= MOST_MOVED_M
    ]
