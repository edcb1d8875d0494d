"""What a table of a game says to the others, what it believes of what it hears, and whose frame comes next.

Whose frame comes next is never asked: each table knows it from the position that the last frame has led to.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from armoon.engine.events import Happened
from armoon.engine.match import Match
from armoon.engine.setup import Record
from armoon.messages import text
from armoon.remote.ahead import Ahead
from armoon.remote.company import MOST_AGAIN, Company, Other
from armoon.remote.doubts import Doubts
from armoon.remote.journal import Past
from armoon.remote.kinds import Asked, Hello, Here, Left, Message, Played, Refuse, Seats, Why
from armoon.remote.playout import Playout
from armoon.remote.seal import Seal, Unsealed, UnsealedError
from armoon.remote.wire import Wire
from armoon.values.acts import Act
from armoon.values.pieces import Command

#: Frames are sent this often, seconds; a verdict at once.
EVERY_S = 0.03
#: Interval of keep-alive messages, seconds.
HERE_S = 1.0
#: Maximum wait for the other programs before the first frame, seconds.
READY_S = 15.0
#: Silence after which a table asks for missing packets, seconds. A gap is asked for at once, again after this time,
#: then after twice that, until it is filled, since on a slow line the answer is on its way.
MISSING_S, GAP_S = 0.25, 0.1
#: Seconds until it is asked again that a turn be put back.
PUT_BACK_S = 0.5
#: Packets of an earlier start that are read at once.
MOST_KNOWN = 60
#: Source of commands that another table has asked for.
SOURCE = "remote"


class Talk:
    """One table's word with the others about the game that all play."""

    def __init__(
        self,
        match: Match,
        seats: Seats,
        wire: Wire,
        seal: Seal,
        host: str,
        *,
        judged: Callable[[Happened[Any]], Iterable[Record]],
        now_s: Callable[[], float] = time.monotonic,
        paced: bool = True,
        begins: bytes = b"",
        past: Past | None = None,
        version: str = "",
    ) -> None:
        """``judged`` gives the lines of a verdict and of the rest poses; ``host`` is the name of its table.

        ``paced``: others' frames are stepped at the pace at which they were played; else as soon as they come.
        ``begins`` is the host's packet that has begun the game, for tables of this ``version`` that come back.
        ``past`` has what this table knew when its program ended.
        """
        self._match, self._wire, self._seal = match, wire, seal
        self._company = Company(seats.tables, host, seal.table, now_s)
        self._judged, self._now_s, self._paced = judged, now_s, paced
        self.playout = Playout()
        self.played = 0
        """How many frames this table has stepped."""
        self._doubts = Doubts()
        self._ahead = Ahead()
        self._knows_all = False
        """All others are there, and none knows of a frame that is new here: it may be this table's second start."""
        self._past = past or Past()
        """Every packet that was played here."""
        self._out: list[Record] = []
        self._frames_out = 0
        self._sent_s = self._said_s = self._asked_s = -math.inf
        self._asked_from, self._asks_after_s = -1, 0.0
        """The gap that was asked for last, and when it is asked for again."""
        self._asks: deque[Command] = deque(maxlen=64)
        self._began_s = now_s()
        self._others = self._company.others
        self._shift_s: float | None = None
        """From this table's clock to the game's, while this one plays."""
        self._since_s = 0.0
        """When it took over, by its own clock: what hands did before then was for nobody."""
        self._game_s = 0.0
        """The game's time at the last frame."""
        self._begins, self._version = begins, version
        self._puts_back: int | None = None
        """The turn whose verdict wasn't believed, until it is put back; the host's."""
        self._put_back_s = -math.inf

    # Who plays ----------------------------------------------------------------------------------------------

    @property
    def owner(self) -> str:
        """The table whose frame comes next."""
        return self._company.tables[self._match.on_turn[1]]

    @property
    def refused(self) -> list[Why]:
        """Why messages weren't believed, each reason once."""
        return self._doubts.whys

    @property
    def differs(self) -> bool:
        """A verdict or the rest poses came out differently, or the host has refused this table: it can't go on."""
        return self._doubts.stops

    @property
    def mine(self) -> bool:
        """The next frame is this table's."""
        return self.owner == self._seal.table

    @property
    def plays(self) -> bool:
        """It is: this table knows all that was played before."""
        steps_known = self._past.waits or (self.played, self.owner) in self._ahead
        ready = self._company.all_heard or self._now_s() - self._began_s > READY_S
        if not self._knows_all and not steps_known and ready:
            self._knows_all = self.played >= max((one.played for one in self._others.values()), default=0)
        # Its own frame may wait there from before it was started again; then that one is stepped.
        return self._knows_all and self.mine and (self.played, self._seal.table) not in self._ahead

    @property
    def waits_s(self) -> float:
        """How long nothing has come from the table on turn, seconds; 0 while this one is."""
        other = self._others.get(self.owner)
        return 0.0 if other is None else self._now_s() - other.heard_s

    @property
    def gone(self) -> tuple[int, ...]:
        """The seats whose tables haven't been heard for a while, or have left."""
        company = self._company
        return tuple(seat for seat, name in enumerate(company.tables) if company.is_gone(name))

    def _passes(self) -> None:
        self._shift_s = None
        self._asks.clear()
        self.playout.restart()

    # What is said -------------------------------------------------------------------------------------------

    def _is_due(self) -> bool:
        return self._now_s() - self._sent_s >= EVERY_S

    def _flush(self, judged: tuple[Record, ...] = ()) -> None:
        """Send the frames that were played since the last message."""
        if not self._out:
            return
        first = self.played - self._frames_out
        packet = self._seal.close(Played(first, tuple(self._out), judged))
        self._past.add(first, packet)  # kept before it is sent
        self._wire.send(packet)
        self._out, self._frames_out, self._sent_s = [], 0, self._now_s()

    def _send(self, message: Message) -> None:
        self._wire.send(self._seal.close(message))

    def _tell_again(self, other: Other, packets: Sequence[bytes]) -> None:
        """Answer a table, no more than it may be told by the clock: a small message may ask for many large ones."""
        for packet in other.allow(self._now_s(), packets):
            self._wire.send(packet)

    def _say(self) -> None:
        """Say that this table is there, and ask for what is missing."""
        now_s = self._now_s()
        received = self._ahead.received(self.played, self.owner)
        gap = len(self._ahead) > received - self.played
        lacks = not self._knows_all or self.waits_s > MISSING_S
        if received != self._asked_from:
            self._asks_after_s = GAP_S
        silent_s = now_s - self._asked_s
        asks = (gap and (received != self._asked_from or silent_s > self._asks_after_s)) or (
            lacks and silent_s > max(MISSING_S, self._asks_after_s)
        )
        if asks and not self.plays:
            if received == self._asked_from:
                self._asks_after_s = min(2.0 * self._asks_after_s, HERE_S)
            self._asked_from, self._asked_s, self._said_s = received, now_s, now_s
            before = self._ahead.next_known(received, self.owner)
            self._send(Here(received, wants=True, before=before))
        elif now_s - self._said_s > HERE_S:
            self._said_s = now_s
            self._send(Here(received))

    # What is heard ------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        known = list[bytes]()
        while self._past.waits and len(self._ahead) + len(known) < MOST_KNOWN:
            known.append(self._past.take())
        for packet in (*known, *self._wire.take()):
            try:
                opened = self._seal.open(packet)
            except UnsealedError:
                self._doubts.doubt(Why.NONSENSE)
                continue
            self._believe(opened, packet)

    def _believe(self, opened: Unsealed, packet: bytes) -> None:
        """Take in one message; what has been said before, or comes from a table that isn't there, is left out."""
        other = self._others.get(opened.table)
        message = opened.message
        if opened.table == self._seal.table:
            # From before this table was started again.
            if isinstance(message, Played) and not self._knows_all:
                self._take_frames(opened.table, message, packet)
            return
        if other is None:
            if self._company.hosts:
                self._tell_again(self._company.strangers, (self._seal.close(Refuse(opened.table, Why.FULL)),))
            return
        if isinstance(message, Played):
            # By its numbers a frame counts once, however often and in which order it comes, also from the host's copy.
            if opened.number > other.newest:  # and not again from another's copy
                other.newest = opened.number
                other.hear(self._now_s())
            self._take_frames(opened.table, message, packet)
            return
        if opened.number <= other.number:
            return
        other.number, other.heard_s, other.left = opened.number, self._now_s(), isinstance(message, Left)
        if isinstance(message, Asked):
            command = message.command(SOURCE)
            meant = message.turn in (0, self._match.on_turn[0]) and command not in self._asks
            if self._company.may_ask(opened.table, command) and self.mine and meant:
                self._asks.append(command)
        elif isinstance(message, Here):
            other.played = message.played
            if message.wants and self._company.answers(opened.table):
                self._tell_again(other, self._past.since(message.played, MOST_AGAIN, message.before))
        elif isinstance(message, Refuse) and message.table == self._seal.table:
            if opened.table == self._company.host:
                self._doubts.stop(message.why)
        elif isinstance(message, Hello) and self._company.answers(
            opened.table
        ):  # a table that was started again
            fits = message.version == self._version
            answer = self._begins if fits else self._seal.close(Refuse(opened.table, Why.VERSION))
            self._tell_again(other, (answer,))

    def _take_frames(self, table: str, message: Played, packet: bytes) -> None:
        try:
            self._ahead.put(table, message, packet, self.played)
        except ValueError:
            self._doubts.doubt(Why.NONSENSE)

    # The host's order ---------------------------------------------------------------------------------------

    def _keep_order(self) -> None:
        """Have a turn put back that wasn't believed."""
        now_s, turn = self._now_s(), self._match.on_turn[0]
        if self._puts_back is not None and turn <= self._puts_back:
            self._puts_back = None
        elif self._puts_back is not None and now_s - self._put_back_s > PUT_BACK_S:
            self._put_back_s = now_s
            back = Asked(Act.UNDO, turn - self._puts_back, turn)
            if self.mine:
                self._asks.append(back.command(SOURCE))
            else:
                self._send(back)

    def _disbelieve(self, table: str, turn: int) -> None:
        """Have the turn put back, or stop: its verdict isn't what the same frames lead to here."""
        if table == self._company.host:
            self._stop(table, Why.VERDICT)
        elif self._company.hosts:
            self._send(Refuse(table, Why.VERDICT))
            self._puts_back = turn
            players = ", ".join(self._match.players[seat] for seat in self._company.seats(table))
            self._doubts.doubt(Why.VERDICT, text("remote.put_back", players=players))

    def _stop(self, table: str, why: Why) -> None:
        """Step no more: what that table has played can't be believed."""
        self._doubts.stop(why)
        self._send(Refuse(table, why))
