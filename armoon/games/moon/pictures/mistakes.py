"""Pictures of mistakes: a die not honoured, ladders that fall, two hands, and whose fall it is."""

from __future__ import annotations

import math

from armoon.games.moon.pictures.standing import (
    Look,
    Structure,
    drawn,
    marked,
    seen,
    shifted,
    standing,
    structure,
    upper_end,
)
from armoon.games.moon.pictures.turns import DIE_PLACE, HELD, VERDICT_PLACE, WRONG, of_face
from armoon.games.shared.glyphs import PEOPLE, die, hand, moved, person, tear, verdict
from armoon.games.shared.rulebook import ramp
from armoon.values.drawing import Drawing, Rgba, Shape, Sign
from armoon.values.pieces import PieceId
from armoon.values.poses import Vec2

PLAYER: Vec2 = (1.17, 0.70)
_FROM: Vec2 = (1.17, 0.10)


def paid(time: float, begin: float, place: Vec2 = PLAYER, colour: Rgba = PEOPLE[0]) -> tuple[Shape, ...]:
    """Draw a tear that comes down to a player, who keeps it."""
    part = ramp(time, begin, begin + 0.25)
    above = (place[0], place[1] - 0.19)
    drop = tear(moved(_FROM, above, part), 0.06) if time > begin else None
    return (*person(place, colour, 0.2), *((drop,) if drop is not None else ()))


def falling(own: Structure, piece: PieceId, part: float, *, aside_m: float = 0.09) -> Look:
    """Return a ladder that slips (0) and lies on the table (1)."""
    pose = own.poses[piece]
    turned = 1.35 * part
    low = shifted(pose, (aside_m * part, -0.05 * part, -pose.position[2] * 0.93 * part * part), turned)
    return Look(own.ladders[piece], low, WRONG)


def not_as_asked(time: float) -> Drawing:
    """Return the die asks for two; the ladder touches one, and stays."""
    own, piece = of_face(Sign.DIE_ONE)
    looks = standing(own, lit={piece: HELD if time < 0.35 else WRONG})
    spots = own.contacts(piece)
    shapes: tuple[Shape, ...] = drawn(looks)
    if time > 0.2:
        shapes += tuple(mark for spot in spots for mark in marked(spot))
    wrong = (
        verdict(False, (DIE_PLACE[0] + 0.21, DIE_PLACE[1]), 0.075, ramp(time, 0.35, 0.42))
        if time > 0.35
        else ()
    )
    return Drawing((*shapes, die(Sign.DIE_TWO, DIE_PLACE, 0.11), *wrong, *paid(time, 0.5)))


def it_falls(time: float) -> Drawing:
    """Draw a ladder that falls onto the table; it and the one in the hand leave the game."""
    own = structure("swing")
    part = ramp(time, 0.15, 0.45)
    gone = ramp(time, 0.6, 0.8)
    down = falling(own, "L23", part)
    held = Look(own.ladders["L08"], shifted(own.poses["L08"], (0.0, 0.0, 0.05)), HELD)
    out: Rgba = (*WRONG[:3], 1.0 - gone)
    looks = [*standing(own, but=("L23", "L08"))]
    if gone < 1.0:
        looks += [Look(down.ladder, down.pose, out), Look(held.ladder, held.pose, (*HELD[:3], 1.0 - gone))]
    grip = seen((0.055, 0.0, 0.165))
    fingers = hand((grip[0] + 0.4 * gone, grip[1] + 0.1 * gone), 1.0 - gone, 0.8)
    ended = verdict(False, VERDICT_PLACE, 0.09, ramp(time, 0.5, 0.6)) if time > 0.5 else ()
    return Drawing(
        (*drawn(tuple(looks)), *(fingers if gone < 1.0 else ()), *ended, *paid(time, 0.65, (1.17, 0.72)))
    )


def on_the_base(time: float) -> Drawing:
    """Only the two first ladders may stand on the base; one of them that falls is stood up again."""
    own = structure("candle", without=("L03",))
    first = own.fixed[1]
    lean = math.radians(38.0) * ramp(time, 0.15, 0.4) * (1.0 - ramp(time, 0.65, 0.9))
    tipped = shifted(own.poses[first], (0.035 * math.sin(lean), 0.0, -0.012 * math.sin(lean)), lean)
    look = Look(own.ladders[first], tipped, WRONG if 0.2 < time < 0.7 else HELD)
    back = hand(upper_end(look), 1.0, 0.9) if time > 0.58 else ()
    return Drawing((*drawn((*standing(own, but=(first,)), look)), *back, *paid(time, 0.35)))


def two_hands(time: float, charged: bool) -> Drawing:
    """Draw a second, unwanted hand that comes to the ladder."""
    own, piece = of_face(Sign.DIE_ONE)
    held = Look(own.ladders[piece], shifted(own.poses[piece], (0.07, 0.0, 0.05)), HELD)
    grip = upper_end(held)
    come = ramp(time, 0.1, 0.5)
    second = (grip[0] - 0.12 + 0.2 * (1.0 - come), grip[1] + 0.19 + 0.3 * (1.0 - come))
    cross = (
        verdict(False, (second[0] + 0.1, second[1] + 0.1), 0.12, ramp(time, 0.5, 0.6)) if time > 0.5 else ()
    )
    cost = paid(time, 0.62, (1.17, 0.76)) if charged else ()
    shapes = (*drawn((*standing(own, but=(piece,)), held)), *hand(grip, 1.0, 0.8))
    return Drawing((*shapes, *hand(second, 0.2, 0.8), *cross, *cost))


def at_once(time: float) -> Drawing:
    """Three ladders fall together, and one tear is taken."""
    own = structure("sin_of_pride")
    loose = [piece for piece in own.poses if piece not in own.fixed]
    downs = tuple(
        falling(own, piece, ramp(time, 0.1 + 0.05 * k, 0.4 + 0.05 * k), aside_m=(-0.10, 0.05, 0.10)[k % 3])
        for k, piece in enumerate(loose)
    )
    return Drawing((*drawn((*standing(own, but=tuple(loose)), *downs)), *paid(time, 0.55, (1.20, 0.62))))


def late_fall(time: float) -> Drawing:
    """Draw a late fall: the hand is away and the next player has the die, but until it rolls the first player pays."""
    own = structure("swing")
    part = ramp(time, 0.3, 0.6)
    down = falling(own, "L23", part) if part > 0.0 else Look(own.ladders["L23"], own.poses["L23"])
    shapes = drawn((*standing(own, but=("L23",)), down))
    first, second = (1.0, 0.30), (1.22, 0.30)
    next_up = (*person(second, PEOPLE[1], 0.17), die(Sign.DIE, (second[0], second[1] + 0.17), 0.055))
    drop = ramp(time, 0.62, 0.82)
    drops = (tear(moved((first[0], 0.02), (first[0], first[1] - 0.17), drop), 0.055),) if time > 0.62 else ()
    return Drawing((*shapes, *person(first, PEOPLE[0], 0.17), *drops, *next_up))
