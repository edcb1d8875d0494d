"""Tables meet for a game: guests ask the host to admit them; keys in files survive a restart."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TypeVar
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
from armoon.remote.seal import KEY_BYTES, LAN, LONGEST_LINK, STATE_BYTES, Link, Seal, new_key
from armoon.remote.shared import SharedGame
from armoon.remote.transport import BrokerClient, LanGuest, LanHost, Wire
from armoon.saves.profiles import load_profiles
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.publish import password
from armoon.values.names import free_name
from armoon.values.player_settings import Guidance, Handicap, VisualAids
from armoon.values.text import Address
from armoon.world.physics import describe_build

#: Time limit for a broker's first answer, in seconds: two attempts.
PATIENCE_S = 12.0
HELLO_S = 1.0
#: Age at which the invitations of unused games are removed, in seconds: 30 days.
UNUSED_S = 30 * 24 * 3600.0
#: Silence of the host after which a waiting guest is informed, in seconds.
SILENT_S = 3.0
#: Interval of polling for messages, in seconds.
POLL_S = 0.05
ValueT = TypeVar("ValueT")


def load_state(key: bytes, *, hosts: bool) -> bytes:
    """Return this table's state for the game of a link's key; host and guest may use the same computer.

    One file has a secret, from which each game's private key is derived, and the number of starts of all tables here.
    """
    path, content = games_folder() / "remote.key", b""
    with suppress(OSError):
        content = path.read_bytes()
    if len(content) != STATE_BYTES:
        content = new_key() + bytes(STATE_BYTES - KEY_BYTES)
    secret, starts = content[:KEY_BYTES], content[KEY_BYTES:]
    with suppress(OSError):
        following = int.from_bytes(starts, "big") + 1
        write_whole(path, secret + following.to_bytes(len(starts), "big"), secret=True)
    return hashlib.blake2b(key + bytes([hosts]), key=secret, digest_size=KEY_BYTES).digest() + starts


def protocol_version() -> str:
    return f"{__version__} {VERSION} {kinds.PACKET_VERSION}"


def local_players(options: PlayOptions) -> tuple[tuple[str, str | None], ...]:
    bots = options.game_options.bots_by_seat
    return tuple(
        (name, bots[seat] if seat < len(bots) else None) for seat, name in enumerate(options.players)
    )


class Meeting:
    """A table with its connection to the others, before the game starts."""

    def __init__(
        self, options: PlayOptions, link: Link, seal: Seal, stack: ExitStack, *, listens: bool
    ) -> None:
        """Connect to the others; ``listens``: as the host, in the same network. Raises ArmoonError."""
        self.wire: Wire
        if link.scheme != LAN:
            self.wire = BrokerClient(broker_of(Address(link.at), password()), link.room, seal)
        elif listens:
            self.wire = LanHost("0.0.0.0", urlsplit(link.at).port or 0, seal)
        else:
            self.wire = LanGuest(link.at, seal)
        stack.callback(self.wire.close)
        self.options, self.link, self.seal = options, link, seal
        self.seats: kinds.Seats | None = None
        """The host's start of the game; for guests."""
        self.start_packet = b""
        """The host's start as a signed packet."""
        self.guests: tuple[tuple[str, kinds.Hello], ...] = ()
        """The other tables in the order of their arrival; for the host."""
        self._start_s, self._reached = time.monotonic(), False

    @property
    def at_host(self) -> str:
        return urlsplit(self.link.at).hostname or ""

    def send(self, message: kinds.Message) -> None:
        self.wire.send(self.seal.seal_message(message))

    def receive(self) -> Iterator[tuple[str, kinds.Message, bytes]]:
        """Yield sender, message and packet of what was received. Raises ArmoonError if a broker has never answered."""
        self._reached = self._reached or self.wire.is_connected or self.link.scheme == LAN
        if not self._reached and time.monotonic() - self._start_s > PATIENCE_S:
            why = text("remote.no_broker", host=self.at_host)
            raise ArmoonError(why, remedy=text("remote.no_broker_remedy"))
        for packet in self.wire.drain_packets():
            with suppress(ValueError):
                table, _, message = self.seal.unseal(packet)
                yield table, message, packet

    def begin_game(self, match: Match) -> SharedGame:
        """Start the game with this match for all tables, or continue with the host's. Raises ArmoonError."""
        seats = self.seats
        if seats is None:
            (header,) = load_kind(match.game).encode_event(match.opening.events[0])
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
        return setup.assemble_table(kind, match, self.options, seat, writer, games_folder(), real_time=True)


