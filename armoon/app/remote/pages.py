"""Meet other tables on their page, the only one that opens connections."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.part import LAN_WORD, RemotePart, RemoteWay
from armoon.screens import events
from armoon.settings.preferences import PlayOptions
from armoon.values.text import Address

if TYPE_CHECKING:
    from armoon.app.remote.meeting import Invitation, JoinRequest, Meeting
    from armoon.remote.nearby import LinkQuery, NearbyTables

#: Maximum length of a pasted text, in characters.
LONGEST_PASTED = 2000
#: Public brokers for trials, without accounts and without any guarantee.
PUBLIC_HOSTS = ("broker.hivemq.com", "broker.emqx.io", "test.mosquitto.org:8886")
PUBLIC_BROKERS = tuple(f"mqtts://{host}/armoon" for host in PUBLIC_HOSTS)


class Clipboard(Protocol):
    """The system's clipboard."""

    @property
    def clipboard_text(self) -> str:
        """The text that any program copied last."""

    def copy_text(self, words: str) -> None:
        """Copy a text, which any program can paste."""


class RemoteTables:
    """Holds the invitation, or the request to join, until the game starts."""

    def __init__(
        self,
        options_for: Callable[[events.StartGame], PlayOptions],
        begin: Callable[[Meeting], None],
        emit: Callable[[events.RemoteTablesStatus], None],
        clipboard: Clipboard,
    ) -> None:
        """``options_for`` returns a game's options, ``begin`` sets the table, ``emit`` gets each new state."""
        self._options_for, self._begin, self._emit, self._clipboard = options_for, begin, emit, clipboard
        self._invitation: Invitation | None = None
        self._join_request: JoinRequest | None = None
        self._nearby: NearbyTables | None = None
        self._listed: tuple[tuple[str, str], ...] = ()
        """Names and address of each found table that the page shows."""
        self._query: tuple[LinkQuery, events.StartGame] | None = None
        """A request for the link to a found table, and the players who will join."""
        self._open = ExitStack()
        self._status = events.RemoteTablesStatus()
        self._sent_status: events.RemoteTablesStatus | None = self._status
        """None: the page expects an answer, even an equal one."""
        self._pasted = ""
        """The whole pasted text, which may contain a key."""

    def carry_out(self, action: events.RemoteTablesAction) -> None:
        self._status = replace(self._status, trouble="", copied=False)
        try:
            match action:
                case events.InviteTables(game, broker):
                    self._invite(game, broker=broker)
                case events.JoinTable(game, None):
                    self._join(game, self._pasted)
                case events.JoinTable(game, int(number)):
                    self._ask_for_link(game, *self._listed[number])
                case events.Request.BEGIN_TABLES if self._invitation is not None:
                    self._invitation.finish()
                    self._begin_game(self._invitation)
                case events.Request.LEAVE_TABLES:
                    self._leave()
                case events.Request.FIND_TABLES:
                    self._find()
                case events.Request.NEXT_BROKER:
                    index = PUBLIC_BROKERS.index(self._pasted) if self._pasted in PUBLIC_BROKERS else -1
                    self._keep_pasted(PUBLIC_BROKERS[(index + 1) % len(PUBLIC_BROKERS)], joins=False)
                case events.Request.ADMIT_TABLE | events.Request.DECLINE_TABLE if self._status.requested:
                    if self._invitation is not None and self._invitation.requests is not None:
                        granted = action is events.Request.ADMIT_TABLE
                        self._invitation.requests.decide(self._status.requested[1], granted=granted)
                case events.Request.PASTE_LINK:
                    self._paste()
                case events.Request.COPY_LINK if self._invitation is not None:
                    self._clipboard.copy_text(str(self._invitation.link))
                    self._status = replace(self._status, copied=True)
        except ArmoonError as error:
            self._fail(error)

    def poll(self) -> None:
        try:
            if self._invitation is not None:
                self._invitation.admit_tables()
                requests = self._invitation.requests
                first = None if requests is None else requests.first
                requested = None if first is None else (first.names, first.code)
                self._status = replace(self._status, tables=self._invitation.tables, requested=requested)
            if self._nearby is not None:
                self._listed = self._nearby.tables
                self._status = replace(self._status, found=tuple(names for names, _ in self._listed))
            if self._query is not None:
                self._follow_query(*self._query)
            if self._join_request is not None:
                self._status = replace(self._status, note=self._join_request.status_text)
                if self._join_request.poll():
                    self._begin_game(self._join_request)
        except ArmoonError as error:
            self._fail(error)
        if self._status != self._sent_status:
            self._sent_status = self._status
            self._emit(self._status)

    def close(self) -> None:
        self._open.close()

    def _invite(self, game: events.StartGame, *, broker: bool) -> None:
        from armoon.app.remote.meeting import Invitation

        self._leave()
        options = self._options_for(game)
        own = options.game_options
        if len(options.players) == 1:
            options = replace(options, game_options=own.with_remote_players())
        way = Address(LAN_WORD)
        if broker:
            way = _broker(self._pasted)
        port = options.part(RemotePart).remote_port
        self._invitation = Invitation(options, way, port, self._open, announced=True)
        address = urlsplit(self._invitation.link.at).netloc.rpartition("@")[2]
        note = "" if broker else text("screens.far.announced")
        self._status = replace(self._status, invites=address, note=note)

    def _join(self, game: events.StartGame, link: str) -> None:
        from armoon.app.remote.meeting import JoinRequest

        self._leave()
        self._join_request = JoinRequest(self._options_for(game), link, self._open)
        self._status = replace(self._status, asks=self._join_request.at_host)

    def _find(self) -> None:
        from armoon.remote.nearby import NearbyTables

        self._leave()
        self._nearby = NearbyTables()
        self._open.callback(self._nearby.close)
        self._status = replace(self._status, seeks=True)

    def _ask_for_link(self, game: events.StartGame, names: str, address: str) -> None:
        from armoon.remote.nearby import LinkQuery

        self._leave()
        self._query = LinkQuery(address, ", ".join(game.party.names)), game
        self._open.callback(self._query[0].close)
        self._status = replace(self._status, asks=names)

    def _follow_query(self, query: LinkQuery, game: events.StartGame) -> None:
        if query.failed:
            reason = text(f"remote.{query.failed}", host=self._status.asks)
            raise ArmoonError(reason, remedy=text("remote.refused_remedy"))
        if query.link:
            self._join(game, query.link)
        elif query.code:
            self._status = replace(self._status, note=text("screens.far.compare", code=query.code))

    def _begin_game(self, meeting: Meeting) -> None:
        self._open.pop_all()
        self._invitation = self._join_request = None
        self._status = events.RemoteTablesStatus()
        self._begin(meeting)

    def _leave(self) -> None:
        self._open.close()
        self._invitation = self._join_request = self._nearby = self._query = None
        now = self._status
        self._status = events.RemoteTablesStatus(pasted=now.pasted, joins=now.joins, public=now.public)

    def _fail(self, error: ArmoonError) -> None:
        self._leave()
        self._status = replace(self._status, trouble=str(error))

    def _paste(self) -> None:
        from armoon.remote.seal import Link

        words = self._clipboard.clipboard_text[:LONGEST_PASTED].strip()
        # A whole command with the link in it is accepted, too.
        words = next((word.strip("'\"") for word in words.split() if "://" in word), words)
        try:
            Link.parse(words)
        except ValueError:
            _broker(words)
            joins = False
        else:
            joins = True
        self._keep_pasted(words, joins=joins)
        self._sent_status = None

    def _keep_pasted(self, words: str, *, joins: bool) -> None:
        self._pasted = words
        host, public = urlsplit(words).hostname or "", words in PUBLIC_BROKERS
        self._status = replace(self._status, pasted=host, joins=joins, public=public)


def _broker(words: str) -> Address:
    """Return a broker's address. Raises ArmoonError for an invalid one."""
    try:
        way = RemoteWay("remote", ("mqtt", "mqtts")).read(words)
    except ValueError:
        way = Address(LAN_WORD)
    if way.whole == LAN_WORD:
        raise ArmoonError(text("remote.not_pasted"), remedy=text("remote.not_pasted_remedy"))
    return way
