"""Random happenings on a table: whatever happens, referee, table and log stay in step."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from support.fake_table import ROLL, FakeTable
from support.moon_invariants import check

from armoon.games.moon.rules.editions import Options
from armoon.games.moon.rules.game import initial, replay
from armoon.games.moon.rules.moves import Overrule, OverruleKind
from armoon.games.moon.rules.values import Phase
from armoon.values.acts import Act
from armoon.values.choices import OneHand
from armoon.values.facts import PieceStatus
from armoon.values.intents import Command

#: Whole turns are the most frequent, or games would never get far.
HAPPENINGS = (
    *["turn"] * 12,
    "roll",
    "take",
    "let go",
    "lid",
    "fall held",
    "fall base",
    "fall other",
    "fall start",
    "stir",
    "rest",
    "wait",
    "freeze",
    "second hand",
    "give up",
    "put back",
    "give tear",
)


def whole_turn(table: FakeTable, pick: int) -> None:
    """Roll, take and let go, as far as the game lets a player."""
    table.frozen = False
    table.settle()
    for what in ("roll", "take", "let go"):
        happen(table, what, pick)
    table.settle()


def happen(table: FakeTable, what: str, pick: int) -> None:
    """Let it happen, if it can; a hand can't take what is locked, nor let go of what it doesn't hold."""
    state = table.state
    ladder = state.ladder or ""
    status = table.status.get(ladder)
    if what == "turn":
        whole_turn(table, pick)
    elif what == "roll":
        table.tick(ROLL)
    elif what == "take" and status is PieceStatus.OFFERED and not table.locked:
        table.status[ladder] = PieceStatus.HELD
    elif what == "let go" and status is PieceStatus.HELD:
        table.touch(ladder, *state.structure[: pick % 4])
        table.height[ladder] = 0.1 + 0.05 * (pick % 5)
        table.status[ladder] = PieceStatus.FREE
        table.at_rest = False
    elif what == "lid" and status is PieceStatus.HELD:
        table.part(ladder)
        table.status[ladder] = PieceStatus.OFFERED
    elif what in ("fall held", "fall base") and status in (PieceStatus.HELD, PieceStatus.FREE):
        table.touch(ladder, what.removeprefix("fall ").replace("held", "table"))
    elif what == "fall other" and state.placed:
        table.touch(state.placed[pick % len(state.placed)], ("table", "base")[pick % 2])
        table.at_rest = False
    elif what == "fall start":
        table.status["L01"] = PieceStatus.FREE
        table.touch("L01", "table")
    elif what in ("stir", "rest"):
        table.at_rest = what == "rest"
    elif what == "wait":
        table.ticks(20)
    elif what == "freeze":
        table.frozen = not table.frozen and status is PieceStatus.HELD
    elif what == "second hand":
        table.tick(second_hand=True)
    elif what == "give up":
        table.tick(Command(Act.GIVE_UP))
    elif what in ("put back", "give tear"):
        back = what == "put back"
        table.tick(
            Command(Act.UNDO, value=1 + pick % 2) if back else Command(Act.GIVE_TEAR_BACK, value=pick % 3)
        )
    if table.frozen and all(s is not PieceStatus.HELD for s in table.status.values()):
        table.frozen = False
    table.tick()


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["bombyx-2017", "kosmos-2022"]),
    st.lists(st.tuples(st.sampled_from(HAPPENINGS), st.integers(0, 20)), max_size=40),
)
def test_referee_table_and_log_stay_in_step(edition: str, stream: list[tuple[str, int]]) -> None:
    """X2 X3 X4 F2 F4"""
    options = Options(one_hand=OneHand.MISTAKE, turn_limit_s=3.0, supply_size=6, tears=4)
    table = FakeTable(initial(("Ana", "Ben", "Cleo"), edition, 2, options))
    for what, pick in stream:
        happen(table, what, pick)
        check(table.state, table.first)
        assert table.locked or table.state.phase in (Phase.DRAW, Phase.HOLD)
    table.frozen = False
    table.settle()
    expected = {*table.state.structure}
    if table.state.ladder is not None:
        expected.add(table.state.ladder)
    assert set(table.status) == expected, "the table shows the game's ladders and no others"
    assert replay(table.first, table.moves) == table.state
    charged = sum(v.tears for v in table.verdicts)
    if not any(isinstance(m, Overrule) and m.kind is OverruleKind.UNDO for m in table.moves):
        assert charged == sum(table.state.tears), "every tear has its verdict"
