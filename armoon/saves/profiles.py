"""Players' profiles: lasting choices and facts: colour, hand, palm, birthday, the last full moon seen."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from armoon.games.shared.seating import SEAT_COLOURS, Seat
from armoon.saves.files import changing, read_kept, set_aside, write_kept
from armoon.values.choices import HandPreference
from armoon.values.player_settings import AS_USUAL, LEVEL, NO_HABITS, Habits, Handicap, Movement

FORM = "armoon players"
FILE_NAME = "players.json"
#: As in the settings: from a child's palm to the largest.
SHORTEST_PALM_M, LONGEST_PALM_M = 0.05, 0.15
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Profile:
    """One player. Raises ValueError for a value that can't be one."""

    name: str
    colour: str = SEAT_COLOURS[0]
    """``#rrggbb``."""
    hand: HandPreference = HandPreference.EITHER
    palm_length_m: float | None = None
    """From the wrist to the middle finger's knuckle; None: not measured."""
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    """When they last saw a full moon."""
    handicap: Handicap = LEVEL
    movement: Movement = AS_USUAL
    """How the hand is followed, as its ten seconds of measuring proposed."""
    habits: Habits = NO_HABITS
    """What this player plays with."""

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.name.isprintable():
            raise ValueError(f"{self.name!r} is no name")
        if not _COLOUR.fullmatch(self.colour):
            raise ValueError(f"{self.colour!r} is no colour")
        palm_m = self.palm_length_m
        if palm_m is not None and not SHORTEST_PALM_M <= palm_m <= LONGEST_PALM_M:
            raise ValueError(f"{palm_m} m is no palm")


@dataclass(frozen=True)
class Profiles:
    """All profiles, in the order in which they were made."""

    profiles: tuple[Profile, ...] = ()
    trouble: str = ""
    """What was wrong with the file, as a sentence; empty if nothing was."""

    def of(self, name: str) -> Profile:
        """Return that player's profile, or a new one in the first free colour."""
        for profile in self.profiles:
            if profile.name == name:
                return profile
        taken = {profile.colour for profile in self.profiles}
        free = next(
            (colour for colour in SEAT_COLOURS if colour not in taken),
            SEAT_COLOURS[len(taken) % len(SEAT_COLOURS)],
        )
        return Profile(name, free)

    def table(self, names: Sequence[str]) -> tuple[Profile, ...]:
        """Return the profiles of those who play, in their order; new players get colours that differ."""
        known = self
        for name in names:
            known = known.having(known.of(name))
        return tuple(known.of(name) for name in names)

    def having(self, profile: Profile) -> Profiles:
        """Return these profiles with that one in place of the former of its name, or at the end."""
        if any(other.name == profile.name for other in self.profiles):
            merged = tuple(profile if other.name == profile.name else other for other in self.profiles)
        else:
            merged = (*self.profiles, profile)
        return replace(self, profiles=merged)


def load_profiles(folder: Path) -> Profiles:
    """Return the profiles kept in a folder. Raises SaveError where the file can't be read at all."""
    return Profiles(*read_kept(folder / FILE_NAME, FORM, Profile, lambda profile: profile.name))


def save_profiles(folder: Path, profiles: Profiles) -> None:
    """Keep these profiles and no others, in one step. Raises SaveError."""
    write_kept(folder / FILE_NAME, FORM, profiles.profiles)


def change_profile(folder: Path, name: str, change: Callable[[Profile], Profile]) -> str:
    """Change a player's profile, or make it, while no other program changes one. Raises SaveError.

    Return what was wrong with the file, which is then kept under another name, as a sentence; empty if nothing was.
    """
    with changing(folder / FILE_NAME):
        profiles = load_profiles(folder)
        if profiles.trouble:
            set_aside(folder / FILE_NAME)
        save_profiles(folder, profiles.having(change(profiles.of(name))))
    return profiles.trouble


def seats_of(profiles: Sequence[Profile]) -> tuple[Seat, ...]:
    """Return the seats of these players as the rules need them to find the first player."""
    return tuple(Seat(profile.name, profile.full_moon, profile.born) for profile in profiles)
