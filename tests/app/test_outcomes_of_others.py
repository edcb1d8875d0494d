"""No press on any device affects another player's ladder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.outcomes_kit import Case, lid, list_ways, nothing, paused, put_back, table_of, turned
from support.person_kit import FixedPlaces, IdleBot, Person
from support.table_kit import make_home

from armoon.messages import set_language, text
from armoon.screens.state import PageName
from armoon.values.acts import Act
from armoon.values.pieces import Command

pytestmark = pytest.mark.slow
#: Acts allowed to anybody in another's turn, with their outcomes; all others do nothing.
IN_ANYONES_TURN = {Act.PAUSE: paused, Act.TABLE_LEFT: turned, Act.TABLE_RIGHT: turned, Act.UNDO: put_back}
#: Acts that a device can request, without those that only open a page or restart the game.
REQUESTABLE = [act for act in Act if act.row.key or act.row.pad or act.row.phrase or act.row.gesture]
REQUESTABLE = [act for act in REQUESTABLE if act not in (Act.MENU, Act.RULES, Act.HOME, Act.SEAT)]
#: Acts refused with a sentence, because players may expect them to affect their own ladder; hands are ignored instead.
REFUSED_ACTS = (Act.HINT, Act.TIP, Act.GIVE_UP, Act.SET_DOWN, Act.PUT_BACK)
IGNORED_DEVICE = "gesture"


@pytest.fixture(scope="module")
def against_a_bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with pytest.MonkeyPatch.context() as patch:
        make_home(tmp_path_factory.mktemp("home"), patch)
        patch.setattr("armoon.games.moon.bots.BotProcess", IdleBot)
        patch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
        person = Person(bot="pip", choosing=True)
        yield person
        person.host.close_table()
        set_language("en")


def wait_for_bots_turn(person: Person) -> None:
    if person.moon.match.bot is None:
        person.until(lambda: person.moon.is_awaiting_roll and person.moon.match.at_rest, "Ann's die")
        person.hold("space")
        person.until(lambda: person.offered is not None, "Ann's ladder")
        person.controls.add_command(Command(Act.GIVE_UP, "keys"))
    person.until(lambda: person.moon.match.bot is not None and person.offered is not None, "the bot's ladder")
    person.pass_time(1.0)


@pytest.mark.parametrize("act", REQUESTABLE, ids=lambda act: str(act.word))
def test_in_a_bots_turn_no_press_touches_its_ladder(act: Act, against_a_bot: Person) -> None:
    person = against_a_bot
    wait_for_bots_turn(person)
    devices = list(list_ways(Case(lid, act, nothing), person))
    assert act not in REFUSED_ACTS or set(devices) - {IGNORED_DEVICE}, "no device offers the act"
    outcome = IN_ANYONES_TURN.get(act, nothing)
    for number, device in enumerate(devices):
        if number and outcome is put_back:
            wait_for_bots_turn(person)
        before = table_of(person)
        list_ways(Case(lid, act, nothing), person)[device]()
        person.pass_time(0.5 if outcome is nothing else 1.5)
        if act in REFUSED_ACTS and device != IGNORED_DEVICE:
            assert text("watch.not_yours", player="Ben") in person.moon.resolve_banner(""), device
        assert not person.offers("stay"), "the player is asked whether to give up the bot's ladder"
        if person.screens.page is PageName.PAUSE:
            person.return_to_table()
        try:
            outcome(before, table_of(person))
        except AssertionError as error:
            raise AssertionError(f"by {device}: {error}") from error
        if person.moon.match.paused:
            person.key("p", True)
            person.pass_time(0.1)


def test_every_device_can_cut_short_a_bots_search(against_a_bot: Person) -> None:
    person = against_a_bot
    wait_for_bots_turn(person)
    devices = set(list_ways(Case(lid, Act.ROLL, nothing), person)) - {"gesture"}  # hands are ignored
    assert {"key", "pad", "voice", "choose roll by mouse", "choose roll by switch"} <= devices
    for device in sorted(devices):
        before = IdleBot.stops
        list_ways(Case(lid, Act.ROLL, nothing), person)[device]()
        person.pass_time(0.5)
        assert IdleBot.stops == before + 1, device
