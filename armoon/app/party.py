"""The party during a session: its server, its feed, and the requests from the host's page and the votes."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from armoon.app.pictures import Pictures
from armoon.app.table import Table
from armoon.codec import MalformedError
from armoon.codec.files import read_bytes, write_whole
from armoon.errors import ArmoonError, describe_reason
from armoon.games.shared import FirstPlayer
from armoon.messages import text
from armoon.party.html_page import fill_page
from armoon.party.link import Server, make_qr_rows
from armoon.party.memory import PartyFile, name_party_file
from armoon.party.obs import Rules, find_password, read_rules
from armoon.party.part import PartyPart
from armoon.party.server.guard import JOINING_HELP, compute_fingerprint
from armoon.party.summary import render_summary
from armoon.party.votes import ChatAddress, parse_chat_address
from armoon.screens import events
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.feed import FeedSink, GameNightSink
from armoon.sinks.files import STAMP
from armoon.sinks.film import FilmPart, FilmSink, create_film
from armoon.sinks.hub import Sinks
from armoon.sinks.live import LivePart
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.text import quote_text

#: Name of the file that redirects OBS to the overlay page.
OBS_FILE = "armoon-overlay.html"
#: Maximum size of a style sheet, in bytes.
MAX_STYLE_BYTES = 64 * 1024
#: Source of the host page's commands.
SOURCE = "party"


def read_chat_and_obs(options: PartyPart) -> tuple[ChatAddress | None, Rules | None]:
    obs = None if options.obs is None else replace(read_rules(options.obs), password=find_password())
    if options.chat is None:
        return None, obs
    try:
        return parse_chat_address(options.chat, options.chat_delay_s), obs
    except ValueError as error:
        raise ArmoonError("air.no_chat", chat=options.chat) from error


def read_style(options: PartyPart) -> str:
    path = options.party_style
    if path is None:
        return ""
    try:
        return read_bytes(path, MAX_STYLE_BYTES).decode()
    except (OSError, ValueError, MalformedError) as error:
        reason = quote_text(describe_reason(error))
        raise ArmoonError("air.no_style", path=path, why=reason) from error


class PartyServer:
    """A running party with its server, feed and summary."""

    def __init__(
        self,
        options: PartyPart,
        folder: Path,
        notify: Callable[[str], None],
        *,
        lan: bool = False,
        plain: bool = False,
    ) -> None:
        """Start the server, and report its addresses to ``notify``. Raises ArmoonError."""
        (chat, obs), style, port = read_chat_and_obs(options), read_style(options), options.party_port
        self._memory = memory = PartyFile(folder, port)
        network: dict[str, Any] = {"port": port, "lan": lan, "plain": plain}
        self.server = Server(memory.keys, notify, memory, **network, chat=chat, obs=obs, style=style)
        self.sink = FeedSink(self.server.write)
        self.games = GameNightSink()
        self._folder, self._notify = folder, notify
        self.voted_seat: int | None = None
        address = self.server.address
        notify(text("air.begins", **{page: address(page) for page in ("overlay", "board", "watch", "host")}))
        no_phones = text("air.no_network" if lan else "air.own_only")
        notify(self._describe_invitation() if self.server.lan else no_phones)
        path = folder / name_party_file(OBS_FILE, port)
        with suppress(OSError):  # the address has been reported in any case
            write_whole(path, fill_page("obs", address=address("overlay")).encode(), secret=True)
            notify(text("air.obs", path=path))

    def _describe_invitation(self) -> str:
        address, _, code = self.server.address("vote").removeprefix("http://").partition("/")
        if fingerprint := compute_fingerprint(self.server.setup.certificate):
            return text("air.phones", at=address, code=code, fingerprint=fingerprint)
        return text("air.phones_plain", at=address, code=code)

    def forward_requests(self, table: Table) -> None:
        """Pass requests from the host's page and the votes to the table, which logs them like any other requests."""
        for request in self.server.drain_requests():
            if request.kind in (Act.PAUSE, Act.RESUME):
                table.controls.paused = request.kind is Act.PAUSE
            elif request.kind is Act.BEGIN:
                self.voted_seat = request.value
            else:
                table.controls.add_command(Command(request.kind, SOURCE, request.value))

    def with_voted_first_player(self, action: events.StartGame) -> events.StartGame:
        seat, self.voted_seat = self.voted_seat, None
        if seat is None or seat >= len(action.party.names):
            return action
        return replace(action, begins=FirstPlayer(seat, "chosen"))

    def close(self, *, ended: bool = False) -> None:
        """Stop the server and write the summary; unless the party has ``ended``, guests can return after a restart."""
        self.server.close()
        self._memory.close(ended=ended)
        page_html = render_summary(self.games.games, self.server.setup.kept)
        if page_html is None:
            return
        path = self._folder / f"armoon-summary-{datetime.now():{STAMP}}.html"
        try:
            write_whole(path, page_html.encode())
        except OSError as error:
            self._notify(text("summary.not_written", path=path, why=describe_reason(error)))
        else:
            self._notify(text("summary.written", path=path))


