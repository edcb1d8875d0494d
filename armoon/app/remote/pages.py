"""Invites, finds and joins other tables for the page *Two tables*."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.options.kinds import TargetAddress
from armoon.remote.part import BROKERS, LAN_WORD, RemotePart
from armoon.screens import events
from armoon.settings.preferences import PlayOptions
from armoon.values.text import Address

if TYPE_CHECKING:
    from armoon.app.remote.meeting import Invitation, Meeting
    from armoon.view.window import GameWindow

#: Maximum length of a pasted text, in characters.
MAX_PASTED_CHARS = 2000
#: Public brokers for first attempts; they need no account and guarantee nothing.
PUBLIC_HOSTS = ("broker.hivemq.com", "broker.emqx.io", "test.mosquitto.org:8886")
PUBLIC_BROKERS = tuple(f"mqtts://{host}/armoon" for host in PUBLIC_HOSTS)


class RemoteTables:
    """The invitation, or the request to join, until the game starts."""

    def __init__(
        self,
        options_for: Callable[[events.StartGame], PlayOptions],
        begin: Callable[[Meeting], None],
        emit: Callable[[events.RemoteTablesStatus], None],
        window: GameWindow,
    ) -> None:
        """``begin`` starts a game; ``emit`` gets each new status; ``window`` gives access to the clipboard."""
        self._options_for, self._begin, self._emit, self._window = options_for, begin, emit, window
        self._activity: Iterator[None] = iter(())
        """The current invitation, search or request to join; each step updates the status."""
        self._invitation: Invitation | None = None
        self._listed: tuple[tuple[str, str], ...] = ()
        """The players' names and the address of each table that the page lists."""
        self._connections = ExitStack()
        self._status = self._sent_status = events.RemoteTablesStatus()
        self._pasted = ""
        """The whole pasted text, which may contain a key."""

    def carry_out(self, action: events.RemoteTablesAction) -> None:
        self._status = replace(self._status, error="", is_copied=False)
        invitation = self._invitation
        try:
            match action:
                case events.InviteTables(game, broker):
                    self._start(
                        self._invite(game, _parse_broker(self._pasted) if broker else Address(LAN_WORD))
                    )
                case events.JoinTable(game, None):
                    self._start(self._join(game, self._pasted))
                case events.JoinTable(game, int(number)):
                    self._start(self._ask_for_link(game, *self._listed[number]))
                case events.Request.FIND_TABLES:
                    self._start(self._find())
                case events.Request.LEAVE_TABLES:
                    self._leave()
                case events.Request.BEGIN_TABLES if invitation is not None:
                    invitation.finish()
                    self._begin_game(invitation)
                case events.Request.NEXT_BROKER:
                    index = PUBLIC_BROKERS.index(self._pasted) if self._pasted in PUBLIC_BROKERS else -1
                    next_broker = PUBLIC_BROKERS[(index + 1) % len(PUBLIC_BROKERS)]
                    self._keep_pasted(next_broker, is_invitation_pasted=False)
                case events.Request.ADMIT_TABLE | events.Request.DECLINE_TABLE if invitation is not None:
                    if self._status.join_request is not None:
                        is_granted = action is events.Request.ADMIT_TABLE
                        invitation.requests.decide(self._status.join_request[1], is_granted=is_granted)
                case events.Request.PASTE_LINK:
                    self._paste()
                case events.Request.COPY_LINK if invitation is not None:
                    self._window.copy_text(str(invitation.link))
                    self._status = replace(self._status, is_copied=True)
        except ArmoonError as error:
            self._fail(error)

    def poll(self) -> None:
        try:
            next(self._activity, None)
        except ArmoonError as error:
            self._fail(error)
        if self._status != self._sent_status:
            self._sent_status = self._status
            self._emit(self._status)

    def close(self) -> None:
        self._connections.close()

    def _start(self, activity: Iterator[None]) -> None:
        self._leave()
        self._activity = activity
        next(activity, None)

    def _invite(self, game: events.StartGame, way: Address) -> Iterator[None]:
        from armoon.app.remote.meeting import Invitation

        options = self._options_for(game)
        if len(options.players) == 1:
            options = replace(options, game_options=options.game_options.with_remote_players())
        port = options.part(RemotePart).remote_port
        invitation = self._invitation = Invitation(options, way, port, self._connections, announced=True)
        address = urlsplit(invitation.link.address).netloc.rpartition("@")[2]
        announced = text("screens.far.announced") if way.whole == LAN_WORD else ""
        while True:
            invitation.admit_tables()
            self._status = replace(
                self._status,
                invitation=address,
                note=invitation.status_text or announced,
                tables=invitation.tables,
                join_request=invitation.requests.oldest,
            )
            yield

    def _join(self, game: events.StartGame, link: str) -> Iterator[None]:
        from armoon.app.remote.meeting import JoinRequest

        request = JoinRequest(self._options_for(game), link, self._connections)
        self._status = replace(self._status, asked_host=request.host_name)
        while not request.poll():
            self._status = replace(self._status, note=request.status_text)
            yield
        self._begin_game(request)

    def _find(self) -> Iterator[None]:
        from armoon.remote.nearby import NearbyTables

        nearby = NearbyTables()
        self._connections.callback(nearby.close)
        while True:
            self._listed = nearby.tables
            self._status = replace(
                self._status, is_searching=True, found_tables=tuple(n for n, _ in self._listed)
            )
            yield

    def _ask_for_link(self, game: events.StartGame, names: str, address: str) -> Iterator[None]:
        from armoon.remote.nearby import LinkQuery

        query = LinkQuery(address, ", ".join(game.party.names))
        self._connections.callback(query.close)
        self._status = replace(self._status, asked_host=names)
        while not query.link:
            if query.failure:
                raise ArmoonError(f"remote.{query.failure}", remedy="remote.refused_remedy", host=names)
            note = text("screens.far.compare", code=query.code) if query.code else ""
            self._status = replace(self._status, note=note)
            yield
        self._start(self._join(game, query.link))

    def _begin_game(self, meeting: Meeting) -> None:
        self._connections.pop_all()  # the meeting stays connected
        self._leave()
        self._status = events.RemoteTablesStatus()
        self._begin(meeting)

    def _leave(self) -> None:
        self._connections.close()
        self._activity, self._invitation = iter(()), None
        status = self._status
        self._status = events.RemoteTablesStatus(
            pasted=status.pasted,
            is_invitation_pasted=status.is_invitation_pasted,
            is_public_broker=status.is_public_broker,
        )

    def _fail(self, error: ArmoonError) -> None:
        self._leave()
        self._status = replace(self._status, error=str(error))

    def _paste(self) -> None:
        from armoon.remote.seal import Link

        words = self._window.clipboard_text[:MAX_PASTED_CHARS].strip()
        # The link may be part of a pasted command.
        words = next((word.strip("'\"") for word in words.split() if "://" in word), words)
        try:
            Link.parse(words)
        except ValueError:
            self._keep_pasted(_parse_broker(words).whole, is_invitation_pasted=False)
        else:
            self._keep_pasted(words, is_invitation_pasted=True)
        self._emit(self._status)  # the page waits for an answer even if the status is the same

    def _keep_pasted(self, words: str, *, is_invitation_pasted: bool) -> None:
        self._pasted = words
        host, is_public = urlsplit(words).hostname or "", words in PUBLIC_BROKERS
        self._status = replace(
            self._status, pasted=host, is_invitation_pasted=is_invitation_pasted, is_public_broker=is_public
        )


def _parse_broker(words: str) -> Address:
    """Parse a broker's address. Raises ArmoonError if it is invalid."""
    with suppress(ValueError):
        return TargetAddress("remote", BROKERS).read(words)
    raise ArmoonError("remote.not_pasted")
