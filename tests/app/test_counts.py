"""The counts of chosen places and hints beside a player's name: once per ladder, and not for undone turns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.outcomes_kit import lid, place, to_roll
from support.person_kit import FixedPlaces, Person

from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.pieces import Command

pytestmark = pytest.mark.slow


def put_ladder_back(person: Person) -> None:
    person.push("choose put_back", "mouse")
    person.until(lambda: person.offers("choose place 1"), "the ladder in the lid")


def choose_place(person: Person) -> None:
    person.push("choose place 1", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder over its place")


def place_freely(person: Person) -> None:
    person.push("choose free", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder above everything")


STEPS = {
    "put back": ((place, put_ladder_back), 0),
    "chosen again": ((place, put_ladder_back, choose_place), 1),
    "chosen a third time": ((place, put_ladder_back, choose_place, put_ladder_back, choose_place), 1),
    "then carried freely": ((place, put_ladder_back, place_freely), 0),
    "turn undone": ((place, to_roll), 0),
    "turn played again": ((place, to_roll, place), 1),
    "nothing chosen": ((lid, place_freely), 0),
}


def test_a_chosen_place_counts_once_for_its_ladder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
    person = Person(choosing=True)
    for name, (steps, count) in STEPS.items():  # each begins with an undo
        for step in steps:
            step(person)
        note = person.moon.build_scene(1.0, "").hud.players[0].note
        assert note == (text("choose.beside", count=count) if count else ""), name
    person.host.close_table()


def ask_hint(person: Person) -> None:
    to_roll(person)
    person.hold("space")
    person.pass_time(1.0)
    person.hold("h")
    person.pass_time(0.2)


@pytest.mark.parametrize("use_help", [place, ask_hint])
@pytest.mark.parametrize("ended", [True, False])
def test_counts_survive_resuming_but_not_undoing(
    use_help: Callable[[Person], None], ended: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
    monkeypatch.setattr("armoon.games.moon.choosing.PlaceSearch", FixedPlaces)
    person = Person(choosing=True)
    use_help(person)
    counts = (tuple(person.moon.match.hints), tuple(person.moon.match.places_chosen))
    assert sum(map(sum, counts)) == 1
    if ended:
        person.controls.add_command(Command(Act.GIVE_UP, "keys"))
        person.until(lambda: person.moon.match.state.turn == 2 and person.moon.match.at_rest, "the next turn")
    person.choose("pause", "leave", "leave", "resume")
    person.return_to_table()
    person.pass_time(0.5)
    match = person.moon.match
    if ended:
        assert (tuple(match.hints), tuple(match.places_chosen)) == counts, "the counts weren't saved"
    else:
        assert (sum(match.hints), sum(match.places_chosen)) == (use_help is ask_hint, 0), (
            "the ladder isn't back in the lid"
        )
        lid(person)
    person.controls.add_command(Command(Act.UNDO, "keys", 1))
    person.until(lambda: (match.hints, match.places_chosen) == ([0, 0], [0, 0]), "the undone turn")
    person.host.close_table()
