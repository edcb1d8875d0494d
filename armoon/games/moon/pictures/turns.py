"""Pictures of a turn: rolling, taking, placing, letting go; and the requirement of each face of the die."""

from __future__ import annotations

import math

from armoon.games.moon.pictures.standing import (
    Look,
    Structure,
    drawn,
    marked,
    shifted,
    standing,
    structure,
    upper_end,
)
from armoon.games.shared.glyphs import GOLD, PEOPLE, arrow, die, hand, person, verdict
from armoon.games.shared.rulebook import ramp
from armoon.geometry import pose_between
from armoon.values.drawing import Drawing, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Vec2, Vec3

#: A ladder in a hand, judged as it was wanted, and judged a mistake.
HELD: Rgba = (0.98, 0.82, 0.50, 1.0)
JUDGED: Rgba = (0.55, 0.85, 0.60, 1.0)
WRONG: Rgba = (0.95, 0.48, 0.42, 1.0)
#: Where a ladder waits before it is taken, and where the hand comes from (table frame, metres).
WAITING: Vec3 = (0.19, 0.0, 0.075)
DIE_PLACE: Vec2 = (0.15, 0.16)
VERDICT_PLACE: Vec2 = (1.18, 0.14)
_FACES = (Sign.DIE_ONE, Sign.DIE_TWO, Sign.DIE_MOON)
#: What shows each face: a page of the book of figures, its ladder that is placed, and which others are left out.
SHOWN: dict[Sign, tuple[str, PieceId, tuple[PieceId, ...]]] = {
    Sign.DIE_ONE: ("foot_hook", "L26", ()),
    Sign.DIE_TWO: ("swing", "L08", ("L23",)),
    Sign.DIE_MOON: ("candle", "L03", ()),
}


def of_face(face: Sign) -> tuple[Structure, PieceId]:
    """Return the structure that shows a face, and its ladder that is placed."""
    figure, piece, without = SHOWN[face]
    return structure(figure, without=without), piece


def carried(own: Structure, piece: PieceId, part: float) -> Look:
    """Return the ladder on its way from where it waits (0), over the structure, to its place (1)."""
    end = own.poses[piece]
    above = shifted(end, (0.02, 0.0, 0.035))
    pose = pose_between(Pose(WAITING), above, min(1.0, part / 0.7))
    if part > 0.7:
        pose = pose_between(above, end, (part - 0.7) / 0.3)
    return Look(own.ladders[piece], pose, HELD)


def everybody(time: float) -> Drawing:
    """Players round a table, each adding a ladder in turn."""
    own = structure("sin_of_pride")
    placed = [piece for piece in own.poses if piece not in own.fixed]
    at = min(int(time * len(placed)), len(placed) - 1)
    look = carried(own, placed[at], ramp(time * len(placed) - at, 0.1, 0.75))
    shapes = drawn((*standing(own, but=tuple(placed[at:])), look))
    people: list[Shape] = []
    for seat in range(len(placed)):
        spot = (1.12, 0.22 + 0.24 * seat)
        people += person(spot, PEOPLE[seat], 0.18 if seat == at else 0.14)
        if seat == at:
            people += arrow((spot[0] - 0.26, spot[1]), (spot[0] - 0.14, spot[1]))
    return Drawing((*shapes, *people))


def rolling(time: float) -> Drawing:
    """Draw a die that tumbles and comes to rest."""
    own, piece = of_face(Sign.DIE_ONE)
    still = time > 0.55
    face = Sign.DIE_ONE if still else _FACES[int(time * 22.0) % 3]
    spin = 0.0 if still else 0.03 * math.sin(time * 60.0)
    fallen = ramp(time, 0.0, 0.55)
    place = (
        1.24 - 0.24 * fallen,
        0.18 + 0.34 * abs(math.cos(3.0 * math.pi * fallen)) * (1.0 - fallen) + 0.34 * fallen,
    )
    looks = standing(own, but=(piece,))
    grip = (place[0] + 0.16 * (1.0 + 4.0 * ramp(time, 0.1, 0.4)), place[1] - 0.02)
    thrower = hand(grip, 1.0 - ramp(time, 0.0, 0.15), 0.8) if time < 0.4 else ()
    return Drawing((*drawn(looks), *thrower, die(face, (place[0] + spin, place[1] - spin), 0.13)))


