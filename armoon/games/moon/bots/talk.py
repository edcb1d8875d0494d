"""The moths' occasional remarks: about the die, their plan, and its result."""

from __future__ import annotations

import random

from armoon.games.moon.bots.levels import Level
from armoon.games.moon.bots.lines import Turn
from armoon.messages import text
from armoon.values.places import Place

#: Share of dice on which it comments.
OFTEN = 0.5
#: From this safety on it is sure of its place.
SURE = 0.8


class Talk:
    """One bot's sayings, the same in every game of a seed."""

    def __init__(self, level: Level, seed: int) -> None:
        self._level = level
        self._dice = random.Random(f"{seed} {level}")

    @property
    def name(self) -> str:
        """What it is called."""
        return text(f"bots.name.{self._level}")

    def die(self, turn: Turn) -> str:
        """About what the die asks; often nothing."""
        return text(f"bots.say.die.{turn.die.lower()}") if self._dice.random() < OFTEN else ""

    def plan(self, place: Place) -> str:
        """About where it is going to put its ladder."""
        if self._dice.random() >= OFTEN:
            return ""
        return text("bots.say.sure" if place.slips and place.safety >= SURE else "bots.say.daring")

    def nothing(self, turn: Turn) -> str:
        """Nothing holds."""
        return text("bots.say.nothing")

    def verdict(self, ok: bool) -> str:
        """Return a sigh, or a little joy."""
        if ok:
            return text("bots.say.joy") if self._dice.random() < OFTEN else ""
        return text(f"bots.say.sigh.{self._level}")
