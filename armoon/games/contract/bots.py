"""Bots that a game may bring: they play whole games of their own, without camera and picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

#: Plays a game of this seed which the first or the second bot begins; the points of the first: 1, 0, or shared.
Bout = Callable[[int, int], float]


@runtime_checkable
class PlaysAlone(Protocol):
    """A kind of game whose bots play by themselves; its options say so by ``bot_words`` and ``no_camera``."""

    def bout(self, bots: tuple[str, str]) -> Bout:
        """Return games of these two bots without a picture. Raises WrongValue for one that this game doesn't know."""

    def play_alone(
        self, own: Any, names: Sequence[str] | None, seed: int, say: Callable[[str], None]
    ) -> None:
        """Play a whole game with its own options, told line by line. ValueError with a sentence where that can't be."""
