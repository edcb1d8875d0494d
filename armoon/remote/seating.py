"""Which table plays each seat, and which one hosts: as the game was begun, until another takes over from its host."""

from __future__ import annotations

from collections.abc import Sequence

from armoon.remote.kinds import Takes


class Seating:
    """Seats by tables, for every frame of the game."""

    def __init__(self, tables: Sequence[str], host: str) -> None:
        """``tables`` are by seat, as the game was begun."""
        self._tables = tuple(tables)
        self._taken: list[tuple[Takes, str]] = []
        self.host = host
        """The table that keeps the order now."""

    @property
    def known(self) -> frozenset[str]:
        return frozenset((*self._tables, self.host)) | self.gone

    @property
    def gone(self) -> frozenset[str]:
        """The hosts before."""
        return frozenset(taken.gone for taken, _ in self._taken)

    @property
    def in_order(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._tables))

    def table(self, seat: int, frame: int) -> str:
        """Return the table that plays this seat in the frame of this number."""
        name = self._tables[seat]
        for taken, by in self._taken:
            if frame >= taken.first and name == taken.gone:
                name = by
        return name

    def seats(self, table: str, frame: int) -> tuple[int, ...]:
        """Return what this table plays in the frame of this number."""
        return tuple(seat for seat in range(len(self._tables)) if self.table(seat, frame) == table)

    def take(self, taken: Takes, by: str) -> None:
        self._taken.append((taken, by))
        self.host = by
