"""Code shared by games: the first player, chance, undo with bots, and rule books with animated pictures."""

from __future__ import annotations

import datetime
import itertools
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from armoon.values.acts import Act
from armoon.values.choices import Palette, Word
from armoon.values.look import PALETTES
from armoon.values.page import Drawing, DrawnWord, Mark, Rgba, Shape, Sign, Stroke
from armoon.values.pieces import Command
from armoon.values.poses import Vec2


def shuffled(seed: int, pieces: Sequence[str], purpose: str = "supply") -> tuple[str, ...]:
    chance = random.Random(f"{seed}:{purpose}")
    order = list(pieces)
    for last in range(len(order) - 1, 0, -1):
        other = int(chance.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)


#: The seats' colours (Okabe and Ito, Color Universal Design, 2002); a palette may replace them.
SEAT_COLOURS = PALETTES[Palette.USUAL].players
#: Their names, as keys of the message catalogue.
COLOUR_NAMES = ("gold", "sky", "green", "lemon", "vermilion", "rose")


class FirstBy(Word):
    """How the first player is chosen (ruling M3)."""

    MOON = "moon"
    """The player who last saw a full moon; if unknown, the youngest."""
    AGE = "age"
    CHANCE = "chance"
    CHOSEN = "chosen"
    """The players name the first player; by default the first in the order of play."""


@dataclass(frozen=True)
class PlayerDates:
    """A player's dates, for choosing the first player."""

    name: str
    full_moon: datetime.date | None = None
    born: datetime.date | None = None


def first_by_moon(seats: Sequence[PlayerDates]) -> tuple[int, str]:
    """Return the seat that last saw a full moon, else the youngest's, and why: "full_moon", "youngest" or "seat"."""
    latest = max((seat.full_moon for seat in seats if seat.full_moon is not None), default=None)
    last = [i for i, seat in enumerate(seats) if latest is not None and seat.full_moon == latest]
    if len(last) == 1:
        return last[0], "full_moon"
    births = {i: seat.born for i, seat in enumerate(seats) if seat.born is not None}
    if not births:
        return 0, "seat"
    return max(births, key=lambda i: births[i]), "youngest"


def first_by_chance(count: int, seed: int) -> int:
    return int(shuffled(seed, [str(seat) for seat in range(count)], "first player")[0])


@dataclass(frozen=True)
class FirstPlayer:
    """The first player, and the reason."""

    seat: int = 0
    why: str = ""
    """A message key below ``first.why``: ``"moon."`` with ``full_moon``, ``youngest`` or ``seat``, ``"age."`` with
    ``youngest`` or ``seat``, ``"chance"``, ``"chosen"``; empty: no message."""


def choose_first_player(seats: Sequence[PlayerDates], by: FirstBy, seed: int, chosen: int = 0) -> FirstPlayer:
    """Return the first player and the reason; ``"...seat"``: no dates decide. ``seed`` determines chance."""
    if len(seats) < 2:
        return FirstPlayer()
    if by is FirstBy.CHANCE:
        return FirstPlayer(first_by_chance(len(seats), seed), "chance")
    if by is FirstBy.CHOSEN:
        return FirstPlayer(chosen if chosen < len(seats) else 0, "chosen")
    known = seats if by is FirstBy.MOON else [PlayerDates(seat.name, None, seat.born) for seat in seats]
    seat, why = first_by_moon(known)
    return FirstPlayer(seat, f"{by.value}.{why}")


class TurnHistory(Protocol):
    """The part of any game's position that links it to the previous one."""

    @property
    def player(self) -> int:
        """The seat on turn."""

    @property
    def before(self) -> TurnHistory | None:
        """The position before the last turn or move; None before the first."""


def count_turns_since_person(state: TurnHistory, bots: Sequence[str | None]) -> int:
    """Return how many turns ago a person last played; 1 if no person has."""
    before, turns = state.before, 1
    while before is not None:
        if before.player >= len(bots) or bots[before.player] is None:
            return turns
        before, turns = before.before, turns + 1
    return 1


def extend_undo(command: Command, state: TurnHistory, bots: Sequence[str | None]) -> Command:
    """Return the command; with bots, an undo also takes back their turns since."""
    if command.kind is not Act.UNDO or not any(bots):
        return command
    return replace(command, value=max(command.value, count_turns_since_person(state, bots)))


#: Returns a step's picture at a time from 0 (start) to 1 (end).
Animation = Callable[[float], Drawing]
#: Letters per second of a slowly reading child, and the minimum length of a step in seconds.
LETTERS_A_SECOND = 13.0
SHORTEST_STEP_S = 5.0


@dataclass(frozen=True)
class RuleStep:
    """One rule."""

    name: str
    """Unique in its game, for references."""
    sentence: str
    picture: Animation

    @property
    def seconds(self) -> float:
        """Length of the animation: the time to read the sentence."""
        return max(SHORTEST_STEP_S, len(self.sentence) / LETTERS_A_SECOND)


