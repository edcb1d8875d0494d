"""A press has the same effect on every device.

A case is an act, a state of the table and the outcome; it is tried with each device that offers the act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from support.app_kit import FRAME_S, HEIGHT, WIDTH
from support.outcomes_kit import (
    LONG_S,
    Case,
    Outcome,
    Table,
    ann_alone_paid,
    ann_pays,
    away,
    beside_middle,
    carried,
    falling,
    free_placement,
    grip,
    hint,
    in_the_lid,
    judged,
    lid,
    list_ways,
    moved,
    moving_left,
    near_place,
    nothing,
    nothing_but_a_pause,
    other_side,
    over_nothing,
    pause_asked,
    paused,
    place,
    put_back,
    released,
    rolled,
    still_held,
    table_of,
    to_roll,
    turned,
)
from support.person_kit import AT_TABLE, FixedPlaces, IdleBot, Person
from support.table_kit import make_home

from armoon.app.free_places import ScenePlaces
from armoon.app.front import MIN_HOVER_S
from armoon.camera.profiles import SEATS
from armoon.games.contract import RenderSetup, format_keys
from armoon.games.library import verify_log
from armoon.games.moon.editions import MoonRefusal
from armoon.messages import set_language, text
from armoon.screens.layout import Item
from armoon.screens.machine import get_plan
from armoon.screens.state import PageName, Screens
from armoon.settings.files import games_folder
from armoon.values.acts import Act, Gesture
from armoon.values.choices import Device, TextSize, Way
from armoon.values.page import WidgetKind
from armoon.values.pieces import Command
from armoon.view.window import MousePointer

pytestmark = pytest.mark.slow
HELD_STATES = (free_placement, beside_middle, place)
#: Outcomes that leave the table unchanged, states that last, and how long they are observed, in seconds; a
#: press affects rules or grip at once.
AS_BEFORE = (nothing, nothing_but_a_pause, still_held, paused, pause_asked)
LASTING = (to_roll, lid, free_placement, beside_middle, place, grip, away, judged)
BRIEF_S = 0.4
#: States that take seconds to reach, so each act is tried with only a third of the devices.
SLOW = (free_placement, moving_left, beside_middle, place, over_nothing, falling, judged)
CASES = (
    Case(to_roll, Act.ROLL, rolled),
    Case(to_roll, Act.PUT_BACK, nothing),
    Case(to_roll, Act.TIP, nothing),
    Case(to_roll, Act.UNDO, nothing, paused="undo"),
    Case(to_roll, Act.PAUSE, paused),
    Case(to_roll, Act.MENU, paused, "pause"),
    Case(to_roll, Act.TABLE_LEFT, turned, "turn right"),
    Case(lid, Act.ROLL, nothing),
    Case(lid, Act.PUT_BACK, nothing),
    Case(lid, Act.TIP, other_side, "attitude"),
    Case(lid, Act.FREE, carried),
    Case(lid, Act.TAKE, carried),
    *(Case(state, Act.HINT, hint, "hint", paused="hint") for state in (lid, grip)),
    Case(over_nothing, Act.HINT, hint, "choose show"),
    Case(lid, Act.UNDO, put_back, paused="undo"),
    Case(lid, Act.PAUSE, paused),
    *(Case(state, Act.PUT_BACK, in_the_lid) for state in (*HELD_STATES, grip)),
    *(Case(state, Act.ROLL, still_held) for state in (*HELD_STATES, grip)),
    *(Case(state, Act.TIP, still_held) for state in (free_placement, grip)),
    *(Case(state, Act.PAUSE, paused) for state in (free_placement, moving_left, grip)),
    Case(beside_middle, Act.LET_GO, ann_pays),
    Case(free_placement, Act.LEFT, moved(across=-1)),
    Case(free_placement, Act.RIGHT, moved(across=1)),
    Case(free_placement, Act.LIFT, moved(up=1)),
    Case(free_placement, Act.LOWER, moved(up=-1)),
    Case(moving_left, Act.STOP, still_held),
    Case(near_place, Act.SET_DOWN, released),
    Case(falling, Act.PUT_BACK, ann_pays),
    Case(falling, Act.ROLL, ann_alone_paid),
    *(Case(away, act, nothing) for act in (Act.ROLL, Act.PUT_BACK, Act.TIP, Act.TAKE, Act.TABLE_LEFT)),
    *(Case(away, act, nothing_but_a_pause, paused=act.word) for act in (Act.UNDO, Act.HINT, Act.GIVE_UP)),
    Case(away, Act.PAUSE, pause_asked),
    Case(away, Act.MENU, pause_asked, "pause"),
    Case(judged, Act.ROLL, rolled),
    Case(judged, Act.PUT_BACK, nothing),
    Case(judged, Act.UNDO, put_back, paused="undo"),
)


class SharedPerson:
    def __init__(self) -> None:
        self.person: Person | None = None
        self.is_in_use = False
        """Whether a case is running; if this is still set when the next case begins, the case has failed."""

    def take(self) -> Person:
        if self.is_in_use and self.person is not None:
            self.person.host.close_table()
            self.person = None
        self.is_in_use = True
        self.person = self.person or Person(choosing=True, switch_pause_s=0.0)
        return self.person


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedPerson]:
    with pytest.MonkeyPatch.context() as patch:
        make_home(tmp_path_factory.mktemp("home"), patch)
        patch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
        shared = SharedPerson()
        yield shared
        if shared.person is not None:
            shared.person.host.close_table()
        set_language("en")


def wait_for_outcome(outcome: Outcome, before: Table, person: Person) -> None:
    end_s = person.now_s + LONG_S
    while True:
        try:
            outcome(before, table_of(person))
        except AssertionError:
            if person.now_s >= end_s:
                raise
            person.pass_time(0.3)
        else:
            return person.pass_time(BRIEF_S)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_act_has_the_same_outcome_with_every_device(case: Case, shared: SharedPerson) -> None:
    person = shared.take()
    case.state(person)
    devices = list(list_ways(case, person))
    assert devices, "no device offers the act"
    lasts = case.state in LASTING and case.outcome in AS_BEFORE
    if case.state in SLOW:
        first = CASES.index(case) % 3
        devices = devices[first::3] or devices[:1]
    for number, device in enumerate(devices):
        if number and not lasts:
            case.state(person)
        presses = list_ways(case, person)
        assert device in presses, f"{device} no longer offers the act"
        before = table_of(person)
        presses[device]()
        person.pass_time(BRIEF_S)
        if case.act is Act.STOP:
            before = table_of(person)
            person.pass_time(1.0)
        try:
            if not lasts:
                wait_for_outcome(case.outcome, before, person)
            after = table_of(person)
            case.outcome(before, after)
        except AssertionError as error:
            raise AssertionError(f"by {device}: {error}") from error
        if person.screens.page is PageName.PAUSE:
            person.return_to_table()
        elif after.paused:
            person.key("p", True)
        person.pass_time(0.1)
    shared.is_in_use = False


def show_numbers(person: Person) -> None:
    match, seat = person.moon.match, SEATS["mirror" if person.mirrored else "table"](WIDTH, HEIGHT)
    viewed = RenderSetup(seat.camera, seat.table_from_camera, seat.mirrored, match.ladders, match.base)
    places = ScenePlaces(viewed, person.moon.build_scene(1.0, ""), lambda place: place)
    person.front.lay_out_overlays(places, tuple)


def click_number(person: Person, name: str) -> None:
    (rect,) = (widget.rect for widget in person.front.page.widgets if widget.name == f"number {name}")
    person.pass_time(MIN_HOVER_S + FRAME_S)  # a press on a new button is ignored
    for pressed in (False, True, False):
        person.front.handle_pointer(MousePointer(rect.centre, pressed, over=rect.centre))
        person.pass_time(0.1)


def test_scores_and_faces_are_requested_only_at_the_table_on_turn(
    shared: SharedPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = shared.take()
    away(person)
    with monkeypatch.context() as patch:
        patch.setattr(person.moon, "compute_score", lambda: (3, 0))
        patch.setattr(person.moon, "is_awaiting_face", lambda: True)
        person.pass_time(0.2)
        assert (person.screens.score, person.screens.is_awaiting_face) == (None, False)
        person.take_seats_back()
        assert (person.screens.score, person.screens.is_awaiting_face) == (3, True)
    person.run_frame()
    assert (person.screens.score, person.screens.is_awaiting_face) == (None, False)
    shared.is_in_use = False


def test_key_hints_match_the_device_and_the_possible_acts(shared: SharedPerson) -> None:
    person = shared.take()
    free_placement(person)
    assert {format_keys(person.moon, d) for d in Device} == {text(f"strip.{d}.wait") for d in Device}
    for device in Device:
        person.front.set_device(device)
        pick = device in (Device.HAND, Device.MOUSE)
        assert person.front.describe_keys(person.moon) == text(
            f"strip.{device}.{'pick' if pick else 'awaits'}"
        )
    shared.is_in_use = False


def test_no_side_of_a_parked_ladder_is_offered(shared: SharedPerson) -> None:
    person = shared.take()
    lid(person)
    assert person.offers("attitude")
    grip(person)
    person.hold("left", 1.5)
    person.hold("enter")
    person.until(lambda: person.moon.match.is_parked, "the ladder parked in the air")
    person.pass_time(0.5)
    assert not person.offers("attitude")
    assert Act.GIVE_UP in person.screens.possible
    before = table_of(person)
    person.hold("b")
    person.pass_time(1.0)
    in_the_lid(before, table_of(person))
    assert person.offers("attitude")
    shared.is_in_use = False


def test_enter_presses_the_focused_button_and_releases_nothing(shared: SharedPerson) -> None:
    person = shared.take()
    place(person)
    before = table_of(person)
    while not person.screens.tabbed or person.front.highlighted_choice != "put_back":
        person.hold("tab")
    person.hold("enter")
    person.pass_time(LONG_S)
    in_the_lid(before, table_of(person))
    shared.is_in_use = False


def test_every_device_carries_a_ladder_to_a_place_by_its_number(shared: SharedPerson) -> None:
    person = shared.take()
    presses: dict[str, Callable[[], None]] = {
        "key": partial(person.hold, "_2"),
        "voice": partial(person.say, Act.TWO.row.phrase),
        "number": partial(click_number, person, "place 2"),
        **{device: partial(person.push, "choose place 2", device) for device in AT_TABLE},
    }
    for device, ask in presses.items():
        lid(person)
        show_numbers(person)
        before = person.moon.match.places_chosen[0]
        ask()
        person.until(lambda: person.offers("choose put_back"), f"a ladder over its place, by {device}")
        person.pass_time(1.0)
        x, y, _ = person.held.pose.position
        assert (x, y) == pytest.approx((0.03, 0.0), abs=0.005), device
        assert person.moon.match.places_chosen[0] == before + 1, "the chosen place isn't counted"
        announcement = text("choose.beside", count=before + 1)
        assert announcement in person.moon.build_scene(1.0, "").hud.players[0].note, "the count isn't shown"
        assert not [w for w in person.front.page.widgets if w.kind is WidgetKind.NUMBER], (
            "numbers are still shown"
        )
        person.push("choose put_back", "mouse")
        person.pass_time(1.0)
    shared.is_in_use = False


@pytest.mark.parametrize("way", [Way.MOUSE, Way.KEYS])
def test_places_are_offered_automatically_in_the_first_turns(
    way: Way, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each player is offered places once, and never while holding a ladder."""
    monkeypatch.setattr("armoon.games.moon.offers.PlaceSearch", FixedPlaces)
    person = Person(way=way)
    for turn in (1, 2, 3):
        person.until(lambda: person.moon.is_awaiting_roll and person.moon.match.at_rest, "the die")
        person.hold("space")
        person.until(lambda: person.offered is not None, "a ladder")
        person.pass_time(1.0)
        assert person.moon.match.state.turn == turn
        assert person.offers("choose place 2") is (turn < 3)
        if turn == 1:
            person.hold("enter")
            person.hold("pageup", 1.0)
            assert person.moon.match.holding
            assert not person.screens.choices.choices
            person.hold("b")
            person.pass_time(1.0)
            assert person.offers("choose place 2")
        person.controls.add_command(Command(Act.GIVE_UP, "keys"))
        person.pass_time(LONG_S)


