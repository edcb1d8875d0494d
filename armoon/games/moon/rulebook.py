"""The rule book and its pictures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from armoon.games import shared
from armoon.games.moon.editions import CHART, Edition, list_starting_ladders, list_supply_ladders
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.structure_drawing import (
    MIDDLE,
    SCALE,
    WOOD,
    DrawnLadder,
    DrawnStructure,
    draw_ladders,
    draw_mark,
    find_upper_end,
    list_ladders,
    load_structure,
    project,
    shift_pose,
)
from armoon.games.shared import Animation, RuleBook, RuleScreen, RuleStep, draw_arrow
from armoon.geometry import pose_between, pose_compose, quat_from_axis_angle
from armoon.messages import text
from armoon.values.choices import OneHand
from armoon.values.page import Drawing, DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import PieceId
from armoon.values.poses import Pose, Vec2, Vec3

#: Colours of a held ladder, one that honours the die, and a mistake.
HELD: Rgba = (0.98, 0.82, 0.50, 1.0)
JUDGED: Rgba = (0.55, 0.85, 0.60, 1.0)
WRONG: Rgba = (0.95, 0.48, 0.42, 1.0)
#: Position of a ladder before it is taken (table frame, metres).
WAITING: Vec3 = (0.19, 0.0, 0.075)
DIE_PLACE: Vec2 = (0.15, 0.16)
VERDICT_PLACE: Vec2 = (1.18, 0.14)
_FACES = (Sign.DIE_ONE, Sign.DIE_TWO, Sign.DIE_MOON)
#: Example of each face: a page of the book of figures, its ladder that is placed, and the ladders omitted.
EXAMPLES: dict[Sign, tuple[str, PieceId, tuple[PieceId, ...]]] = {
    Sign.DIE_ONE: ("foot_hook", "L26", ()),
    Sign.DIE_TWO: ("swing", "L08", ("L23",)),
    Sign.DIE_MOON: ("candle", "L03", ()),
}


def load_example(face: Sign) -> tuple[DrawnStructure, PieceId]:
    figure, piece, without = EXAMPLES[face]
    return load_structure(figure, without=without), piece


def carried(own: DrawnStructure, piece: PieceId, part: float) -> DrawnLadder:
    """Return the ladder on its way from ``WAITING`` (0) over the structure to its place (1)."""
    end = own.poses[piece]
    above = shift_pose(end, (0.02, 0.0, 0.035))
    pose = pose_between(Pose(WAITING), above, min(1.0, part / 0.7))
    if part > 0.7:
        pose = pose_between(above, end, (part - 0.7) / 0.3)
    return DrawnLadder(own.ladders[piece], pose, HELD)


def take_turns(time: float) -> Drawing:
    own = load_structure("sin_of_pride")
    placed = [piece for piece in own.poses if piece not in own.fixed]
    at = min(int(time * len(placed)), len(placed) - 1)
    look = carried(own, placed[at], shared.ease(time * len(placed) - at, 0.1, 0.75))
    shapes = draw_ladders((*list_ladders(own, but=tuple(placed[at:])), look))
    people: list[Shape] = []
    for seat in range(len(placed)):
        spot = (1.12, 0.22 + 0.24 * seat)
        people += shared.draw_person(spot, shared.PEOPLE[seat], 0.18 if seat == at else 0.14)
        if seat == at:
            people += draw_arrow((spot[0] - 0.26, spot[1]), (spot[0] - 0.14, spot[1]))
    return Drawing((*shapes, *people))


def rolling(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    still = time > 0.55
    face = Sign.DIE_ONE if still else _FACES[int(time * 22.0) % 3]
    spin = 0.0 if still else 0.03 * math.sin(time * 60.0)
    fallen = shared.ease(time, 0.0, 0.55)
    place = (
        1.24 - 0.24 * fallen,
        0.18 + 0.34 * abs(math.cos(3.0 * math.pi * fallen)) * (1.0 - fallen) + 0.34 * fallen,
    )
    grip = (place[0] + 0.16 * (1.0 + 4.0 * shared.ease(time, 0.1, 0.4)), place[1] - 0.02)
    thrower = shared.draw_hand(grip, 1.0 - shared.ease(time, 0.0, 0.15), 0.8) if time < 0.4 else ()
    return Drawing(
        (
            *draw_ladders(list_ladders(own, but=(piece,))),
            *thrower,
            shared.draw_die(face, (place[0] + spin, place[1] - spin), 0.13),
        )
    )


def taking(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    part = shared.ease(time, 0.35, 0.95)
    look = carried(own, piece, part)
    grip = find_upper_end(look)
    come = shared.ease(time, 0.0, 0.2)
    away = (grip[0] + 0.25 * (1.0 - come), grip[1] + 0.1 * (1.0 - come))
    return Drawing((*own.draw(look), *shared.draw_hand(away, shared.ease(time, 0.22, 0.32), 0.9)))


def letting_go(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    gone = shared.ease(time, 0.2, 0.55)
    tremble = 0.0012 * math.sin(time * 70.0) * (1.0 - shared.ease(time, 0.1, 0.45))
    look = own.make_ladder(piece, HELD if time < 0.6 else JUDGED, (tremble, 0.0, 0.0))
    grip = find_upper_end(look)
    fingers = shared.draw_hand(
        (grip[0] + 0.5 * gone, grip[1] + 0.1 * gone), 1.0 - shared.ease(time, 0.05, 0.2), 0.9
    )
    shapes: tuple[Shape, ...] = own.draw(look)
    if time > 0.6:
        shapes += own.draw_marks(piece)
        shapes += (
            shared.draw_die(Sign.DIE_ONE, DIE_PLACE, 0.1),
            *shared.draw_verdict(True, VERDICT_PLACE, 0.09),
        )
    return Drawing((*shapes, *(fingers if gone < 1.0 else ())))


def honour_die(face: Sign, time: float) -> Drawing:
    own, piece = load_example(face)
    part = shared.ease(time, 0.05, 0.5)
    look = carried(own, piece, part)
    if part >= 1.0:
        look = replace(look, colour=JUDGED)
    shapes: tuple[Shape, ...] = own.draw(look)
    for number, spot in enumerate(own.list_contacts(piece)):
        left = shared.ease(time, 0.55 + 0.08 * number, 0.62 + 0.08 * number)
        shapes += draw_mark(spot, left=left) if left > 0.0 else ()
    if face is Sign.DIE_MOON and time > 0.6:
        shapes += height_line(own.find_top(piece)[1])
    shown = (
        shared.draw_verdict(True, VERDICT_PLACE, 0.09, shared.ease(time, 0.75, 0.85)) if time > 0.75 else ()
    )
    holding = (
        shared.draw_hand(find_upper_end(look), 1.0 - shared.ease(time, 0.5, 0.56), 0.9) if time < 0.58 else ()
    )
    return Drawing((*shapes, *holding, shared.draw_die(face, DIE_PLACE, 0.11), *shown))


def height_line(y: float) -> tuple[Shape, ...]:
    return tuple(Stroke((0.06 + 0.08 * k, y), (0.10 + 0.08 * k, y), 0.012, shared.GOLD) for k in range(15))


def all_count(time: float) -> Drawing:
    own = load_structure("swing", without=("L23",))
    glow = 0.5 + 0.5 * math.sin(time * 6.0 * math.pi)
    lit: Rgba = (0.60 + 0.35 * glow, 0.42 + 0.38 * glow, 0.28 + 0.18 * glow, 1.0)
    shapes = draw_ladders(list_ladders(own, lit=dict.fromkeys(own.fixed, lit)))
    faces: tuple[Mark, ...] = tuple(
        shared.draw_die(face, (0.92 + 0.16 * k, 0.16), 0.068) for k, face in enumerate(_FACES)
    )
    marks = own.draw_marks("L08", 0.024)
    return Drawing((*shapes, *marks, *faces))


PLAYER: Vec2 = (1.17, 0.70)
_FROM: Vec2 = (1.17, 0.10)


def paid_tear(time: float, begin: float, place: Vec2 = PLAYER) -> tuple[Shape, ...]:
    part = shared.ease(time, begin, begin + 0.25)
    above = (place[0], place[1] - 0.19)
    drop = shared.draw_tear(shared.interpolate(_FROM, above, part), 0.06) if time > begin else None
    return (*shared.draw_person(place, shared.PEOPLE[0], 0.2), *((drop,) if drop is not None else ()))


def falling(own: DrawnStructure, piece: PieceId, part: float, *, aside_m: float = 0.09) -> DrawnLadder:
    """Return a ladder on its way from slipping (0) to lying on the table (1)."""
    down_m = own.poses[piece].position[2] * 0.93 * part * part
    return own.make_ladder(piece, WRONG, (aside_m * part, -0.05 * part, -down_m), 1.35 * part)


def not_as_asked(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    shapes: tuple[Shape, ...] = draw_ladders(list_ladders(own, lit={piece: HELD if time < 0.35 else WRONG}))
    shapes += own.draw_marks(piece) if time > 0.2 else ()
    wrong = (
        shared.draw_verdict(False, (DIE_PLACE[0] + 0.21, DIE_PLACE[1]), 0.075, shared.ease(time, 0.35, 0.42))
        if time > 0.35
        else ()
    )
    die = shared.draw_die(Sign.DIE_TWO, DIE_PLACE, 0.11)
    return Drawing((*shapes, die, *wrong, *paid_tear(time, 0.5)))


def fall(time: float) -> Drawing:
    own = load_structure("swing")
    part = shared.ease(time, 0.15, 0.45)
    gone = shared.ease(time, 0.6, 0.8)
    down = falling(own, "L23", part)
    held = own.make_ladder("L08", (*HELD[:3], 1.0 - gone), (0.0, 0.0, 0.05))
    falls = replace(down, colour=(*WRONG[:3], 1.0 - gone))
    looks = (*list_ladders(own, but=("L23", "L08")), *((falls, held) if gone < 1.0 else ()))
    grip = project((0.055, 0.0, 0.165))
    fingers = shared.draw_hand((grip[0] + 0.4 * gone, grip[1] + 0.1 * gone), 1.0 - gone, 0.8)
    ended = shared.draw_verdict(False, VERDICT_PLACE, 0.09, shared.ease(time, 0.5, 0.6)) if time > 0.5 else ()
    hand = fingers if gone < 1.0 else ()
    return Drawing((*draw_ladders(looks), *hand, *ended, *paid_tear(time, 0.65, (1.17, 0.72))))


def on_the_base(time: float) -> Drawing:
    own = load_structure("candle", without=("L03",))
    first = own.fixed[1]
    lean = math.radians(38.0) * shared.ease(time, 0.15, 0.4) * (1.0 - shared.ease(time, 0.65, 0.9))
    by = (0.035 * math.sin(lean), 0.0, -0.012 * math.sin(lean))
    look = own.make_ladder(first, WRONG if 0.2 < time < 0.7 else HELD, by, lean)
    back = shared.draw_hand(find_upper_end(look), 1.0, 0.9) if time > 0.58 else ()
    return Drawing((*own.draw(look), *back, *paid_tear(time, 0.35)))


def two_hands(time: float, charged: bool) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    held = own.make_ladder(piece, HELD, (0.07, 0.0, 0.05))
    grip = find_upper_end(held)
    come = shared.ease(time, 0.1, 0.5)
    second = (grip[0] - 0.12 + 0.2 * (1.0 - come), grip[1] + 0.19 + 0.3 * (1.0 - come))
    cross = (
        shared.draw_verdict(False, (second[0] + 0.1, second[1] + 0.1), 0.12, shared.ease(time, 0.5, 0.6))
        if time > 0.5
        else ()
    )
    cost = paid_tear(time, 0.62, (1.17, 0.76)) if charged else ()
    shapes = (*own.draw(held), *shared.draw_hand(grip, 1.0, 0.8))
    return Drawing((*shapes, *shared.draw_hand(second, 0.2, 0.8), *cross, *cost))


def fall_together(time: float) -> Drawing:
    own = load_structure("sin_of_pride")
    loose = [piece for piece in own.poses if piece not in own.fixed]
    downs = tuple(
        falling(
            own, piece, shared.ease(time, 0.1 + 0.05 * k, 0.4 + 0.05 * k), aside_m=(-0.10, 0.05, 0.10)[k % 3]
        )
        for k, piece in enumerate(loose)
    )
    return Drawing((*own.draw(*downs), *paid_tear(time, 0.55, (1.20, 0.62))))


def late_fall(time: float) -> Drawing:
    own = load_structure("swing")
    part = shared.ease(time, 0.3, 0.6)
    down = falling(own, "L23", part) if part > 0.0 else own.make_ladder("L23", WOOD)
    shapes = own.draw(down)
    first, second = (1.0, 0.30), (1.22, 0.30)
    next_up = (
        *shared.draw_person(second, shared.PEOPLE[1], 0.17),
        shared.draw_die(Sign.DIE, (second[0], second[1] + 0.17), 0.055),
    )
    drop = shared.ease(time, 0.62, 0.82)
    drops = (
        (shared.draw_tear(shared.interpolate((first[0], 0.02), (first[0], first[1] - 0.17), drop), 0.055),)
        if time > 0.62
        else ()
    )
    return Drawing((*shapes, *shared.draw_person(first, shared.PEOPLE[0], 0.17), *drops, *next_up))


#: Height of the scoring line, as a share of the picture's height.
_LINE_Y = 0.475
_LID: Rgba = (0.36, 0.42, 0.72, 1.0)


def used_up(ladders: int, count: int, time: float) -> Drawing:
    placed = shared.ease(time, 0.1, 0.85)
    left = math.ceil(ladders * (1.0 - placed))
    tears_left = max(1, math.ceil(count * (1.0 - 0.8 * placed)))
    shapes: list[Shape] = []
    for k in range(math.ceil(14 * (1.0 - placed))):
        spot = (0.16 + 0.086 * (k % 7), 0.26 + 0.22 * (k // 7))
        shapes.append(Mark(Sign.LADDER, spot, (0.03, 0.09), WOOD))
    shapes += shared.draw_tears((0.46, 0.76), tears_left, 0.055)
    shapes.append(DrawnWord(str(left), (1.02, 0.37), 0.19, shared.GOLD))
    shapes.append(DrawnWord(str(tears_left), (1.02, 0.77), 0.19, (0.66, 0.84, 1.0, 1.0)))
    return Drawing((*shapes, *(crown((0.46, 0.37)) if left == 0 else ())))


def _podium(rows: tuple[int, ...], winner: int, time: float, out: int | None = None) -> list[Shape]:
    shapes: list[Shape] = []
    step = 0.86 / len(rows)
    for seat, count in enumerate(rows):
        y = 0.07 + step * (seat + 0.5)
        gone = out == seat and time > 0.6
        colour = shared.fade(shared.PEOPLE[seat], 0.45 if gone else 1.0)
        shapes += shared.draw_person((0.25, y), colour, 0.17)
        shown = min(count, math.ceil(count * shared.ease(time, 0.05, 0.5)))
        shapes += [shared.draw_tear((0.45 + 0.115 * k, y), 0.055, 0.5 if gone else 1.0) for k in range(shown)]
        if seat == winner and time > 0.65:
            shapes += crown((1.16, y), shared.ease(time, 0.65, 0.8))
        if gone:
            shapes += shared.draw_verdict(False, (1.16, y), 0.085)
    return shapes


def crown(place: Vec2, left: float = 1.0) -> tuple[Shape, ...]:
    return (
        Mark(Sign.DISC, place, (0.105, 0.105), shared.fade(shared.INK, 0.8 * left)),
        Mark(Sign.CRESCENT, place, (0.085, 0.085), (1.0, 0.93, 0.74, left), (1.0, 0.76, 0.36, left)),
    )


def fewest(last_is_out: bool, time: float) -> Drawing:
    return Drawing(tuple(_podium((3, 1, 2), 1, time, 2 if last_is_out else None)))


def duel(limit: int, time: float) -> Drawing:
    return Drawing(tuple(_podium((1, limit), 0, time, 1)))


def shared_victory(time: float) -> Drawing:
    shapes = _podium((2, 3, 2), 0, time)
    if time > 0.65:
        shapes += crown((1.16, 0.07 + 0.86 / 3.0 * 2.5), shared.ease(time, 0.65, 0.8))
    return Drawing(tuple(shapes))


def tie(time: float) -> Drawing:
    shapes = _podium((3, 2, 2), -1, time)
    lit = shared.ease(time, 0.55, 0.75)
    shapes += [Mark(Sign.LADDER, (1.08 + 0.085 * k, 0.5), (0.033, 0.11), WOOD) for k in range(3)]
    if time > 0.55:
        for seat in (1, 2):
            y = 0.07 + 0.86 / 3.0 * (seat + 0.5)
            shapes.append(Stroke((0.12, y + 0.12), (0.80, y + 0.12), 0.016, shared.fade(shared.GOLD, lit)))
    return Drawing(tuple(shapes))


def only_moons(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_MOON)
    part = shared.ease(time, 0.1, 0.55)
    look = carried(own, piece, part)
    shown = DrawnLadder(look.ladder, look.pose, JUDGED if part >= 1.0 else look.colour)
    line = height_line(own.find_top(piece)[1]) if part >= 1.0 else ()
    good = shared.draw_verdict(True, VERDICT_PLACE, 0.09, shared.ease(time, 0.7, 0.8)) if time > 0.7 else ()
    return Drawing((*own.draw(shown), *line, shared.draw_die(Sign.DIE_MOON, (0.15, 0.16), 0.11), *good))


def last_one(time: float) -> Drawing:
    own = load_structure("swing")
    down = falling(own, "L23", shared.ease(time, 0.1, 0.4))
    out = time > 0.5
    first, second = (0.98, 0.36), (1.20, 0.36)
    people = (
        *shared.draw_person(first, shared.fade(shared.PEOPLE[1], 0.4 if out else 1.0), 0.18),
        *shared.draw_person(second, shared.PEOPLE[2], 0.18),
    )
    ends: tuple[Shape, ...] = shared.draw_verdict(False, (first[0], first[1] - 0.2), 0.075) if out else ()
    if time > 0.65:
        ends += crown((second[0], second[1] - 0.22), shared.ease(time, 0.65, 0.8))
    return Drawing((*own.draw(down), *people, *ends))


# Co-operative games ---------------------------------------------------------------------------------------------


def team(count: int, time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    down = falling(own, piece, shared.ease(time, 0.25, 0.55))
    left = count - (time > 0.7)
    people = [
        shape
        for k in range(3)
        for shape in shared.draw_person((0.93 + 0.15 * k, 0.60), shared.PEOPLE[k], 0.15)
    ]
    return Drawing((*own.draw(down), *shared.draw_tears((1.08, 0.40), left, 0.05), *people))


def _lid(y: float) -> tuple[Shape, ...]:
    foot = MIDDLE[1] + 0.02
    middle, half = (1.05, (y + foot) / 2.0), (0.10, (foot - y) / 2.0)
    return (Mark(Sign.PLATE, middle, half, _LID, shared.fade(shared.MIST, 0.9)), *height_line(y))


def spend(time: float) -> Drawing:
    own = load_structure("sin_of_pride")
    rising = shared.ease(time, 0.25, 0.6)
    foot = MIDDLE[1]
    y = foot + (_LINE_Y - foot) * rising
    shapes: tuple[Shape, ...] = draw_ladders(list_ladders(own))
    shapes += _lid(y) if rising > 0.05 else ()
    away = shared.ease(time, 0.6, 0.9)
    shapes += shared.draw_tears((0.20, 0.14), 3, 0.05)
    return Drawing(
        (
            *shapes,
            shared.draw_tear(
                shared.interpolate((0.20 + 0.15, 0.14), (1.05, 0.14), away), 0.05, 1.0 - 0.9 * away
            ),
        )
    )


def points(time: float) -> Drawing:
    own = load_structure("candle")
    line = MIDDLE[1] - SCALE * 0.095
    colour = JUDGED if time > 0.45 else shared.GOLD
    shapes: tuple[Shape, ...] = draw_ladders(list_ladders(own, lit={"L03": colour}))
    shapes += _lid(line)
    for begin, word, spot in (
        (0.45, "+3", (0.55, 0.26)),
        (0.6, "+1", (0.28, line)),
        (0.75, "+1", (0.72, line)),
    ):
        if time > begin:
            left = shared.ease(time, begin, begin + 0.1)
            shapes += (
                Mark(Sign.DISC, spot, (0.085, 0.085), shared.fade(shared.INK, 0.9 * left)),
                DrawnWord(word, spot, 0.09, shared.fade(shared.GOLD, left)),
            )
    return Drawing(shapes)


def best(scorings: tuple[int, ...], time: float) -> Drawing:
    shapes: list[Shape] = []
    for k, value in enumerate(scorings):
        begin = 0.05 + 0.2 * k
        if time < begin:
            continue
        left = shared.ease(time, begin, begin + 0.1)
        won = value == max(scorings) and time > 0.7
        y = 0.22 + 0.27 * k
        shapes.append(shared.draw_tear((0.30, y), 0.065, left))
        shapes.append(
            Mark(
                Sign.PLATE,
                (0.66, y),
                (0.20, 0.105),
                (*shared.GOLD[:3], 0.9) if won else (0.17, 0.2, 0.42, left),
                shared.fade(shared.MIST, left),
            )
        )
        shapes.append(
            DrawnWord(str(value), (0.66, y), 0.13, shared.INK if won else shared.fade(shared.IVORY, left))
        )
        if won:
            shapes += crown((1.05, y), shared.ease(time, 0.7, 0.8))
    return Drawing(tuple(shapes))


def chart(leasts: tuple[int, ...], time: float) -> Drawing:
    shapes: list[Shape] = []
    for k, least in enumerate(leasts):
        x = 0.12 + 0.135 * k
        top = 0.80 - 0.085 * k
        lit = time * (len(leasts) + 2) > k
        colour: Rgba = shared.GOLD if lit else (0.3, 0.36, 0.62, 1.0)
        shapes.append(Stroke((x, 0.88), (x, top), 0.085, colour))
        shapes.append(DrawnWord(str(least), (x, top - 0.085), 0.07, shared.IVORY))
    return Drawing((*shapes, *crown((1.20, 0.12))))


_FAINT: Rgba = (*JUDGED[:3], 0.45)


def showing(time: float) -> Drawing:
    come = shared.ease(time, 0.0, 0.6)
    return Drawing(shared.draw_hand((0.45 + 0.7 * (1.0 - come), 0.36 + 0.3 * (1.0 - come)), 0.0, 1.6))


def pinching(time: float) -> Drawing:
    return Drawing(shared.draw_hand((0.45, 0.36), shared.ease(time, 0.2, 0.6), 1.6))


def opening(time: float) -> Drawing:
    return Drawing(shared.draw_hand((0.45, 0.36), 1.0 - shared.ease(time, 0.2, 0.6), 1.6))


def faint(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    sway = 0.006 * math.sin(time * 4.0 * math.pi)
    held = own.make_ladder(piece, HELD, (0.03 + sway, 0.0, 0.075))
    ghost = own.make_ladder(piece, _FAINT)
    spots = own.draw_marks(piece, 0.02)
    return Drawing((*own.draw(ghost, held), *spots, *shared.draw_hand(find_upper_end(held), 1.0, 0.8)))


def waiting(time: float) -> Drawing:
    own, piece = load_example(Sign.DIE_ONE)
    held = own.make_ladder(piece, HELD, (0.05, 0.0, 0.085))
    first = find_upper_end(held)
    second: Vec2 = (first[0] + 0.05, first[1] + 0.19)
    away, come = shared.ease(time, 0.25, 0.45), shared.ease(time, 0.55, 0.75)
    if time < 0.5:
        fingers = shared.draw_hand(
            (first[0] + 0.5 * away, first[1] + 0.15 * away), 1.0 - shared.ease(time, 0.1, 0.2), 0.8
        )
    else:
        grip = (second[0] + 0.5 * (1.0 - come), second[1] + 0.1 * (1.0 - come))
        fingers = shared.draw_hand(grip, shared.ease(time, 0.78, 0.88), 0.8)
    return Drawing((*own.draw(held), *fingers))


def turning(time: float) -> Drawing:
    own, _ = load_example(Sign.DIE_ONE)
    part = shared.ease(time, 0.15, 0.8)
    about = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0.0, 0.0, 1.0), 0.75 * math.pi * part))
    looks = tuple(DrawnLadder(o.ladder, pose_compose(about, o.pose), o.colour) for o in list_ladders(own))
    x, y = project((0.06 * math.sin(1.3 * (part - 0.5) * 2.0), 0.0, 0.0))
    arrow = shared.draw_curved_arrow(
        (0.50, 0.86), (0.33, 0.07), 0.8 * math.pi, math.pi * (0.78 - 0.6 * part), shared.GOLD
    )
    return Drawing((*draw_ladders(looks), *arrow, *shared.draw_hand((x, y - 0.005), 1.0, 0.7)))


#: Pictures for the steps of the guided first game.
HELPS_SHOWN: dict[str, shared.Animation] = {
    "show": showing,
    "pinch": pinching,
    "open": opening,
    "roll": rolling,
    "again": rolling,
    "hint": faint,
    "take": taking,
    "carry": taking,
    "ghost": faint,
    "waits": waiting,
    "touch": lambda time: honour_die(Sign.DIE_ONE, time),
    "let_go": letting_go,
    "judged": letting_go,
    "table": turning,
    "die": all_count,
    "tears": not_as_asked,
    "end": lambda time: honour_die(Sign.DIE_MOON, time),
}


#: Scorings in the picture that shows which one counts.
_SCORINGS = (0, 4, 2)
Step = Callable[..., RuleStep]


def rulebook(options: MoonOptions) -> RuleBook:
    book, house = options.book, options.house
    step = partial(_step, book)
    title = text(f"option.edition.word.{book.name}")
    if options.together:
        title = f"{title} · {text('option.mode.word.cooperative')}"
    count = house.get_tears(book)
    ladders = house.supply_size or len(list_supply_ladders(book, house))
    return RuleBook(
        title,
        (
            _turn(step, together=options.together, draws_any=options.traits.draws_any),
            _die(step, len(list_starting_ladders(house))),
            _mistakes(step, house.one_hand),
            *(
                (_score(step, count), _team_end(step, ladders, count))
                if options.together
                else (_end(step, book, ladders, count, house.get_tear_limit(book)), _final(step))
            ),
        ),
    )


def _step(book: Edition, name: str, picture: Animation, **fields: object) -> RuleStep:
    words = {name: text(key) for name, key in book.terms.items()}
    sentence = text(f"rules.moon.{name}", **(words | fields))
    return RuleStep(name, sentence, picture)


def _screen(name: str, *steps: RuleStep) -> RuleScreen:
    return RuleScreen(name, text(f"rules.moon.heading.{name}"), steps)


def _turn(step: Step, *, together: bool, draws_any: bool) -> RuleScreen:
    return _screen(
        "turn",
        step("everybody_together" if together else "everybody", take_turns),
        step("rolling", rolling),
        step("taking_any" if draws_any else "taking", taking),
        step("letting_go", letting_go),
    )


def _die(step: Step, starting: int) -> RuleScreen:
    return _screen(
        "die",
        step("one", partial(honour_die, Sign.DIE_ONE)),
        step("two", partial(honour_die, Sign.DIE_TWO)),
        step("moon", partial(honour_die, Sign.DIE_MOON)),
        step("all_count", all_count, number=starting),
    )


def _mistakes(step: Step, one_hand: OneHand) -> RuleScreen:
    charged = one_hand is OneHand.MISTAKE
    name = "two_hands_mistake" if charged else "two_hands_warn"
    hands = step(name, lambda time: two_hands(time, charged))
    return _screen(
        "mistakes",
        step("not_as_asked", not_as_asked),
        step("it_falls", fall),
        step("on_the_base", on_the_base),
        step("at_once", fall_together),
        step("late_fall", late_fall),
        *(() if one_hand is OneHand.OFF else (hands,)),
    )


def _end(step: Step, book: Edition, ladders: int, count: int, limit: int) -> RuleScreen:
    last_is_out = book.last_tear_eliminates
    return _screen(
        "end",
        step("used_up", partial(used_up, ladders, count), ladders=ladders, number=count),
        step("fewest_out" if last_is_out else "fewest_counts", partial(fewest, last_is_out)),
        step("duel", partial(duel, limit), number=limit),
        step("shared", shared_victory),
    )


def _final(step: Step) -> RuleScreen:
    return _screen("final", step("tie", tie), step("only_moons", only_moons), step("last_one", last_one))


def _score(step: Step, count: int) -> RuleScreen:
    return _screen(
        "score",
        step("team", partial(team, count), number=count),
        step("spend", spend),
        step("points", points),
        step("best", partial(best, _SCORINGS), best=max(_SCORINGS)),
    )


def _team_end(step: Step, ladders: int, count: int) -> RuleScreen:
    leasts = tuple(least for least, _ in CHART)
    named = next(least for least, key in CHART if key == "rank.touch_the_moon")
    return _screen(
        "team_end",
        step("used_up_together", partial(used_up, ladders, count), ladders=ladders),
        step("chart", partial(chart, leasts), points=named, top=leasts[-1], rank=text(CHART[-1][1])),
    )
