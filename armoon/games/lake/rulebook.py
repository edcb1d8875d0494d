"""The lake's rule book and its pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial

from armoon.games import shared
from armoon.games.lake.layout import SWATCHES
from armoon.games.lake.rules import COLOURS_EACH, PAWNS_OF_A_KIND, STARS, STRENGTHS
from armoon.games.shared import Animation, RuleBook, RuleScreen, RuleStep
from armoon.messages import text
from armoon.values.page import Drawing, DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.poses import Vec2

#: Number of stars drawn: enough to explain the thirty-two.
DRAWN_STARS = 10
MIDDLE: Vec2 = (0.667, 0.60)
RADIUS: Vec2 = (0.53, 0.27)
_WATER: Rgba = (0.13, 0.27, 0.50, 1.0)
_SHORE: Rgba = (0.40, 0.40, 0.55, 1.0)
_STAR: Rgba = (0.62, 0.70, 1.0, 0.85)
#: Ratio to the usual number of stars above which stars and domes are drawn smaller.
_CLOSE = 1.6
#: A dome's width and height, and the height of a floor.
WIDTH, HEIGHT, FLOOR = 0.135, 0.072, 0.062

#: Short names of domes: the colour's first letter and the strength, as in the rules.
Domes = tuple[str, ...]
COLOURS: dict[str, Rgba] = {name[0].upper(): (*rgb, 1.0) for name, rgb in SWATCHES.items()}


def star(number: float, of: int = DRAWN_STARS) -> Vec2:
    """Return the position of a star, or one between two; numbered clockwise from above, the first on the left."""
    angle = math.pi + 2.0 * math.pi * number / of
    return (MIDDLE[0] + RADIUS[0] * math.cos(angle), MIDDLE[1] + RADIUS[1] * math.sin(angle))


def dome(foot: Vec2, name: str, left: float = 1.0, size: float = 1.0) -> tuple[Shape, ...]:
    """Return a dome whose lower edge is at ``foot``; its strength is its number of knobs."""
    colour, strength = COLOURS[name[0]], int(name[1])
    half = (WIDTH - HEIGHT) / 2.0 * size
    y = foot[1] - HEIGHT / 2.0 * size
    body = Stroke(
        (foot[0] - half, y),
        (foot[0] + half, y),
        HEIGHT * size,
        shared.fade(colour, left),
        shared.fade(shared.INK, left),
    )
    step = 0.028 * size
    knobs = (
        Mark(
            Sign.DISC,
            (foot[0] + (k - (strength - 1) / 2.0) * step, y),
            (0.0115 * size, 0.0115 * size),
            shared.fade(shared.IVORY, left),
        )
        for k in range(strength)
    )
    return (body, *knobs)


def stack(foot: Vec2, names: Domes, left: float = 1.0, size: float = 1.0) -> tuple[Shape, ...]:
    return tuple(
        shape
        for floor, name in enumerate(names)
        for shape in dome((foot[0], foot[1] - floor * FLOOR * size), name, left, size)
    )


def lake(
    standing: Mapping[int, Domes],
    *,
    lit: tuple[int, ...] = (),
    hidden: tuple[int, ...] = (),
    stars: int = DRAWN_STARS,
) -> tuple[Shape, ...]:
    """Return the water, its stars, and the domes on them, the farthest first; ``lit`` stars shine."""
    part = min(1.0, _CLOSE * DRAWN_STARS / stars)
    shore = [Stroke(star(k / 4.0), star((k + 1) / 4.0), 0.06, _SHORE) for k in range(4 * DRAWN_STARS)]
    # The water's rows end under the shore, which hides their stepped ends.
    ends = (
        (star(DRAWN_STARS * turn / 36.0), star(DRAWN_STARS * (0.5 - turn / 36.0))) for turn in range(-7, 8)
    )
    shapes: list[Shape] = [*(Stroke(left, right, 0.055, _WATER) for left, right in ends), *shore]
    for number in sorted(range(stars), key=lambda k: star(k, stars)[1]):
        spot = star(number, stars)
        bright = number in lit
        size = part * (0.038 if bright else 0.026)
        shapes.append(Mark(Sign.DISC, spot, (size * 1.5, size), shared.GOLD if bright else _STAR))
        if number not in hidden:
            shapes += stack((spot[0], spot[1] + 0.02 * part), standing.get(number, ()), size=part)
    return tuple(shapes)


def hop(begin: float, end: float, part: float) -> Vec2:
    x, y = star(begin + (end - begin) * part)
    return (x, y + 0.02 - 0.16 * math.sin(math.pi * part))


#: Initial domes of the small lake; the other stars are empty.
STANDING: dict[int, Domes] = {
    0: ("R2",),
    1: ("J1",),
    2: ("S4",),
    3: ("A1",),
    4: ("J3",),
    5: ("A4", "S2"),
    6: ("R1",),
    7: ("S3", "J2", "A3"),
    8: ("J4",),
    9: ("A2",),
}
#: The move shown: from this star clockwise over an empty one.
_FROM, _EMPTY = 7, 8
#: The arrow round the table runs inside the held pieces: half its width and height.
_INSIDE: Vec2 = (0.16, 0.14)


def _star(x: float, y: float) -> Stroke:
    return Stroke((x - 0.10, y + 0.015), (x + 0.10, y + 0.015), 0.05, (0.62, 0.70, 1.0, 0.85))


def _without(*stars: int) -> dict[int, Domes]:
    return {number: domes for number, domes in STANDING.items() if number not in stars}


def begins(time: float) -> Drawing:
    singles = {number: domes[-1:] for number, domes in STANDING.items()}
    shown = min(DRAWN_STARS, int(time * 1.3 * DRAWN_STARS))
    landed = {number: singles[number] for number in range(shown)}
    shapes = lake(landed)
    if shown < DRAWN_STARS:
        part = (time * 1.3 * DRAWN_STARS) % 1.0
        x, y = star(shown)
        shapes += dome((x, y + 0.02 - 0.25 * (1.0 - part)), singles[shown][0])
    return Drawing(shapes)


def strengths(time: float) -> Drawing:
    shapes: list[Shape] = []
    for row, letter in enumerate("AJRS"):
        for strength in range(1, 5):
            if time * 20.0 > row * 4 + strength - 2:
                x, y = 0.22 + 0.29 * (strength - 1), 0.25 + 0.20 * row
                shapes += dome((x - 0.015, y - 0.015), f"{letter}{strength}", 1.0, 1.3)
                shapes += dome((x + 0.03, y + 0.03), f"{letter}{strength}", 1.0, 1.3)
    return Drawing(tuple(shapes))


def colours(shares: tuple[str, ...], time: float, *, neutral: str = "") -> Drawing:
    shapes: list[Shape] = []
    step = 0.9 / (len(shares) + bool(neutral))
    for seat, letters in enumerate((*shares, *((neutral,) if neutral else ()))):
        if time < 0.18 * seat:
            continue
        y = 0.05 + step * (seat + 0.5)
        if neutral and seat == len(shares):
            for other in range(len(shares)):
                shapes += shared.draw_person((0.16 + 0.13 * other, y), shared.PEOPLE[other], 0.12)
        else:
            shapes += shared.draw_person((0.29, y), shared.PEOPLE[seat], 0.18)
        for k, letter in enumerate(letters):
            taken = shared.ease(time, 0.1 + 0.18 * seat + 0.08 * k, 0.25 + 0.18 * seat + 0.08 * k)
            shapes += dome((0.76 + 0.30 * k, y + 0.05 - 0.05 * (1.0 - taken)), f"{letter}3", taken, 1.5)
    return Drawing(tuple(shapes))


def order(time: float) -> Drawing:
    middle: Vec2 = (0.667, 0.52)
    spots = [
        (middle[0] + 0.42 * math.cos(angle), middle[1] + 0.33 * math.sin(angle))
        for angle in (math.pi * (0.5 - 0.5 * k) for k in range(4))
    ]
    playing = time > 0.5
    shapes: list[Shape] = []
    for seat, spot in enumerate(spots):
        shapes += shared.draw_person(spot, shared.PEOPLE[seat], 0.19)
        begin = 0.05 + 0.1 * seat
        if time > begin:
            shapes += dome(
                (spot[0] + 0.16, spot[1] + 0.05), f"{'AJRS'[seat]}2", shared.ease(time, begin, begin + 0.08)
            )
    if playing:
        # The last to choose, on the left, plays first.
        turned = shared.ease(time, 0.55, 0.95)
        shapes += shared.draw_curved_arrow(middle, _INSIDE, math.pi, math.pi * (1.15 + 1.45 * turned))
        shapes.append(DrawnWord("1", (spots[3][0] - 0.15, spots[3][1]), 0.09, shared.GOLD))
    else:
        shapes += shared.draw_curved_arrow(
            middle,
            _INSIDE,
            math.pi * 0.5,
            math.pi * (0.4 - 1.2 * shared.ease(time, 0.05, 0.45)),
            shared.IVORY,
        )
    return Drawing(tuple(shapes))


def lifting(time: float) -> Drawing:
    domes = STANDING[_FROM]
    turn = min(2, int(time * 3.0))
    part = time * 3.0 - turn
    count = turn + 1
    up = 0.16 * shared.ease(part, 0.1, 0.45) * (1.0 - shared.ease(part, 0.75, 0.95))
    foot: Vec2 = (0.66, 0.82)
    size = 1.9
    floor = FLOOR * size
    low, high = domes[: len(domes) - count], domes[len(domes) - count :]
    raised = (foot[0], foot[1] - len(low) * floor - up)
    ground = _star(foot[0], foot[1])
    grip = (raised[0] + 0.06, raised[1] - len(high) * floor + 0.03)
    return Drawing(
        (
            ground,
            *stack(foot, low, 1.0, size),
            *stack(raised, high, 1.0, size),
            *shared.draw_hand(grip, shared.ease(part, 0.0, 0.1), 0.9),
        )
    )


def carrying(time: float) -> Drawing:
    part = shared.ease(time, 0.15, 0.85)
    standing = _without(_EMPTY)
    standing[_FROM] = ("S3", "J2")
    # Clockwise from the seventh: 8 is empty, 9 is the first, 0 the second, 1 the third.
    target = DRAWN_STARS + 1
    standing_now = {**standing, **({1: ("J1", "A3")} if part >= 1.0 else {})}
    shapes: tuple[Shape, ...] = lake(standing_now, lit=(1,) if part > 0.85 else ())
    for count, number in enumerate((9, 10, 11), start=1):
        passed = part >= (number - _FROM) / (target - _FROM) - 0.08
        if passed:
            x, y = star(number)
            spot = (x - 0.01, y + 0.085) if number != DRAWN_STARS + 1 else (x, y + 0.085)
            shapes += (
                Mark(Sign.DISC, spot, (0.045, 0.045), shared.INK),
                DrawnWord(str(count), spot, 0.07, shared.GOLD),
            )
    x, y = hop(_FROM, target, part)
    flying = dome((x, y - 2.0 * FLOOR * (1.0 - part) - FLOOR * part), "A3") if part < 1.0 else ()
    empty = star(_EMPTY)
    ring = (
        (Mark(Sign.CROSS, (empty[0], empty[1]), (0.04, 0.04), (0.98, 0.42, 0.38, 1.0)),)
        if part > 0.15
        else ()
    )
    return Drawing((*shapes, *ring, *flying))


def both_ways(time: float) -> Drawing:
    shapes = lake(STANDING, lit=((_FROM + 3) % DRAWN_STARS, _FROM - 3))
    step = 2.0 * math.pi / DRAWN_STARS
    begin = math.pi + step * _FROM
    around: Vec2 = (RADIUS[0] + 0.07, RADIUS[1] + 0.075)
    there = begin + 0.3 * step + 2.5 * step * shared.ease(time, 0.1, 0.45)
    back = begin - 0.3 * step - 2.5 * step * shared.ease(time, 0.5, 0.85)
    ways = (
        *shared.draw_curved_arrow(MIDDLE, around, begin + 0.2 * step, there),
        *shared.draw_curved_arrow(MIDDLE, around, begin - 0.2 * step, back),
    )
    return Drawing((*shapes, *ways))


def nowhere(time: float) -> Drawing:
    standing = {0: ("R2",), 3: ("A4",), 6: ("J1",)}
    shapes = lake(standing, hidden=(3,))
    part = shared.ease(time, 0.1, 0.75)
    x, y = hop(3, 3 + DRAWN_STARS, part)
    cross = shared.draw_verdict(False, (star(3)[0], star(3)[1] - 0.13), 0.08) if time > 0.78 else ()
    return Drawing((*shapes, *dome((x, y), "A4"), *cross))


def twice(time: float) -> Drawing:
    foot: Vec2 = (0.62, 0.80)
    size = 1.8
    low = ("J2", "A1", "S4")
    come = shared.ease(time, 0.05, 0.4) - 0.75 * shared.ease(time, 0.65, 0.9)
    high = (foot[0] + 0.3 * (1.0 - come), foot[1] - 3.0 * FLOOR * size - 0.22 * (1.0 - come))
    marks: tuple[Shape, ...] = ()
    if time > 0.45:
        marks = (
            *shared.draw_verdict(False, (1.05, 0.30), 0.1),
            Stroke((foot[0] - 0.17, foot[1] - 0.10), (foot[0] + 0.17, foot[1] - 0.10), 0.014, shared.GOLD),
        )
    ground = _star(foot[0], foot[1])
    return Drawing((ground, *stack(foot, low, 1.0, size), *dome(high, "J3", 1.0, size), *marks))


_TOWER: Domes = ("J2", "A1", "S4", "R3")


def _half(foot: Vec2, names: Domes) -> tuple[Shape, ...]:
    return stack(foot, names, 1.0, 1.5)


def tower(time: float) -> Drawing:
    come, away = shared.ease(time, 0.05, 0.3), shared.ease(time, 0.5, 0.85)
    foot = shared.interpolate((0.45, 0.80), (1.05, 0.62), away)
    size = 1.5
    floor = FLOOR * size
    last = (foot[0], foot[1] - 3.0 * floor - 0.3 * (1.0 - come))
    ground = _star(0.45, 0.80)
    glow = (
        (Mark(Sign.DISC, (foot[0], foot[1] - 0.16), (0.22, 0.22), (1.0, 0.8, 0.42, 0.25)),)
        if time > 0.32
        else ()
    )
    owner = shared.draw_person((1.05, 0.82), shared.PEOPLE[0], 0.2)
    return Drawing((ground, *glow, *_half(foot, _TOWER[:3]), *dome(last, _TOWER[3], 1.0, size), *owner))


def kept_whole(time: float) -> Drawing:
    part = shared.ease(time, 0.15, 0.5)
    foot = shared.interpolate((0.667, 0.60), (0.35, 0.60), part)
    return Drawing(
        (
            *_half(foot, _TOWER),
            *shared.draw_person((0.35, 0.80), shared.PEOPLE[0], 0.2),
            *shared.draw_person((1.0, 0.80), shared.PEOPLE[1], 0.2),
        )
    )


def split(players: int, time: float) -> Drawing:
    part = shared.ease(time, 0.25, 0.75)
    middle: Vec2 = (0.667, 0.66)
    floor = FLOOR * 1.5
    keep = shared.interpolate((middle[0], middle[1] - 2.0 * floor), (0.30, 0.55), part)
    give = shared.interpolate(middle, (1.03, 0.55), part)
    heirs: tuple[Shape, ...] = shared.draw_person((1.03, 0.80), shared.PEOPLE[2], 0.19)
    if players == 3:
        heirs = (
            *shared.draw_person((0.93, 0.80), shared.PEOPLE[1], 0.17),
            *shared.draw_person((1.15, 0.80), shared.PEOPLE[2], 0.17),
        )
    return Drawing(
        (
            *_half(keep, _TOWER[2:]),
            *_half(give, _TOWER[:2]),
            *shared.draw_person((0.30, 0.80), shared.PEOPLE[0], 0.19),
            *heirs,
        )
    )


def no_move(time: float) -> Drawing:
    shapes = lake({1: ("A4",), 5: ("J3", "S2")})
    cross = shared.draw_verdict(False, (0.667, 0.20), 0.09) if time > 0.4 else ()
    turn = shared.ease(time, 0.1, 0.35)
    spot = star(1)
    return Drawing(
        (
            *shapes,
            *shared.draw_arrow((spot[0], spot[1] - 0.12), (spot[0], spot[1] - 0.12 - 0.10 * turn - 0.01)),
            *cross,
        )
    )


#: Example for counting points: a tower, a stack on the lake, a single dome.
EXAMPLES: tuple[Domes, ...] = (("A1", "J2", "S4", "R3"), ("J1", "R4"), ("R2",))


def points(time: float) -> Drawing:
    shapes: list[Shape] = []
    for k, names in enumerate(EXAMPLES):
        begin = 0.05 + 0.27 * k
        if time < begin:
            continue
        left = shared.ease(time, begin, begin + 0.1)
        x = 0.24 + 0.43 * k
        shapes += stack((x, 0.62), names, left, 1.45)
        sum_text = f"{len(names)} × {names[-1][1]}"
        shapes.append(DrawnWord(sum_text, (x, 0.74), 0.085, shared.fade(shared.IVORY, left)))
        if time > begin + 0.1:
            shapes.append(DrawnWord(f"= {len(names) * int(names[-1][1])}", (x, 0.88), 0.105, shared.GOLD))
    return Drawing(tuple(shapes))


def whose(time: float) -> Drawing:
    standing: dict[int, Domes] = {1: ("J1", "A4"), 4: ("R3",), 6: ("S2", "A1"), 9: ("A2", "J3")}
    glow = time > 0.35
    shapes = lake(standing, lit=(1, 6) if glow else ())
    come = shared.ease(time, 0.05, 0.3)
    held = stack((0.60, 0.66 - 0.12 * (1.0 - come)), ("A1", "R3"), come, 0.9)
    return Drawing((*shapes, *shared.draw_person((0.76, 0.62), COLOURS["A"], 0.17), *held))


def neutral_top(time: float) -> Drawing:
    cross = shared.draw_verdict(False, (0.96, 0.40), 0.1, shared.ease(time, 0.4, 0.55)) if time > 0.4 else ()
    three = tuple(
        shape
        for k in range(3)
        for shape in shared.draw_person((0.82 + 0.14 * k, 0.70), shared.PEOPLE[k], 0.13)
    )
    ground = _star(0.42, 0.80)
    crown = dome((0.42, 0.80 - 2.0 * FLOOR * 1.6), "S3", 1.0, 1.6)
    return Drawing((ground, *stack((0.42, 0.80), ("A2", "R1"), 1.0, 1.6), *crown, *three, *cross))


def winner(time: float) -> Drawing:
    shapes: list[Shape] = []
    grown = shared.ease(time, 0.05, 0.6)
    for seat, (value, letter) in enumerate(((26, "A"), (34, "R"), (19, "J"))):
        x = 0.30 + 0.36 * seat
        top = 0.72 - 0.016 * value * grown
        shapes.append(Stroke((x, 0.72), (x, top), 0.15, COLOURS[letter], shared.INK))
        shapes += shared.draw_person((x, 0.88), shared.PEOPLE[seat], 0.15)
        shapes.append(DrawnWord(str(round(value * grown)), (x, top - 0.13), 0.085, shared.IVORY))
    if time > 0.65:
        shapes += shared.draw_verdict(True, (0.52, 0.13), 0.07)
    return Drawing(tuple(shapes))


#: Values in the picture of the points, for its sentence.
_EXAMPLES = {
    f"{which}_{what}": value
    for which, domes in zip(("tower", "stack", "single"), EXAMPLES, strict=True)
    for what, value in (
        ("floors", len(domes)),
        ("strength", int(domes[-1][1])),
        ("points", len(domes) * int(domes[-1][1])),
    )
}


def rulebook(players: int | None = None) -> RuleBook:
    parties = (players,) if players in COLOURS_EACH else tuple(sorted(COLOURS_EACH))
    neutral = 3 in parties
    return RuleBook(
        "",
        (
            _screen(
                "lake",
                _step("begins", begins, number=STARS),
                _step("strengths", strengths, most=max(STRENGTHS), each=PAWNS_OF_A_KIND),
                *(_step(*_COLOURS[count]) for count in parties),
                _step("order", order),
            ),
            _screen(
                "move", _step("lifting", lifting), _step("carrying", carrying), _step("both_ways", both_ways)
            ),
            _screen("forbidden", _step("nowhere", nowhere), _step("twice", twice)),
            _screen("tower", _step("tower", tower), *(_step(*_TOWERS[count]) for count in parties)),
            _screen(
                "end",
                _step("no_move", no_move),
                _step("points", points, **_EXAMPLES),
                _step("whose", whose),
                *((_step("neutral_top", neutral_top),) if neutral else ()),
                _step("winner", winner),
            ),
        ),
    )


def _step(name: str, picture: Animation, **fields: object) -> RuleStep:
    return RuleStep(name, text(f"rules.lake.{name}", **fields), picture)


def _screen(name: str, *steps: RuleStep) -> RuleScreen:
    return RuleScreen(name, text(f"rules.lake.heading.{name}"), steps)


#: By number of players: the step's name and its picture.
_COLOURS: dict[int, tuple[str, Animation]] = {
    2: ("colours_two", partial(colours, ("AJ", "RS"))),
    3: ("colours_three", partial(colours, ("A", "J", "R"), neutral="S")),
    4: ("colours_four", partial(colours, ("A", "J", "R", "S"))),
}
_TOWERS: dict[int, tuple[str, Animation]] = {
    2: ("tower_two", kept_whole),
    3: ("tower_three", partial(split, 3)),
    4: ("tower_four", partial(split, 4)),
}