def test_the_seat_key_restarts_the_turn_as_seen_from_the_other_seat(home: Path) -> None:
    person = Person(choosing=True)
    lid(person)
    for mirrored in (not person.mirrored, person.mirrored):
        before, match = table_of(person), person.game.match
        person.hold("f3")
        assert person.game.match is not match
        assert person.mirrored is mirrored
        put_back(before, table_of(person))
    person.host.close_table()


def test_a_ladder_that_was_put_back_can_be_taken_at_once(shared: SharedPerson) -> None:
    person = shared.take()
    free_placement(person)
    person.push("choose put_back", "mouse")
    person.until(lambda: not person.moon.match.holding, "the ladder in the lid")
    person.hold("enter")
    assert person.moon.match.holding


@pytest.mark.parametrize("state", HELD_STATES, ids=lambda state: str(state.__name__))
def test_a_hand_in_view_leaves_another_devices_ladder_alone(
    state: Callable[[Person], None], shared: SharedPerson
) -> None:
    person = shared.take()
    state(person)
    before = table_of(person)
    for gesture in Gesture:
        person.sign(gesture)
        still_held(before, table_of(person))
    shared.is_in_use = False


@pytest.mark.parametrize(
    ("state", "answer"),
    [(to_roll, ""), (judged, ""), *product((lid, free_placement), ("stay", "give_up"))],
    ids=lambda value: value if isinstance(value, str) else str(value.__name__),
)
def test_every_device_asks_before_giving_up(
    state: Callable[[Person], None], answer: str, shared: SharedPerson
) -> None:
    """If there is no ladder to give up, there is no question and no effect."""
    person, case = shared.take(), Case(state, Act.GIVE_UP, nothing, paused="give_up")
    state(person)
    for number, device in enumerate(list_ways(case, person)):
        if number and answer == "give_up":
            state(person)
        before = table_of(person)
        list_ways(case, person)[device]()
        person.pass_time(BRIEF_S)
        assert person.offers("stay") is bool(answer), f"wrong question after {device}"
        question = table_of(person)
        assert (question.rules, question.held) == (before.rules, before.held), device
        if answer:
            person.push(answer, "keys")
        if person.screens.page is PageName.PAUSE:
            person.return_to_table()
        person.pass_time(LONG_S if answer == "give_up" else BRIEF_S)
        outcome = ann_pays if answer == "give_up" else nothing if before.held is None else still_held
        outcome(before, table_of(person))
    shared.is_in_use = False


