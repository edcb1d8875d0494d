"""What comes of a press at the table, whatever device it is asked for with: not that it was heard, but what it did.

Every case is an act in a state of the table with its outcome in the game, tried by each device that offers it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from support.app_kit import FRAME_S, HEIGHT, WIDTH
from support.doors_kit import a_home
from support.person_kit import AT_TABLE, Finds, Person

from armoon.app.guiding import Numbers
from armoon.camera.seat import SEATS
from armoon.games.contract.kind import Viewed
from armoon.games.contract.replay import verify
from armoon.games.contract.strip import keys_now
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Phase
from armoon.messages import set_language, text
from armoon.screens.state import PageName
from armoon.settings.options import games_folder
from armoon.values.acts import Act
from armoon.values.choices import Device, Way
from armoon.values.intents import Command
from armoon.values.page import WidgetKind
from armoon.values.poses import Pose
from armoon.view.window import Pointer

pytestmark = pytest.mark.slow
#: A ladder that nothing holds has fallen by then, and the turn is judged.
LONG_S = 4.0
#: After so long on its way to a side it is over the tower's edge. Lowered there it mostly strikes wood and falls;
#: where it passes that by it comes down on the table, held, and is judged at once: then it is tried again.
EDGE_S = 1.6
#: As the table is turned and the grip sways, the edge is sooner or later reached.
FALLS_S = (1.6, 1.5, 1.7, 1.4, 1.8, 1.3, 1.9, 1.2, 2.0)
#: A hand that holds a ladder still trembles by less.
FAR_M = 0.02


@dataclass(frozen=True)
class Table:
    """What matters of the game at a moment."""

    rules: State
    held: str | None
    ladder: Pose | None
    """Where the ladder of this turn is, if there is one."""
    hints: tuple[int, ...]
    paused: bool
    turned_rad: float
    mirrored: bool


def table_of(person: Person) -> Table:
    match = person.moon.match
    piece = match.state.ladder
    ladder = None if piece is None else match.facts[piece].pose
    paused, turned = match.paused, match.turned_rad
    return Table(match.state, match.facts.held, ladder, tuple(match.hints), paused, turned, person.mirrored)


# The states ---------------------------------------------------------------------------------------------------


def to_roll(person: Person) -> None:
    """Ann is to roll, at the first turn."""
    if person.screens.page is not PageName.TABLE:
        person.back_to_the_table()
    while person.moon.match.state.turn > 1 or person.moon.match.state.phase is not Phase.ROLL:
        before = person.moon.match.state.overrulings
        person.controls.ask(Command(Act.UNDO, "keys", 1))
        person.until(lambda: person.moon.match.state.overrulings > before, "the turn put back")  # noqa: B023
    person.until(lambda: person.moon.asks_for_roll and person.moon.match.at_rest, "the die")


def lid(person: Person) -> None:
    """A ladder stands in the lid."""
    to_roll(person)
    person.push("choose roll", "mouse")
    person.until(lambda: person.offers("choose free"), "a ladder to place")


def freely(person: Person) -> None:
    """The house's hand holds it over everything."""
    lid(person)
    person.push("choose free", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder over everything")
    person.rest(1.5)


def going(person: Person) -> None:
    """It goes to a side."""
    freely(person)
    person.push("choose left", "mouse")
    person.rest(2.0)


def aside(person: Person) -> None:
    """It was stopped at a side."""
    going(person)
    person.push("choose stop", "mouse")
    person.rest(0.2)


def place(person: Person) -> None:
    """It hangs over a place that was offered."""
    lid(person)
    person.push("choose place 1", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder over its place")


def grip(person: Person) -> None:
    """It is held by keys, over everything."""
    lid(person)
    person.hold("enter")
    person.hold("pageup", 1.2)
    assert person.moon.match.holding


def at_the_edge(person: Person, seconds: float = EDGE_S) -> None:
    """It was let go of at the tower's edge, ``seconds`` from its middle, and strikes that or the table."""
    freely(person)
    person.push("choose left", "mouse")
    person.rest(seconds)
    person.push("choose stop", "mouse")
    person.rest(4.0)
    person.push("choose let_go", "mouse")
    person.until(lambda: not person.moon.match.holding, "the ladder let go of")


def falling(person: Person) -> None:
    """It falls off the tower, and nothing is judged yet."""
    for seconds in FALLS_S:
        at_the_edge(person, seconds)
        if person.moon.match.state.phase is Phase.SETTLE:
            return
    raise AssertionError("it never falls off the tower")


def judged(person: Person) -> None:
    """It fell, and Ben is to roll."""
    at_the_edge(person)
    person.rest(LONG_S)
    person.until(lambda: person.moon.asks_for_roll and person.moon.match.at_rest, "the die")


# The outcomes -------------------------------------------------------------------------------------------------


def nothing(before: Table, after: Table) -> None:
    assert after == before, "nothing has changed"


def rolled(before: Table, after: Table) -> None:
    rules = after.rules
    assert (rules.phase, rules.turn, rules.player) == (Phase.DRAW, before.rules.turn, before.rules.player)
    assert rules.ladder is not None, "there is a ladder"
    assert rules.tears == before.rules.tears


def in_the_lid(before: Table, after: Table) -> None:
    assert after.rules.phase is Phase.DRAW
    assert (after.rules.turn, after.rules.player) == (before.rules.turn, before.rules.player), (
        "it is the same turn"
    )
    assert after.rules.tears == before.rules.tears, "nobody paid"
    assert after.held is None
    assert after.rules.ladder == before.rules.ladder


def other_side(before: Table, after: Table) -> None:
    in_the_lid(before, after)
    assert after.ladder is not None
    assert before.ladder is not None
    assert after.ladder.rotation != before.ladder.rotation, "another of its sides"


def ann_pays(before: Table, after: Table) -> None:
    assert after.rules.tears == (1, 0)
    assert after.rules.turn == 2
    assert (after.rules.player, after.rules.phase, after.held) == (1, Phase.ROLL, None), "it is Ben's turn"


def ann_alone_paid(before: Table, after: Table) -> None:
    assert after.rules.tears == (1, 0)
    assert (after.rules.turn, after.rules.player) == (2, 1)


def hint(before: Table, after: Table) -> None:
    assert after.hints == (before.hints[0] + 1, before.hints[1])
    assert (after.rules, after.held) == (before.rules, before.held)


def still_held(before: Table, after: Table) -> None:
    assert after.held == before.held == before.rules.ladder
    assert after.rules == before.rules


def carried(before: Table, after: Table) -> None:
    assert before.held is None
    assert after.held == after.rules.ladder == before.rules.ladder
    assert after.rules.tears == before.rules.tears


def paused(before: Table, after: Table) -> None:
    assert after.paused
    assert (after.rules, after.held) == (before.rules, before.held)


def put_back(before: Table, after: Table) -> None:
    """The turn that was begun last is to be played again."""
    assert (after.rules.turn, after.rules.phase, after.rules.player) == (1, Phase.ROLL, 0)
    assert after.rules.tears == (0, 0)
    assert after.held is None


def moved(across: int = 0, up: int = 0) -> Callable[[Table, Table], None]:
    """It has gone that way, and is held."""

    def check(before: Table, after: Table) -> None:
        still_held(before, after)
        assert before.ladder is not None
        assert after.ladder is not None
        right = -1 if before.mirrored else 1
        ways = [now - then for now, then in zip(after.ladder.position, before.ladder.position, strict=True)]
        assert max(abs(way) for way in ways) < 0.3, "it goes no farther than the table"
        for way, wanted in ((right * ways[0], across), (ways[2], up)):
            assert (way > FAR_M) - (way < -FAR_M) == wanted

    return check


def turned(before: Table, after: Table) -> None:
    assert after.turned_rad != before.turned_rad, "the table is turned"
    assert (after.rules, after.held) == (before.rules, before.held)


@dataclass(frozen=True)
class Case:
    """An act in a state, and what comes of it."""

    state: Callable[[Person], None]
    act: Act
    outcome: Callable[[Table, Table], None]
    widget: str = ""
    """A button of the page that asks for it, where that isn't named for it."""
    paused: str = ""
    """The button of the pause's page that asks for it."""

    def __str__(self) -> str:
        return f"{self.state.__name__}-{self.act.word}"


HELD = (freely, aside, place)
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
    Case(lid, Act.HINT, hint, paused="hint"),
    Case(lid, Act.UNDO, put_back, paused="undo"),
    Case(lid, Act.PAUSE, paused),
    *(Case(state, Act.PUT_BACK, in_the_lid) for state in (*HELD, grip)),
    *(Case(state, Act.ROLL, still_held) for state in (*HELD, grip)),
    *(Case(state, Act.TIP, still_held) for state in (freely, grip)),
    *(Case(state, Act.PAUSE, paused) for state in (freely, going, grip)),
    Case(aside, Act.LET_GO, ann_pays),
    Case(freely, Act.LEFT, moved(across=-1)),
    Case(freely, Act.RIGHT, moved(across=1)),
    Case(freely, Act.LIFT, moved(up=1)),
    Case(freely, Act.LOWER, moved(up=-1)),
    Case(going, Act.STOP, still_held),
    Case(falling, Act.PUT_BACK, ann_pays),
    Case(falling, Act.ROLL, ann_alone_paid),
    Case(judged, Act.ROLL, rolled),
    Case(judged, Act.PUT_BACK, nothing),
    Case(judged, Act.UNDO, put_back, paused="undo"),
)


def ways_to(case: Case, person: Person) -> dict[str, Callable[[], None]]:
    """Every device that offers the act now, by name."""
    act, row = case.act, case.act.row
    found: dict[str, Callable[[], None]] = {}
    if row.key and not (
        row.moves and person.offers(f"choose {act.word}")
    ):  # then it's the house's hand's to move
        found["key"] = partial(person.hold, row.key)
    if row.pad and "stick_" not in row.pad[0]:
        found["pad"] = lambda: person.pad(row.pad[0], True)
    if row.phrase:
        found["voice"] = lambda: person.say(row.phrase)
    for name in (f"choose {act.word}", case.widget):
        if name and person.offers(name):
            for device in AT_TABLE if name.startswith("choose ") else ("mouse", "switch", "reader"):
                found[f"{name} by {device}"] = partial(person.push, name, device)
    if case.paused:
        found["pause"] = lambda: _from_pause(person, case.paused)
    return found


def _from_pause(person: Person, name: str) -> None:
    person.push("pause", "mouse")
    if person.offers(name):
        person.push(name, "mouse")
    else:
        person.back_to_the_table()


class Shared:
    """One evening for all cases, and a new one after a case that failed."""

    def __init__(self) -> None:
        self.person: Person | None = None
        self.used = False
        """A case is being tried; where this is still so at the next one, the last one failed."""

    def take(self) -> Person:
        if self.used and self.person is not None:
            self.person.host.clear_table()
            self.person = None
        self.used = True
        self.person = self.person or Person(choosing=True, switch_pause_s=0.0)
        return self.person


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    with pytest.MonkeyPatch.context() as patch:
        a_home(tmp_path_factory.mktemp("home"), patch)
        patch.setattr("armoon.games.moon.choosing.offers.PlaceSearch", Finds)
        one = Shared()
        yield one
        if one.person is not None:
            one.person.host.clear_table()
        set_language("en")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_comes_of_an_act_is_the_same_by_every_device(case: Case, shared: Shared) -> None:
    person = shared.take()
    case.state(person)
    devices = list(ways_to(case, person))
    assert devices, "something asks for it"
    for number, device in enumerate(devices):
        if number:
            case.state(person)
        ways = ways_to(case, person)
        assert device in ways, f"{device} offers it no more"
        before = table_of(person)
        ways[device]()
        person.rest(LONG_S)
        if case.act is Act.STOP:
            before = table_of(person)
            person.rest(1.0)
        after = table_of(person)
        try:
            case.outcome(before, after)
        except AssertionError as error:
            raise AssertionError(f"by {device}: {error}") from error
        if person.screens.page is PageName.PAUSE:
            person.back_to_the_table()
        elif after.paused:
            person.key("p", True)
        person.rest(0.1)
    shared.used = False


def see_numbers(person: Person) -> None:
    """The screens are told where in the picture the places' numbers stand."""
    match, seat = person.moon.match, SEATS["mirror" if person.mirrored else "table"](WIDTH, HEIGHT)
    viewed = Viewed(seat.camera, seat.table_from_camera, seat.mirrored, match.ladders, match.base)
    Numbers(person.front).tell(viewed, person.moon.scene(1.0, ""), lambda place: place)


def click_number(person: Person, name: str) -> None:
    """The mouse is over the number in the picture, and its button pressed."""
    (rect,) = (widget.rect for widget in person.front.page.widgets if widget.name == f"number {name}")
    for pressed in (False, True, False):
        person.front.pointer(Pointer(rect.centre, pressed, over=rect.centre))
        person.rest(0.1)


def test_no_device_is_told_to_let_go_of_what_the_house_carries(shared: Shared) -> None:
    person = shared.take()
    freely(person)
    told = {device: keys_now(person.moon, device) for device in Device}
    assert told == {device: text(f"strip.{device}.wait") for device in Device}


def test_a_place_is_carried_to_by_its_number_whatever_it_is_asked_for_with(shared: Shared) -> None:
    person = shared.take()
    ways: dict[str, Callable[[], None]] = {
        "key": partial(person.hold, "_2"),
        "voice": partial(person.say, Act.TWO.row.phrase),
        "number": partial(click_number, person, "place 2"),
        **{device: partial(person.push, "choose place 2", device) for device in AT_TABLE},
    }
    for device, ask in ways.items():
        lid(person)
        see_numbers(person)
        before = person.moon.match.places_chosen[0]
        ask()
        person.until(lambda: person.offers("choose put_back"), f"a ladder over its place, by {device}")
        person.rest(1.0)
        x, y, _ = person.held.pose.position
        assert (x, y) == pytest.approx((0.03, 0.0), abs=0.005), device
        assert person.moon.match.places_chosen[0] == before + 1, "it is counted"
        said = text("choose.beside", count=before + 1)
        assert said in person.moon.scene(1.0, "").hud.players[0].note, "and declared"
        assert not [w for w in person.front.page.widgets if w.kind is WidgetKind.NUMBER], (
            "the numbers are gone"
        )
        person.push("choose put_back", "mouse")
        person.rest(1.0)
    shared.used = False


@pytest.mark.parametrize("way", [Way.MOUSE, Way.KEYS])
def test_on_the_first_turns_places_are_offered_by_themselves(
    way: Way, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To each player once, and not while a ladder is in the player's own grip."""
    a_home(tmp_path, monkeypatch)
    monkeypatch.setattr("armoon.games.moon.choosing.offers.PlaceSearch", Finds)
    person = Person(way=way)
    for turn in (1, 2, 3):
        person.until(lambda: person.moon.asks_for_roll and person.moon.match.at_rest, "the die")
        person.hold("space")
        person.until(lambda: person.offered is not None, "a ladder")
        person.rest(1.0)
        assert person.moon.match.state.turn == turn
        assert person.offers("choose place 2") is (turn < 3)
        if turn == 1:
            person.hold("enter")
            person.hold("pageup", 1.0)
            assert person.moon.match.holding
            assert not person.screens.choices.choices
            person.hold("b")
            person.rest(1.0)
            assert person.offers("choose place 2")
        person.controls.ask(Command(Act.GIVE_UP, "keys"))
        person.rest(LONG_S)


@pytest.mark.parametrize("state", [to_roll, lid, freely, judged], ids=lambda state: str(state.__name__))
@pytest.mark.parametrize("answer", ["stay", "give_up"])
def test_giving_up_is_asked_about_by_every_device(
    state: Callable[[Person], None], answer: str, shared: Shared
) -> None:
    """Where there is no ladder to give up, nothing comes of it."""
    person, case = shared.take(), Case(state, Act.GIVE_UP, nothing, paused="give_up")
    state(person)
    for device in ways_to(case, person):
        state(person)
        before = table_of(person)
        ways_to(case, person)[device]()
        person.rest(LONG_S)
        assert person.offers("stay"), f"{device} asks"
        asked = table_of(person)
        assert (asked.rules, asked.held) == (before.rules, before.held), device
        person.push(answer, "keys")
        if person.screens.page is PageName.PAUSE:
            person.back_to_the_table()
        person.rest(LONG_S)
        pays = answer == "give_up" and state in (lid, freely)
        (ann_pays if pays else nothing if before.held is None else still_held)(before, table_of(person))
    shared.used = False


@pytest.mark.parametrize("way", [Way.SWITCH, Way.SWITCHES])
@pytest.mark.parametrize("late", [1, 2])
@pytest.mark.parametrize("state", [freely, place])
def test_a_late_press_on_put_it_back_lets_nothing_go(
    state: Callable[[Person], None], late: int, way: Way, shared: Shared
) -> None:
    """By a period or two; with two switches after a step or two too many."""
    person = shared.take()
    state(person)
    wishes = person.screens.preferences
    switching = replace(wishes, way=way, scan_s=1.0, switch_pause_s=0.5)
    person.front.screens = replace(person.screens, preferences=switching)

    def on() -> None:
        person.hold("space", 0.8) if way is Way.SWITCHES else person.rest(FRAME_S)

    end_s = person.now_s + 60.0
    while person.screens.scan.names != ("choose put_back",):
        assert person.now_s < end_s
        on()
    before = table_of(person)
    for _ in range(late):
        person.hold("space") if way is Way.SWITCHES else person.rest(1.0)
    person.rest(0.3)
    person.hold("j")
    person.rest(LONG_S)
    still_held(before, table_of(person))
    person.front.screens = replace(person.screens, preferences=wishes)
    shared.used = False


def test_all_that_was_tried_replays_to_the_bit(shared: Shared, tmp_path: Path) -> None:
    """The log of the evening's last game."""
    assert shared.person is not None
    shared.person.host.clear_table()
    shared.person = None
    assert all(verify(log).same for log in games_folder().glob("evening*.jsonl"))