@dataclass(frozen=True)
class RuleScreen:
    """Rules that belong together."""

    name: str
    heading: str
    steps: tuple[RuleStep, ...]


@dataclass(frozen=True)
class RuleBook:
    """All rules of a game under certain options."""

    title: str
    """Title that distinguishes these rules from the game's others, such as the edition."""
    screens: tuple[RuleScreen, ...]


def ease(time: float, begin: float, end: float) -> float:
    part = min(1.0, max(0.0, (time - begin) / (end - begin)))
    return part * part * (3.0 - 2.0 * part)


INK: Rgba = (0.10, 0.11, 0.24, 1.0)
IVORY: Rgba = (0.95, 0.91, 0.82, 1.0)
GOLD: Rgba = (1.0, 0.80, 0.42, 1.0)
GOOD: Rgba = (0.36, 0.86, 0.55, 1.0)
FAULT: Rgba = (0.98, 0.42, 0.38, 1.0)
MIST: Rgba = (0.66, 0.73, 0.95, 1.0)
SKIN: Rgba = (0.93, 0.77, 0.63, 1.0)
_SKIN_EDGE: Rgba = (0.38, 0.25, 0.22, 1.0)
_TEAR_LOW: Rgba = (0.22, 0.42, 0.92, 1.0)
_TEAR_TOP: Rgba = (0.66, 0.84, 1.0, 1.0)
#: Colours of the players in pictures: the first seats' colours.
PEOPLE: tuple[Rgba, ...] = (
    (0.98, 0.74, 0.25, 1.0),
    (0.35, 0.72, 0.95, 1.0),
    (0.20, 0.70, 0.52, 1.0),
    (0.90, 0.45, 0.62, 1.0),
)
#: Fingers other than thumb and index: from the knuckle to the curled tip, relative to the grip.
_CURLED: tuple[tuple[Vec2, Vec2], ...] = (
    ((0.155, 0.035), (0.085, 0.055)),
    ((0.185, 0.065), (0.115, 0.090)),
    ((0.205, 0.100), (0.145, 0.125)),
)


def fade(colour: Rgba, part: float) -> Rgba:
    return (*colour[:3], colour[3] * part)


def interpolate(a: Vec2, b: Vec2, part: float) -> Vec2:
    return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)


def draw_hand(grip: Vec2, closed: float, size: float = 1.0) -> tuple[Shape, ...]:
    """Return a hand from the lower right whose thumb and index meet at ``grip``; open at 0, a pinch at 1."""

    def at(x: float, y: float) -> Vec2:
        return (grip[0] + x * size, grip[1] + y * size)

    def bone(a: Vec2, b: Vec2, width: float, edge: Rgba = _SKIN_EDGE) -> Stroke:
        return Stroke(at(*a), at(*b), width * size, SKIN, edge)

    gap = 1.0 - closed
    index_tip, index_bend = (-0.03 * gap, -0.065 * gap), (0.065, -0.045 - 0.02 * gap)
    thumb_tip, thumb_bend = (-0.005 * gap, 0.012 + 0.065 * gap), (0.05, 0.075 + 0.04 * gap)
    palm = Mark(Sign.DISC, at(0.165, 0.13), (0.088 * size, 0.088 * size), SKIN)
    rim = Mark(Sign.DISC, at(0.165, 0.13), (0.094 * size, 0.094 * size), _SKIN_EDGE)
    return (
        bone((0.20, 0.17), (0.36, 0.36), 0.115),
        rim,
        *(bone(knuckle, tip, 0.046) for knuckle, tip in reversed(_CURLED)),
        palm,
        bone((0.12, 0.15), thumb_bend, 0.052),
        bone(thumb_bend, thumb_tip, 0.046),
        bone((0.13, 0.06), index_bend, 0.050),
        bone(index_bend, index_tip, 0.044),
    )


def draw_person(centre: Vec2, colour: Rgba, size: float = 0.1) -> tuple[Shape, ...]:
    x, y = centre
    edge = fade(INK, 0.9 * colour[3])
    shoulders = Stroke(
        (x - 0.22 * size, y + 0.30 * size), (x + 0.22 * size, y + 0.30 * size), 0.56 * size, colour, edge
    )
    return (
        shoulders,
        Mark(Sign.DISC, (x, y - 0.26 * size), (0.29 * size, 0.29 * size), edge),
        Mark(Sign.DISC, (x, y - 0.26 * size), (0.24 * size, 0.24 * size), colour),
    )


def draw_die(sign: Sign, centre: Vec2, half: float = 0.085) -> Mark:
    return Mark(sign, centre, (half, half), IVORY, INK)