class Invitation(Meeting):
    """An open invitation."""

    def __init__(
        self, options: PlayOptions, way: Address, port: int, stack: ExitStack, *, announced: bool = False
    ) -> None:
        """Listen in the network or at a broker; ``announced``: other tables can find it by name. Raises ArmoonError."""
        key, listens = new_key(), way.whole == LAN_WORD
        seal = Seal(key, load_state(key, hosts=True))
        at = f"{LAN}://{own_address()}:{port}" if listens else way.whole.rstrip("/")
        super().__init__(options, Link(at, key, seal.table), seal, stack, listens=listens)
        self._saved = setup.saved_players(options)
        self.requests: LinkRequests | None = None
        self._found = stack.enter_context(ExitStack())
        """The announcement to other tables of the same network, until the game begins."""
        if isinstance(self.wire, LanHost):
            self.link = replace(self.link, at=f"{LAN}://{own_address()}:{self.wire.port}")
            if announced:
                self.requests = self.wire.requests = LinkRequests(str(self.link))
                self._found.callback(self.requests.close)
                self._found.callback(announce_table(", ".join(options.players), self.link.at))
        self.file = games_folder() / f"remote-{self.link.room}.link"
        with suppress(OSError):
            for old in games_folder().glob("remote-*"):
                if old.stat().st_mtime < time.time() - UNUSED_S:
                    old.unlink()
            write_whole(self.file, f"{self.link}\n".encode(), secret=True)
        stack.callback(lambda: self.send(kinds.Goodbye()))

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(name for name, _ in hello.players) for _, hello in self.guests)

    def admit_tables(self) -> None:
        for table, hello, _ in self.receive():
            if not isinstance(hello, kinds.Hello):
                continue
            if table not in dict(self.guests):
                if (why := self._refusal(hello)) is not None:
                    self.send(kinds.Refusal(table, why))
                    continue
                self.guests += ((table, hello if self._saved else self._with_free_names(hello)),)
            self.send(kinds.KeepAlive(0))

    def finish(self) -> None:
        """Seat the players of all tables. Raises ArmoonError if they can't play the game."""
        self._found.close()
        if self._saved:
            return  # the saved game names the players; those of absent tables play at this one
        hellos, options = [hello for _, hello in self.guests], self.options
        players = [*local_players(options), *(player for hello in hellos for player in hello.players)]
        names, bots = tuple(name for name, _ in players), tuple(bot for _, bot in players)
        game = options.game_options.with_values(bots=bots) if any(bots) else options.game_options
        try:
            game.check_players(names)
        except ValueError as error:
            raise ArmoonError(str(error), remedy=text("remote.players_remedy")) from error
        wanted = [*_by_player(options.colours, len(options.players))]
        aids = list[tuple[VisualAids, Guidance] | None]()
        for hello in hellos:
            wanted += _by_player(hello.colours, len(hello.players))
            aids += _by_player(hello.aids, len(hello.players))
        options = replace(options, players=names, game_options=game, colours=setup.distinct_colours(wanted))
        handicaps = [*_local_handicaps(options)]  # guests choose only their aids
        for seat, chosen in enumerate(aids, start=len(names) - len(aids)):
            if chosen is not None:
                handicaps[seat] = replace(handicaps[seat], helps=chosen[0], guidance=chosen[1])
        self.options = replace(options, game_options=game.with_handicaps(handicaps))

    def _with_free_names(self, hello: kinds.Hello) -> kinds.Hello:
        """Return the hello with a number after each name that is too similar to another table's."""
        taken = [*self.options.players, *(name for names in self.tables for name in names)]
        players = list[tuple[str, str | None]]()
        for name, bot in hello.players:
            taken.append(free_name(name, taken))
            players.append((taken[-1], bot))
        return replace(hello, players=tuple(players))

    def _refusal(self, hello: kinds.Hello) -> kinds.RefusalReason | None:
        game, names = self.options.game_options, {name for name, _ in hello.players}
        came = [name for others in self.tables for name in others]
        if hello.version != protocol_version():
            return kinds.RefusalReason.VERSION
        if self._saved and not names <= {*self._saved}:
            return kinds.RefusalReason.UNKNOWN
        if any(bot is not None and bot not in game.bot_kinds().words for _, bot in hello.players):
            return kinds.RefusalReason.NONSENSE
        if self._saved and {*came} & names:
            return kinds.RefusalReason.NAME
        seated = len(came) + (0 if self._saved else len(self.options.players))
        return kinds.RefusalReason.FULL if seated + len(hello.players) > game.most else None


