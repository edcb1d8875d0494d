"""A log's own lines, checked without stepping its hands: by the rules, and by the wood at rest.

Another build of the engine gives other bits, so the hands of a log don't lead to the same places there. But the
verdicts must still follow from the moves, and what stood at the logged poses must touch and rest there as logged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.events import Happened
from armoon.engine.intake import Record
from armoon.errors import ArmoonError
from armoon.games.contract.kind import Checked
from armoon.games.moon.presenters.log import moon_records
from armoon.games.moon.rules.game import apply
from armoon.games.moon.rules.values import IllegalMove
from armoon.games.moon.table.match import MoonMatch
from armoon.games.moon.table.records import MOVES
from armoon.values.facts import PieceStatus
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose
from armoon.world.checks import Standing
from armoon.world.contact import TOUCH_M, TOUCH_TICKS
from armoon.world.local import LocalWorld
from armoon.world.standing import STANDING

#: A touch this near to the limit may count on one build and not on another, metres.
DOUBT_M = 1e-5
#: For this time a structure has to rest, and within this way, in metres: built anew, a high tower shifts by 1 mm.
REST_TICKS = 2 * TICKS_PER_SECOND
MOST_SHIFT_M = 0.003


def check_log(match: MoonMatch, records: Iterable[Record]) -> Checked:
    """Check a match's lines, the header among them, from its first position on."""
    state, facts = match.first_state, Record()
    counted = structures = number = 0
    with closing(LocalWorld(match.ladders, match.base, match.table.physics)) as world:
        try:
            for number, record in enumerate(records, start=1):
                fault = ""
                match record["kind"]:
                    case "move":
                        state = apply(state, MOVES.convert(_own(record)))
                    case "verdict":
                        told = Happened(record["tick"], state.verdict, state, state)
                        counted += 1
                        if [*moon_records(told)] != [record]:
                            fault = "the verdict isn't that of the moves"
                    case "facts":
                        facts = record
                    case "poses" if facts.get("at_rest"):
                        structures += 1
                        fault = _fault(world, _standing(facts, record), facts["contacts"])
                if fault:
                    return Checked(counted, structures, f"line {number}: {fault}")
        except (ArithmeticError, ArmoonError, IllegalMove, LookupError, TypeError, ValueError) as error:
            return Checked(counted, structures, f"line {number}: {error}")
    return Checked(counted, structures)


def _own(record: Record) -> Record:
    return {name: value for name, value in record.items() if name not in ("kind", "tick")}


def _standing(facts: Record, poses: Record) -> Standing:
    """Return the ladders in play, at the logged poses."""
    statuses = {piece: PieceStatus(status) for piece, status, *_ in facts["pieces"]}
    return [
        (piece, Pose.of_row(row), statuses[piece] is PieceStatus.FIXED)
        for piece, row in poses["poses"].items()
        if statuses.get(piece) in STANDING
    ]


def _fault(world: LocalWorld, standing: Standing, contacts: Iterable[tuple[str, str, float]]) -> str:
    """Return what is otherwise in this build where ladders stand like this; empty: nothing."""
    known = {piece for piece, _, _ in standing} | {BASE, TABLE}
    logged = {(a, b): distance_m for a, b, distance_m in contacts if {a, b} <= known}
    world.rebuild(standing, asleep=True)
    *_, seen = (world.tick(None) for _ in range(TOUCH_TICKS + 1))
    here = {(contact.a, contact.b): contact.distance_m for contact in seen.contacts}
    for one, other, told in ((logged, here, "don't touch here"), (here, logged, "touch here")):
        for a, b in _sure(one, other):
            return f"{a} and {b} {told}"
    world.rebuild(standing)
    *_, seen = (world.tick(None) for _ in range(REST_TICKS))
    for piece, pose, _ in standing:
        shift_m = max(abs(x - y) for x, y in zip(seen[piece].pose.position, pose.position, strict=True))
        if shift_m > MOST_SHIFT_M:
            return f"{piece} doesn't rest here: it moves by {shift_m * 1000.0:.1f} mm"
    return "" if seen.at_rest else "nothing comes to rest here"


def _sure(
    one: dict[tuple[str, str], float], other: dict[tuple[str, str], float]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs that only one of them has, and without doubt."""
    return (pair for pair, distance_m in one.items() if pair not in other and distance_m < TOUCH_M - DOUBT_M)