def _list_items(screens: Screens) -> list[Item]:
    return [item for part in range(2) for item in get_plan(replace(screens, scrolled=part)).items]


#: Sentences that refuse a request.
REFUSALS = [
    *("turn.in_the_way", "places.not_now", "places.forbidden", "places.used_up"),
    *(f"refusal.{refusal.value}" for refusal in MoonRefusal),
]


@pytest.mark.parametrize("state", [to_roll, lid, grip, away], ids=lambda state: str(state.__name__))
def test_the_pause_dims_exactly_the_requests_that_would_be_refused(
    state: Callable[[Person], None], shared: SharedPerson
) -> None:
    """Large text puts all of the table's requests on the pause page, in two parts."""
    person, dimmed = shared.take(), set[str]()
    state(person)
    large = replace(person.screens.preferences, text_size=TextSize.DOUBLE)
    pause = replace(person.screens.reset_to(PageName.PAUSE), preferences=large)
    undimmed = replace(pause, possible=frozenset(Act))
    presses = {item.widget.name: item.press for item in _list_items(undimmed)}
    for item in _list_items(pause):
        press = presses[item.widget.name]
        for action in () if press is None else press(pause)[1]:
            state(person)
            person.moon.show_sentence("")
            before = table_of(person)
            person.host.carry_out(action)
            person.pass_time(BRIEF_S)
            banner = person.moon.resolve_banner("")
            is_refused = any(text(key) in banner for key in REFUSALS)
            is_dropped = state is away and table_of(person).requests == before.requests
            assert (is_refused or is_dropped) is not item.is_live, f"{item.widget.name}: {banner}"
            dimmed |= set() if item.is_live else {item.widget.name}
    assert ("hint" in dimmed) is (state in (to_roll, away))
    shared.is_in_use = False


