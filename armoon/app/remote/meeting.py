"""Tables meet for a game: guests ask the host to admit them; keys in files survive a restart."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from rich.console import Console

from armoon import __version__
from armoon.app import setup
from armoon.camera.profiles import CameraSeat
from armoon.codec.files import write_whole
from armoon.engine.logbook import VERSION
from armoon.engine.match import Match
from armoon.errors import ArmoonError
from armoon.games import GAMES, game_options
from armoon.games.contract import load_kind
from armoon.messages import text
from armoon.party.link import own_address
from armoon.party.tables import broker_of
from armoon.remote import kinds
from armoon.remote.nearby import LinkRequests, announce_table
from armoon.remote.part import LAN_WORD, STANDARD_INPUT, RemotePart
from armoon.remote.seal import LAN, LONGEST_LINK, STATE_BYTES, Link, Seal, Unsealed, new_key
from armoon.remote.shared import SharedGame
from armoon.remote.transport import BrokerClient, LanGuest, LanHost, Wire
from armoon.saves.profiles import load_profiles
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.publish import password
from armoon.values.names import free_name
from armoon.values.player_settings import Handicap
from armoon.values.poses import Vec3
from armoon.values.text import Address
from armoon.world.physics import describe_build

#: Age at which files of unused games are removed, in seconds: 30 days.
UNUSED_S = 30 * 24 * 3600.0
#: Time limit for a broker's first answer, in seconds: two attempts.
PATIENCE_S = 12.0
HELLO_S = 1.0
#: Silence of the host after which a waiting guest is informed, in seconds.
SILENT_S = 3.0
#: Interval of polling for messages, in seconds.
POLL_S = 0.05


def load_key(link: Link, *, hosts: bool) -> bytes | None:
    with suppress(OSError):
        content = _table_file(link, "key", hosts=hosts).read_bytes()
        if len(content) == STATE_BYTES:
            return content
    return None


def save_key(link: Link, seal: Seal) -> None:
    _remove_old_files()
    with suppress(OSError):
        write_whole(_table_file(link, "key", hosts=seal.table == link.host), seal.state, secret=True)


def _table_file(link: Link, kind: str, *, hosts: bool) -> Path:
    """Return a file of this table; host and guest may use the same computer."""
    return games_folder() / f"remote-{link.room}{'-host' if hosts else ''}.{kind}"


def _remove_old_files() -> None:
    with suppress(OSError):
        for path in games_folder().glob("remote-*.*"):
            with suppress(OSError):
                if path.stat().st_mtime < time.time() - UNUSED_S:
                    path.unlink()


def protocol_version() -> str:
    return f"{__version__} {VERSION} {kinds.PACKET_VERSION}"


def local_players(options: PlayOptions) -> tuple[tuple[str, str | None], ...]:
    bots = options.game_options.bots_by_seat
    return tuple(
        (name, bots[seat] if seat < len(bots) else None) for seat, name in enumerate(options.players)
    )


def open_wire(link: Link, seal: Seal, *, listens: bool = False) -> Wire:
    """Connect to the others by a link; ``listens``: as the host, in the same network."""
    if link.scheme != LAN:
        return BrokerClient(broker_of(Address(link.at), password()), link.room, seal)
    if listens:
        return LanHost("0.0.0.0", urlsplit(link.at).port or 0, seal)
    return LanGuest(link.at, seal)


@dataclass
class Meeting:
    """A table with its connection to the others, and their hellos before the game starts."""

    options: PlayOptions
    """The game, with the players of all tables once they have met."""
    wire: Wire
    seal: Seal
    link: Link
    seats: kinds.Seats | None = None
    """The host's start of the game; for guests."""
    start_packet: bytes = b""
    """The host's start as a signed packet."""
    guests: tuple[tuple[str, kinds.Hello], ...] = ()
    """The other tables in the order of their arrival; for the host."""
    _since_s: float = field(default_factory=time.monotonic)
    _reached: bool = False

    def send(self, message: kinds.Message) -> None:
        self.wire.send(self.seal.seal_message(message))

    def receive(self) -> Iterator[tuple[bytes, Unsealed]]:
        """Yield the readable packets received so far. Raises ArmoonError if a broker has never answered."""
        self._reached = self._reached or self.wire.is_connected or self.link.scheme == LAN
        if not self._reached and time.monotonic() - self._since_s > PATIENCE_S:
            host = urlsplit(self.link.at).hostname or ""
            raise ArmoonError(text("remote.no_broker", host=host), remedy=text("remote.no_broker_remedy"))
        for packet in self.wire.drain_packets():
            with suppress(ValueError):
                yield packet, self.seal.unseal(packet)

    def begin_game(self, match: Match) -> SharedGame:
        """Start the game with this match for all tables, or continue with the host's. Raises ArmoonError."""
        kind = load_kind(match.game)
        seats = self.seats
        if seats is None:
            (header,) = kind.encode_event(match.opening.events[0])
            elsewhere = {name: table for table, hello in self.guests for name, _ in hello.players}
            tables = tuple(elsewhere.get(name, self.seal.table) for name in match.players)
            seats = kinds.Seats(dict(header), tables, self.options.turns)
            self.start_packet = self.seal.seal_message(seats)
            self.wire.send(self.start_packet)
        return SharedGame(
            match,
            seats,
            self.wire,
            self.seal,
            self.link.host,
            start_packet=self.start_packet,
            version=protocol_version(),
            builds={table: hello.build for table, hello in self.guests},
        )

    def set_up_table(self, console: Console, seat: CameraSeat) -> setup.PreparedTable:
        """Set up the host's game from its header, for this seat. Raises ArmoonError if it can't be played here."""
        assert self.seats is not None
        header = self.seats.header
        try:
            kind = load_kind(header["game"])
            match: Match = kind.create_logged_match(header)
        except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ArmoonError(text("remote.no_game"), remedy=text("remote.no_game_remedy")) from error
        writer = setup.open_save(kind, match, games_folder(), console.print) if self.options.saved else None
        return setup.lay_table(kind, match, self.options, seat, writer, games_folder(), on_time=True)


