"""States of a moon game, the outcomes of acts in these states, and the devices that can perform the acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from armoon.engine.turntable import home_from_table
from armoon.games.moon.editions import Phase
from armoon.games.moon.turn import State
from armoon.geometry import quat_rotate
from armoon.players.hand import AWAIT_M
from armoon.screens.state import PageName
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose
from support.person_kit import AT_TABLE, Person

#: Time for a released ladder to fall and the turn to be judged, in seconds.
LONG_S = 4.0
#: Seconds of sideways motion until a ladder is over the tower's edge. Lowered there, it usually strikes the tower and
#: falls; if it reaches the table first, the turn is judged at once, and ``falling`` tries another duration.
EDGE_S = 1.6
#: Durations of the sideways motion to try; the table's rotation and the grip's sway change the time to the edge.
FALLS_S = (1.6, 1.5, 1.7, 1.4, 1.8, 1.3, 1.9, 1.2, 2.0)
#: Maximum shift of a ladder that a hand holds still, in metres.
TREMOR_M = 0.02


@dataclass(frozen=True)
class Table:
    rules: State
    held: str | None
    ladder: Pose | None
    """Pose of this turn's ladder, if any."""
    hints: tuple[int, ...]
    paused: bool
    turned_rad: float
    mirrored: bool
    requests: tuple[Act, ...] = ()
    """Requests sent to the other table in that table's turn."""


#: Checks an act's outcome; its arguments are the table before and after the act.
Outcome = Callable[[Table, Table], None]


def table_of(person: Person) -> Table:
    match = person.moon.match
    piece = match.state.ladder
    ladder = None if piece is None else match.facts[piece].pose
    paused, turned = match.paused, match.turned_rad
    requests = () if person.other_table is None else person.other_table.requests
    return Table(
        match.state, match.facts.held, ladder, tuple(match.hints), paused, turned, person.mirrored, requests
    )


# The states ---------------------------------------------------------------------------------------------------


def to_roll(person: Person) -> None:
    person.take_seats_back()
    if person.screens.page is not PageName.TABLE:
        person.return_to_table()
    while person.moon.match.state.turn > 1 or person.moon.match.state.phase is not Phase.ROLL:
        before = person.moon.match.state.overrulings
        person.controls.add_command(Command(Act.UNDO, "keys", 1))
        person.until(lambda: person.moon.match.state.overrulings > before, "the turn is undone")  # noqa: B023
    person.until(lambda: person.moon.is_awaiting_roll and person.moon.match.at_rest, "the die")


def lid(person: Person) -> None:
    to_roll(person)
    person.push("choose roll", "mouse")
    person.until(lambda: person.offers("choose free"), "a ladder to place")