@pytest.mark.parametrize("way", [Way.SWITCH, Way.SWITCHES])
@pytest.mark.parametrize("late", [1, 2])
@pytest.mark.parametrize("state", [free_placement, place])
def test_a_late_press_on_put_back_releases_nothing(
    state: Callable[[Person], None], late: int, way: Way, shared: SharedPerson
) -> None:
    person = shared.take()
    state(person)
    preferences = person.screens.preferences
    switching = replace(preferences, way=way, scan_s=1.0, switch_pause_s=0.5)
    person.front.screens = replace(person.screens, preferences=switching)

    def advance_scan() -> None:
        person.hold("space", 0.8) if way is Way.SWITCHES else person.pass_time(FRAME_S)

    end_s = person.now_s + 60.0
    while person.screens.scan.names != ("choose put_back",):
        assert person.now_s < end_s
        advance_scan()
    before = table_of(person)
    for _ in range(late):
        person.hold("space") if way is Way.SWITCHES else person.pass_time(1.0)
    person.pass_time(0.3)
    person.hold("j")
    person.pass_time(LONG_S)
    still_held(before, table_of(person))
    person.front.screens = replace(person.screens, preferences=preferences)
    shared.is_in_use = False


def test_the_log_of_all_cases_replays_bit_for_bit(shared: SharedPerson, tmp_path: Path) -> None:
    assert shared.person is not None
    shared.person.host.close_table()
    shared.person = None
    assert all(verify_log(log).same for log in games_folder().glob("evening*.jsonl"))


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
