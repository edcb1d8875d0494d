"""What one table knows of the others: which are there, how far they have got, and what each may say."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

from armoon.remote.kinds import Takes
from armoon.remote.seating import Seating
from armoon.values.acts import Act
from armoon.values.intents import Command

#: Silence, in seconds, of a table that is taken for gone, and of a host that another may take over from.
GONE_S, TAKEN_S = 3.0, 15.0
#: Acts that any table may ask for while another is on turn, and those that the host alone may, who keeps the order.
FREE = frozenset({Act.PAUSE, Act.RESUME})
OF_HOST = frozenset({Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR})


@dataclass
class Other:
    """Another table, as this one knows it."""

    heard_s: float
    number: int = 0
    """Of its last message; those of the past say nothing any more."""
    newest: int = 0
    """The same of its frames."""
    played: int = 0
    left: bool = False

    def hear(self, now_s: float) -> None:
        """Note that something came from it."""
        self.heard_s, self.left = now_s, False


class Company:
    """All tables of a game, seen from one of them."""

    def __init__(self, tables: tuple[str, ...], host: str, own: str, now_s: Callable[[], float]) -> None:
        """``tables`` are by seat; ``own`` is this one."""
        self.seating = Seating(tables, host)
        self.own = own
        self._now_s = now_s
        self.others = {name: Other(now_s()) for name in self.seating.known - {own}}
        self._was_alone = False
        """Nothing came from anybody for so long that another may have taken over."""

    @property
    def hosts(self) -> bool:
        """This table keeps the order."""
        return self.seating.host == self.own

    @property
    def all_heard(self) -> bool:
        """Every table that still plays has said something."""
        return all(self.others[name].number for name in self.others.keys() - self.seating.gone)

    def is_gone(self, table: str, after_s: float = GONE_S) -> bool:
        """Whether that table hasn't been heard for so long, or has left."""
        other = self.others.get(table)
        return other is not None and (other.left or self._now_s() - other.heard_s > after_s)

    def seats_gone(self, frame: int) -> tuple[int, ...]:
        """Return the seats whose tables are gone, in the frame of this number."""
        seats = (self.seating.seats(name, frame) for name in self.others if self.is_gone(name))
        return tuple(sorted(itertools.chain.from_iterable(seats)))

    def answers(self, table: str) -> bool:
        """Whether this table tells that one what it lacks: the host does, and asks all; without it, everybody does."""
        host = self.seating.host
        return host in (table, self.own) or self.is_gone(host)

    def may_ask(self, table: str, command: Command) -> bool:
        """Whether a table that isn't on turn may ask for this."""
        return command.kind in FREE or (table == self.seating.host and command.kind in OF_HOST)

    def may_lose_a_world(self, table: str) -> bool:
        """Whether a table's frames may say that its world was replaced: a host's alone is a process."""
        return table in {self.seating.host, *self.seating.gone}

    def look_around(self) -> None:
        """Note whether this table is alone; once a frame."""
        self._was_alone |= all(self.is_gone(name, TAKEN_S) for name in self.others)

    def believes(self, taken: Takes, table: str, *, begins: bool) -> bool:
        """Whether a table takes over from the host rightly; ``begins``: this one has only just been started."""
        if taken.gone != self.seating.host or table not in self.seating.known:
            return False
        host = self.others.get(taken.gone)
        if host is None:  # it is this table
            return self._was_alone or begins
        return not host.number or self.is_gone(taken.gone, TAKEN_S)
