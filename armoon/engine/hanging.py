"""Objects let go in the air: how they hang there, and which grip takes them again."""

from __future__ import annotations

import enum
from dataclasses import replace

from armoon.engine.capabilities import Hovers, Reaches
from armoon.values.intents import GripIntent, GripPhase


class Hangs(enum.Enum):
    """Whether what is held hangs in the air without a hand."""

    NOT = "not"
    LET_GO = "let_go"
    """Fingers opened far from everything; the next closing grip at it takes it."""
    PARKED = "parked"
    """It was parked by a wish; the next closing takes it from wherever the hand is."""


class Hanging:
    """Turn a tick's grips into those that the held thing feels."""

    def __init__(self, hovers: Hovers, reaches: Reaches) -> None:
        """``hovers`` says where what is let go of waits, ``reaches`` which grip takes it again."""
        self.hangs = Hangs.NOT
        self._hovers, self._reaches = hovers, reaches
        self._asked = False

    def park(self) -> None:
        """Park what is held, or take it up again if the hand is closed."""
        self._asked = True

    def felt(self, grip: GripIntent | None, *, holding: bool, frozen: bool) -> GripIntent | None:
        """Return the grip as the game feels it: what hangs feels no hand until it is taken again."""
        asked, self._asked = self._asked, False
        if not holding:
            self.hangs = Hangs.NOT
            return grip
        if grip is None:
            return grip
        if self.hangs is not Hangs.NOT:
            takes = grip.phase is GripPhase.GRAB and (
                self.hangs is Hangs.PARKED or self._reaches.takes_again(grip)
            )
            if not takes and not (asked and grip.phase is GripPhase.HOLD):
                return replace(grip, phase=GripPhase.LOST)
            self.hangs = Hangs.NOT
            return replace(grip, phase=GripPhase.HOLD)
        if asked and grip.phase is GripPhase.HOLD:
            self.hangs = Hangs.PARKED
        elif grip.phase is GripPhase.RELEASE and not frozen and self._hovers.in_the_air(grip):
            self.hangs = Hangs.LET_GO
        return grip if self.hangs is Hangs.NOT else replace(grip, phase=GripPhase.LOST)