def free_placement(person: Person) -> None:
    lid(person)
    person.push("choose free", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder over everything")
    person.pass_time(1.5)


def moving_left(person: Person) -> None:
    free_placement(person)
    person.push("choose left", "mouse")
    person.pass_time(2.0)


def beside_middle(person: Person) -> None:
    moving_left(person)
    person.push("choose stop", "mouse")
    person.pass_time(0.2)


def place(person: Person) -> None:
    lid(person)
    person.push("choose place 1", "mouse")
    person.until(lambda: person.offers("choose put_back"), "a ladder over its place")


def near_place(person: Person) -> None:
    place(person)
    hand = person.moon._chooser._hand
    goal = hand.goal
    assert goal is not None
    x, y, z = goal.position
    hand.goal = Pose((x, y, z - AWAIT_M + 0.015), goal.rotation)
    beside = Pose((x - 0.04, y, z), goal.rotation)
    person.moon._forecaster._places = (LadderPlace(beside, beside, (), False, z, 1.0),)
    person.until(lambda: person.offers("choose set_down"), "a place near the ladder")


def grip(person: Person) -> None:
    lid(person)
    person.hold("enter")
    person.hold("pageup", 1.2)
    assert person.moon.match.holding


def over_nothing(person: Person) -> None:
    """Carry the ladder with the keys to where nothing supports it, until a place is offered."""
    grip(person)
    person.hold("left", 1.5)
    person.until(lambda: person.offers("choose show"), "the offer of a place")


def at_the_edge(person: Person, seconds: float = EDGE_S) -> None:
    """Move the ladder left from the tower's middle for ``seconds``, lower it, and let it go."""
    free_placement(person)
    person.push("choose left", "mouse")
    person.pass_time(seconds)
    person.push("choose stop", "mouse")
    person.pass_time(4.0)
    person.push("choose let_go", "mouse")
    person.until(lambda: not person.moon.match.holding, "the ladder is released")


def falling(person: Person) -> None:
    for seconds in FALLS_S:
        at_the_edge(person, seconds)
        if person.moon.match.state.phase is Phase.SETTLE:
            return
    raise AssertionError("the ladder never falls off the tower")


def judged(person: Person) -> None:
    at_the_edge(person)
    person.pass_time(LONG_S)
    person.until(lambda: person.moon.is_awaiting_roll and person.moon.match.at_rest, "the die")


def away(person: Person) -> None:
    to_roll(person)
    person.hand_over_seats()
    person.pass_time(0.2)


# The outcomes -------------------------------------------------------------------------------------------------


def nothing(before: Table, after: Table) -> None:
    assert after == before, "something has changed"


def nothing_but_a_pause(before: Table, after: Table) -> None:
    """Check that nothing changed except that the pause page asked the other table to pause and resume."""
    assert set(after.requests[len(before.requests) :]) <= {Act.PAUSE, Act.RESUME}
    nothing(before, replace(after, requests=before.requests))


def pause_asked(before: Table, after: Table) -> None:
    assert after.requests[len(before.requests) :][:1] == (Act.PAUSE,)
    nothing(before, replace(after, requests=before.requests))


def rolled(before: Table, after: Table) -> None:
    rules = after.rules
    assert (rules.phase, rules.turn, rules.player) == (Phase.DRAW, before.rules.turn, before.rules.player)
    assert rules.ladder is not None, "no ladder is offered"
    assert rules.tears == before.rules.tears


def released(before: Table, after: Table) -> None:
    assert before.held is not None
    assert after.held is None
    assert after.rules.phase is not Phase.DRAW, "the ladder was put back"


def in_the_lid(before: Table, after: Table) -> None:
    assert after.rules.phase is Phase.DRAW
    assert (after.rules.turn, after.rules.player) == (before.rules.turn, before.rules.player), (
        "the turn has changed"
    )
    assert after.rules.tears == before.rules.tears, "a player paid"
    assert after.held is None
    assert after.rules.ladder == before.rules.ladder


def other_side(before: Table, after: Table) -> None:
    in_the_lid(before, after)
    assert after.ladder is not None
    assert before.ladder is not None
    assert after.ladder.rotation != before.ladder.rotation, "the ladder shows the same side"


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
    assert (after.rules.turn, after.rules.phase, after.rules.player) == (1, Phase.ROLL, 0)
    assert after.rules.tears == (0, 0)
    assert after.held is None


def moved(across: int = 0, up: int = 0) -> Outcome:
    def check(before: Table, after: Table) -> None:
        still_held(before, after)
        assert before.ladder is not None
        assert after.ladder is not None
        right = -1 if before.mirrored else 1
        x, y, z = (
            after_m - before_m
            for after_m, before_m in zip(after.ladder.position, before.ladder.position, strict=True)
        )
        shift = quat_rotate(home_from_table(after.turned_rad).rotation, (x, y, z))
        assert max(abs(distance) for distance in shift) < 0.3, "the ladder stays above the table"
        for distance, wanted in ((right * shift[0], across), (shift[2], up)):
            assert (distance > TREMOR_M) - (distance < -TREMOR_M) == wanted

    return check


def turned(before: Table, after: Table) -> None:
    assert after.turned_rad != before.turned_rad, "the table wasn't rotated"
    assert (after.rules, after.held) == (before.rules, before.held)


@dataclass(frozen=True)
class Case:
    state: Callable[[Person], None]
    act: Act
    outcome: Outcome
    widget: str = ""
    """Name of the page's button for this act, if it isn't the act's name."""
    paused: str = ""
    """Name of the pause page's button for this act."""

    def __str__(self) -> str:
        return f"{self.state.__name__}-{self.act.word}"


def list_ways(case: Case, person: Person) -> dict[str, Callable[[], None]]:
    act, row = case.act, case.act.row
    presses: dict[str, Callable[[], None]] = {}
    if row.key:
        # These acts last as long as the key is held.
        steers = bool(row.moves) and person.offers(f"choose {act.word}")
        presses["key"] = partial(person.hold, row.key, 1.0 if steers else 0.1)
    if act is Act.LET_GO:
        presses["key"] = partial(person.hold, "enter")
        presses["pad"] = lambda: person.pad("a", True)
    if row.pad and "stick_" not in row.pad[0]:
        presses["pad"] = lambda: person.pad(row.pad[0], True)
    if row.phrase:
        presses["voice"] = lambda: person.say(row.phrase)
    if row.gesture is not None and not person.moon.match.holding:
        presses["gesture"] = partial(person.sign, row.gesture)
    for name in (f"choose {act.word}", case.widget):
        if name and person.offers(name):
            for device in AT_TABLE if name.startswith("choose ") else ("mouse", "switch", "reader"):
                presses[f"{name} by {device}"] = partial(person.push, name, device)
    if case.paused:
        presses["pause"] = lambda: _from_pause(person, case.paused)
    return presses


def _from_pause(person: Person, name: str) -> None:
    person.push("pause", "mouse")
    if person.offers(name):
        person.push(name, "mouse")
    else:
        person.return_to_table()
