"""The tower's name: by its look, in both languages, the same for the same game, on the result and in its picture."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from games.drivers.moon import MoonDriver
from support.doors_kit import Seats

from armoon.games.moon.options import MoonOptions
from armoon.games.moon.presenters.pages import result_of
from armoon.games.moon.presenters.scene import TowerLook, compose, tower_name
from armoon.games.moon.rules.editions import Options
from armoon.messages import LANGUAGES, speaking, text
from armoon.values.poses import Pose

MOON = MoonDriver()


def built(*ladders: tuple[float, float], seed: int = 1, practice: bool = False) -> Any:
    """A match over with these ladders, each by its distance from the middle and its highest point, metres."""
    pieces = [
        SimpleNamespace(piece=f"L{k}", pose=Pose((aside_m, 0.0, 0.1)), highest_m=high_m)
        for k, (aside_m, high_m) in enumerate(ladders)
    ]
    state = SimpleNamespace(placed=[one.piece for one in pieces], options=SimpleNamespace(practice=practice))
    return SimpleNamespace(
        facts=SimpleNamespace(pieces=pieces),
        state=state,
        players=("Ann", "Ben"),
        setup=SimpleNamespace(seed=seed),
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("look", "ladders"),
    [
        (TowerLook.HIGH, [(0.0, 0.21)]),
        (TowerLook.MANY, [(0.0, 0.15)] * 12),
        (TowerLook.LEANING, [(0.0, 0.13), (0.06, 0.16)]),
        (TowerLook.WIDE, [(0.0, 0.16), (0.11, 0.14)]),
        (TowerLook.SMALL, [(0.0, 0.14), (0.03, 0.13)]),
    ],
)
def test_it_is_named_by_its_look(
    look: TowerLook, ladders: Sequence[tuple[float, float]], language: str
) -> None:
    with speaking(language):
        names, endings = text(f"tower.{look.value}").split(" | "), text("tower.endings").split(" | ")
        found = {tower_name(built(*ladders, seed=seed)) for seed in range(300)}
        assert found <= {f"{name} {ending}" for name in names for ending in endings}
        assert len(found) > 0.9 * len(names) * len(endings)
        assert tower_name(built(*ladders)) == tower_name(built(*ladders))


def test_nothing_built_and_practice_have_no_name() -> None:
    assert tower_name(built()) == ""
    assert tower_name(built((0.0, 0.2), practice=True)) == ""


def test_it_stands_in_the_result_and_over_the_last_picture(
    seat: Seats, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seat("moon", "--players", "Ann,Ben", game_options=MoonOptions(house=Options(supply_size=1)))
    MOON.at_rest(table)
    for module in ("pages", "scene"):
        monkeypatch.setattr(f"armoon.games.moon.presenters.{module}.tower_name", lambda match: "The Heron")
    match = table.game.match
    assert compose(match, 1.0, None).hud.title == text("hud.turn", turn=1), "not before the end"
    MOON.turn_by_keys(table)
    table.rest(3.0)
    assert match.over
    assert result_of(match).more[-1] == text("tower.called", name="The Heron")
    assert compose(match, 1.0, None).hud.title == "The Heron"
