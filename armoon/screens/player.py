"""A player on the screens: name, colour, preferred hand, and the dates that may decide who begins."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.games.shared.seating import SEAT_COLOURS, Seat
from armoon.values.choices import HandPreference
from armoon.values.habits import NO_HABITS, Habits
from armoon.values.handicap import LEVEL, Handicap
from armoon.values.look import rgb
from armoon.values.movement import AS_USUAL, Movement
from armoon.values.page import Rgb

HANDS = tuple(HandPreference)
#: Names for players who haven't given any.
SPARE_NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn")


COLOURS: tuple[Rgb, ...] = tuple(map(rgb, SEAT_COLOURS))


@dataclass(frozen=True)
class FormPlayer:
    """One player of the form, or one who is known from before."""

    name: str
    colour: int
    """Index into ``COLOURS``."""
    hand: HandPreference = HandPreference.EITHER
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    """When they last saw a full moon."""
    handicap: Handicap = LEVEL
    movement: Movement = AS_USUAL
    """How the hand is followed."""
    habits: Habits = NO_HABITS
    """What this player plays with."""
    bot: str = ""
    """Which bot plays for itself here; empty: a person."""

    @property
    def seat(self) -> Seat:
        """What the rules have to know to find who begins."""
        return Seat(self.name, self.full_moon, self.born)


def seated(names: Sequence[str], known: Sequence[FormPlayer] = ()) -> tuple[FormPlayer, ...]:
    """Return the players of these names as they are known, everybody in a colour of their own.

    Of two who like the same colour the first has it; a new player gets one that is free.
    """
    by_name = {player.name: player for player in known}
    wanted = [by_name[name].colour if name in by_name else None for name in names]
    taken: list[int] = []
    for colour in wanted:
        if colour is not None and colour not in taken:
            taken.append(colour)
    kept: set[int] = set()
    players: list[FormPlayer] = []
    for k, (name, colour) in enumerate(zip(names, wanted, strict=True)):
        if colour is None or colour in kept:
            free = (c for c in range(len(COLOURS)) if c not in taken)
            colour = next(free, k % len(COLOURS))
            taken.append(colour)
        kept.add(colour)
        players.append(replace(by_name.get(name, FormPlayer(name, colour)), colour=colour))
    return tuple(players)