#: Name of the file that redirects the browser to an address; the address contains a key, so it can't be an argument.
OPEN_FILE = "armoon-open.html"


class PartyHost:
    """The party, if any, and the film that the party's page starts."""

    def __init__(
        self,
        options: PlayOptions,
        notify: Callable[[str], None],
        sinks: Sinks,
        *,
        browse: Callable[[str], object] = webbrowser.open,
    ) -> None:
        """With ``--party``, start the party at once. Raises ArmoonError."""
        self._options, self._notify, self._sinks, self._browse = options, notify, sinks, browse
        self.party: PartyServer | None = None
        self._film: FilmSink | None = None
        self._closing_thread: threading.Thread | None = None
        self._code = self._tables_code = tuple[str, ...]()
        self._error = ""
        party_options = options.part(PartyPart)
        if party_options.on_air or any(read_chat_and_obs(party_options)):
            self._begin_party(party_options.lan, plain=party_options.lan_plain)

    def forward_requests(self, table: Table) -> None:
        if self.party is not None:
            self.party.forward_requests(table)

    def with_voted_first_player(self, action: events.StartGame) -> events.StartGame:
        return action if self.party is None else self.party.with_voted_first_player(action)

    def carry_out(self, action: events.Action, pictures: Pictures) -> None:
        self._error = ""
        try:
            match action:
                case events.Ask(events.Request.BEGIN_PARTY, bool(lan)) if self.party is None:
                    self._begin_party(lan)
                case events.Request.END_PARTY:
                    self._end_party()
                case events.Ask(events.Request.RECORD_PEOPLE, on):
                    self._begin_film(pictures) if on else self._stop_film(pictures)
                case events.Ask(events.Request.OPEN_PAGE, str(page)):
                    self._open_browser(page)
        except ArmoonError as error:
            self._error = str(error)

    def poll(self) -> None:
        if self._film is not None and not self._sinks.is_active(self._film):
            self._film = None  # the sinks have reported the fault

    @property
    def state(self) -> events.PartyState:
        always_films = self._options.part(FilmPart).needs_pictures
        is_filming = self._film is not None or always_films
        if self.party is None:
            return events.PartyState(
                is_recording_people=is_filming, always_records_people=always_films, error=self._error
            )
        server = self.party.server
        guests, best = server.guests
        join_address = server.address("vote")
        certificate = compute_fingerprint(server.setup.certificate)
        return events.PartyState(
            True,
            server.lan,
            join_address,
            self._code,
            guests,
            best,
            is_filming,
            always_films,
            self._error,
            certificate,
            self._tables_code,
        )

    # The party ----------------------------------------------------------------------------------------------

    def _begin_party(self, lan: bool, *, plain: bool = False) -> None:
        if self._closing_thread is not None:
            self._closing_thread.join()  # the port is in use until then
        part = self._options.part(PartyPart)
        self.party = PartyServer(part, games_folder(), self._notify, lan=lan, plain=plain)
        server = self.party.server
        address = server.address("vote")
        self._code = make_qr_rows(address) if server.lan else ()
        self._tables_code = make_qr_rows(f"{address}?{JOINING_HELP}") if server.lan else ()
        self._error = text("air.no_network") if lan and not server.lan else ""
        self._sinks.add(self.party.sink, self.party.games)

    def _end_party(self) -> None:
        party, self.party = self.party, None
        if party is None:
            return
        self._sinks.remove(party.sink, party.games)
        self._closing_thread = threading.Thread(target=partial(party.close, ended=True), name="party ends")
        self._closing_thread.start()

    def _open_browser(self, page: str) -> None:
        if self.party is None:
            return
        path = games_folder() / OPEN_FILE
        try:
            write_whole(
                path, fill_page("redirect", address=self.party.server.address(page)).encode(), secret=True
            )
        except OSError as error:
            raise ArmoonError("screens.party.unopened", remedy=describe_reason(error)) from error
        threading.Thread(target=self._browse, args=(path.as_uri(),), name="browser", daemon=True).start()

    # The film -----------------------------------------------------------------------------------------------

    def _begin_film(self, pictures: Pictures) -> None:
        if self._film is not None or self._options.part(FilmPart).needs_pictures:
            return
        path = games_folder() / f"armoon-{datetime.now():{STAMP}}.mp4"
        self._film = create_film(pictures, path, self._options.rate_hz)
        self._film.has_ambience = self._options.ambience
        self._sinks.add(self._film)
        self._notify(text("screens.party.filmed", path=path))

    def _stop_film(self, pictures: Pictures) -> None:
        film, self._film = self._film, None
        if film is not None:
            pictures.should_read_back = self._options.part(LivePart).needs_pictures
            self._sinks.remove(film)

    def close(self) -> None:
        party, self.party = self.party, None
        with suppress(OSError):
            (games_folder() / OPEN_FILE).unlink(missing_ok=True)
        if party is not None:
            party.close()
        if self._closing_thread is not None:
            self._closing_thread.join()
