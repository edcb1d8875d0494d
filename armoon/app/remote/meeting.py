"""Tables that have met for a game: their seats, and how the host begins the game for all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Console

from armoon.app.remote.kept import journal_of
from armoon.app.remote.ways import version
from armoon.app.setup import SetTable, keeper_of
from armoon.engine.match import Match
from armoon.errors import ArmoonError
from armoon.games.contract.kind import kind_of
from armoon.messages import text
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions

if TYPE_CHECKING:
    from armoon.remote.journal import Journal
    from armoon.remote.kinds import Hello, Seats
    from armoon.remote.link import Link
    from armoon.remote.seal import Seal, Unsealed
    from armoon.remote.shared import SharedGame
    from armoon.remote.wire import Wire

#: How long a broker that has never answered is tried before a game, in seconds: two tries.
PATIENCE_S = 12.0


@dataclass
class Meeting:
    """A table with its way to the others, and what is known of them before the game begins."""

    options: PlayOptions
    """With the players of all tables, once they have met."""
    wire: Wire
    seal: Seal
    link: Link
    seats: Seats | None = None
    """How the host has begun the game; a guest's."""
    begins: bytes = b""
    """The same as the packet that the host has signed."""
    guests: tuple[tuple[str, Hello], ...] = ()
    """The other tables in the order in which they came; the host's."""
    journal: Journal | None = None
    """The game's files; with packets where this table's program is started again."""
    _since_s: float = field(default_factory=time.monotonic)
    _reached: bool = False

    def heard(self) -> Iterator[tuple[bytes, Unsealed]]:
        """Yield the packets that have come and can be read. Raises ArmoonError where a broker has never answered."""
        from armoon.remote.link import LAN

        self._reached = self._reached or self.wire.up or self.link.scheme == LAN
        if not self._reached and time.monotonic() - self._since_s > PATIENCE_S:
            host = urlsplit(self.link.at).hostname or ""
            raise ArmoonError(text("remote.no_broker", host=host), remedy=text("remote.no_broker_remedy"))
        for packet in self.wire.take():
            with suppress(ValueError):
                yield packet, self.seal.open(packet)

    def begun(self, match: Match) -> SharedGame:
        """Begin the game with this match for all tables, or go on with the host's. Raises ArmoonError."""
        from armoon.remote.journal import BEGUN, Past
        from armoon.remote.kinds import Seats
        from armoon.remote.lines import judged_lines
        from armoon.remote.shared import SharedGame

        kind = kind_of(match.game)
        seats = self.seats
        if seats is None:
            (header,) = kind.lines.of(match.opening.events[0])
            elsewhere = {name: table for table, hello in self.guests for name, _ in hello.players}
            tables = tuple(elsewhere.get(name, self.seal.table) for name in match.players)
            seats = Seats(dict(header), tables, self.options.turns)
            self.begins = self.seal.close(seats)
            self.wire.send(self.begins)
        journal = self.journal or journal_of(self.link, version(), hosts=self.seal.table == self.link.host)
        if not journal.packets:
            journal.keep(version().encode())
            journal.keep(self.begins)
        return SharedGame(
            match,
            seats,
            self.wire,
            self.seal,
            self.link.host,
            judged=judged_lines(kind.lines),
            begins=self.begins,
            past=Past(journal, journal.packets[BEGUN:]),
            version=version(),
        )


def joined_table(meeting: Meeting, console: Console) -> SetTable:
    """Return the host's game, set up here as its header says. Raises ArmoonError where that can't be played."""
    assert meeting.seats is not None
    header = meeting.seats.header
    try:
        kind = kind_of(header["game"])
        match: Match = kind.logged(header)
    except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ArmoonError(text("remote.no_game"), remedy=text("remote.no_game_remedy")) from error
    keeper = keeper_of(kind, match, games_folder(), console.print) if meeting.options.saved else None
    return SetTable(kind.game(match, on_time=True), keeper, kind.viewed(match), None)
