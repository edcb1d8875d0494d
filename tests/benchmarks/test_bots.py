"""The benchmark of opponents goes on where it stopped, and believes only games that it played in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from benchmarks import bots
from benchmarks.bot_parts.played import Played
from benchmarks.bot_parts.timing import Timed
from benchmarks.bots import PAIRS, Pair, Tournament, run

from armoon.games.moon.bots.levels import Level

TIMED = Timed(3.0, 1.0, 1.01, 1.0)


def won(points: float = 1.0, turns: int = 20) -> Played:
    return Played(points, turns, 0, {8: (7, 8)})


def pair_of(points: Sequence[float | None]) -> Pair:
    games = {number: won(one) for number, one in enumerate(points) if one is not None}
    return Pair(*PAIRS[0], games)


@pytest.mark.parametrize(
    ("points", "decided"),
    [
        ([1.0] * 11, None),
        ([1.0] * 12, True),
        ([0.0] * 8, None),
        ([0.0] * 9, False),
        ([1.0, None] + [1.0] * 20, None),
    ],
)
def test_wald_decides_by_the_games_without_a_gap(points: list[float | None], decided: bool | None) -> None:
    assert pair_of(points).decided is decided


def test_what_was_decided_stays_so_whatever_is_played_after() -> None:
    assert pair_of([1.0] * 12 + [0.0] * 9).decided is True


def test_each_game_is_played_once_and_those_who_have_played_least_go_on() -> None:
    tournament = Tournament(1)
    under_way: set[tuple[Level, int]] = set()
    for _ in range(6):
        pair, number = tournament.next(under_way)
        assert (pair.upper, number) not in under_way
        under_way.add((pair.upper, number))
    assert under_way == {(upper, number) for upper, _ in PAIRS for number in (0, 1)}


def test_with_all_decided_the_strongest_go_on_to_the_last_turn() -> None:
    tournament = Tournament(1)
    for pair in tournament.pairs:
        pair.played = {number: won(turns=5) for number in range(12)}
    assert not tournament.over
    assert tournament.next(set())[0].upper is Level.LUNA
    tournament.pairs[-1].played[12] = won(turns=bots.TURNS)
    assert tournament.over


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a tournament of three games stands."""
    monkeypatch.setattr(bots, "timed", lambda: TIMED)
    tournament = Tournament(1)
    for pair in tournament.pairs:
        pair.played[0] = won(0.5)
    path = tmp_path / "bots.json"
    bots._write(path, tournament)
    return path


def test_it_goes_on_from_its_file_and_tells_what_it_was_asked(file: Path) -> None:
    assert run(file, minutes=0.0) == 1, "nothing is decided"
    told = json.loads(file.read_text())
    assert [(row["name"], row["beats_lower"], row["games"]) for row in told["levels"]] == [
        ("nova", 0.5, 1),
        ("sylva", 0.5, 1),
        ("luna", 0.5, 1),
    ]
    assert told["strongest_honoured"] == {"8": {"share": 21 / 24, "turns": 24, "wanted": 0.95}}
    assert (told["think_s_most"], told["frame_ratio"], told["rules_broken"]) == (3.0, 1.01, 0)
    again = Tournament(1)
    assert again.take_up(told)
    assert again.timed == TIMED
    assert json.loads(json.dumps(again.figures())) == told


@pytest.mark.parametrize("change", [{"characters": ["others"]}, {"first_seed": 2}])
def test_it_begins_anew_where_others_played(file: Path, change: dict[str, object]) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    run(file, minutes=0.0)
    assert json.loads(file.read_text())["played"] == []
