"""The hand that a player prefers: of two in view it grips and is followed, and a hand alone is never refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.hands_help import CAMERA, PALM_M, TABLE_FROM_CAMERA, frame_of, stick_hand

from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hand, Side
from armoon.values.pieces import GripPhase

FRAME_S = 1.0 / 30.0
#: Long enough for a label to be settled.
SEEN = 8


class Table:
    """An interpreter that is shown frames, and the phases that it has told."""

    def __init__(self, prefers: Side | None) -> None:
        self.interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, GripSettings(palm_m=PALM_M))
        self.interpreter.prefer(prefers)
        self.frame = 0
        self.told: list[tuple[str, GripPhase]] = []

    def show(self, *hands: Hand, frames: int = SEEN) -> None:
        for _ in range(frames):
            self.frame += 1
            self.interpreter.see(frame_of(*hands, time_s=self.frame * FRAME_S))
            for later in (0.0, FRAME_S / 2.0):
                intent = self.interpreter.intent(self.frame * FRAME_S + later)
                if intent is not None:
                    self.told.append((intent.source, intent.phase))

    @property
    def grabbed(self) -> list[str]:
        return [source for source, phase in self.told if phase is GripPhase.GRAB]


def hand(side: Side, pinch: float = 0.0) -> Hand:
    """The right hand is on the right of the picture, the left one on its left."""
    x = 0.13 if side == "right" else -0.13
    return replace(stick_hand((x, 0.06, 0.5), pinch=pinch), side=side)


@pytest.mark.parametrize(("prefers", "grabs"), [("right", False), ("left", True), (None, True)])
def test_of_two_hands_the_preferred_one_grips(prefers: Side | None, grabs: bool) -> None:
    table = Table(prefers)
    table.show(hand("left"), hand("right"))
    table.show(hand("left", 1.0), hand("right"))
    assert bool(table.grabbed) is grabs
    assert table.interpreter.other_hand is not grabs


def test_the_preferred_hand_grips_though_the_other_was_there_first_and_is_closed() -> None:
    table = Table("right")
    table.show(hand("left"))
    table.show(hand("left"), hand("right"))
    table.show(hand("left", 1.0), hand("right"))
    table.show(hand("left", 1.0), hand("right", 1.0))
    assert table.grabbed == ["hand:2"]
    owner = next(view for view in table.interpreter.views() if view.owner)
    assert owner.side == "right"


def test_the_preferred_hand_is_the_one_that_is_followed() -> None:
    table = Table("right")
    table.show(hand("left"))
    assert table.told[-1] == ("hand:1", GripPhase.HOVER)
    table.show(hand("left"), hand("right"))
    assert table.told[-1] == ("hand:2", GripPhase.HOVER)


def test_a_hand_that_is_alone_grips_whichever_it_is() -> None:
    table = Table("right")
    table.show(hand("left"))
    table.show(hand("left", 1.0))
    assert table.grabbed == ["hand:1"]


def test_what_is_held_stays_held_when_the_preferred_hand_comes() -> None:
    """The one-hand watch speaks then, nobody takes the ladder away."""
    table = Table("right")
    table.show(hand("left"))
    table.show(hand("left", 1.0))
    table.show(hand("left", 1.0), hand("right"))
    assert table.told[-1] == ("hand:1", GripPhase.HOLD)
    table.show(hand("left", 1.0), hand("right", 1.0))
    assert table.grabbed == ["hand:1"]


def test_another_players_turn_brings_another_hand() -> None:
    table = Table("right")
    table.show(hand("left"), hand("right"))
    table.interpreter.prefer("left")
    table.show(hand("left", 1.0), hand("right"))
    assert table.grabbed == ["hand:1"]
