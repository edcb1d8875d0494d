"""What one table knows of the others: which are there, how far they have got, and what each may say."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from armoon.remote.kinds import Takes
from armoon.remote.seating import Seating
from armoon.values.acts import Act
from armoon.values.pieces import Command

#: Silence, in seconds, of a table that is taken for gone, and of a host that another may take over from.
GONE_S, TAKEN_S = 3.0, 15.0
#: Additional wait of each next table by seat before it takes over from the host, seconds: by then the first one has.
IN_ORDER_S = 8.0
#: Maximum packets that are sent to one table again, at once and each second: it catches up at thirty times the game's
#: pace, however often it asks.
MOST_AGAIN, AGAIN_PER_S = 256, 1024.0
#: Acts that any table may ask for while another is on turn, and those that the host alone may, who keeps the order.
FREE = frozenset({Act.PAUSE, Act.RESUME})
OF_HOST = frozenset({Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR})


@dataclass
class Other:
    """Another table, as this one knows it."""

    heard_s: float
    number: int = 0
    """Number of its last message; older ones are ignored."""
    newest: int = 0
    """The same of its frames."""
    played: int = 0
    at: str = ""
    """Where others would come in there."""
    left: bool = False
    again: float = MOST_AGAIN
    """Packets that it may be told again now."""
    again_s: float = 0.0
    """When that was counted."""

    def allow(self, now_s: float, packets: Sequence[bytes]) -> Sequence[bytes]:
        """Return those of these packets that it may be told again at ``now_s``, seconds, and count them."""
        self.again = min(float(MOST_AGAIN), self.again + max(0.0, now_s - self.again_s) * AGAIN_PER_S)
        self.again_s = now_s
        allowed = packets[: int(self.again)]
        self.again -= len(allowed)
        return allowed

    def hear(self, now_s: float) -> None:
        self.heard_s, self.left = now_s, False


class Company:
    """All tables of a game, seen from one of them."""

    def __init__(
        self, tables: tuple[str, ...], host: str, own: str, now_s: Callable[[], float], *, fresh: bool
    ) -> None:
        """``tables`` are by seat; ``own`` is this one. ``fresh``: it was there when the host began the game."""
        self.seating = Seating(tables, host)
        self.own = own
        self._now_s, self._fresh = now_s, fresh
        self.others = {name: Other(now_s()) for name in self.seating.known - {own}}
        self.strangers = Other(now_s())
        """All tables without a seat together."""
        self._was_alone = False
        """Nothing came from anybody for so long that another may have taken over."""

    @property
    def hosts(self) -> bool:
        return self.seating.host == self.own

    @property
    def all_heard(self) -> bool:
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

    @property
    def takes_after_s(self) -> float:
        guests = [name for name in self.seating.in_order if name != self.seating.host]
        return TAKEN_S + IN_ORDER_S * (guests.index(self.own) if self.own in guests else 0)

    @property
    def elsewhere(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.at for one in self.others.values() if one.at))

    def look_around(self) -> None:
        """Note whether this table is alone; once a frame."""
        self._was_alone |= all(self.is_gone(name, TAKEN_S) for name in self.others)

    def believes(self, taken: Takes, table: str, *, begins: bool) -> bool:
        """Whether a table takes over from the host rightly; ``begins``: this one doesn't know all that was played.

        Before this program was started again another may have taken over; since it began with the game, nobody has.
        """
        if taken.gone != self.seating.host or table not in self.seating.known:
            return False
        host = self.others.get(taken.gone)
        if host is None:  # it is this table
            return self._was_alone or (begins and not self._fresh)
        return not (host.number or self._fresh) or self.is_gone(taken.gone, TAKEN_S)
