"""A game's happenings for spectators: who plays, who is on turn, and how it ends."""

from __future__ import annotations

import math

from armoon.broadcast.happenings import Seat
from armoon.broadcast.speaking import SILENT, hexed
from armoon.engine.match import Match
from armoon.values.poses import Pose, PoseRow, Vec3

#: Places are told to a tenth of a millimetre, rotations to a ten-thousandth.
_DIGITS = 4


def plain_seats(match: Match) -> tuple[Seat, ...]:
    """Return who plays, of a game that counts nothing for them."""
    return tuple(
        Seat(name, seat_colour(match, number), 0, out=False, note=SILENT)
        for number, name in enumerate(match.players)
    )


def seat_colour(match: Match, seat: int) -> str:
    """Return a player's colour; empty: none was chosen."""
    shades = match.table.colours
    return hexed(shades[seat]) if seat < len(shades) else ""


def ring(radius_m: float, middle: Vec3, corners: int) -> tuple[Vec3, ...]:
    """Return a level circle as a closed line of this many straight parts."""
    x, y, z = middle
    turn = (2.0 * math.pi * corner / corners for corner in range(corners + 1))
    return tuple((x + radius_m * math.cos(a), y + radius_m * math.sin(a), z) for a in turn)


def told_pose(pose: Pose) -> PoseRow:
    """Return a pose as onlookers are told it."""
    x, y, z, i, j, k, w = (round(part, _DIGITS) for part in pose.row)
    return (x, y, z, i, j, k, w)


def told_length(length_m: float | None) -> float | None:
    """Return a length as onlookers are told it."""
    return None if length_m is None else round(length_m, _DIGITS)
