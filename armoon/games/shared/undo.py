"""Undo against bots: a player who undoes a turn undoes their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from armoon.values.acts import Act
from armoon.values.intents import Command


class Position(Protocol):
    """What any game's position knows of the one before."""

    @property
    def player(self) -> int:
        """The seat on turn."""

    @property
    def before(self) -> Position | None:
        """The position before the last turn or move; None before the first."""


def turns_to_hand(state: Position, bots: Sequence[str | None]) -> int:
    """How many turns back the last one of a person lies; 1 where no person has played."""
    before, turns = state.before, 1
    while before is not None:
        if before.player >= len(bots) or bots[before.player] is None:
            return turns
        before, turns = before.before, turns + 1
    return 1


def fitted(command: Command, state: Position, bots: Sequence[str | None]) -> Command:
    """Return a command as it is meant at a table with bots: undo takes back what they have played since as well."""
    if command.kind is not Act.UNDO or not any(bots):
        return command
    return replace(command, value=max(command.value, turns_to_hand(state, bots)))
