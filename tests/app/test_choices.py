"""Choices have the same outcome in motion as at rest, and chosen places and hints are counted beside the names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.outcomes_kit import lid, place, to_roll
from support.person_kit import FixedPlaces, Person
from support.session_kit import way_to

from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.messages import text
from armoon.screens.events import Ask, FormPlayer
from armoon.screens.machine import get_plan
from armoon.screens.state import PageName, Screens
from armoon.values.acts import Act
from armoon.values.pieces import Command

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("home")]
GAMES = {
    "competitive": MoonOptions(),
    "final": MoonOptions(EditionName.BOMBYX_2017, house=Options(tears=1)),
    "team": MoonOptions(EditionName.KOSMOS_2022, house=Options(mode=Mode.COOPERATIVE, line_m=0.08)),
}


def person_after_giving_up(game: str) -> Person:
    person = Person(starts_in_game=False)
    person.front.screens = replace(
        person.screens,
        form=replace(person.screens.form, players=_three_players(person.screens)).with_options(GAMES[game]),
    )
    person.choose(*way_to("moon", person.screens))
    person.until(lambda: person.moon.is_awaiting_roll and person.moon.match.at_rest, "the die")
    person.pass_time(0.5)
    person.hold("space")
    person.until(lambda: Act.GIVE_UP in person.screens.possible, "a ladder")
    turn = person.moon.match.state.turn
    person.controls.handle_key("g", True)
    person.until(lambda: person.moon.match.state.turn > turn, "the verdict", 1.0)
    person.front.advance_time(person.now_s)
    person.frame()
    return person


def _three_players(screens: Screens) -> tuple[FormPlayer, ...]:
    first, second, *_ = screens.form.players
    return (first, second, replace(first, name="Cleo", colour=2))


def list_choices(start: Screens) -> Iterator[tuple[str, ...]]:
    waiting: list[tuple[Screens, tuple[str, ...]]] = [(start, ())]
    seen = {start.page}
    while waiting:
        screens, path = waiting.pop(0)
        for item in get_plan(screens).items:
            if not item.is_live or item.press is None:
                continue
            next_screens, actions = item.press(screens)
            if any(isinstance(action, Ask) and isinstance(action.request, Act) for action in actions):
                yield (*path, item.widget.name)
            elif (
                next_screens.page not in seen
                and next_screens.in_game
                and next_screens.page is not PageName.SETTINGS
            ):
                seen.add(next_screens.page)
                waiting.append((next_screens, (*path, item.widget.name)))


def come_to_rest(person: Person) -> None:
    person.pass_time(0.5)
    person.until(lambda: person.moon.match.at_rest, "rest")
    person.pass_time(0.5)


def outcome_of(person: Person, *presses: str) -> tuple[object, ...]:
    person.choose(*presses)
    for _ in range(2):
        if person.screens.page in (PageName.PAUSE, PageName.OVERRULE, PageName.FINAL, PageName.VERDICT):
            person.return_to_table()
        come_to_rest(person)
    state = person.moon.match.state
    return (
        state.turn,
        state.player,
        state.phase,
        state.tears,
        state.ending,
        state.scorings,
        state.overrulings,
    )


@pytest.mark.parametrize("game", [pytest.param("competitive", marks=pytest.mark.long), "final", "team"])
def test_a_choice_made_during_motion_has_the_same_outcome_as_at_rest(game: str) -> None:
    person = person_after_giving_up(game)
    paths = list(list_choices(person.screens))
    person.host.close_table()
    assert len(paths) > 3
    for path in paths:
        moving = person_after_giving_up(game)
        assert moving.moon.match.state.incident
        moving_outcome = outcome_of(moving, *path)
        moving.host.close_table()
        still = person_after_giving_up(game)
        page = still.screens.page
        still.return_to_table()
        come_to_rest(still)
        still.front.screens = still.screens.reset_to(page)
        rest_outcome = outcome_of(still, *path)
        still.host.close_table()
        assert moving_outcome == rest_outcome, path


def test_the_pause_still_offers_the_tables_choices() -> None:
    person = person_after_giving_up("team")
    come_to_rest(person)
    assert person.offers("score")
    person.choose("pause")
    person.pass_time(1.0)
    person.choose("score")
    person.pass_time(1.0)
    assert len(person.moon.match.state.scorings) == 1


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
