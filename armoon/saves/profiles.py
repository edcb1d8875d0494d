"""Players' profiles: lasting choices and facts: colour, hand, palm, birthday, the last full moon seen."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from armoon.games.shared.seating import SEAT_COLOURS, PlayerDates
from armoon.saves.files import changing, read_kept, set_aside, write_kept
from armoon.values.choices import HandPreference
from armoon.values.names import is_name
from armoon.values.player_settings import AS_USUAL, LEVEL, NO_HABITS, Handicap, Movement, PlayerSettings
from armoon.values.text import repr_of

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
    handicap: Handicap = LEVEL
    movement: Movement = AS_USUAL
    """How the hand is followed, as its ten seconds of measuring proposed."""
    habits: PlayerSettings = NO_HABITS

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise ValueError(f"{repr_of(self.name)} is no name")
        if not _COLOUR.fullmatch(self.colour):
            raise ValueError(f"{repr_of(self.colour)} is no colour")
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
        if any(other.name == profile.name for other in self.profiles):
            merged = tuple(profile if other.name == profile.name else other for other in self.profiles)
        else:
            merged = (*self.profiles, profile)
        return replace(self, profiles=merged)


def load_profiles(folder: Path) -> Profiles:
    return Profiles(*read_kept(folder / FILE_NAME, FORM, Profile, lambda profile: profile.name))


def save_profiles(folder: Path, profiles: Profiles) -> None:
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


def seats_of(profiles: Sequence[Profile]) -> tuple[PlayerDates, ...]:
    return tuple(PlayerDates(profile.name, profile.full_moon, profile.born) for profile in profiles)


RESULTS_FORM = "armoon results"
RESULTS_FILE_NAME = "results.json"

#: By player, how many figures of each name.
FigureCounts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Result:
    """How one game ended. Raises ValueError for a count below nothing."""

    game: str
    date: str
    """ISO 8601."""
    edition: str
    variant: str
    """The house options that make a game easier or harder, as a text; empty: none."""
    players: tuple[str, ...]
    winners: tuple[str, ...]
    """Empty in a co-operative game."""
    score: int | None
    """The team's result (ruling C3); None in a competitive game."""
    kind: str
    """Which game it was (``games.GAMES``)."""
    figures: FigureCounts = field(default_factory=dict)
    points: Mapping[str, int] = field(default_factory=dict)
    """By player, where a game counts points."""
    trial: str = ""
    reached: int | None = None
    """The trial's score, in what it counts; None: its goal wasn't reached."""

    def __post_init__(self) -> None:
        counts = [count for of_player in self.figures.values() for count in of_player.values()]
        if min((self.score or 0, self.reached or 0, *counts, *self.points.values())) < 0:
            raise ValueError("a count below nothing")


@dataclass(frozen=True)
class HighScore:
    """One line of the table (ruling C5): a player's best with those companions."""

    player: str
    edition: str
    variant: str
    score: int
    kind: str
    date: str
    companions: tuple[str, ...]


@dataclass(frozen=True)
class Tally:
    """A player's totals over all games."""

    played: int
    """Competitive games."""
    won: int
    """Shared victories included."""
    together: int
    """Co-operative and solo games."""
    figures: Mapping[str, int]


@dataclass(frozen=True)
class Results:
    """All results, oldest first."""

    results: tuple[Result, ...] = ()
    trouble: str = ""
    """What was wrong with the file, as a sentence; empty if nothing was."""

    def having(self, result: Result) -> Results:
        return Results((*self.without(result.game).results, result), self.trouble)

    def without(self, game: str) -> Results:
        return Results(tuple(other for other in self.results if other.game != game), self.trouble)

    def tally(self, player: str) -> Tally:
        mine = [result for result in self.results if player in result.players]
        games = [result for result in mine if not result.trial]
        against = [result for result in games if result.score is None]
        figures: Counter[str] = Counter()
        for result in mine:
            figures.update(result.figures.get(player, {}))
        won = sum(player in result.winners for result in against)
        return Tally(len(against), won, len(games) - len(against), dict(figures))

    def high_scores(self) -> tuple[HighScore, ...]:
        """Return each player's best per edition and variant, alone and in company; of equal ones the older."""
        best: dict[tuple[str, str, str, str, bool], HighScore] = {}
        for result in self.results:
            if result.score is None:
                continue
            for player in result.players:
                companions = tuple(other for other in result.players if other != player)
                key = (result.kind, player, result.edition, result.variant, bool(companions))
                if key not in best or best[key].score < result.score:
                    best[key] = HighScore(
                        player,
                        result.edition,
                        result.variant,
                        result.score,
                        result.kind,
                        result.date,
                        companions,
                    )
        return tuple(sorted(best.values(), key=lambda line: (-line.score, line.date, line.player)))


def load_results(folder: Path) -> Results:
    return Results(*read_kept(folder / RESULTS_FILE_NAME, RESULTS_FORM, Result))


def keep_result(folder: Path, game: str, result: Result | None) -> Results:
    """Keep how a saved game ended, in one step; a game that goes on (again) has no result. Raises SaveError."""
    with changing(folder / RESULTS_FILE_NAME):
        known = load_results(folder)
        now = known.without(game) if result is None else known.having(result)
        if now.results != known.results:
            if known.trouble:
                set_aside(folder / RESULTS_FILE_NAME)
            write_kept(folder / RESULTS_FILE_NAME, RESULTS_FORM, now.results)
    return now
