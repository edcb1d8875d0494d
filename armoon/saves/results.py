"""Results of finished games: high scores of the co-operative game, games won and figures made by player.

Each saved game has one result, under the game's name: a game that is resumed, or overruled after
its end (ruling X4), replaces its own result. So all counts are sums over results, and none can drift.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from armoon.saves.files import changing, read_kept, set_aside, write_kept

FORM = "armoon results"
FILE_NAME = "results.json"

#: By player, how many figures of each name.
FigureCounts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Result:
    """How one game ended. Raises ValueError for a count below nothing."""

    game: str
    """The saved game's name, without folder and suffix."""
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
    """The name of the task that was played; empty: a game."""
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
    """Who else played; empty: solo."""


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
        """With that result in place of the former one of its game."""
        return Results((*self.without(result.game).results, result), self.trouble)

    def without(self, game: str) -> Results:
        """Without the result of a game, if it has one."""
        return Results(tuple(other for other in self.results if other.game != game), self.trouble)

    def tally(self, player: str) -> Tally:
        """Return one player's tally."""
        mine = [result for result in self.results if player in result.players]
        games = [result for result in mine if not result.trial]
        against = [result for result in games if result.score is None]
        figures: Counter[str] = Counter()
        for result in mine:
            figures.update(result.figures.get(player, {}))
        won = sum(player in result.winners for result in against)
        return Tally(len(against), won, len(games) - len(against), dict(figures))

    def high_scores(self) -> tuple[HighScore, ...]:
        """Return the best of every player in every edition and variant, solo and in company apart, best first.

        Of equal scores the older one stays on the table.
        """
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
    """Return the results kept in a folder. Raises SaveError where the file can't be read at all."""
    return Results(*read_kept(folder / FILE_NAME, FORM, Result))


def keep_result(folder: Path, game: str, result: Result | None) -> Results:
    """Keep how a saved game ended, in one step; a game that goes on (again) has no result. Raises SaveError."""
    with changing(folder / FILE_NAME):
        known = load_results(folder)
        now = known.without(game) if result is None else known.having(result)
        if now.results != known.results:
            if known.trouble:
                set_aside(folder / FILE_NAME)
            write_kept(folder / FILE_NAME, FORM, now.results)
    return now
