"""Connects tables before a shared game: guests ask the host for seats. Stored keys allow a return after a restart."""

from __future__ import annotations

import hashlib
import math
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from urllib.parse import urlsplit

from rich.console import Console

from armoon.app import setup
from armoon.camera.profiles import CameraSeat
from armoon.codec.files import write_whole
from armoon.engine.match import Match
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.games.contract import load_kind
from armoon.messages import text
from armoon.party.limits import RecentDict
from armoon.party.link import find_own_address
from armoon.party.tables import parse_broker
from armoon.remote import nearby, protocol, transport
from armoon.remote.part import LAN_WORD, STANDARD_INPUT, RemotePart
from armoon.remote.seal import KEY_BYTES, LAN, LONGEST_LINK, STATE_BYTES, Link, Seal, new_key
from armoon.remote.shared import SharedGame
from armoon.saves.profiles import load_profiles
from armoon.settings.files import games_folder
from armoon.settings.preferences import PlayOptions
from armoon.sinks.publish import read_password
from armoon.values.names import make_unique_name
from armoon.values.player_settings import Handicap
from armoon.values.text import Address
from armoon.world.physics import describe_build

#: Interval of requests to join, in seconds.
HELLO_S = 1.0
#: Silence after which waiting players are informed, and after which a table loses its seats, in seconds. A connection
#: that resends lost packets can pause for several seconds.
SILENT_S, SEAT_S = 3.0, 10.0
#: Interval of polling for messages, in seconds.
POLL_S = 0.05


def load_state(key: bytes, *, is_host: bool) -> bytes:
    """Return this table's ``Seal`` state for the game with this key, and count the start.

    One file contains a secret, from which each game's private key is derived, and the number of starts on this
    computer. ``is_host`` makes the keys of a host and a guest on the same computer differ.
    """
    path, content, no_starts = games_folder() / "remote.key", b"", bytes(STATE_BYTES - KEY_BYTES)
    with suppress(OSError):
        content = path.read_bytes()
    if len(content) != STATE_BYTES:
        content = new_key() + no_starts
    secret, starts = content[:KEY_BYTES], content[KEY_BYTES:]
    next_start = int.from_bytes(starts, "big") + 1
    try:
        write_whole(path, secret + next_start.to_bytes(len(starts), "big"), secret=True)
    except OSError:  # with the same count, this table's packets would be taken for repetitions
        secret, starts = new_key(), no_starts
    return hashlib.blake2b(key + bytes([is_host]), key=secret, digest_size=KEY_BYTES).digest() + starts


def list_local_players(options: PlayOptions) -> list[protocol.TablePlayer]:
    padding = [None] * len(options.players)
    bots, colours = (*options.game_options.bots_by_seat, *padding), (*options.colours, *padding)
    seats = zip(options.players, bots, colours, _load_handicaps(options), strict=False)
    return [protocol.TablePlayer(name, bot, rgb, aids.helps, aids.guidance) for name, bot, rgb, aids in seats]


def _load_handicaps(options: PlayOptions) -> tuple[Handicap, ...]:
    return setup.list_handicaps(options, load_profiles(games_folder()).find_profiles(options.players))