class Invitation:
    """An open invitation."""

    def __init__(
        self, options: PlayOptions, way: Address, port: int, stack: ExitStack, *, announced: bool = False
    ) -> None:
        """Listen in the network or at a broker; ``announced``: other tables can find it by name. Raises ArmoonError."""
        self._saved = setup.saved_players(options)
        self.requests: LinkRequests | None = None
        self._found = stack.enter_context(ExitStack())
        """The announcement to other tables of the same network, until the game begins."""
        key = new_key()
        seal = Seal(key)
        if way.whole == LAN_WORD:
            host = LanHost("0.0.0.0", port, seal)
            link = Link(f"ws://{own_address()}:{host.port}", key, seal.table)
            wire: Wire = host
            if announced:
                self.requests = host.requests = LinkRequests(str(link))
                self._found.callback(self.requests.close)
                self._found.callback(announce_table(", ".join(options.players), link.at))
        else:
            link = Link(way.whole.rstrip("/"), key, seal.table)
            wire = open_wire(link, seal)
        stack.callback(wire.close)
        save_key(link, seal)
        self.file = _table_file(link, "link", hosts=True)
        with suppress(OSError):
            write_whole(self.file, f"{link}\n".encode(), secret=True)
        self._meeting = Meeting(options, wire, seal, link)
        stack.callback(lambda: self._meeting.send(kinds.Goodbye()))

    @property
    def link(self) -> str:
        return str(self._meeting.link)

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(name for name, _ in hello.players) for _, hello in self._meeting.guests)

    def admit_tables(self) -> None:
        meeting = self._meeting
        for _, opened in meeting.receive():
            hello = opened.message
            if not isinstance(hello, kinds.Hello):
                continue
            if opened.table not in {table for table, _ in meeting.guests}:
                if (refusal := _refusal(meeting, hello, self._saved)) is not None:
                    meeting.send(kinds.Refusal(opened.table, refusal))
                    continue
                meeting.guests += (
                    (opened.table, hello if self._saved else _with_free_names(meeting, hello)),
                )
            meeting.send(kinds.KeepAlive(0))

    def finish(self) -> Meeting:
        """Return the meeting with the players of all tables. Raises ArmoonError if they can't play the game."""
        meeting = self._meeting
        self._found.close()
        if self._saved:
            return meeting  # the saved game names the players; those of absent tables play at this one
        options = meeting.options
        everybody = [*local_players(options), *(p for _, hello in meeting.guests for p in hello.players)]
        names, bots = tuple(name for name, _ in everybody), tuple(bot for _, bot in everybody)
        game = options.game_options.with_values(bots=bots) if any(bots) else options.game_options
        try:
            game.check_players(names)
        except ValueError as error:
            raise ArmoonError(str(error), remedy=text("remote.players_remedy")) from error
        wanted = [*_wanted_colours(options.colours, len(options.players))]
        for _, hello in meeting.guests:
            wanted += _wanted_colours(hello.colours, len(hello.players))
        options = replace(options, players=names, game_options=game, colours=setup.distinct_colours(wanted))
        handicaps = [*_local_handicaps(options)]  # guests choose only their aids
        seat = len(handicaps) - sum(len(hello.players) for _, hello in meeting.guests)
        for _, hello in meeting.guests:
            for number, (helps, guidance) in enumerate(hello.aids, start=seat):
                handicaps[number] = replace(handicaps[number], helps=helps, guidance=guidance)
            seat += len(hello.players)
        meeting.options = replace(options, game_options=game.with_handicaps(handicaps))
        return meeting