def taking(time: float) -> Drawing:
    """Draw a hand that takes the waiting ladder and brings it in; it may touch others on the way."""
    own, piece = of_face(Sign.DIE_ONE)
    part = ramp(time, 0.35, 0.95)
    look = carried(own, piece, part)
    grip = upper_end(look)
    come = ramp(time, 0.0, 0.2)
    away = (grip[0] + 0.25 * (1.0 - come), grip[1] + 0.1 * (1.0 - come))
    return Drawing((*drawn((*standing(own, but=(piece,)), look)), *hand(away, ramp(time, 0.22, 0.32), 0.9)))


def letting_go(time: float) -> Drawing:
    """Return the fingers open; everything comes to rest; what is touched is marked."""
    own, piece = of_face(Sign.DIE_ONE)
    gone = ramp(time, 0.2, 0.55)
    tremble = 0.0012 * math.sin(time * 70.0) * (1.0 - ramp(time, 0.1, 0.45))
    look = Look(
        own.ladders[piece], shifted(own.poses[piece], (tremble, 0.0, 0.0)), HELD if time < 0.6 else JUDGED
    )
    grip = upper_end(look)
    fingers = hand((grip[0] + 0.5 * gone, grip[1] + 0.1 * gone), 1.0 - ramp(time, 0.05, 0.2), 0.9)
    shapes: tuple[Shape, ...] = drawn((*standing(own, but=(piece,)), look))
    if time > 0.6:
        shapes += tuple(mark for spot in own.contacts(piece) for mark in marked(spot))
        shapes += (die(Sign.DIE_ONE, DIE_PLACE, 0.1), *verdict(True, VERDICT_PLACE, 0.09))
    return Drawing((*shapes, *(fingers if gone < 1.0 else ())))


def asked(face: Sign, time: float) -> Drawing:
    """Return a face of the die, and a ladder that comes to stand as it asks; each contact is marked."""
    own, piece = of_face(face)
    part = ramp(time, 0.05, 0.5)
    look = carried(own, piece, part)
    if part >= 1.0:
        look = Look(look.ladder, look.pose, JUDGED)
    shapes: tuple[Shape, ...] = drawn((*standing(own, but=(piece,)), look))
    for number, spot in enumerate(own.contacts(piece)):
        left = ramp(time, 0.55 + 0.08 * number, 0.62 + 0.08 * number)
        shapes += marked(spot, left=left) if left > 0.0 else ()
    if face is Sign.DIE_MOON and time > 0.6:
        shapes += height_line(own.top(piece)[1])
    shown = verdict(True, VERDICT_PLACE, 0.09, ramp(time, 0.75, 0.85)) if time > 0.75 else ()
    holding = hand(upper_end(look), 1.0 - ramp(time, 0.5, 0.56), 0.9) if time < 0.58 else ()
    return Drawing((*shapes, *holding, die(face, DIE_PLACE, 0.11), *shown))


def height_line(y: float, colour: Rgba = GOLD) -> tuple[Shape, ...]:
    """Return a level line of dashes across the picture."""
    return tuple(Stroke((0.06 + 0.08 * k, y), (0.10 + 0.08 * k, y), 0.012, colour) for k in range(15))


def all_count(time: float) -> Drawing:
    """Draw the two first ladders lit like any other, with all faces of the die above them."""
    own = structure("swing", without=("L23",))
    glow = 0.5 + 0.5 * math.sin(time * 6.0 * math.pi)
    lit: Rgba = (0.60 + 0.35 * glow, 0.42 + 0.38 * glow, 0.28 + 0.18 * glow, 1.0)
    shapes = drawn(standing(own, lit=dict.fromkeys(own.fixed, lit)))
    faces: tuple[Mark, ...] = tuple(
        die(face, (0.92 + 0.16 * k, 0.16), 0.068) for k, face in enumerate(_FACES)
    )
    marks = tuple(mark for spot in own.contacts("L08") for mark in marked(spot, 0.024))
    return Drawing((*shapes, *marks, *faces))
