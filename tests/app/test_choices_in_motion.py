"""Choices offered while the structure is moving have the same outcome as at rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.person_kit import Person
from support.session_kit import way_to

from armoon.games.moon.editions import EditionName, Mode, Options
from armoon.games.moon.options import MoonOptions
from armoon.screens.events import Ask, FormPlayer
from armoon.screens.machine import plan_of
from armoon.screens.state import PageName, Screens
from armoon.values.acts import Act

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("home")]
GAMES = {
    "competitive": MoonOptions(),
    "final": MoonOptions(EditionName.BOMBYX_2017, house=Options(tears=1)),
    "team": MoonOptions(EditionName.KOSMOS_2022, house=Options(mode=Mode.COOPERATIVE, line_m=0.08)),
}


def person_after_giving_up(game: str) -> Person:
    person = Person(begun=False)
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
        for item in plan_of(screens).items:
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
