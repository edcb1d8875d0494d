"""With two hands in view, only the preferred one grips and is followed; a single hand may always grip."""

from __future__ import annotations

from dataclasses import replace

from support.hands_kit import InterpreterHarness, stick_hand

from armoon.hands.landmarks import Hand, Side
from armoon.values.pieces import GripPhase

#: Number of frames that settle a hand's label.
SETTLING_FRAMES = 8


def make_table(side: Side | None) -> InterpreterHarness:
    table = InterpreterHarness()
    table.interpreter.prefer_side(side)
    return table


def list_grabs(table: InterpreterHarness) -> list[str]:
    return [intent.source for intent in table.intents if intent.phase is GripPhase.GRAB]


def make_hand(side: Side, pinch: float = 0.0) -> Hand:
    """Return a hand on its own side of the picture."""
    x = 0.13 if side == "right" else -0.13
    return replace(stick_hand((x, 0.06, 0.5), pinch=pinch), side=side)


def test_the_preferred_hand_grips_although_the_other_came_first_and_is_closed() -> None:
    table = make_table("right")
    table.show(make_hand("left"), frames=SETTLING_FRAMES)
    table.show(make_hand("left"), make_hand("right"), frames=SETTLING_FRAMES)
    table.show(make_hand("left", 1.0), make_hand("right"), frames=SETTLING_FRAMES)
    table.show(make_hand("left", 1.0), make_hand("right", 1.0), frames=SETTLING_FRAMES)
    assert list_grabs(table) == ["hand:2"]
    assert [view.side for view in table.interpreter.list_views() if view.is_owner] == ["right"]


def test_the_preferred_hand_is_followed() -> None:
    table = make_table("right")
    table.show(make_hand("left"), frames=SETTLING_FRAMES)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:1", GripPhase.HOVER)
    table.show(make_hand("left"), make_hand("right"), frames=SETTLING_FRAMES)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:2", GripPhase.HOVER)


def test_a_single_hand_grips_even_if_the_other_one_is_preferred() -> None:
    table = make_table("right")
    table.show(make_hand("left"), frames=SETTLING_FRAMES)
    table.show(make_hand("left", 1.0), frames=SETTLING_FRAMES)
    assert list_grabs(table) == ["hand:1"]


def test_a_held_ladder_stays_held_when_the_preferred_hand_comes() -> None:
    """The one-hand watch warns then; the ladder isn't taken away."""
    table = make_table("right")
    table.show(make_hand("left"), frames=SETTLING_FRAMES)
    table.show(make_hand("left", 1.0), frames=SETTLING_FRAMES)
    table.show(make_hand("left", 1.0), make_hand("right"), frames=SETTLING_FRAMES)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:1", GripPhase.HOLD)
    table.show(make_hand("left", 1.0), make_hand("right", 1.0), frames=SETTLING_FRAMES)
    assert list_grabs(table) == ["hand:1"]


def test_the_preferred_hand_changes_with_the_players_turn() -> None:
    table = make_table("right")
    table.show(make_hand("left"), make_hand("right"), frames=SETTLING_FRAMES)
    table.interpreter.prefer_side("left")
    table.show(make_hand("left", 1.0), make_hand("right"), frames=SETTLING_FRAMES)
    assert list_grabs(table) == ["hand:1"]
