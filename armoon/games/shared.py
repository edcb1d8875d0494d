"""Code shared by games: shuffling, the first player, undo with bots, and rule books."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from armoon.values.acts import Act
from armoon.values.choices import Palette, Word
from armoon.values.look import PALETTES
from armoon.values.page import Drawing
from armoon.values.pieces import Command


def shuffled(seed: int, pieces: Sequence[str], purpose: str = "supply") -> tuple[str, ...]:
    generator = random.Random(f"{seed}:{purpose}")
    order = list(pieces)
    for last in range(len(order) - 1, 0, -1):
        other = int(generator.random() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return tuple(order)


#: The seats' usual colours (Okabe and Ito, Color Universal Design, 2002).
SEAT_COLOURS = PALETTES[Palette.USUAL]["players"]
#: Names of the seats' colours, as keys of the message catalogue.
COLOUR_NAMES = ("gold", "sky", "green", "lemon", "vermilion", "rose")


class FirstBy(Word):
    """Ways to choose the first player (ruling M3)."""

    MOON = "moon"
    """The player who last saw a full moon; if unknown, the youngest."""
    AGE = "age"
    CHANCE = "chance"
    CHOSEN = "chosen"
    """The players choose; by default, the first seat begins."""


#: Date on which a player last saw a full moon, and date of birth.
PlayerDates = tuple[datetime.date | None, datetime.date | None]


def find_first_by_moon(seats: Sequence[PlayerDates]) -> tuple[int, str]:
    """Return the first player's seat and the reason: "full_moon" (saw one last), "youngest" or "seat" (seat 0)."""
    latest = max((moon for moon, _ in seats if moon is not None), default=None)
    latest_seats = [i for i, (moon, _) in enumerate(seats) if latest is not None and moon == latest]
    if len(latest_seats) == 1:
        return latest_seats[0], "full_moon"
    births = {i: born for i, (_, born) in enumerate(seats) if born is not None}
    if not births:
        return 0, "seat"
    return max(births, key=lambda i: births[i]), "youngest"


def draw_first_player(count: int, seed: int) -> int:
    return int(shuffled(seed, [str(seat) for seat in range(count)], "first player")[0])


@dataclass(frozen=True)
class FirstPlayer:
    """The first player and the reason."""

    seat: int = 0
    why: str = ""
    """Message key below ``first.why``: ``"moon."`` with ``full_moon``, ``youngest`` or ``seat``; ``"age."`` with
    ``youngest`` or ``seat``; ``"chance"``; ``"chosen"``; or empty for no message."""


def choose_first_player(seats: Sequence[PlayerDates], by: FirstBy, seed: int, chosen: int = 0) -> FirstPlayer:
    """Choose the first player; ``seed`` determines the random choice. Without dates, seat 0 begins."""
    if len(seats) < 2:
        return FirstPlayer()
    if by is FirstBy.CHANCE:
        return FirstPlayer(draw_first_player(len(seats), seed), "chance")
    if by is FirstBy.CHOSEN:
        return FirstPlayer(chosen if chosen < len(seats) else 0, "chosen")
    dates = seats if by is FirstBy.MOON else [(None, born) for _, born in seats]
    seat, why = find_first_by_moon(dates)
    return FirstPlayer(seat, f"{by.value}.{why}")


def extend_undo(command: Command, state: Any, bots: Sequence[str | None]) -> Command:
    """Return the command; with bots, an undo goes back to a person's last turn. ``state.before`` precedes a turn."""
    if command.kind is not Act.UNDO or not any(bots):
        return command
    before, turns = state.before, 1
    while before is not None and before.player < len(bots) and bots[before.player] is not None:
        before, turns = before.before, turns + 1
    # If no person has played yet, undo a single turn.
    return replace(command, value=max(command.value, 1 if before is None else turns))


#: Returns a step's picture at a time from 0 (start) to 1 (end).
Animation = Callable[[float], Drawing]
#: Reading speed of a slow child, in letters per second, and minimum duration of a step.
LETTERS_PER_SECOND = 13.0
MIN_STEP_S = 5.0


@dataclass(frozen=True)
class RuleStep:
    """A rule with an animated picture."""

    name: str
    """Unique in its game, for references."""
    sentence: str
    picture: Animation

    @property
    def seconds(self) -> float:
        """Duration of the animation: the time to read the sentence."""
        return max(MIN_STEP_S, len(self.sentence) / LETTERS_PER_SECOND)


@dataclass(frozen=True)
class RuleScreen:
    """A screen of rules on one subject."""

    name: str
    heading: str
    steps: tuple[RuleStep, ...]


@dataclass(frozen=True)
class RuleBook:
    """All rules of a game under certain options."""

    title: str
    """Distinguishes these rules from the game's other rules, such as the edition's name; may be empty."""
    screens: tuple[RuleScreen, ...]
