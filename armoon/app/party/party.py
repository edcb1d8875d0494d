"""The party beside a program: its server, its feed, and the requests of host and votes to the table."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from armoon.app import stopping
from armoon.app.party.evening_book import CLIPS, evening_of, party_clips, write_evening
from armoon.app.party.remembered import Memory, of_port
from armoon.app.table import Table
from armoon.codec import MalformedError
from armoon.codec.files import read_bytes
from armoon.codec.whole import write_whole
from armoon.codec.wording import quoted
from armoon.errors import ArmoonError
from armoon.games.shared.seating import Beginner
from armoon.messages import text
from armoon.party.link import Place, Server
from armoon.party.obs.file import ObsAt, obs_by
from armoon.party.paper import obs_page
from armoon.party.part import PartyPart
from armoon.party.server.lines import Wish
from armoon.party.server.tls import fingerprint
from armoon.party.votes.chat import ChatAt, chat_at
from armoon.screens.actions import StartGame
from armoon.settings.options import PlayOptions, games_folder
from armoon.sinks.evening import EveningSink
from armoon.sinks.feed import FeedSink
from armoon.sinks.files import STAMP
from armoon.sinks.hub import Sinks
from armoon.values.acts import Act
from armoon.values.intents import Command

#: Name of the file that OBS opens to find the overlay.
OBS_FILE = "armoon-overlay.html"
#: Maximum size of a style sheet, in bytes.
LARGEST_STYLE = 64 * 1024
#: Commands of the host's page say where they came from.
SOURCE = "party"


@dataclass(frozen=True)
class Outside:
    """Outgoing connections beside those to page visitors; none unless asked for."""

    chat: ChatAt | None = None
    obs: ObsAt | None = None

    @property
    def any(self) -> bool:
        """An outgoing connection exists, which needs a party."""
        return self.chat is not None or self.obs is not None


def outside_of(options: PartyPart) -> Outside:
    """Return the outgoing connections that the command line asks for. Raises ArmoonError."""
    obs = None if options.obs is None else obs_by(options.obs)
    if options.chat is None:
        return Outside(obs=obs)
    try:
        return Outside(chat_at(options.chat, options.chat_delay_s), obs)
    except ValueError as error:
        raise ArmoonError(
            text("air.no_chat", chat=options.chat), remedy=text("air.no_chat_remedy")
        ) from error


def style_of(options: PartyPart) -> str:
    """Return the style sheet that the command line names; empty without one. Raises ArmoonError."""
    path = options.party_style
    if path is None:
        return ""
    try:
        return read_bytes(path, LARGEST_STYLE).decode()
    except (OSError, ValueError, MalformedError) as error:
        why = quoted(getattr(error, "strerror", None) or str(error))
        raise ArmoonError(
            text("air.no_style", path=path, why=why), remedy=text("air.no_style_remedy")
        ) from error


class Party:
    """A server that runs as long as the program, and its feed."""

    def __init__(
        self,
        place: Place,
        folder: Path,
        say: Callable[[str], None],
        outside: Outside | None = None,
        style: str = "",
    ) -> None:
        """Begins it, and says where its pages are. Raises ArmoonError."""
        self._memory = Memory(folder, place.port)
        outside = outside or Outside()
        self.server = Server(
            place, self._memory.keys, say, self._memory, chat=outside.chat, obs=outside.obs, style=style
        )
        self.sink = FeedSink(self.server.write)
        self.evening = EveningSink()
        self._folder, self._say = folder, say
        self.begins: int | None = None
        """Who is to begin the next game, by the votes."""
        at = self.server.address
        say(text("air.begins", **{page: at(page) for page in ("overlay", "board", "watch", "host")}))
        say(self._invited() if self.server.lan else text("air.no_network" if place.lan else "air.own_only"))
        path = folder / of_port(OBS_FILE, place.port)
        with suppress(OSError):  # the address is said anyway
            write_whole(path, obs_page(at("overlay")).encode(), secret=True)
            say(text("air.obs", path=path))

    def _invited(self) -> str:
        """Say how phones join, and what a neighbour can do."""
        at, _, code = self.server.address("vote").removeprefix("http://").partition("/")
        if found := fingerprint(self.server.setup.certificate):
            return text("air.phones", at=at, code=code, fingerprint=found)
        return text("air.phones_plain", at=at, code=code)

    def ask(self, table: Table) -> None:
        """Hand on what host and votes have asked for; from here on it stands in the log like any other wish."""
        self.evening.note_log(table.log)
        for wish in self.server.take_wishes():
            self._grant(wish, table)

    def begun(self, action: StartGame) -> StartGame:
        """Return the next game, begun by whom the votes have chosen, if they have."""
        seat, self.begins = self.begins, None
        if seat is None or seat >= len(action.party.names):
            return action
        return replace(action, begins=Beginner(seat, "chosen"))

    def _grant(self, wish: Wish, table: Table) -> None:
        if wish.kind in (Act.PAUSE, Act.RESUME):
            table.controls.rest(paused=wish.kind is Act.PAUSE)
        elif wish.kind is Act.BEGIN:
            self.begins = wish.value
        else:
            table.controls.ask(Command(wish.kind, SOURCE, wish.value))

    def close(self, *, clips: bool = True, ended: bool = False) -> None:
        """End the server, and keep the evening's book; in a terminal its clips follow unless interrupted.

        ``ended``: the party is over, too; else phones and host come back to the next program of this evening.
        """
        self.server.close()
        self._memory.close(ended=ended)
        path = self._folder / f"armoon-evening-{datetime.now():{STAMP}}.html"
        guests = self.server.setup.kept
        evening = evening_of(self.evening.games, guests)
        if evening is None:
            return
        try:
            write_evening(path, evening)
            self._say(text("evening.written", path=path))
            logs = [str(one.log) for one in self.evening.games if one.log is not None]
            if not logs:
                return
            if not clips or not sys.stdout.isatty() or stopping.asked():
                self._say(text("evening.clips_later", logs=" ".join(logs)))
                return
            self._say(text("evening.clips_now"))
            made = party_clips(self.evening.games, CLIPS)
            write_evening(path, replace(evening, clips=tuple(made)))
        except ArmoonError as error:
            self._say(str(error))


def begin_party(
    options: PlayOptions, say: Callable[[str], None], sinks: Sinks, stack: ExitStack
) -> Party | None:
    """Return the party, where it was asked for; its feed is among the sinks, and the stack closes it."""
    wanted = options.part(PartyPart)
    outside = outside_of(wanted)
    if not (wanted.on_air or outside.any):
        return None
    place = Place(wanted.party_port, wanted.lan, wanted.lan_plain)
    party = Party(place, games_folder(), say, outside, style_of(wanted))
    stack.callback(party.close)
    sinks.add(party.sink, party.evening)
    return party
