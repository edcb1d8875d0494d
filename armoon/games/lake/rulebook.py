"""The lake's rule book, and the shapes for its pictures in ``rules.txt``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import ClassVar

from armoon.games.lake.layout import SWATCHES
from armoon.games.lake.rules import COLOURS_EACH, PAWNS_OF_A_KIND, STARS, STRENGTHS
from armoon.games.shared import RuleBook
from armoon.games.sketches import GOLD, INK, IVORY, Shapes, SketchBook, Sketcher, fade, load_sketch_book
from armoon.values.page import DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.poses import Vec2

#: Number of stars in the pictures; the game has 32.
DRAWN_STARS = 10
MIDDLE: Vec2 = (0.667, 0.60)
RADIUS: Vec2 = (0.53, 0.27)
_WATER: Rgba = (0.13, 0.27, 0.50, 1.0)
_SHORE: Rgba = (0.40, 0.40, 0.55, 1.0)
_STAR: Rgba = (0.62, 0.70, 1.0, 0.85)
#: Maximum number of stars at full size, as a multiple of ``DRAWN_STARS``; more stars are drawn smaller.
_MAX_CROWDING = 1.6
#: A dome's width and height, and the height of a floor, as fractions of the picture's height.
WIDTH, HEIGHT, FLOOR = 0.135, 0.072, 0.062
COLOURS: dict[str, Rgba] = {name: (*rgb, 1.0) for name, rgb in SWATCHES.items()}
_COLOUR_BY_LETTER = {name[0].upper(): colour for name, colour in COLOURS.items()}
#: Examples for counting points: a tower, a stack on the lake, a single dome.
EXAMPLES = {"tower": "A1J2S4R3", "stack": "J1R4", "single": "R2"}


def find_star(number: float, stars: int = DRAWN_STARS) -> Vec2:
    """Return the position of a star, or between two for a fraction. Stars are numbered clockwise from the left."""
    angle = math.pi + 2.0 * math.pi * number / stars
    return (MIDDLE[0] + RADIUS[0] * math.cos(angle), MIDDLE[1] + RADIUS[1] * math.sin(angle))


class LakeSketcher(Sketcher):
    """Draws the lake, stacks of domes on it, and their owners."""

    colours: ClassVar[Mapping[str, Rgba]] = {**Sketcher.colours, **COLOURS}

    def dome(self, name: str, foot: Vec2, size: float = 1.0, opacity: float = 1.0) -> Shapes:
        """Return a dome with its lower edge at ``foot`` and one knob for each point of strength."""
        colour, strength = _COLOUR_BY_LETTER[name[0]], int(name[1])
        half, y, knob = (WIDTH - HEIGHT) / 2.0 * size, foot[1] - HEIGHT / 2.0 * size, 0.0115 * size
        ends = ((foot[0] - half, y), (foot[0] + half, y))
        spots = [(foot[0] + (k - (strength - 1) / 2.0) * 0.028 * size, y) for k in range(strength)]
        return (
            Stroke(*ends, HEIGHT * size, fade(colour, opacity), fade(INK, opacity)),
            *(Mark(Sign.DISC, spot, (knob, knob), fade(IVORY, opacity)) for spot in spots),
        )

    def stack(self, names: str, foot: Vec2, size: float = 1.0, opacity: float = 1.0) -> Shapes:
        return tuple(
            shape
            for floor in range(len(names) // 2)
            for shape in self.dome(
                names[2 * floor : 2 * floor + 2], (foot[0], foot[1] - floor * FLOOR * size), size, opacity
            )
        )

    def star(self, centre: Vec2) -> Shapes:
        x, y = centre
        return (Stroke((x - 0.10, y + 0.015), (x + 0.10, y + 0.015), 0.05, _STAR),)

    def lake(
        self,
        standing: str,
        lit: str | float | tuple[float, ...] = (),
        shown: float = math.inf,
        stars: int = DRAWN_STARS,
    ) -> Shapes:
        """Return the water, its stars, and the domes on them, the farthest first; ``lit`` stars are bright.

        Only the first ``shown`` stars have domes; a fraction means that the last stack is still descending.
        """
        scale = min(1.0, _MAX_CROWDING * DRAWN_STARS / stars)
        bright = lit if isinstance(lit, tuple) else (lit,)
        shore = [
            Stroke(find_star(k / 4.0), find_star((k + 1) / 4.0), 0.06, _SHORE) for k in range(4 * DRAWN_STARS)
        ]
        # The shore hides the uneven ends of the rows of water.
        rows = [DRAWN_STARS * row / 36.0 for row in range(-7, 8)]
        water = [Stroke(find_star(row), find_star(DRAWN_STARS / 2.0 - row), 0.055, _WATER) for row in rows]
        shapes: list[Shape] = [*water, *shore]
        domes = dict(enumerate(standing.split("|")))
        for number in sorted(range(stars), key=lambda k: find_star(k, stars)[1]):
            x, y = find_star(number, stars)
            size = scale * (0.038 if number in bright else 0.026)
            shapes.append(Mark(Sign.DISC, (x, y), (size * 1.5, size), GOLD if number in bright else _STAR))
            if number < shown:
                height = 0.25 * max(0.0, number + 1 - shown)
                shapes += self.stack(domes.get(number, ""), (x, y + 0.02 * scale - height), scale)
        return tuple(shapes)

    def hop(self, name: str, begin: float, end: float, progress: float, up: float = 0.0) -> Shapes:
        """Return a dome hopping round the lake from one star to another, ``up`` above the usual height."""
        x, y = find_star(begin + (end - begin) * progress)
        return self.dome(name, (x, y + 0.02 - 0.16 * math.sin(math.pi * progress) - up))

    def count(self, number: float, centre: Vec2) -> Shapes:
        return (Mark(Sign.DISC, centre, (0.045, 0.045), INK), *self.word(number, centre, 0.07))

    def strengths(self, shown: float) -> Shapes:
        spots = [(row, strength) for row in range(4) for strength in range(1, 5)]
        return tuple(
            shape
            for row, strength in spots[: math.ceil(shown)]
            for shift in (-0.015, 0.03)
            for shape in self.dome(
                f"{'AJRS'[row]}{strength}", (0.29 * strength - 0.07 + shift, 0.25 + 0.20 * row + shift), 1.3
            )
        )

    def owner(self, seat: float, y: float, letters: str, chosen: float) -> Shapes:
        shapes = list(self.person(seat, (0.29, y), 0.18))
        for k, letter in enumerate(letters):
            progress = min(1.0, max(0.0, chosen - k))
            shapes += self.dome(f"{letter}3", (0.76 + 0.30 * k, y + 0.05 * progress), 1.5, progress)
        return tuple(shapes)

    def worth(self, names: str, x: float, opacity: float) -> Shapes:
        floors, strength = len(names) // 2, int(names[-1])
        return (
            *self.stack(names, (x, 0.62), 1.45, opacity),
            *self.word(f"{floors} × {strength}", (x, 0.74), 0.085, IVORY, opacity),
            *self.word(f"= {floors * strength}", (x, 0.88), 0.105, GOLD, opacity),
        )

    def bar(self, seat: float, x: float, colour: Rgba, value: float) -> Shapes:
        top = 0.72 - 0.016 * value
        number = DrawnWord(f"{value:.0f}", (x, top - 0.13), 0.085, IVORY)
        bar = Stroke((x, 0.72), (x, top), 0.15, colour, INK)
        return (bar, *self.person(seat, (x, 0.88), 0.15), number)


#: Numbers in the rules' sentences.
_FIELDS = {
    "number": STARS,
    "most": max(STRENGTHS),
    "each": PAWNS_OF_A_KIND,
    **{f"{name}_floors": len(domes) // 2 for name, domes in EXAMPLES.items()},
    **{f"{name}_strength": int(domes[-1]) for name, domes in EXAMPLES.items()},
    **{f"{name}_points": len(domes) // 2 * int(domes[-1]) for name, domes in EXAMPLES.items()},
}
#: Rule steps that apply only to this number of players.
_STEPS = {
    2: {"colours_two", "tower_two"},
    3: {"colours_three", "tower_three", "neutral_top"},
    4: {"colours_four", "tower_four"},
}


@cache
def _load_pictures() -> SketchBook:
    return load_sketch_book(Path(__file__).with_name("rules.txt"), LakeSketcher, EXAMPLES)


def build_rule_book(players: int | None = None) -> RuleBook:
    counts = (players,) if players in COLOURS_EACH else COLOURS_EACH
    omitted = set[str]().union(*(steps for count, steps in _STEPS.items() if count not in counts))
    return RuleBook("", _load_pictures().list_screens("lake", omitted, _FIELDS))