def _local_handicaps(options: PlayOptions) -> tuple[Handicap, ...]:
    return setup.known_handicaps(options, load_profiles(games_folder()).profiles_of(options.players))


def _wanted_colours(colours: tuple[Vec3, ...], count: int) -> tuple[Vec3 | None, ...]:
    return colours if len(colours) == count else (None,) * count


def _with_free_names(meeting: Meeting, hello: kinds.Hello) -> kinds.Hello:
    """Return the hello with a number after each name that is too similar to another table's."""
    used = [*meeting.options.players, *(name for _, guest in meeting.guests for name, _ in guest.players)]
    players = list[tuple[str, str | None]]()
    for name, bot in hello.players:
        used.append(free_name(name, used))
        players.append((used[-1], bot))
    return replace(hello, players=tuple(players))


def _refusal(meeting: Meeting, hello: kinds.Hello, saved: tuple[str, ...]) -> kinds.RefusalReason | None:
    game = meeting.options.game_options
    joined = [name for _, guest in meeting.guests for name, _ in guest.players]
    seated = joined if saved else [*meeting.options.players, *joined]
    names = [name for name, _ in hello.players]
    if hello.version != protocol_version():
        return kinds.RefusalReason.VERSION
    if saved and not {*names} <= {*saved}:
        return kinds.RefusalReason.UNKNOWN
    if any(bot is not None and bot not in game.bot_kinds().words for _, bot in hello.players):
        return kinds.RefusalReason.NONSENSE
    if saved and {*seated} & {*names}:
        return kinds.RefusalReason.NAME
    return kinds.RefusalReason.FULL if len(seated) + len(names) > game.most else None


