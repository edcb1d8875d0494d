"""Meet other tables on the page for that, the only place that starts connections."""

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

#: Maximum length of a pasted text, in characters.
LONGEST = 2000


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
        chosen: Callable[[events.StartGame], PlayOptions],
        begin: Callable[[Meeting], None],
        tell: Callable[[events.Event], None],
        clipboard: Clipboard,
    ) -> None:
        """``chosen`` returns a game's options, ``begin`` sets the table, ``tell`` gets each new state."""
        self._chosen, self._begin, self._tell, self._clipboard = chosen, begin, tell, clipboard
        self._inviting: Invitation | None = None
        self._asking: JoinRequest | None = None
        self._open = ExitStack()
        self._now = self._sent = events.RemoteTablesStatus()
        self._pasted = ""
        """The whole text, which may contain a key."""

    def carry_out(self, action: events.RemoteTablesAction) -> None:
        self._now = replace(self._now, trouble="", copied=False)
        try:
            match action:
                case events.InviteTables(game, broker):
                    self._invite(game, broker=broker)
                case events.JoinTable(game):
                    from armoon.app.remote.meeting import JoinRequest

                    self._leave()
                    self._asking = JoinRequest(self._chosen(game), self._pasted, self._open)
                    self._now = replace(self._now, asks=self._asking.host)
                case events.Request.BEGIN_TABLES if self._inviting is not None:
                    self._begin_game(self._inviting.finish())
                case events.Request.LEAVE_TABLES:
                    self._leave()
                case events.Request.PASTE_LINK:
                    self._paste()
                case events.Request.COPY_LINK if self._inviting is not None:
                    self._clipboard.copy_text(self._inviting.link)
                    self._now = replace(self._now, copied=True)
        except ArmoonError as error:
            self._fail(error)

    def pump(self) -> None:
        try:
            if self._inviting is not None:
                self._inviting.admit_tables()
                self._now = replace(self._now, tables=self._inviting.tables)
            if self._asking is not None:
                self._now = replace(self._now, note=self._asking.status_text)
                if (meeting := self._asking.poll()) is not None:
                    self._begin_game(meeting)
        except ArmoonError as error:
            self._fail(error)
        if self._now != self._sent:
            self._sent = self._now
            self._tell(self._now)

    def close(self) -> None:
        self._open.close()

    def _invite(self, game: events.StartGame, *, broker: bool) -> None:
        from armoon.app.remote.meeting import Invitation

        self._leave()
        options = self._chosen(game)
        own = options.game_options
        if len(options.players) == 1:
            options = replace(options, game_options=own.with_remote_players())
        way = Address(LAN_WORD)
        if broker:
            way = _broker(self._pasted)
        self._inviting = Invitation(options, way, options.part(RemotePart).remote_port, self._open)
        at = urlsplit(self._inviting.link).netloc.rpartition("@")[2]
        self._now = replace(self._now, invites=at)

    def _begin_game(self, meeting: Meeting) -> None:
        self._open.pop_all()
        self._inviting = self._asking = None
        self._now = events.RemoteTablesStatus()
        self._begin(meeting)

    def _leave(self) -> None:
        self._open.close()
        self._inviting = self._asking = None
        self._now = events.RemoteTablesStatus(pasted=self._now.pasted, joins=self._now.joins)

    def _fail(self, error: ArmoonError) -> None:
        self._leave()
        self._now = replace(self._now, trouble=str(error))

    def _paste(self) -> None:
        from armoon.remote.seal import Link

        words = self._clipboard.clipboard_text[:LONGEST].strip()
        # A whole command with the link in it is accepted, too.
        words = next((word.strip("'\"") for word in words.split() if "://" in word), words)
        try:
            Link.parse(words)
        except ValueError:
            _broker(words)
            joins = False
        else:
            joins = True
        self._pasted = words
        self._now = replace(self._now, pasted=urlsplit(words).hostname or "", joins=joins)


def _broker(words: str) -> Address:
    """Return a broker's address. Raises ArmoonError for an invalid one."""
    try:
        found = RemoteWay("remote", ("mqtt", "mqtts")).read(words)
    except ValueError:
        found = Address(LAN_WORD)
    if found.whole == LAN_WORD:
        raise ArmoonError(text("remote.not_pasted"), remedy=text("remote.not_pasted_remedy"))
    return found
