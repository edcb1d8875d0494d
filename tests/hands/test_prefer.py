"""The hand that a player prefers: of two in view it grips and is followed, and a hand alone is never refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.hands_help import HandTable, stick_hand

from armoon.hands.landmarks import Hand, Side
from armoon.values.pieces import GripPhase

#: Long enough for a label to be settled.
SEEN = 8


def preferring(side: Side | None) -> HandTable:
    table = HandTable()
    table.interpreter.prefer_side(side)
    return table


def grabbed(table: HandTable) -> list[str]:
    return [intent.source for intent in table.intents if intent.phase is GripPhase.GRAB]


def hand(side: Side, pinch: float = 0.0) -> Hand:
    """The right hand is on the right of the picture, the left one on its left."""
    x = 0.13 if side == "right" else -0.13
    return replace(stick_hand((x, 0.06, 0.5), pinch=pinch), side=side)


@pytest.mark.parametrize(("prefers", "grabs"), [("right", False), ("left", True), (None, True)])
def test_of_two_hands_the_preferred_one_grips(prefers: Side | None, grabs: bool) -> None:
    table = preferring(prefers)
    table.show(hand("left"), hand("right"), frames=SEEN)
    table.show(hand("left", 1.0), hand("right"), frames=SEEN)
    assert bool(grabbed(table)) is grabs
    assert table.interpreter.should_use_other_hand is not grabs


def test_the_preferred_hand_grips_though_the_other_was_there_first_and_is_closed() -> None:
    table = preferring("right")
    table.show(hand("left"), frames=SEEN)
    table.show(hand("left"), hand("right"), frames=SEEN)
    table.show(hand("left", 1.0), hand("right"), frames=SEEN)
    table.show(hand("left", 1.0), hand("right", 1.0), frames=SEEN)
    assert grabbed(table) == ["hand:2"]
    owner = next(view for view in table.interpreter.views() if view.owner)
    assert owner.side == "right"


def test_the_preferred_hand_is_the_one_that_is_followed() -> None:
    table = preferring("right")
    table.show(hand("left"), frames=SEEN)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:1", GripPhase.HOVER)
    table.show(hand("left"), hand("right"), frames=SEEN)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:2", GripPhase.HOVER)


def test_a_hand_that_is_alone_grips_whichever_it_is() -> None:
    table = preferring("right")
    table.show(hand("left"), frames=SEEN)
    table.show(hand("left", 1.0), frames=SEEN)
    assert grabbed(table) == ["hand:1"]


def test_what_is_held_stays_held_when_the_preferred_hand_comes() -> None:
    """The one-hand watch speaks then, nobody takes the ladder away."""
    table = preferring("right")
    table.show(hand("left"), frames=SEEN)
    table.show(hand("left", 1.0), frames=SEEN)
    table.show(hand("left", 1.0), hand("right"), frames=SEEN)
    assert (table.intents[-1].source, table.intents[-1].phase) == ("hand:1", GripPhase.HOLD)
    table.show(hand("left", 1.0), hand("right", 1.0), frames=SEEN)
    assert grabbed(table) == ["hand:1"]


def test_another_players_turn_brings_another_hand() -> None:
    table = preferring("right")
    table.show(hand("left"), hand("right"), frames=SEEN)
    table.interpreter.prefer_side("left")
    table.show(hand("left", 1.0), hand("right"), frames=SEEN)
    assert grabbed(table) == ["hand:1"]