def draw_tear(centre: Vec2, size: float = 0.05, left: float = 1.0) -> Mark:
    return Mark(Sign.TEAR, centre, (size, size), fade(_TEAR_LOW, left), fade(_TEAR_TOP, left))


def draw_tears(centre: Vec2, count: int, size: float = 0.045) -> tuple[Mark, ...]:
    step = 1.5 * size
    return tuple(
        draw_tear((centre[0] + (k - (count - 1) / 2.0) * step, centre[1]), size) for k in range(count)
    )


def draw_verdict(good: bool, centre: Vec2, size: float = 0.07, left: float = 1.0) -> tuple[Mark, Mark]:
    colour = GOOD if good else FAULT
    return (
        Mark(Sign.DISC, centre, (size, size), fade(INK, 0.85 * left)),
        Mark(Sign.TICK if good else Sign.CROSS, centre, (0.72 * size, 0.72 * size), fade(colour, left)),
    )


def draw_arrow(a: Vec2, b: Vec2, colour: Rgba = GOLD, width: float = 0.022) -> tuple[Stroke, ...]:
    angle = math.atan2(b[1] - a[1], b[0] - a[0])
    wings = [
        (b[0] + 3.2 * width * math.cos(angle + turn), b[1] + 3.2 * width * math.sin(angle + turn))
        for turn in (2.5, -2.5)
    ]
    return (Stroke(a, b, width, colour), *(Stroke(b, wing, width, colour) for wing in wings))


def draw_curved_arrow(
    centre: Vec2, radius: Vec2, begin: float, end: float, colour: Rgba = GOLD
) -> tuple[Stroke, ...]:
    """Return an arrow along an ellipse between two angles (radians, 0 to the right, growing downwards)."""
    count = 10
    spots = [
        (centre[0] + radius[0] * math.cos(angle), centre[1] + radius[1] * math.sin(angle))
        for angle in (begin + (end - begin) * k / count for k in range(count + 1))
    ]
    body = tuple(Stroke(p, q, 0.02, colour) for p, q in itertools.pairwise(spots))
    return (*body, *draw_arrow(spots[-2], spots[-1], colour, 0.02))


def draw_key(name: str, centre: Vec2, pressed: float = 0.0, half: Vec2 = (0.075, 0.07)) -> tuple[Shape, ...]:
    low = (centre[0], centre[1] + 0.012 * pressed)
    fill: Rgba = (0.17 + 0.35 * pressed, 0.20 + 0.22 * pressed, 0.42, 1.0)
    size = min(0.62 * half[1] * 2.0, 3.0 * half[0] / max(1, len(name)))
    return (Mark(Sign.PLATE, low, half, fill, fade(MIST, 0.9)), DrawnWord(name, low, size, IVORY))


def draw_mouse(centre: Vec2, left: float = 0.0, wheel: float = 0.0) -> tuple[Shape, ...]:
    x, y = centre
    lit: Rgba = (0.30 + 0.65 * left, 0.36 + 0.40 * left, 0.62 - 0.25 * left, 1.0)
    notch = 0.03 * (wheel % 1.0 - 0.5)
    return (
        Stroke((x, y - 0.06), (x, y + 0.09), 0.21, (0.30, 0.36, 0.62, 1.0), fade(MIST, 0.9)),
        Stroke((x - 0.047, y - 0.085), (x - 0.047, y - 0.035), 0.08, lit, fade(INK, 0.6)),
        Stroke((x, y - 0.10), (x, y - 0.04), 0.034, INK),
        Mark(Sign.DISC, (x, y - 0.07 + notch), (0.013, 0.013), GOLD),
    )


def draw_pad(centre: Vec2, button: float = 0.0, stick: Vec2 = (0.0, 0.0)) -> tuple[Shape, ...]:
    x, y = centre
    body: Rgba = (0.30, 0.36, 0.62, 1.0)
    knob = (x - 0.12 + 0.025 * stick[0], y + 0.025 * stick[1])
    lit: Rgba = (0.45 + 0.5 * button, 0.5 + 0.3 * button, 0.7 - 0.3 * button, 1.0)
    dim = fade(MIST, 0.8)
    return (
        Stroke((x - 0.16, y + 0.02), (x - 0.19, y + 0.12), 0.15, body),
        Stroke((x + 0.16, y + 0.02), (x + 0.19, y + 0.12), 0.15, body),
        Stroke((x - 0.14, y), (x + 0.14, y), 0.22, body),
        Mark(Sign.DISC, (x - 0.12, y), (0.062, 0.062), INK),
        Mark(Sign.DISC, knob, (0.042, 0.042), dim),
        *(
            Mark(Sign.DISC, (x + 0.12 + dx, y + dy), (0.022, 0.022), lit if dy > 0 else dim)
            for dx, dy in ((0.0, 0.045), (0.045, 0.0), (-0.045, 0.0), (0.0, -0.045))
        ),
    )