class Meeting:
    """A table with its connection to the others, before the game starts."""

    def __init__(
        self, options: PlayOptions, link: Link, seal: Seal, stack: ExitStack, *, listens: bool
    ) -> None:
        """Connect to the other tables or, if ``listens``, accept their connections as the host. Raises ArmoonError."""
        self.wire: transport.Wire
        if link.scheme != LAN:
            self.wire = transport.BrokerClient(
                parse_broker(Address(link.address), read_password()), link.room, seal
            )
        elif listens:
            self.wire = transport.LanHost("0.0.0.0", urlsplit(link.address).port or 0, seal)
        else:
            self.wire = transport.LanGuest(link.address, seal)
        stack.callback(self.wire.close)
        self.options, self.link = options, link
        self.seats: protocol.Seats | None = None
        """The host's start of the game; set only at a guest's table."""
        self.start_packet = b""
        """The start of the game as a signed packet."""
        self.guests: dict[str, protocol.Hello] = {}
        """The guests with seats, in the order of their arrival; set only at the host's table."""
        self._start_s = time.monotonic()

    @property
    def host_name(self) -> str:
        return urlsplit(self.link.address).hostname or ""

    @property
    def status_text(self) -> str:
        """A sentence while the host or broker can't be reached; empty in the first seconds."""
        if self.wire.is_connected or time.monotonic() - self._start_s < SILENT_S:
            return ""
        why = "unreachable" if self.link.scheme == LAN else "no_broker"
        return text(f"remote.{why}", host=self.host_name)

    def begin_game(self, match: Match) -> SharedGame:
        """Begin the shared game with this match; the host also sends its start to all tables."""
        seats = self.seats
        if seats is None:
            (header,) = load_kind(match.game).encode_event(match.opening.events[0])
            remote_tables = {
                player.name: table for table, hello in self.guests.items() for player in hello.players
            }
            tables = tuple(remote_tables.get(name, self.link.host) for name in match.players)
            seats = protocol.Seats(dict(header), tables, self.options.turns)
            self.start_packet = self.wire.seal.seal_message(seats)
            self.wire.send(self.start_packet)
        return SharedGame(
            match,
            seats,
            self.wire,
            self.link.host,
            start_packet=self.start_packet,
            builds={table: hello.build for table, hello in self.guests.items()},
        )

    def set_up_table(self, console: Console, seat: CameraSeat) -> setup.PreparedTable:
        """Set up the host's game from its header for this seat. Raises ArmoonError if it can't be played here."""
        assert self.seats is not None
        header = self.seats.header
        try:
            kind = load_kind(header["game"])
            # Any other name of a bot would be a program to run.
            if not {*(header.get("bots") or ())} <= {None, *game_options(header["game"]).bot_kinds().words}:
                raise ValueError("an unknown bot")
            match: Match = kind.create_logged_match(header)
        except (ArmoonError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise ArmoonError("remote.no_game") from error
        writer = setup.open_save(kind, match, games_folder(), console.print) if self.options.saved else None
        return setup.assemble_table(kind, match, self.options, seat, writer, games_folder(), real_time=True)


class Invitation(Meeting):
    """The host's invitation, valid until the game begins."""

    def __init__(
        self, options: PlayOptions, way: Address, port: int, stack: ExitStack, *, announced: bool = False
    ) -> None:
        """Listen in the network or at a broker; ``announced``: other tables can find this one. Raises ArmoonError."""
        key, listens = new_key(), way.whole == LAN_WORD
        seal = Seal(key, load_state(key, is_host=True))
        address = f"{LAN}://{find_own_address()}:{port}" if listens else way.whole.rstrip("/")
        super().__init__(options, Link(address, key, seal.table), seal, stack, listens=listens)
        self._saved_players = setup.read_saved_players(options)
        self._secret = new_key()
        """Key from which each table's seat code is derived."""
        self._greetings = RecentDict[protocol.Hello]()
        """Each table's last request; anyone with the link can invent tables, so a request alone doesn't get a seat."""
        self._answered_s: dict[str, float] = {}
        """Time at which each table with seats last returned its code."""
        self._polled_s = math.inf
        self._announcement = stack.enter_context(ExitStack())
        """The announcement in the local network, until the game begins."""
        if isinstance(self.wire, transport.LanHost):
            self.link = replace(self.link, address=f"{LAN}://{find_own_address()}:{self.wire.port}")
        self.requests = nearby.LinkRequests(str(self.link))
        if announced and isinstance(self.wire, transport.LanHost):
            self.wire.requests = self.requests
            self._announcement.callback(self.requests.close)
            self._announcement.callback(nearby.announce_table(", ".join(options.players), self.link.address))
        self.file = games_folder() / "remote.link"
        """File with the newest link, with which the host's program can be restarted."""
        with suppress(OSError):
            write_whole(self.file, f"{self.link}\n".encode(), secret=True)
        stack.callback(lambda: self.wire.send_message(protocol.Goodbye()))

    @property
    def tables(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(player.name for player in hello.players) for hello in self.guests.values())

    def admit_tables(self) -> None:
        """Seat tables that return their code, and free the seats of tables that have stopped doing so."""
        now_s = time.monotonic()
        # Tables can't return codes while this program is busy or asleep.
        stalled_s = max(0.0, now_s - self._polled_s - HELLO_S)
        self._answered_s = {table: time_s + stalled_s for table, time_s in self._answered_s.items()}
        self._polled_s = now_s
        for table, is_new, message, _ in self.wire.receive():
            if not is_new:
                continue
            code = hashlib.blake2b(table.encode(), key=self._secret, digest_size=16).hexdigest()
            if isinstance(message, protocol.Hello):
                if table in self.guests and self._greetings.get(table, message) != message:
                    self._free_seats(table)  # restarted for other players
                why = None if table in self.guests else self._find_refusal(message)
                self._greetings[table] = message
                answer = protocol.SeatCode(table, code) if why is None else protocol.Refusal(table, why)
                self.wire.send_message(answer)
            elif message == protocol.SeatCode(self.link.host, code):
                self._keep_seat(table)
            elif isinstance(message, protocol.Goodbye) and table in self.guests:
                self._free_seats(table)
        for table, answered_s in tuple(self._answered_s.items()):
            if now_s - answered_s > SEAT_S:
                self._free_seats(table)

    def _keep_seat(self, table: str) -> None:
        if table not in self.guests:
            hello = self._greetings.get(table)
            if hello is None or self._find_refusal(hello) is not None:
                return
            self.guests[table] = hello if self._saved_players else self._with_free_names(hello)
            self.wire.seated.add(table)
        self._answered_s[table] = time.monotonic()

    def _free_seats(self, table: str) -> None:
        del self._answered_s[table], self.guests[table]
        self.wire.seated.remove(table)

    def finish(self) -> None:
        """Seat the players of all tables. Raises ArmoonError if they can't play the game."""
        self._announcement.close()
        if self._saved_players:
            return  # the saved game names the players; those without a table of their own play at this one
        options, players = self.options, list_local_players(self.options)
        for hello in self.guests.values():
            players += hello.players
        names, bots = tuple(player.name for player in players), tuple(player.bot for player in players)
        game = options.game_options.with_values(bots=bots) if any(bots) else options.game_options
        try:
            game.check_players(names)
        except ValueError as error:
            raise ArmoonError(str(error), remedy="remote.players_remedy") from error
        colours = setup.resolve_colours([player.colour for player in players])
        options = replace(options, players=names, game_options=game, colours=colours)
        handicaps = [  # guests choose their aids, but not their spared mistakes
            replace(known, helps=player.helps, guidance=player.guidance)
            for known, player in zip(_load_handicaps(options), players, strict=True)
        ]
        self.options = replace(options, game_options=game.with_handicaps(handicaps))

    def _with_free_names(self, hello: protocol.Hello) -> protocol.Hello:
        """Return the request with a number added to each name that is too similar to another player's."""
        taken = [*self.options.players, *(name for names in self.tables for name in names)]
        players = list[protocol.TablePlayer]()
        for player in hello.players:
            taken.append(make_unique_name(player.name, taken))
            players.append(replace(player, name=taken[-1]))
        return replace(hello, players=tuple(players))

    def _find_refusal(self, hello: protocol.Hello) -> protocol.RefusalReason | None:
        game, names = self.options.game_options, {player.name for player in hello.players}
        seated = [name for others in self.tables for name in others]
        if hello.version != protocol.program_version():
            return protocol.RefusalReason.VERSION
        if self._saved_players and not names <= {*self._saved_players}:
            return protocol.RefusalReason.UNKNOWN
        if not {player.bot for player in hello.players} <= {None, *game.bot_kinds().words}:
            return protocol.RefusalReason.NONSENSE
        if self._saved_players and {*seated} & names:
            return protocol.RefusalReason.NAME
        seated += () if self._saved_players else self.options.players
        return protocol.RefusalReason.FULL if len(seated) + len(hello.players) > game.max_players else None


class JoinRequest(Meeting):
    """A guest's request to join, or a restarted host's request to rejoin its own game."""

    def __init__(
        self, options: PlayOptions, raw_link: str, stack: ExitStack, *, is_host: bool = False
    ) -> None:
        """Connect by the link; ``is_host``: as the restarted host. Raises ArmoonError."""
        try:
            link = Link.parse(raw_link)
        except ValueError:
            raise ArmoonError("remote.no_link") from None
        seal = Seal(link.key, load_state(link.key, is_host=is_host))
        if is_host != (seal.table == link.host):
            why = "not_host" if is_host else "no_link"
            raise ArmoonError(f"remote.{why}")
        super().__init__(options, link, seal, stack, listens=is_host)
        if not is_host:
            stack.callback(lambda: self.wire.send_message(protocol.Goodbye()))
        self._is_host = is_host
        self._hello_s = 0.0
        self._admitted_s = -SILENT_S
        """Time of the host's last answer with a code for a seat."""
        self._seat_code: protocol.SeatCode | None = None

    @property
    def status_text(self) -> str:
        """A sentence about why the game hasn't started; empty in the first seconds."""
        now_s = time.monotonic()
        if now_s - self._admitted_s < SILENT_S:
            return text("remote.let_in")
        if not self.wire.is_connected or now_s - self._start_s < SILENT_S:
            return super().status_text
        return text("remote.nobody") if self._is_host else text("remote.no_answer", host=self.host_name)

    def poll(self) -> bool:
        """Repeat the request and read answers; return whether the game has started. Raises ArmoonError if refused."""
        if time.monotonic() - self._hello_s > HELLO_S:
            self._hello_s = time.monotonic()
            players = tuple(list_local_players(self.options))
            self.wire.send_message(protocol.Hello(protocol.program_version(), players, describe_build()))
            if self._seat_code is not None:  # on a slow line the host's next code may be late
                self.wire.send_message(self._seat_code)
        refused = self.wire.refused
        own_table = self.wire.seal.table
        for table, is_new, message, packet in self.wire.receive():
            from_host = table == self.link.host
            if isinstance(message, protocol.Seats) and from_host:  # other tables may resend it
                if not self._is_host and own_table not in message.tables:
                    refused = protocol.RefusalReason.FULL
                    continue
                self.options = replace(self.options, turns=message.turns)
                self.seats, self.start_packet = message, packet
                return True
            if not is_new:
                continue
            if isinstance(message, protocol.Refusal) and message.table == own_table:
                # A restarted host accepts refusals from its guests, but only because of its version.
                if from_host or (self._is_host and message.why is protocol.RefusalReason.VERSION):
                    refused = message.why
            elif isinstance(message, protocol.Goodbye) and from_host:
                raise ArmoonError("remote.closed", remedy="remote.refused_remedy")
            elif isinstance(message, protocol.SeatCode) and from_host and message.table == own_table:
                self._admitted_s = time.monotonic()
                self._seat_code = replace(message, table=table)
                self.wire.send_message(self._seat_code)
        if refused is not None:
            raise ArmoonError(f"remote.refused.{refused}", remedy="remote.refused_remedy")
        return False


def meet(options: PlayOptions, console: Console, stack: ExitStack) -> Meeting:
    """Wait for the other tables of a game started from the command line. Raises ArmoonError."""
    part = options.part(RemotePart)
    if part.join is not None:
        if part.join == STANDARD_INPUT:
            console.print(text("remote.paste"))
        request = JoinRequest(options, _read_link(part.join), stack, is_host=part.remote is not None)
        console.print(text("remote.asks", host=request.host_name))
        _wait(request, request.poll, console)
        return request
    assert part.remote is not None
    invitation = Invitation(options, part.remote, part.remote_port, stack)
    console.print(text("remote.invite", link=invitation.link, count=part.guests))
    console.print(text("remote.again", way=part.remote.whole, file=invitation.file))

    def admit_guests() -> bool:
        known = invitation.tables
        invitation.admit_tables()
        for names in invitation.tables:
            if names not in known:
                console.print(text("remote.came", players=", ".join(names)))
        return len(invitation.guests) >= part.guests

    _wait(invitation, admit_guests, console)
    invitation.finish()
    return invitation


def _wait(meeting: Meeting, is_done: Callable[[], bool], console: Console) -> None:
    """Wait until ``is_done`` returns True, and print each new status."""
    shown = ""
    while not is_done():
        if meeting.status_text not in ("", shown):
            shown = meeting.status_text
            console.print(shown)
        time.sleep(POLL_S)


def _read_link(argument: str) -> str:
    """Return the link in standard input or a file, which the list of processes doesn't show, or the argument itself."""
    if argument == STANDARD_INPUT:
        return sys.stdin.readline(LONGEST_LINK)
    try:
        with open(argument, encoding="utf-8") as file:
            return file.readline(LONGEST_LINK)
    except (OSError, ValueError):
        return argument