class JoinRequest:
    """A table that asks to be admitted."""

    def __init__(self, options: PlayOptions, typed: str, stack: ExitStack, *, hosts: bool = False) -> None:
        """Connect by the link; ``hosts``: as the host's table after a restart. Raises ArmoonError."""
        try:
            link = Link.parse(typed)
        except ValueError:
            raise ArmoonError(text("remote.no_link"), remedy=text("remote.no_link_remedy")) from None
        seal = Seal(link.key, load_key(link, hosts=hosts))
        if hosts != (seal.table == link.host):
            reason = "not_host" if hosts else "no_link"
            raise ArmoonError(text(f"remote.{reason}"), remedy=text(f"remote.{reason}_remedy"))
        save_key(link, seal)
        wire = open_wire(link, seal, listens=hosts)
        stack.callback(wire.close)
        self.host = urlsplit(link.at).hostname or ""
        self._meeting = Meeting(options, wire, seal, link)
        self._hosts = hosts
        self._hello_s = 0.0
        self._start_s = time.monotonic()
        self._admitted_s = -SILENT_S
        """Time of the host's last answer that this table is admitted."""

    @property
    def status_text(self) -> str:
        """A sentence on why the game hasn't started; empty in the first seconds."""
        now_s = time.monotonic()
        if now_s - self._admitted_s < SILENT_S:
            return text("remote.let_in")
        if now_s - self._start_s < SILENT_S:
            return ""
        if self._hosts:
            return text("remote.nobody")
        reason = "no_answer" if self._meeting.wire.is_connected else "unreachable"
        return text(f"remote.{reason}", host=self.host)

    def poll(self) -> Meeting | None:
        """Send hello at intervals; return the meeting once the game has started. Raises ArmoonError for a refusal."""
        meeting = self._meeting
        if time.monotonic() - self._hello_s > HELLO_S:
            self._hello_s = time.monotonic()
            options = meeting.options
            colours = options.colours[: len(options.players)]
            aids = tuple((handicap.helps, handicap.guidance) for handicap in _local_handicaps(options))
            players = local_players(options)
            meeting.send(kinds.Hello(protocol_version(), players, colours, describe_build(), aids))
        if isinstance(meeting.wire, LanGuest) and meeting.wire.refused is not None:
            reason = text(f"remote.refused.{meeting.wire.refused}")
            raise ArmoonError(reason, remedy=text("remote.refused_remedy"))
        for packet, opened in meeting.receive():
            message, from_host = opened.message, opened.table == meeting.link.host
            if isinstance(message, kinds.Refusal) and message.table == meeting.seal.table:
                # A restarted host obeys only refusals because of its version.
                if from_host or (self._hosts and message.why is kinds.RefusalReason.VERSION):
                    reason = text(f"remote.refused.{message.why}")
                    raise ArmoonError(reason, remedy=text("remote.refused_remedy"))
            elif isinstance(message, kinds.Seats) and from_host:
                return self._accept_seats(message, packet)
            elif isinstance(message, kinds.Goodbye) and from_host:
                raise ArmoonError(text("remote.closed"), remedy=text("remote.refused_remedy"))
            elif isinstance(message, kinds.KeepAlive) and from_host:
                self._admitted_s = time.monotonic()
        return None

    def _accept_seats(self, seats: kinds.Seats, packet: bytes) -> Meeting:
        check_bots(seats)
        meeting = self._meeting
        meeting.options = replace(meeting.options, turns=seats.turns)
        meeting.seats, meeting.start_packet = seats, packet
        return meeting


def check_bots(seats: kinds.Seats) -> None:
    """Raise ArmoonError if another table names an unknown bot, which would be a program to run."""
    header = seats.header
    bots, game = header.get("bots") or [], header.get("game")
    known = game_options(game).bot_kinds().words if game in GAMES else ()
    if not isinstance(bots, list) or any(bot is not None and bot not in known for bot in bots):
        raise ArmoonError(text("remote.no_game"), remedy=text("remote.no_game_remedy"))


def meet(options: PlayOptions, console: Console, stack: ExitStack) -> Meeting:
    """Wait for the other tables of a game started from the command line. Raises ArmoonError."""
    part = options.part(RemotePart)
    if part.join is not None:
        return _join(options, part.join, console, stack, hosts=part.remote is not None)
    return _invite(options, part, console, stack)


def _join(options: PlayOptions, typed: str, console: Console, stack: ExitStack, *, hosts: bool) -> Meeting:
    if typed == STANDARD_INPUT:
        console.print(text("remote.paste"))
    request = JoinRequest(options, _read_typed_link(typed), stack, hosts=hosts)
    meeting = request.poll()
    console.print(text("remote.asks", host=request.host))
    shown = ""
    while meeting is None:
        if request.status_text != shown:
            shown = request.status_text
            console.print(shown)
        time.sleep(POLL_S)
        meeting = request.poll()
    return meeting


def _read_typed_link(typed: str) -> str:
    """Read an invitation from standard input or a file, which hides it from the list of processes; else return it."""
    if typed == STANDARD_INPUT:
        return sys.stdin.readline(LONGEST_LINK)
    try:
        with open(typed, encoding="utf-8") as file:
            return file.readline(LONGEST_LINK)
    except (OSError, ValueError):
        return typed


def _invite(options: PlayOptions, part: RemotePart, console: Console, stack: ExitStack) -> Meeting:
    assert part.remote is not None
    invitation = Invitation(options, part.remote, part.remote_port, stack)
    console.print(text("remote.invite", link=invitation.link, count=part.guests))
    console.print(text("remote.again", way=part.remote.whole, file=invitation.file))
    while len(invitation.tables) < part.guests:
        known = len(invitation.tables)
        invitation.admit_tables()
        for names in invitation.tables[known:]:
            console.print(text("remote.came", players=", ".join(names)))
        time.sleep(POLL_S)
    return invitation.finish()
