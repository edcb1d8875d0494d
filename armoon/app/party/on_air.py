"""An evening's party, begun and ended on its page; and the players' film, which is a separate choice."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial

from armoon.app.party.party import Party, outside_of, style_of
from armoon.app.pictures import Pictures
from armoon.app.table import Table
from armoon.codec.whole import write_whole
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.party.link import Place, qr_rows
from armoon.party.paper import leading_to
from armoon.party.part import PartyPart
from armoon.party.server.tls import fingerprint
from armoon.screens.actions import StartGame
from armoon.screens.events import Event
from armoon.screens.on_air import BeginParty, EndParty, OnAirAction, OnAirTold, OpenPage, RecordPeople
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.files import STAMP
from armoon.sinks.film import FilmPart, FilmSink, film_of
from armoon.sinks.hub import Sinks
from armoon.sinks.live import LivePart

#: What a browser opens first: an address with a key stands in a file of one's own, not in a list of processes.
OPEN_FILE = "armoon-open.html"


class OnAir:
    """Holds the party, if there is one, and the film that its page has begun."""

    def __init__(
        self,
        options: PlayOptions,
        say: Callable[[str], None],
        sinks: Sinks,
        tell: Callable[[Event], None],
        *,
        browse: Callable[[str], object] = webbrowser.open,
    ) -> None:
        """With ``--party`` it begins at once; ``tell`` gets its state as it changes. Raises ArmoonError."""
        self._options, self._say, self._sinks, self._browse = options, say, sinks, browse
        self._tell = tell
        self.party: Party | None = None
        self._film: FilmSink | None = None
        self._ending: threading.Thread | None = None
        self._code: tuple[str, ...] = ()
        self._trouble = ""
        self._told = OnAirTold()
        wanted = options.part(PartyPart)
        if wanted.on_air or outside_of(wanted).any:
            self._begin(wanted.lan, plain=wanted.lan_plain)

    def ask(self, table: Table) -> None:
        """Hand on what host and votes have asked for."""
        if self.party is not None:
            self.party.ask(table)

    def begun(self, action: StartGame) -> StartGame:
        """Return the next game, begun by whom the votes have chosen, if they have."""
        return action if self.party is None else self.party.begun(action)

    def do(self, action: OnAirAction, pictures: Pictures) -> None:
        """Do what the page asks for; faults are shown on the page."""
        self._trouble = ""
        try:
            match action:
                case BeginParty(lan) if self.party is None:
                    self._begin(lan)
                case EndParty():
                    self._end()
                case RecordPeople(on):
                    self._record(pictures) if on else self._stop_film(pictures)
                case OpenPage(page):
                    self._open(page)
        except ArmoonError as error:
            self._trouble = str(error)

    def pump(self) -> None:
        """Tell the screens of the present state if it has changed."""
        if self._film is not None and not self._sinks.holds(self._film):
            self._film = None  # its fault was said by the sinks
        told = self._as_it_is()
        if told != self._told:
            self._told = told
            self._tell(told)

    def _as_it_is(self) -> OnAirTold:
        anyway = self._options.part(FilmPart).draws
        film = self._film is not None or anyway
        if self.party is None:
            return OnAirTold(film=film, filmed_anyway=anyway, trouble=self._trouble)
        server = self.party.server
        guests, best = server.guests
        join_at = server.address("vote")
        sure = fingerprint(server.setup.certificate)
        return OnAirTold(
            True, server.lan, join_at, self._code, guests, best, film, anyway, self._trouble, sure
        )

    # The party ----------------------------------------------------------------------------------------------

    def _begin(self, lan: bool, *, plain: bool = False) -> None:
        if self._ending is not None:
            self._ending.join()  # until then the port is taken
        wanted = self._options.part(PartyPart)
        place = Place(wanted.party_port, lan, plain)
        self.party = Party(place, games_folder(), self._say, outside_of(wanted), style_of(wanted))
        server = self.party.server
        self._code = qr_rows(server.address("vote")) if server.lan else ()
        self._trouble = text("air.no_network") if lan and not server.lan else ""
        self._sinks.add(self.party.sink, self.party.evening)

    def _end(self) -> None:
        """End it beside the game: its process may take a second."""
        party, self.party = self.party, None
        if party is None:
            return
        self._sinks.remove(party.sink, party.evening)
        # Clips are drawn, which no other thread may do while a window is.
        self._ending = threading.Thread(
            target=partial(party.close, clips=False, ended=True), name="party ends"
        )
        self._ending.start()

    def _open(self, page: str) -> None:
        if self.party is None:
            return
        path = games_folder() / OPEN_FILE
        try:
            write_whole(path, leading_to(self.party.server.address(page)).encode(), secret=True)
        except OSError as error:
            raise ArmoonError(text("screens.party.unopened"), remedy=str(error.strerror)) from error
        threading.Thread(target=self._browse, args=(path.as_uri(),), name="browser", daemon=True).start()

    # The film -----------------------------------------------------------------------------------------------

    def _record(self, pictures: Pictures) -> None:
        if self._film is not None or self._options.part(FilmPart).draws:
            return
        path = games_folder() / f"armoon-{datetime.now():{STAMP}}.mp4"
        self._film = film_of(pictures, path, self._options.rate_hz)
        self._sinks.add(self._film)
        self._say(text("screens.party.filmed", path=path))

    def _stop_film(self, pictures: Pictures) -> None:
        film, self._film = self._film, None
        if film is not None:
            pictures.kept = self._options.part(LivePart).draws
            self._sinks.remove(film)

    def close(self) -> None:
        """End the party with all that it has begun."""
        party, self.party = self.party, None
        with suppress(OSError):
            (games_folder() / OPEN_FILE).unlink(missing_ok=True)
        if party is not None:
            party.close()
        if self._ending is not None:
            self._ending.join()
