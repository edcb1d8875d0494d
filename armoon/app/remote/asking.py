"""A guest's table: it asks to be let in by the host's link, until the host begins the game or says why not.

So does the host's own, started again with its own link: it asks its guests.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from armoon.app.remote.kept import journal_of, keep_key, kept_key
from armoon.app.remote.meeting import Meeting
from armoon.app.remote.ways import players_of, say, version, wire_of
from armoon.errors import ArmoonError
from armoon.games import GAMES, game_options
from armoon.messages import text
from armoon.settings.preferences import PlayOptions

if TYPE_CHECKING:
    from armoon.remote.kinds import Seats

#: Seconds between two hellos.
HELLO_S = 1.0


class Asking:
    """A table before the door of a game."""

    def __init__(self, options: PlayOptions, typed: str, stack: ExitStack, *, hosts: bool = False) -> None:
        """Go where the link says; ``hosts``: this is the host's table, started again. ArmoonError."""
        from armoon.remote.link import Link
        from armoon.remote.seal import Seal

        no_link = ArmoonError(text("remote.no_link"), remedy=text("remote.no_link_remedy"))
        try:
            link = Link.of(typed)
        except ValueError:
            raise no_link from None
        seal = Seal(link.key, kept_key(link, hosts=hosts))
        if hosts != (seal.table == link.host):
            raise (
                ArmoonError(text("remote.not_host"), remedy=text("remote.not_host_remedy"))
                if hosts
                else no_link
            )
        journal = journal_of(link, version(), hosts=hosts)
        stack.callback(journal.close)
        keep_key(link, seal)
        wire = wire_of(link, listens=hosts)
        stack.callback(wire.close)
        self.host = urlsplit(link.at).hostname or ""
        """The computer where the host or the broker is."""
        self._meeting = Meeting(options, wire, seal, link, journal=journal)
        self._hosts = hosts
        self._said_s = 0.0

    def look(self) -> Meeting | None:
        """Say hello now and then; return the meeting once the host has begun the game. ArmoonError if it won't."""
        from armoon.remote.kinds import Hello, Refuse, Seats, Why

        meeting = self._meeting
        assert meeting.journal is not None
        if len(meeting.journal.packets) > 1:
            # It has been begun, and goes on from what this table knows of it.
            packet = meeting.journal.packets[1]
            begun = meeting.seal.open(packet).message
            if isinstance(begun, Seats):
                return self._let_in(begun, packet)
        if time.monotonic() - self._said_s > HELLO_S:
            self._said_s = time.monotonic()
            options = meeting.options
            hello = Hello(version(), players_of(options), options.colours[: len(options.players)])
            say(meeting.wire, meeting.seal, hello)
        for packet, opened in meeting.heard():
            message = opened.message
            if isinstance(message, Refuse) and message.table == meeting.seal.table:
                # A guest can say no more to the host than that they don't fit together.
                if opened.table == meeting.link.host or (self._hosts and message.why is Why.VERSION):
                    why = text(f"remote.refused.{message.why}")
                    raise ArmoonError(why, remedy=text("remote.refused_remedy"))
            elif isinstance(message, Seats) and opened.table == meeting.link.host:
                return self._let_in(message, packet)
        return None

    def _let_in(self, seats: Seats, packet: bytes) -> Meeting:
        check_bots(seats)
        meeting = self._meeting
        meeting.options = replace(meeting.options, turns=seats.turns)
        meeting.seats, meeting.begins = seats, packet
        return meeting


def check_bots(seats: Seats) -> None:
    """Raise ArmoonError where another table names a bot that isn't the house's own: it would be a program to run."""
    header = seats.header
    bots, game = header.get("bots") or [], header.get("game")
    known = game_options(game).bot_kinds().words if game in GAMES else ()
    if not isinstance(bots, list) or any(bot is not None and bot not in known for bot in bots):
        raise ArmoonError(text("remote.no_game"), remedy=text("remote.no_game_remedy"))
