"""Pictures of the hand's actions and aids: a pinch, the ghost, waiting in the air, turning."""

from __future__ import annotations

import math

from armoon.games.moon.pictures import turns
from armoon.games.moon.pictures.standing import Look, drawn, seen, standing, upper_end
from armoon.games.moon.pictures.turns import HELD, JUDGED, of_face
from armoon.games.shared.glyphs import GOLD, bow, hand
from armoon.games.shared.rulebook import Moving, ramp
from armoon.geometry import pose_compose, quat_from_axis_angle
from armoon.values.drawing import Drawing, Rgba, Sign
from armoon.values.poses import Pose, Vec2

_FAINT: Rgba = (*JUDGED[:3], 0.45)


def showing(time: float) -> Drawing:
    """Draw an open hand that comes into the picture."""
    come = ramp(time, 0.0, 0.6)
    return Drawing(hand((0.45 + 0.7 * (1.0 - come), 0.36 + 0.3 * (1.0 - come)), 0.0, 1.6))


def pinching(time: float) -> Drawing:
    """Thumb and index finger meet."""
    return Drawing(hand((0.45, 0.36), ramp(time, 0.2, 0.6), 1.6))


def opening(time: float) -> Drawing:
    """And part again."""
    return Drawing(hand((0.45, 0.36), 1.0 - ramp(time, 0.2, 0.6), 1.6))


def faint(time: float) -> Drawing:
    """Return the held ladder hovers; a faint one shows where it would come to rest, and what it would touch."""
    own, piece = of_face(Sign.DIE_ONE)
    sway = 0.006 * math.sin(time * 4.0 * math.pi)
    held = own.look(piece, HELD, (0.03 + sway, 0.0, 0.075))
    ghost = own.look(piece, _FAINT)
    spots = own.marks(piece, 0.02)
    return Drawing((*own.drawn(ghost, held), *spots, *hand(upper_end(held), 1.0, 0.8)))


def waiting(time: float) -> Drawing:
    """Let go of in the air, the ladder stays there; the hand takes it again from below."""
    own, piece = of_face(Sign.DIE_ONE)
    held = own.look(piece, HELD, (0.05, 0.0, 0.085))
    first = upper_end(held)
    second: Vec2 = (first[0] + 0.05, first[1] + 0.19)
    away, come = ramp(time, 0.25, 0.45), ramp(time, 0.55, 0.75)
    if time < 0.5:
        fingers = hand((first[0] + 0.5 * away, first[1] + 0.15 * away), 1.0 - ramp(time, 0.1, 0.2), 0.8)
    else:
        grip = (second[0] + 0.5 * (1.0 - come), second[1] + 0.1 * (1.0 - come))
        fingers = hand(grip, ramp(time, 0.78, 0.88), 0.8)
    return Drawing((*own.drawn(held), *fingers))


def turning(time: float) -> Drawing:
    """Draw the base turning with all that stands on it, pulled by a hand at its rim."""
    own, _ = of_face(Sign.DIE_ONE)
    part = ramp(time, 0.15, 0.8)
    about = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0.0, 0.0, 1.0), 0.75 * math.pi * part))
    looks = tuple(Look(one.ladder, pose_compose(about, one.pose), one.colour) for one in standing(own))
    x, y = seen((0.06 * math.sin(1.3 * (part - 0.5) * 2.0), 0.0, 0.0))
    arrow = bow((0.50, 0.86), (0.33, 0.07), 0.8 * math.pi, math.pi * (0.78 - 0.6 * part), GOLD)
    return Drawing((*drawn(looks), *arrow, *hand((x, y - 0.005), 1.0, 0.7)))


#: What the guided first game shows with its steps.
SHOWN: dict[str, Moving] = {
    "show": showing,
    "pinch": pinching,
    "open": opening,
    "roll": turns.rolling,
    "again": turns.rolling,
    "hint": faint,
    "take": turns.taking,
    "carry": turns.taking,
    "ghost": faint,
    "waits": waiting,
    "touch": lambda time: turns.asked(Sign.DIE_ONE, time),
    "let_go": turns.letting_go,
    "judged": turns.letting_go,
    "table": turning,
    "die": turns.all_count,
    "tears": turns.not_as_asked,
    "end": lambda time: turns.asked(Sign.DIE_MOON, time),
}
