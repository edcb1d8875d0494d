"""Animated pictures for rules, described in each game's ``rules.txt`` with one line per element."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from armoon.games.shared import Animation, RuleScreen, RuleStep
from armoon.geometry import smooth_step
from armoon.messages import text
from armoon.values.page import Drawing, DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.poses import Vec2


def ease(time: float, begin: float, end: float) -> float:
    return smooth_step((time - begin) / (end - begin))


INK: Rgba = (0.10, 0.11, 0.24, 1.0)
IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
GOLD: Rgba = (1.0, 0.80, 0.42, 1.0)
MIST: Rgba = (0.66, 0.73, 0.95, 1.0)
_CLEAR: Rgba = (0.0, 0.0, 0.0, 0.0)
_MOONLIGHT: Rgba = (1.0, 0.87, 0.59, 1.0)
_GOOD: Rgba = (0.36, 0.86, 0.55, 1.0)
_FAULT: Rgba = (0.98, 0.42, 0.38, 1.0)
_SKIN: Rgba = (0.93, 0.77, 0.63, 1.0)
_SKIN_EDGE: Rgba = (0.38, 0.25, 0.22, 1.0)
_TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
_TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
#: Colours of the players in pictures: gold, sky, green and rose.
_PLAYER_COLOURS: tuple[Rgba, ...] = (
    (0.98, 0.74, 0.25, 1.0),
    (0.35, 0.72, 0.95, 1.0),
    (0.20, 0.70, 0.52, 1.0),
    (0.90, 0.45, 0.62, 1.0),
)
#: Knuckle and tip of the three curled fingers, relative to the grip.
_CURLED_FINGERS: tuple[tuple[Vec2, Vec2], ...] = (
    ((0.155, 0.035), (0.085, 0.055)),
    ((0.185, 0.065), (0.115, 0.090)),
    ((0.205, 0.100), (0.145, 0.125)),
)
Shapes = tuple[Shape, ...]


def fade(colour: Rgba, opacity: float) -> Rgba:
    return (*colour[:3], colour[3] * opacity)


class Sketcher:
    """Draws a picture; each kind of element has a method, named as in the text files.

    Positions are fractions of the picture's height from its upper left corner.
    """

    colours: ClassVar[Mapping[str, Rgba]] = {
        "gold": GOLD,
        "ink": INK,
        "wood": (0.92, 0.74, 0.45, 1.0),
        "ivory": IVORY,
        "fault": _FAULT,
        "water": _TEAR_TOP,
        "halo": (1.0, 0.8, 0.42, 0.25),
    }

    def __init__(self, time: float) -> None:
        self.time = time
        self.anchors: dict[str, Vec2] = {}
        """Positions that later elements can refer to as ``@name``."""

    def hand(self, grip: Vec2, closed: float, size: float = 1.0, by: Vec2 = (0.0, 0.0)) -> Shapes:
        """Return a hand from the lower right that pinches at ``grip``; ``closed``: 0 (open) to 1."""

        def at(x: float, y: float) -> Vec2:
            return (grip[0] + by[0] + x * size, grip[1] + by[1] + y * size)

        def draw_bone(a: Vec2, b: Vec2, width: float) -> Stroke:
            return Stroke(at(*a), at(*b), width * size, _SKIN, _SKIN_EDGE)

        gap = 1.0 - closed
        index_tip, index_bend = (-0.03 * gap, -0.065 * gap), (0.065, -0.045 - 0.02 * gap)
        thumb_tip, thumb_bend = (-0.005 * gap, 0.012 + 0.065 * gap), (0.05, 0.075 + 0.04 * gap)
        return (
            draw_bone((0.20, 0.17), (0.36, 0.36), 0.115),
            Mark(Sign.DISC, at(0.165, 0.13), (0.094 * size, 0.094 * size), _SKIN_EDGE),
            *(draw_bone(knuckle, tip, 0.046) for knuckle, tip in reversed(_CURLED_FINGERS)),
            Mark(Sign.DISC, at(0.165, 0.13), (0.088 * size, 0.088 * size), _SKIN),
            draw_bone((0.12, 0.15), thumb_bend, 0.052),
            draw_bone(thumb_bend, thumb_tip, 0.046),
            draw_bone((0.13, 0.06), index_bend, 0.050),
            draw_bone(index_bend, index_tip, 0.044),
        )

    def person(self, seat: float | Rgba, centre: Vec2, size: float, opacity: float = 1.0) -> Shapes:
        x, y = centre
        colour = fade(_PLAYER_COLOURS[int(seat)] if isinstance(seat, float) else seat, opacity)
        edge = fade(INK, 0.9 * opacity)
        shoulders = ((x - 0.22 * size, y + 0.30 * size), (x + 0.22 * size, y + 0.30 * size))
        return (
            Stroke(*shoulders, 0.56 * size, colour, edge),
            Mark(Sign.DISC, (x, y - 0.26 * size), (0.29 * size, 0.29 * size), edge),
            Mark(Sign.DISC, (x, y - 0.26 * size), (0.24 * size, 0.24 * size), colour),
        )

    def die(self, face: str, centre: Vec2, half: float) -> Shapes:
        sign = Sign.DIE if face == "blank" else Sign(f"die {face}")
        return (Mark(sign, centre, (half, half), IVORY, INK),)

    def tear(self, centre: Vec2, size: float, opacity: float = 1.0) -> Shapes:
        return (Mark(Sign.TEAR, centre, (size, size), fade(_TEAR_LOW, opacity), fade(_TEAR_TOP, opacity)),)

    def tears(self, centre: Vec2, count: float, size: float, opacity: float = 1.0) -> Shapes:
        number = math.ceil(count)
        begin = centre[0] - 0.75 * size * (number - 1)
        return tuple(
            shape
            for k in range(number)
            for shape in self.tear((begin + 1.5 * size * k, centre[1]), size, opacity)
        )

    def verdict(self, which: str, centre: Vec2, size: float, opacity: float = 1.0) -> Shapes:
        sign, colour = (Sign.TICK, _GOOD) if which == "good" else (Sign.CROSS, _FAULT)
        return (
            Mark(Sign.DISC, centre, (size, size), fade(INK, 0.85 * opacity)),
            Mark(sign, centre, (0.72 * size, 0.72 * size), fade(colour, opacity)),
        )

    def crown(self, centre: Vec2, opacity: float = 1.0) -> Shapes:
        return (
            Mark(Sign.DISC, centre, (0.105, 0.105), fade(INK, 0.8 * opacity)),
            Mark(
                Sign.CRESCENT, centre, (0.085, 0.085), (1.0, 0.93, 0.74, opacity), (1.0, 0.76, 0.36, opacity)
            ),
        )

    def word(
        self, words: str | float, centre: Vec2, size: float, colour: Rgba = GOLD, opacity: float = 1.0
    ) -> Shapes:
        content = words if isinstance(words, str) else str(math.ceil(words))
        return (DrawnWord(content, centre, size, fade(colour, opacity)),)

    def bubble(self, words: str | float, centre: Vec2, size: float, opacity: float = 1.0) -> Shapes:
        disc = Mark(Sign.DISC, centre, (size, size), fade(INK, 0.9 * opacity))
        return (disc, *self.word(words, centre, 1.1 * size, GOLD, opacity))

    def mark(self, sign: str, centre: Vec2, half: float | Vec2, colour: Rgba, edge: Rgba = _CLEAR) -> Shapes:
        return (Mark(Sign(sign), centre, (half, half) if isinstance(half, float) else half, colour, edge),)

    def stroke(self, a: Vec2, b: Vec2, width: float, colour: Rgba, opacity: float = 1.0) -> Shapes:
        return (Stroke(a, b, width, fade(colour, opacity)),)

    def path(self, *places: Vec2) -> Shapes:
        return tuple(Stroke(a, b, 0.085, _MOONLIGHT) for a, b in itertools.pairwise(places))

    def arc(self, centre: Vec2, radius: float, begin: float, end: float) -> Shapes:
        """Return part of a circle between two angles (degrees, clockwise from the right)."""
        angles = [math.radians(begin + (end - begin) * k / 12.0) for k in range(13)]
        return self.path(
            *((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)
        )

    def arrow(self, a: Vec2, b: Vec2, colour: Rgba = GOLD, width: float = 0.022) -> Shapes:
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        wings = [
            (b[0] + 3.2 * width * math.cos(angle + turn), b[1] + 3.2 * width * math.sin(angle + turn))
            for turn in (2.5, -2.5)
        ]
        return (Stroke(a, b, width, colour), *(Stroke(b, wing, width, colour) for wing in wings))

    def curve(self, centre: Vec2, radius: Vec2, begin: float, end: float, colour: Rgba = GOLD) -> Shapes:
        """Return an arrow along an ellipse between two angles (half turns, clockwise from the right)."""
        angles = [math.pi * (begin + (end - begin) * k / 10.0) for k in range(11)]
        spots = [(centre[0] + radius[0] * math.cos(a), centre[1] + radius[1] * math.sin(a)) for a in angles]
        body = (Stroke(p, q, 0.02, colour) for p, q in itertools.pairwise(spots))
        return (*body, *self.arrow(spots[-2], spots[-1], colour, 0.02))

    def key(self, name: str, centre: Vec2, pressed: float, half: Vec2) -> Shapes:
        low = (centre[0], centre[1] + 0.012 * pressed)
        fill: Rgba = (0.17 + 0.35 * pressed, 0.20 + 0.22 * pressed, 0.42, 1.0)
        size = min(1.24 * half[1], 3.0 * half[0] / max(1, len(name)))
        return (Mark(Sign.PANEL, low, half, fill, fade(MIST, 0.9)), DrawnWord(name, low, size, IVORY))

    def mouse(self, centre: Vec2, pressed: float) -> Shapes:
        x, y = centre
        lit: Rgba = (0.30 + 0.65 * pressed, 0.36 + 0.40 * pressed, 0.62 - 0.25 * pressed, 1.0)
        notch = 0.03 * (6.0 * self.time % 1.0 - 0.5)
        return (
            Stroke((x, y - 0.06), (x, y + 0.09), 0.21, (0.30, 0.36, 0.62, 1.0), fade(MIST, 0.9)),
            Stroke((x - 0.047, y - 0.085), (x - 0.047, y - 0.035), 0.08, lit, fade(INK, 0.6)),
            Stroke((x, y - 0.10), (x, y - 0.04), 0.034, INK),
            Mark(Sign.DISC, (x, y - 0.07 + notch), (0.013, 0.013), GOLD),
        )

    def pad(self, centre: Vec2, button: float, stick: float) -> Shapes:
        x, y = centre
        body: Rgba = (0.30, 0.36, 0.62, 1.0)
        lit: Rgba = (0.45 + 0.5 * button, 0.5 + 0.3 * button, 0.7 - 0.3 * button, 1.0)
        dim = fade(MIST, 0.8)
        return (
            Stroke((x - 0.16, y + 0.02), (x - 0.19, y + 0.12), 0.15, body),
            Stroke((x + 0.16, y + 0.02), (x + 0.19, y + 0.12), 0.15, body),
            Stroke((x - 0.14, y), (x + 0.14, y), 0.22, body),
            Mark(Sign.DISC, (x - 0.12, y), (0.062, 0.062), INK),
            Mark(Sign.DISC, (x - 0.12 + 0.025 * stick, y), (0.042, 0.042), dim),
            *(
                Mark(Sign.DISC, (x + 0.12 + dx, y + dy), (0.022, 0.022), lit if dy > 0 else dim)
                for dx, dy in ((0.0, 0.045), (0.045, 0.0), (-0.045, 0.0), (0.0, -0.045))
            ),
        )


class SketchTrack:
    """A value over time: ``0[.1-.4]1[.6]2`` is 0, eases to 1 between 0.1 and 0.4, and is 2 from 0.6 on.

    A value is a number, several numbers with commas, a colour or another word. With ``[0-.4^.3]``, a position hops 0.3
    high while it changes.
    """

    def __init__(self, words: str, colours: Mapping[str, Rgba]) -> None:
        first, *rest = re.split(r"\[(.*?)\]", words)
        self._first = _parse_value(first, colours)
        self._changes: list[tuple[float, float, float, Any]] = []
        for span, value in zip(rest[::2], rest[1::2], strict=True):
            times, _, hop = span.partition("^")
            begin, _, end = times.partition("-")
            change = (float(begin), float(end or begin), float(hop or 0.0), _parse_value(value, colours))
            self._changes.append(change)

    def find_value(self, time: float) -> Any:
        value: Any = self._first
        for begin, end, hop, next_value in self._changes:
            if time <= begin:
                break
            if time >= end or isinstance(next_value, str):
                value = next_value
            elif isinstance(next_value, float):
                value = value + (next_value - value) * ease(time, begin, end)
            else:
                progress = (time - begin) / (end - begin) if hop else ease(time, begin, end)
                x, y, *more = (a + (b - a) * progress for a, b in zip(value, next_value, strict=True))
                value = (x, y - hop * math.sin(math.pi * progress), *more)
        return value


def _parse_value(words: str, colours: Mapping[str, Rgba]) -> float | tuple[float, ...] | str:
    if words in colours:
        return colours[words]
    if not re.fullmatch(r"[-.\d,]+", words):
        return words
    numbers = tuple(map(float, words.split(",")))
    return numbers if len(numbers) > 1 else numbers[0]


def sketch(lines: Sequence[str], sketcher: type[Sketcher] = Sketcher) -> Animation:
    """Return the animation of these elements, drawn in this order.

    Each line names a method of the sketcher, followed by its arguments: ``SketchTrack``s or anchors. ``from=`` and
    ``to=`` limit the time for which the element is visible.
    """
    elements = []
    for line in lines:
        kind, *arguments = line.split()
        tracks = [word.rpartition("=")[::2] for word in arguments]
        elements.append((kind, [(name, SketchTrack(words, sketcher.colours)) for name, words in tracks]))

    def draw(time: float) -> Drawing:
        drawer, shapes = sketcher(time), list[Shape]()
        for kind, tracks in elements:
            values = [(name, track.find_value(time)) for name, track in tracks]
            named = {name: value for name, value in values if name}
            if named.pop("from", -1.0) < time <= named.pop("to", 1.0):
                unnamed = (value for name, value in values if not name)
                shapes += getattr(drawer, kind)(*(drawer.anchors.get(v, v) for v in unnamed), **named)
        return Drawing(tuple(shapes))

    return draw


def draw_icon(*lines: str) -> Drawing:
    return replace(sketch(lines)(0.0), framed=False)


class SketchBook(NamedTuple):
    """The names of the steps on each screen of a game's rules, and each step's animation."""

    screens: Mapping[str, Sequence[str]]
    pictures: Mapping[str, Animation]

    def list_screens(
        self, game: str, omitted: Set[str], fields: Mapping[str, object]
    ) -> tuple[RuleScreen, ...]:
        """Return the screens without ``omitted`` screens and steps; ``fields`` are filled into the sentences."""
        return tuple(
            RuleScreen(
                screen,
                text(f"rules.{game}.heading.{screen}"),
                tuple(
                    RuleStep(step, text(f"rules.{game}.{step}", **fields), self.pictures[step])
                    for step in steps
                    if step not in omitted
                ),
            )
            for screen, steps in self.screens.items()
            if screen not in omitted
        )


def load_sketch_book(path: Path, sketcher: type[Sketcher], fields: Mapping[str, object]) -> SketchBook:
    """Read a file of sketches and fill in its ``{fields}``.

    A line ``= screen: step step`` lists a screen's steps. After ``step step:``, each indented line is an element of
    these steps. The element ``like step`` stands for that step's elements.
    """
    screens: dict[str, Sequence[str]] = {}
    elements: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").format_map(fields).splitlines():
        names, _, steps = line.partition(":")
        if line.startswith("= "):
            screens[names.removeprefix("= ")] = steps.split()
        elif line.startswith("  like "):
            lines += elements[line.split()[1]]
        elif line.startswith("  "):
            lines.append(line)
        elif line:
            lines = []
            elements.update(dict.fromkeys(names.split(), lines))
    return SketchBook(screens, {name: sketch(lines, sketcher) for name, lines in elements.items()})
