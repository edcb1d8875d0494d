"""Players' profiles and the results of their games."""

from __future__ import annotations

import datetime
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from armoon.games.shared import SEAT_COLOURS
from armoon.saves.files import back_up_broken, lock_rows, read_rows, write_rows
from armoon.values import player_settings
from armoon.values.choices import HandPreference
from armoon.values.names import is_name
from armoon.values.player_settings import NO_HANDICAP, NO_OVERRIDES, Handicap, Movement, PlayerSettings
from armoon.values.text import short_repr

FORMAT = "armoon players"
FILE_NAME = "players.json"
#: Limits of a palm's length, as in the settings.
MIN_PALM_M, MAX_PALM_M = 0.05, 0.15
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True)
class Profile:
    """A player's profile. Raises ValueError for invalid values."""

    name: str
    colour: str = SEAT_COLOURS[0]
    """``#rrggbb``."""
    hand: HandPreference = HandPreference.EITHER
    palm_length_m: float | None = None
    """From the wrist to the middle finger's knuckle; None if not measured."""
    born: datetime.date | None = None
    full_moon: datetime.date | None = None
    handicap: Handicap = NO_HANDICAP
    movement: Movement = player_settings.USUAL_MOVEMENT
    """Movement settings, chosen or proposed by a measurement."""
    habits: PlayerSettings = NO_OVERRIDES

    def __post_init__(self) -> None:
        if not is_name(self.name):
            raise ValueError(f"{short_repr(self.name)} isn't a name")
        if not _COLOUR.fullmatch(self.colour):
            raise ValueError(f"{short_repr(self.colour)} isn't a colour")
        palm_m = self.palm_length_m
        if palm_m is not None and not MIN_PALM_M <= palm_m <= MAX_PALM_M:
            raise ValueError(f"{palm_m} m isn't a palm's length")


@dataclass(frozen=True)
class Profiles:
    profiles: tuple[Profile, ...] = ()
    trouble: str = ""
    """A sentence about damage to the file; empty if it is intact."""

    def find_profile(self, name: str) -> Profile:
        """Return the player's profile, or a new one in the first unused colour."""
        for profile in self.profiles:
            if profile.name == name:
                return profile
        used = {profile.colour for profile in self.profiles}
        unused = [colour for colour in SEAT_COLOURS if colour not in used]
        return Profile(name, unused[0] if unused else SEAT_COLOURS[len(used) % len(SEAT_COLOURS)])

    def find_profiles(self, names: Sequence[str]) -> tuple[Profile, ...]:
        """Return these players' profiles, in order; new players get different colours."""
        profiles = self
        for name in names:
            profiles = profiles.with_profile(profiles.find_profile(name))
        return tuple(profiles.find_profile(name) for name in names)

    def with_profile(self, profile: Profile) -> Profiles:
        if any(other.name == profile.name for other in self.profiles):
            merged = tuple(profile if other.name == profile.name else other for other in self.profiles)
        else:
            merged = (*self.profiles, profile)
        return replace(self, profiles=merged)


def load_profiles(folder: Path) -> Profiles:
    return Profiles(*read_rows(folder / FILE_NAME, FORMAT, Profile, lambda profile: profile.name))


def save_profiles(folder: Path, profiles: Profiles) -> None:
    write_rows(folder / FILE_NAME, FORMAT, profiles.profiles)


def change_profile(folder: Path, name: str, change: Callable[[Profile], Profile]) -> str:
    """Change or create a player's profile, while other programs wait. Raises SaveError.

    If the file is broken, back it up first and return a sentence about the damage, otherwise an empty string.
    """
    with lock_rows(folder / FILE_NAME):
        profiles = load_profiles(folder)
        if profiles.trouble:
            back_up_broken(folder / FILE_NAME)
        save_profiles(folder, profiles.with_profile(change(profiles.find_profile(name))))
    return profiles.trouble


RESULTS_FORMAT = "armoon results"
RESULTS_FILE_NAME = "results.json"

#: Number of figures by player and name.
FigureCounts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Result:
    """The result of a game. Raises ValueError for a negative count."""

    game: str
    """Name of the saved game."""
    date: str
    """ISO 8601."""
    edition: str
    variant: str
    """House rules that make the game easier or harder, as text; otherwise empty."""
    players: tuple[str, ...]
    winners: tuple[str, ...]
    """Empty in a co-operative game."""
    score: int | None
    """The team's result (ruling C3); None in a competitive game."""
    kind: str
    """Name of the game (``games.GAMES``)."""
    figures: FigureCounts = field(default_factory=dict)
    points: Mapping[str, int] = field(default_factory=dict)
    """Points by player, if the game counts points."""
    trial: str = ""
    reached: int | None = None
    """The trial's score; None if its goal wasn't reached."""

    def __post_init__(self) -> None:
        counts = [count for by_name in self.figures.values() for count in by_name.values()]
        if min((self.score or 0, self.reached or 0, *counts, *self.points.values())) < 0:
            raise ValueError("a negative count")


@dataclass(frozen=True)
class Tally:
    """A player's totals over all games."""

    played: int
    """Competitive games."""
    won: int
    """Number of victories, including shared ones."""
    together: int
    """Co-operative and solo games."""
    figures: Mapping[str, int]


@dataclass(frozen=True)
class Results:
    results: tuple[Result, ...] = ()
    trouble: str = ""
    """A sentence about damage to the file; empty if it is intact."""

    def with_result(self, result: Result) -> Results:
        return Results((*self.without_game(result.game).results, result), self.trouble)

    def without_game(self, game: str) -> Results:
        return Results(tuple(other for other in self.results if other.game != game), self.trouble)

    def tally(self, player: str) -> Tally:
        played = [result for result in self.results if player in result.players]
        games = [result for result in played if not result.trial]
        competitive = [result for result in games if result.score is None]
        figures: Counter[str] = Counter()
        for result in played:
            figures.update(result.figures.get(player, {}))
        won = sum(player in result.winners for result in competitive)
        return Tally(len(competitive), won, len(games) - len(competitive), dict(figures))

    def list_high_scores(self) -> list[tuple[int, str, Result]]:
        """Return the high scores (ruling C5) as score, player and result, the best first.

        Each player has one high score per game, edition and variant, alone and in a team: the oldest of equal ones.
        """
        best: dict[tuple[str, str, str, str, bool], tuple[int, str, Result]] = {}
        for result in self.results:
            if (score := result.score) is None:
                continue
            for player in result.players:
                key = (result.kind, player, result.edition, result.variant, len(result.players) == 1)
                if key not in best or best[key][0] < score:
                    best[key] = score, player, result
        return sorted(best.values(), key=lambda line: (-line[0], line[2].date, line[1]))


def load_results(folder: Path) -> Results:
    return Results(*read_rows(folder / RESULTS_FILE_NAME, RESULTS_FORMAT, Result))


def store_result(folder: Path, game: str, result: Result | None) -> Results:
    """Store a game's result, or remove it if ``result`` is None because the game continues. Raises SaveError."""
    with lock_rows(folder / RESULTS_FILE_NAME):
        stored = load_results(folder)
        updated = stored.without_game(game) if result is None else stored.with_result(result)
        if updated.results != stored.results:
            if stored.trouble:
                back_up_broken(folder / RESULTS_FILE_NAME)
            write_rows(folder / RESULTS_FILE_NAME, RESULTS_FORMAT, updated.results)
    return updated
