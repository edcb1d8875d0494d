"""Pictures of the end: the last ladder, the fewest tears, two players, ties, the final; and scoring as a team."""

from __future__ import annotations

import math

from armoon.games.moon.pictures.standing import MIDDLE, SCALE, WOOD, Look, drawn, standing, structure
from armoon.games.moon.pictures.turns import JUDGED, VERDICT_PLACE, carried, falling, height_line, of_face
from armoon.games.shared.glyphs import (
    GOLD,
    INK,
    IVORY,
    MIST,
    PEOPLE,
    die,
    faded,
    moved,
    person,
    tear,
    tears,
    verdict,
)
from armoon.games.shared.rulebook import ramp
from armoon.values.drawing import Drawing, Mark, Rgba, Shape, Sign, Stroke, Word
from armoon.values.poses import Vec2

#: The line that is scored by in the picture, in parts of its height.
_LINE_Y = 0.475
_LID: Rgba = (0.36, 0.42, 0.72, 1.0)


def used_up(ladders: int, count: int, time: float) -> Drawing:
    """Return a pile of ladders and a row of tears that both run out."""
    placed = ramp(time, 0.1, 0.85)
    left = math.ceil(ladders * (1.0 - placed))
    tears_left = max(1, math.ceil(count * (1.0 - 0.8 * placed)))
    shapes: list[Shape] = []
    for k in range(math.ceil(14 * (1.0 - placed))):
        spot = (0.16 + 0.086 * (k % 7), 0.26 + 0.22 * (k // 7))
        shapes.append(Mark(Sign.LADDER, spot, (0.03, 0.09), WOOD))
    shapes += tears((0.46, 0.76), tears_left, 0.055)
    shapes.append(Word(str(left), (1.02, 0.37), 0.19, GOLD))
    shapes.append(Word(str(tears_left), (1.02, 0.77), 0.19, (0.66, 0.84, 1.0, 1.0)))
    return Drawing((*shapes, *(crown((0.46, 0.37)) if left == 0 else ())))


def _podium(rows: tuple[int, ...], winner: int, time: float, out: int | None = None) -> list[Shape]:
    """Players below each other with their tears; who wins is starred, who is out is crossed."""
    shapes: list[Shape] = []
    step = 0.86 / len(rows)
    for seat, count in enumerate(rows):
        y = 0.07 + step * (seat + 0.5)
        gone = out == seat and time > 0.6
        colour = faded(PEOPLE[seat], 0.45 if gone else 1.0)
        shapes += person((0.25, y), colour, 0.17)
        shown = min(count, math.ceil(count * ramp(time, 0.05, 0.5)))
        shapes += [tear((0.45 + 0.115 * k, y), 0.055, 0.5 if gone else 1.0) for k in range(shown)]
        if seat == winner and time > 0.65:
            shapes += crown((1.16, y), ramp(time, 0.65, 0.8))
        if gone:
            shapes += verdict(False, (1.16, y), 0.085)
    return shapes


def crown(place: Vec2, left: float = 1.0) -> tuple[Shape, ...]:
    """Who has won: a moon caught."""
    return (
        Mark(Sign.DISC, place, (0.105, 0.105), faded(INK, 0.8 * left)),
        Mark(Sign.CRESCENT, place, (0.085, 0.085), (1.0, 0.93, 0.74, left), (1.0, 0.76, 0.36, left)),
    )


def fewest(last_is_out: bool, time: float) -> Drawing:
    """Who has the fewest wins; in one edition, who took the last tear is out whatever they have."""
    return Drawing(tuple(_podium((3, 1, 2), 1, time, 2 if last_is_out else None)))


def duel(limit: int, time: float) -> Drawing:
    """Two players: who comes to the limit is out."""
    return Drawing(tuple(_podium((1, limit), 0, time, 1)))


def shared(time: float) -> Drawing:
    """Return a tie with no ladder left: both have won."""
    shapes = _podium((2, 3, 2), 0, time)
    if time > 0.65:
        shapes += crown((1.16, 0.07 + 0.86 / 3.0 * 2.5), ramp(time, 0.65, 0.8))
    return Drawing(tuple(shapes))


def tie(time: float) -> Drawing:
    """Draw a tie: the tears are gone, ladders are left, two players are equal."""
    shapes = _podium((3, 2, 2), -1, time)
    lit = ramp(time, 0.55, 0.75)
    shapes += [Mark(Sign.LADDER, (1.08 + 0.085 * k, 0.5), (0.033, 0.11), WOOD) for k in range(3)]
    if time > 0.55:
        for seat in (1, 2):
            y = 0.07 + 0.86 / 3.0 * (seat + 0.5)
            shapes.append(Stroke((0.12, y + 0.12), (0.80, y + 0.12), 0.016, faded(GOLD, lit)))
    return Drawing(tuple(shapes))


def only_moons(time: float) -> Drawing:
    """No die but the moon: each ladder is to be the highest."""
    own, piece = of_face(Sign.DIE_MOON)
    part = ramp(time, 0.1, 0.55)
    look = carried(own, piece, part)
    shown = Look(look.ladder, look.pose, JUDGED if part >= 1.0 else look.colour)
    line = height_line(own.top(piece)[1]) if part >= 1.0 else ()
    good = verdict(True, VERDICT_PLACE, 0.09, ramp(time, 0.7, 0.8)) if time > 0.7 else ()
    return Drawing((*own.drawn(shown), *line, die(Sign.DIE_MOON, (0.15, 0.16), 0.11), *good))


def last_one(time: float) -> Drawing:
    """One falls out of the final at the first mistake; the other wins."""
    own = structure("swing")
    down = falling(own, "L23", ramp(time, 0.1, 0.4))
    out = time > 0.5
    first, second = (0.98, 0.36), (1.20, 0.36)
    people = (*person(first, faded(PEOPLE[1], 0.4 if out else 1.0), 0.18), *person(second, PEOPLE[2], 0.18))
    ends: tuple[Shape, ...] = verdict(False, (first[0], first[1] - 0.2), 0.075) if out else ()
    if time > 0.65:
        ends += crown((second[0], second[1] - 0.22), ramp(time, 0.65, 0.8))
    return Drawing((*own.drawn(down), *people, *ends))


# As a team ------------------------------------------------------------------------------------------------------


def team(count: int, time: float) -> Drawing:
    """Everybody together has the tears; a mistake takes one."""
    own, piece = of_face(Sign.DIE_ONE)
    down = falling(own, piece, ramp(time, 0.25, 0.55))
    left = count - (time > 0.7)
    people = [shape for k in range(3) for shape in person((0.93 + 0.15 * k, 0.60), PEOPLE[k], 0.15)]
    return Drawing((*own.drawn(down), *tears((1.08, 0.40), left, 0.05), *people))


def _lid(y: float) -> tuple[Shape, ...]:
    """Return the lid upright beside the structure; its upper edge is the line."""
    foot = MIDDLE[1] + 0.02
    middle, half = (1.05, (y + foot) / 2.0), (0.10, (foot - y) / 2.0)
    return (Mark(Sign.PLATE, middle, half, _LID, faded(MIST, 0.9)), *height_line(y))


def spend(time: float) -> Drawing:
    """Nothing moves; the team gives a tear and looks along the line."""
    own = structure("sin_of_pride")
    rising = ramp(time, 0.25, 0.6)
    foot = MIDDLE[1]
    y = foot + (_LINE_Y - foot) * rising
    shapes: tuple[Shape, ...] = drawn(standing(own))
    shapes += _lid(y) if rising > 0.05 else ()
    away = ramp(time, 0.6, 0.9)
    shapes += tears((0.20, 0.14), 3, 0.05)
    return Drawing((*shapes, tear(moved((0.20 + 0.15, 0.14), (1.05, 0.14), away), 0.05, 1.0 - 0.9 * away)))


def points(time: float) -> Drawing:
    """Wholly above the line: three; partly: one."""
    own = structure("candle")
    line = MIDDLE[1] - SCALE * 0.095
    shapes: tuple[Shape, ...] = drawn(standing(own, lit={"L03": JUDGED if time > 0.45 else GOLD}))
    shapes += _lid(line)
    for begin, word, spot in (
        (0.45, "+3", (0.55, 0.26)),
        (0.6, "+1", (0.28, line)),
        (0.75, "+1", (0.72, line)),
    ):
        if time > begin:
            left = ramp(time, begin, begin + 0.1)
            shapes += (
                Mark(Sign.DISC, spot, (0.085, 0.085), faded(INK, 0.9 * left)),
                Word(word, spot, 0.09, faded(GOLD, left)),
            )
    return Drawing(shapes)


def best(scorings: tuple[int, ...], time: float) -> Drawing:
    """Several scorings; the best is the result."""
    shapes: list[Shape] = []
    for k, value in enumerate(scorings):
        begin = 0.05 + 0.2 * k
        if time < begin:
            continue
        left = ramp(time, begin, begin + 0.1)
        won = value == max(scorings) and time > 0.7
        y = 0.22 + 0.27 * k
        shapes.append(tear((0.30, y), 0.065, left))
        shapes.append(
            Mark(
                Sign.PLATE,
                (0.66, y),
                (0.20, 0.105),
                (*GOLD[:3], 0.9) if won else (0.17, 0.2, 0.42, left),
                faded(MIST, left),
            )
        )
        shapes.append(Word(str(value), (0.66, y), 0.13, INK if won else faded(IVORY, left)))
        if won:
            shapes += crown((1.05, y), ramp(time, 0.7, 0.8))
    return Drawing(tuple(shapes))


def chart(leasts: tuple[int, ...], time: float) -> Drawing:
    """Return the steps of the chart, from the ground to the moon."""
    shapes: list[Shape] = []
    for k, least in enumerate(leasts):
        x = 0.12 + 0.135 * k
        top = 0.80 - 0.085 * k
        lit = time * (len(leasts) + 2) > k
        colour: Rgba = GOLD if lit else (0.3, 0.36, 0.62, 1.0)
        shapes.append(Stroke((x, 0.88), (x, top), 0.085, colour))
        shapes.append(Word(str(least), (x, top - 0.085), 0.07, IVORY))
    return Drawing((*shapes, *crown((1.20, 0.12))))
