"""Reasons why messages are rejected, each reported once."""

from __future__ import annotations

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.kinds import Why


class Doubts:
    """What a table has been given to doubt."""

    def __init__(self) -> None:
        self.whys: list[Why] = []
        """Each reason once."""
        self._stops: Why | None = None
        self._told: list[str] = []

    @property
    def stops(self) -> bool:
        """The game can't go on here."""
        return self._stops is not None

    def doubt(self, why: Why, told: str = "") -> None:
        """Note a reason; ``told`` in place of its own sentence, and then each time."""
        if told or why not in self.whys:
            self._told.append(told or text(f"remote.refused.{why}"))
        if why not in self.whys:
            self.whys.append(why)

    def stop(self, why: Why) -> None:
        """Note why the game can't go on."""
        self._stops = self._stops or why
        if why not in self.whys:
            self.whys.append(why)

    def take_told(self) -> tuple[str, ...]:
        """Return what is to be told since the last call."""
        told, self._told = tuple(self._told), []
        return told

    def check(self) -> None:
        """Raise ArmoonError where the game can't go on."""
        if self._stops is not None:
            raise ArmoonError(text(f"remote.refused.{self._stops}"), remedy=text("remote.differs_remedy"))
