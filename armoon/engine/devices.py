"""Grips of devices other than hands, within a match: edges wait for a tick, and one grip holds at a time."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from armoon.values.intents import CARD_SOURCE, GripIntent, GripPhase

_EDGES = (GripPhase.GRAB, GripPhase.RELEASE)


class Devices:
    """What mouse, keys or another device want; the last that spoke is the one that is heard."""

    def __init__(self) -> None:
        self._edges: deque[GripIntent] = deque()
        self._newest: GripIntent | None = None
        self._holding = False

    @property
    def holding(self) -> bool:
        """Whether a device's grip is closed: hands do nothing meanwhile."""
        return self._holding

    @property
    def by_card(self) -> bool:
        """Whether a paper ladder plays: the hand that it lies in looks closed, and means nothing by it."""
        return self._newest is not None and self._newest.source == CARD_SOURCE

    @property
    def card(self) -> GripIntent | None:
        """The grip of the paper ladder that plays; None without one, or while it is out of sight."""
        seen = self.by_card and self._newest is not None and self._newest.phase is not GripPhase.LOST
        return self._newest if seen else None

    def take_in(self, grips: tuple[GripIntent, ...], hand_holds: bool, *, in_hand: bool = False) -> None:
        """Take the grips of one frame; none count while a hand holds.

        A card's do, unless something is ``in_hand``.
        """
        cards = not in_hand and any(grip.source == CARD_SOURCE for grip in grips)
        if hand_holds and not self._holding and not cards:
            self._newest = None
            return
        for grip in grips:
            self._newest = grip
            if grip.phase in _EDGES:
                self._edges.append(grip)
        put_away = self._newest is not None and self._newest.phase is GripPhase.LOST
        if self.by_card and put_away and not (self._holding or self._edges):
            self._newest = None

    def intent(self, time_s: float) -> GripIntent | None:
        """Return the grip at a tick, an edge first; None if no device speaks."""
        if self._edges:
            edge = self._edges.popleft()
            self._holding = edge.phase is GripPhase.GRAB
            return replace(edge, time_s=time_s)
        return None if self._newest is None else replace(self._newest, time_s=time_s)

    def let_go(self) -> None:
        """End the grip for the game: what comes before the next closing counts as an open one."""
        self._holding = False
        self._newest = None
