"""A beginner's ladders lie in the lid as they are placed easiest, and a replay shows the same."""

from __future__ import annotations

from typing import Any

import pytest
from support.app_kit import advanced, setup_for, until_drawn

from armoon.engine.setup import Intake
from armoon.games.moon.choosing import hint
from armoon.games.moon.choosing.hint import EasySide, nearest_side
from armoon.games.moon.rules.editions import Options
from armoon.games.moon.table.match import ATTITUDES
from armoon.geometry import quat_from_axis_angle, quat_multiply
from armoon.placement.values import Answer, Question
from armoon.values.acts import Act
from armoon.values.pieces import Command, PieceStatus
from armoon.values.places import LadderPlace
from armoon.values.player_settings import Handicap, Helping
from armoon.values.poses import Pose

FLAT = 2
SAFE = LadderPlace(
    Pose((0.0, 0.0, 0.15), ATTITUDES[FLAT]), Pose((0.0, 0.0, 0.149)), ("L01",), False, 0.15, 1.0, 8
)


class Search:
    """Finds one good place at once."""

    asked = 0

    def __init__(self, *_: object, **__: object) -> None:
        Search.asked = 0

    def ask(self, question: Question) -> None:
        Search.asked += 1

    def answers(self, standing: object) -> Answer:
        return Answer((SAFE,))

    def cancel(self) -> None:
        """Nothing runs."""

    close = cancel


def commands(monkeypatch: pytest.MonkeyPatch, options: Options, *own: Command) -> list[Command]:
    """What is asked for in ten frames of a ladder in the lid, and that the lid shows it."""
    monkeypatch.setattr(hint, "PlaceSearch", Search)
    match = until_drawn(setup_for(options=options).match())
    easy = EasySide(match)
    told: list[Command] = []
    try:
        while not any(piece.status is PieceStatus.OFFERED for piece in match.facts.pieces):
            advanced(match)
        for frame in range(10):
            intake = easy.play(Intake(0.0, 2, None, own if frame == 0 else ()))
            told += intake.commands
            advanced(match, *intake.commands)
        (lies,) = (piece.pose for piece in match.facts.pieces if piece.status is PieceStatus.OFFERED)
        steps = sum(command.value or 1 for command in told)
        assert lies.rotation == pytest.approx(ATTITUDES[steps])
    finally:
        easy.close()
        match.close()
    return told


def helped(helps: Helping) -> tuple[Handicap, ...]:
    return (Handicap(helps=helps), Handicap(helps=helps))


@pytest.mark.parametrize(
    "options", [Options(practice=True), Options(handicaps=helped(Helping.ALL))], ids=["practice", "all helps"]
)
def test_the_easiest_side_is_shown_once(monkeypatch: pytest.MonkeyPatch, options: Options) -> None:
    (side,) = commands(monkeypatch, options)
    assert (side.kind, side.value) == (Act.TIP, FLAT)
    assert Search.asked == 1


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(practice=True, handicaps=helped(Helping.NONE)),
        Options(no_hints=True, handicaps=helped(Helping.ALL)),
    ],
    ids=["usual", "no helps", "no hints"],
)
def test_nobody_else_is_helped(monkeypatch: pytest.MonkeyPatch, options: Options) -> None:
    assert commands(monkeypatch, options) == []
    assert Search.asked == 0


def test_a_player_who_turns_it_keeps_that_side(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(commands(monkeypatch, Options(practice=True), Command(Act.TIP))) == 1


@pytest.mark.parametrize("side", range(len(ATTITUDES)))
@pytest.mark.parametrize("turned_rad", [0.0, 1.1, -2.5])
def test_the_nearest_side_is_found_however_the_table_is_turned(side: int, turned_rad: float) -> None:
    turn: Any = quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad)
    found = nearest_side(quat_multiply(turn, ATTITUDES[side]), ATTITUDES)
    # On its side and edge on, and so on: sides that only differ by a turn about the upright are one.
    assert ATTITUDES[found] == ATTITUDES[side] or nearest_side(ATTITUDES[side], ATTITUDES) == found
