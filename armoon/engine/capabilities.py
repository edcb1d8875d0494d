"""What a game's match may bring beside ``Played``; the bodies here hold for a match that doesn't bring it.

The engine asks once, when a match begins, which of these it has. So all are methods.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from armoon.engine.setup import Intake
from armoon.hands.one_hand_watch import Zone
from armoon.values.pieces import GripIntent


@runtime_checkable
class Reaches(Protocol):
    """It knows what a grip takes better than by the place of what is offered."""

    def would_take(self, grip: GripIntent) -> bool:
        """Return whether a grip that closes is meant for what is offered."""

    def takes_again(self, grip: GripIntent) -> bool:
        """Return whether a grip that closes takes what waits in the air."""


@runtime_checkable
class Hovers(Protocol):
    """What is held can be let go of over nothing, and waits there."""

    def in_the_air(self, grip: GripIntent) -> bool:
        return False


@runtime_checkable
class Crowded(Protocol):
    """What is held comes near to other things: fine steps are meant there, and nothing is to be swept round."""

    def gap_m(self) -> float | None:
        """Return how far what is held is from the nearest other thing; None: it is far from all, or nothing is held."""
        return None


@runtime_checkable
class Judges(Protocol):
    """What stands on its table is judged, tick by tick."""

    def judge(self, *, second_hand: bool) -> None:
        """Phase 4, on the facts of the tick; also while paused. ``second_hand``: one is there and counts (F3)."""
        return

    def zone(self) -> Zone:
        """Return where a second hand has no business while something is held."""
        return Zone()


@runtime_checkable
class Simulates(Protocol):
    """A simulated world carries what it has, perhaps in a process of its own."""

    def expect(self, intake: Intake) -> None:
        """In a replay: take in what the intake tells of this frame's world beforehand."""
        return

    def begins(self, grip: GripIntent | None) -> bool:
        """Let a slow world that works beside the game begin with the next tick; ``step`` then waits for its end.

        Returns whether it has.
        """
        return False

    def held_freezes(self) -> bool:
        """Return whether what is held waits for a hand that is out of sight (ruling X2)."""

    def end_frame(self) -> None:
        """Tell what is known only at the end of a frame."""
        return

    def ends(self) -> None:
        """Tell what is known only at the end of the match."""
        return

    def give_back(self) -> None:
        return
