"""What one table knows of the others: which are there, how far they have got, and what each may say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from armoon.values.acts import Act
from armoon.values.pieces import Command

#: Silence, in seconds, of a table that is taken for gone.
GONE_S = 3.0
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

    def __init__(self, tables: tuple[str, ...], host: str, own: str, now_s: Callable[[], float]) -> None:
        """``tables`` are by seat; ``own`` is this one."""
        self.tables, self.host, self.own = tables, host, own
        self._now_s = now_s
        self.others = {name: Other(now_s()) for name in {*tables, host} - {own}}
        self.strangers = Other(now_s())
        """All tables without a seat together."""

    @property
    def hosts(self) -> bool:
        return self.host == self.own

    @property
    def all_heard(self) -> bool:
        return all(other.number for other in self.others.values())

    def is_gone(self, table: str) -> bool:
        """Whether that table hasn't been heard for a while, or has left."""
        other = self.others.get(table)
        return other is not None and (other.left or self._now_s() - other.heard_s > GONE_S)

    def seats(self, table: str) -> tuple[int, ...]:
        return tuple(seat for seat, name in enumerate(self.tables) if name == table)

    def answers(self, table: str) -> bool:
        """Whether this table tells that one what it lacks: the host does, and asks all; without it, everybody does."""
        return self.host in (table, self.own) or self.is_gone(self.host)

    def may_ask(self, table: str, command: Command) -> bool:
        """Whether a table that isn't on turn may ask for this."""
        return command.kind in FREE or (table == self.host and command.kind in OF_HOST)