def _local_handicaps(options: PlayOptions) -> tuple[Handicap, ...]:
    return setup.known_handicaps(options, load_profiles(games_folder()).profiles_of(options.players))


def _by_player(values: Sequence[ValueT], count: int) -> Sequence[ValueT | None]:
    return values if len(values) == count else (None,) * count


class JoinRequest(Meeting):
    """A table that asks to be admitted."""

    def __init__(self, options: PlayOptions, typed: str, stack: ExitStack, *, hosts: bool = False) -> None:
        """Connect by the link; ``hosts``: as the host's table after a restart. Raises ArmoonError."""
        try:
            link = Link.parse(typed)
        except ValueError:
            raise ArmoonError(text("remote.no_link"), remedy=text("remote.no_link_remedy")) from None
        seal = Seal(link.key, load_state(link.key, hosts=hosts))
        if hosts != (seal.table == link.host):
            why = "not_host" if hosts else "no_link"
            raise ArmoonError(text(f"remote.{why}"), remedy=text(f"remote.{why}_remedy"))
        super().__init__(options, link, seal, stack, listens=hosts)
        self._hosts = hosts
        self._hello_s = 0.0
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
        why = "no_answer" if self.wire.is_connected else "unreachable"
        return text(f"remote.{why}", host=self.at_host)

    def poll(self) -> bool:
        """Send hello at intervals; return whether the game has started. Raises ArmoonError for a refusal."""
        if time.monotonic() - self._hello_s > HELLO_S:
            self._hello_s = time.monotonic()
            options = self.options
            colours = options.colours[: len(options.players)]
            aids = tuple((one.helps, one.guidance) for one in _local_handicaps(options))
            players = local_players(options)
            self.send(kinds.Hello(protocol_version(), players, colours, describe_build(), aids))
        refused = self.wire.refused if isinstance(self.wire, LanGuest) else None
        for table, message, packet in self.receive():
            from_host = table == self.link.host
            if isinstance(message, kinds.Refusal) and message.table == self.seal.table:
                # A restarted host obeys only refusals because of its version.
                if from_host or (self._hosts and message.why is kinds.RefusalReason.VERSION):
                    refused = message.why
            elif isinstance(message, kinds.Seats) and from_host:
                check_bots(message)
                self.options = replace(self.options, turns=message.turns)
                self.seats, self.start_packet = message, packet
                return True
            elif isinstance(message, kinds.Goodbye) and from_host:
                raise ArmoonError(text("remote.closed"), remedy=text("remote.refused_remedy"))
            elif isinstance(message, kinds.KeepAlive) and from_host:
                self._admitted_s = time.monotonic()
        if refused is not None:
            raise ArmoonError(text(f"remote.refused.{refused}"), remedy=text("remote.refused_remedy"))
        return False


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
    invitation.finish()
    return invitation


def _join(options: PlayOptions, typed: str, console: Console, stack: ExitStack, *, hosts: bool) -> Meeting:
    if typed == STANDARD_INPUT:
        console.print(text("remote.paste"))
    request = JoinRequest(options, _read_typed_link(typed), stack, hosts=hosts)
    has_begun, shown = request.poll(), ""
    console.print(text("remote.asks", host=request.at_host))
    while not has_begun:
        if request.status_text != shown:
            shown = request.status_text
            console.print(shown)
        time.sleep(POLL_S)
        has_begun = request.poll()
    return request


def _read_typed_link(typed: str) -> str:
    """Read an invitation from standard input or a file, which hides it from the list of processes; else return it."""
    if typed == STANDARD_INPUT:
        return sys.stdin.readline(LONGEST_LINK)
    try:
        with open(typed, encoding="utf-8") as file:
            return file.readline(LONGEST_LINK)
    except (OSError, ValueError):
        return typed
