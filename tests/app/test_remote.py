"""Joining a game at another table: invitations, names, refusals and resumed games."""

from __future__ import annotations

import io
import itertools
import random
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from support.programs_kit import LINK, parse_link
from support.samples import SAMPLES
from support.session_kit import start
from support.waiting import until

from armoon.app import setup
from armoon.app.remote import meeting
from armoon.app.remote.meeting import Invitation, JoinRequest, Meeting, meet
from armoon.app.remote.pages import RemoteTables
from armoon.camera.profiles import SEATS
from armoon.cli.play import make_play_options
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.messages import speaking, text
from armoon.party.link import find_own_address
from armoon.remote import protocol
from armoon.remote.protocol import (
    Goodbye,
    Hello,
    Refusal,
    RefusalReason,
    SeatCode,
    Seats,
    TablePlayer,
    program_version,
)
from armoon.remote.seal import Link, Seal, new_key
from armoon.remote.transport import LanGuest, LanHost, Wire
from armoon.saves.profiles import change_profile
from armoon.screens import events
from armoon.settings.files import load_settings
from armoon.values.choices import SeatName
from armoon.values.player_settings import NO_HANDICAP, Guidance, Handicap
from armoon.values.text import Address


class Host:
    def __init__(self, stack: ExitStack, **changes: Any) -> None:
        self.output = io.StringIO()
        self._stack = stack
        self.meeting: Meeting | None = None
        self._thread = threading.Thread(target=self._meet, args=(changes,), daemon=True)
        self._thread.start()
        until(lambda: LINK.search(self.output.getvalue()) is not None, "the invitation")
        self.link = parse_link(self.output.getvalue())

    def _meet(self, changes: dict[str, Any]) -> None:
        options = make_play_options(load_settings(), remote=Address("lan"), remote_port=0, **changes)
        self.meeting = meet(options, Console(file=self.output, width=1000), self._stack)

    def wait_for_meeting(self) -> Meeting:
        until(lambda: self.meeting is not None, "a guest arrives")
        assert self.meeting is not None
        return self.meeting


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ExitStack]:
    monkeypatch.setattr(meeting, "games_folder", lambda: tmp_path)
    with ExitStack() as stack:
        yield stack


def join(link: str, stack: ExitStack, *players: str, **changes: Any) -> Meeting:
    options = make_play_options(load_settings(), join=link, players=players, **changes)
    return meet(options, Console(file=io.StringIO()), stack)


@pytest.mark.parametrize(
    ("names", "seated"),
    [
        (("Ann", "Ben", "Cleo"), ("Ann 2", "Ben 2", "Cleo 2")),
        (("\u0410nn", "Dora"), ("\u0410nn 2", "Dora")),
        (("Ann 2", "Ann"), ("Ann 2", "Ann 3")),
    ],
)
def test_the_host_seats_guests_by_names_that_differ_and_with_their_own_aids(
    names: tuple[str, ...],
    seated: tuple[str, ...],
    stack: ExitStack,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meeting, "load_state", lambda key, is_host: None)
    change_profile(
        tmp_path, names[-1], lambda before: replace(before, handicap=Handicap(2, guidance=Guidance.OFF))
    )
    host = Host(stack, game="moon", game_options=game_options("moon")(), players=("Ann", "Ben", "Cleo"))
    guest: list[Meeting] = []
    threading.Thread(target=lambda: guest.append(join(host.link, stack, *names)), daemon=True).start()
    met = host.wait_for_meeting()
    assert met.options.players == ("Ann", "Ben", "Cleo", *seated)
    seat = SEATS[SeatName.MIRROR](640, 360)
    table = setup.prepare_table(
        met.options, seat, tmp_path, Console(file=io.StringIO()), cropped=False, real_time=False
    )
    try:
        shared = met.begin_game(table.game.match)
        until(lambda: guest, "the game begins")
        assert shared._tables.count(guest[0].wire.seal.table) == len(names)
        assert list(table.game.match.players) == list(met.options.players)
        handicap_of = table.game.match.state.options.get_handicap
        assert handicap_of(3) == NO_HANDICAP
        spared = 2 if seated[-1] == names[-1] else 0  # from the host's profile of that name
        assert handicap_of(2 + len(names)) == Handicap(spared, guidance=Guidance.OFF)
    finally:
        table.game.close()


def host_for(reason: str, stack: ExitStack) -> tuple[Link, Callable[[], object]]:
    """Return an invitation by a host that answers with ``reason``, and a function that makes the host answer."""
    if reason == "no_broker":
        return Link("mqtt://127.0.0.1:1/club", new_key(), "0" * 64), lambda: None
    if reason in ("refused.key", "no_answer", "unreachable"):
        key = new_key()
        own = Seal(key)
        listens = LanHost("127.0.0.1", 0, own)
        stack.callback(listens.close)
        if reason == "unreachable":
            listens.close()
        address = f"ws://127.0.0.1:{listens.port}"
        return Link(address, new_key() if reason == "refused.key" else key, own.table), lambda: None
    options = make_play_options(load_settings(), players=("Ann",), game="moon")
    opened = stack.enter_context(ExitStack())
    host = Invitation(options, Address("lan"), 0, opened)

    def answer() -> None:
        host.admit_tables()
        if reason == "closed" and host.tables:
            opened.close()

    return host.link, answer


@pytest.mark.parametrize(
    ("why", "place", "language"),
    [
        *((why, "page", "fr") for why in ("refused.key", "refused.version", "refused.full", "closed")),
        *((why, "page", "fr") for why in ("unreachable", "no_broker", "no_answer", "let_in")),
        *((why, "terminal", "en") for why in ("refused.full", "no_broker", "no_answer", "let_in")),
    ],
)
def test_a_guest_reads_why_the_game_has_not_begun(
    why: str, place: str, language: str, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meeting, "SILENT_S", 1.5)
    monkeypatch.setattr(meeting, "load_state", lambda key, is_host: None)
    if why == "refused.version":
        versions = itertools.count()
        monkeypatch.setattr(protocol, "program_version", lambda: f"{next(versions)}")
    players = ("Ben", "Cleo", "Dan", "Eva", "Finn", "Gus")[: 6 if why == "refused.full" else 1]
    with speaking(language):
        link, answer = host_for(why, stack)
        options = make_play_options(load_settings(), join=str(link), players=players)
        wanted = text(f"remote.{why}", host="127.0.0.1")
        if place == "page":
            statuses = list[events.RemoteTablesStatus]()
            no_clipboard: Any = None
            page = RemoteTables(lambda game: options, lambda met: None, statuses.append, no_clipboard)
            stack.callback(page.close)
            page._pasted = str(link)
            page.carry_out(events.JoinTable(start("moon")))

            def seen() -> bool:
                page.poll()
                return any(wanted in status.note + status.error for status in statuses)

            until(seen, wanted, answer)
            return
        output = io.StringIO()

        def wait_and_answer(seconds: float) -> None:
            time.sleep(seconds)
            answer()
            if wanted in output.getvalue():
                raise SystemExit

        monkeypatch.setattr(meeting, "time", SimpleNamespace(**{**vars(time), "sleep": wait_and_answer}))
        with pytest.raises((ArmoonError, SystemExit)) as ended:
            meet(options, Console(file=output, width=1000), stack)
        assert wanted in output.getvalue() + str(ended.value)


def test_tables_that_do_not_answer_the_host_keep_no_seats(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anyone with the link can sign requests for any number of tables."""
    monkeypatch.setattr(meeting, "SEAT_S", 1.5)
    monkeypatch.setattr(meeting, "load_state", lambda key, is_host: None)
    options = make_play_options(load_settings(), players=("Ann",), game="moon")
    host = Invitation(options, Address("lan"), 0, stack)
    fake_tables = [Seal(host.link.key) for _ in range(60)]
    line = LanGuest(host.link.address.replace(find_own_address(), "127.0.0.1"), fake_tables[0])
    stack.callback(line.close)
    until(lambda: line.is_connected, "a connection")
    codes = dict[str, SeatCode]()

    def exchange() -> None:
        host.admit_tables()
        for *_, message, _ in line.receive():
            if isinstance(message, SeatCode):
                codes[message.table] = message

    for seal in fake_tables:
        line.send(seal.seal_message(Hello(program_version(), (TablePlayer("Eve"),))))
    until(lambda: len(codes) == len(fake_tables), "a code for each request", exchange)
    for seal in fake_tables:  # with another table's code
        line.send(seal.seal_message(replace(codes[fake_tables[0].table], table=host.link.host)))
    until(lambda: host.guests, "the seat of the table that knows its code", exchange)
    assert [*host.guests] == [fake_tables[0].table] == [*host.wire.seated]
    options = make_play_options(load_settings(), join=str(host.link), players=tuple("BCDEF"))
    guest = JoinRequest(options, str(host.link), stack)
    recorded = fake_tables[0].seal_message(replace(codes[fake_tables[0].table], table=host.link.host))

    def wait_for_seat() -> None:
        line.send(recorded)  # a repeated packet doesn't keep the seat
        exchange()
        with suppress(ArmoonError):  # the table is full at first
            guest.poll()

    until(lambda: [*host.guests] == [guest.wire.seal.table], "the guest has all free seats", wait_for_seat)
    assert guest.status_text == text("remote.let_in")


class SlowWire(Wire):
    """A simulated line that delays each packet by 0.4 s and loses a fifth of them."""

    is_connected = True

    def __init__(self, seal: Seal, clock: SimpleNamespace) -> None:
        super().__init__(seal)
        self.other: SlowWire | None = None
        self._clock, self._losses = clock, random.Random(1)
        self.arriving: list[tuple[float, bytes]] = []

    def send(self, packet: bytes) -> None:
        if self.other is not None and self._losses.random() > 0.2:
            self.other.arriving.append((self._clock.now_s + 0.4, packet))

    def receive(self) -> Iterator[tuple[str, bool, protocol.Message, bytes]]:
        while self.arriving and self.arriving[0][0] <= self._clock.now_s:
            _, packet = self.arriving.pop(0)
            self._queue_packet(packet, is_new=self._verify(packet)[1])
        return super().receive()


class SlowMeeting:
    """A host and a guest on a slow line, with a simulated clock."""

    def __init__(self, stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock, self._stack = SimpleNamespace(now_s=1000.0), stack
        monkeypatch.setattr(
            meeting, "time", SimpleNamespace(**{**vars(time), "monotonic": lambda: self.clock.now_s})
        )
        options = make_play_options(load_settings(), players=("Ann",), game="moon")
        self.host = Invitation(options, Address("lan"), 0, stack)
        self.host.wire.close()
        self.host_end = self.host.wire = SlowWire(self.host.wire.seal, self.clock)
        self.guest = self.join("Ben")

    def join(self, *players: str) -> JoinRequest:
        options = make_play_options(load_settings(), join=str(self.host.link), players=players)
        guest = JoinRequest(options, str(self.host.link), self._stack)
        guest.wire.close()
        self.guest_end = guest.wire = SlowWire(guest.wire.seal, self.clock)
        self.host_end.other, self.guest_end.other = self.guest_end, self.host_end
        return guest

    def run(
        self, seconds: float, *, guest: bool = True, host: bool = True
    ) -> list[tuple[tuple[str, ...], ...]]:
        """Poll the chosen tables for some time; return the seated guests' names at each step."""
        seated = list[tuple[tuple[str, ...], ...]]()
        for _ in range(round(seconds / 0.1)):
            self.clock.now_s += 0.1
            if host:
                self.host.admit_tables()
            if guest:
                self.guest.poll()
            seated.append(self.host.tables)
        return seated


def test_guests_keep_their_seats_on_slow_lines_and_while_the_host_is_asleep(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = SlowMeeting(stack, monkeypatch)
    assert simulated.run(10.0)[-1] == (("Ben",),)
    assert {*simulated.run(60.0)} == {(("Ben",),)}
    simulated.run(60.0, host=False)
    assert {*simulated.run(60.0)} == {(("Ben",),)}
    assert () in simulated.run(20.0, guest=False), "a sleeping guest's seat is freed"
    assert simulated.run(10.0)[-1] == (("Ben",),)


def test_a_guest_that_leaves_or_changes_its_players_frees_its_seats(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = SlowMeeting(stack, monkeypatch)
    simulated.run(10.0)
    before = [*simulated.host.guests]
    simulated.guest = simulated.join("Cleo", "Dan")
    assert simulated.run(10.0)[-1] == (("Cleo", "Dan"),)
    assert [*simulated.host.guests] == before, "a restarted program is the same table"
    for _ in range(3):  # some may be lost
        simulated.guest.wire.send_message(Goodbye())
    assert simulated.run(1.0, guest=False)[-1] == ()


def test_a_guest_ignores_repeated_refusals_and_games_without_a_seat(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = SlowMeeting(stack, monkeypatch)
    own, seal = simulated.guest.wire.seal.table, simulated.host.wire.seal
    repeated = [
        seal.seal_message(message)
        for message in (Refusal(own, RefusalReason.FULL), Goodbye(), SeatCode(own, "0" * 32))
    ]
    simulated.run(10.0)
    simulated.guest_end.arriving = [(0.0, packet) for packet in repeated]
    simulated.run(1.0)
    simulated.guest_end.arriving = [(0.0, seal.seal_message(Seats({}, (simulated.host.link.host,))))]
    with pytest.raises(ArmoonError, match=re.escape(text("remote.refused.full"))):
        simulated.guest.poll()


def test_a_table_that_cannot_store_its_starts_joins_as_another_table(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_nothing(*arguments: object, **more: object) -> None:
        raise OSError

    first = meeting.load_state(bytes(32), is_host=False)
    monkeypatch.setattr(meeting, "write_whole", write_nothing)
    assert len({first, *(meeting.load_state(bytes(32), is_host=False) for _ in range(2))}) == 3


@pytest.mark.parametrize("shift_s", [3600.0, -3600.0])
def test_a_restarted_table_keeps_its_name_and_continues_counting_whatever_the_clock(
    shift_s: float, stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = new_key(), new_key()

    def start_table(key: bytes, *, hosts: bool = False) -> tuple[str, int]:
        """Return the started table's name and the number of its first message."""
        sealed = Seal(key, meeting.load_state(key, is_host=hosts)).seal_message(Goodbye())
        return Seal(key).verify(sealed)[:2]

    before, first_number = start_table(keys[0])
    assert len({before, start_table(keys[0], hosts=True)[0], start_table(keys[1])[0]}) == 3
    set_to_s = time.time() + shift_s
    monkeypatch.setattr(time, "time_ns", lambda: int(set_to_s * 1e9))
    restarted, number = start_table(keys[0])
    assert restarted == before
    assert number > first_number
    (tmp_path / "remote.key").write_bytes(b"spoilt")
    assert start_table(keys[0])[0] == start_table(keys[0])[0] != before


@pytest.mark.parametrize("where", ["standard input", "file"])
def test_an_invitation_is_read_without_appearing_in_the_process_list(
    where: str, stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(stack, game="moon", players=("Ann",))
    link_file = tmp_path / "remote.link"
    assert f"--join '{link_file}'" in host.output.getvalue()
    assert link_file.stat().st_mode & 0o077 == 0
    typed = "-" if where == "standard input" else str(tmp_path / "link")
    (tmp_path / "link").write_text(f"{host.link}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{host.link}\n"))

    def join_game() -> None:
        with pytest.raises(ArmoonError, match=re.escape(text("remote.closed"))):
            join(typed, stack, "Ben")

    guest = threading.Thread(target=join_game, daemon=True)
    guest.start()
    assert host.wait_for_meeting().options.players == ("Ann", "Ben")
    host.wait_for_meeting().wire.send_message(Goodbye())
    guest.join()


@pytest.mark.parametrize(
    ("link", "way", "sentence"),
    [
        ("ws://somewhere", None, "remote.no_link"),
        (str(Link("ws://127.0.0.1:8741", bytes(32), "0" * 64)), Address("lan"), "remote.not_host"),
    ],
    ids=["no link", "another table's"],
)
def test_a_wrong_link_joins_and_hosts_no_game(
    stack: ExitStack, link: str, way: Address | None, sentence: str
) -> None:
    with pytest.raises(ArmoonError, match=re.escape(text(sentence))):
        join(link, stack, "Ben", remote=way)


@pytest.mark.parametrize("bots", [["/bin/true"], "nova", [3], ["true"]])
def test_a_remote_bots_program_is_not_run(bots: object) -> None:
    met: Any = SimpleNamespace(seats=Seats({"game": "moon", "bots": bots}, ("0" * 64,)))
    with pytest.raises(ArmoonError, match=re.escape(text("remote.no_game"))) as raised:
        Meeting.set_up_table(met, Console(), SEATS[SeatName.MIRROR](640, 360))
    assert "bot" in str(raised.value.__cause__)


def test_a_saved_game_resumes_at_two_tables_with_the_same_seats(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shutil.copy(SAMPLES / "moon.armoon", tmp_path)
    for module in (setup, meeting):
        monkeypatch.setattr(module, "games_folder", lambda: tmp_path)
    monkeypatch.setattr(meeting, "load_state", lambda key, is_host: None)  # each guest is another table
    own = make_play_options(load_settings(), game="moon", resume=str(path))
    ann, *others = setup.read_saved_players(own)
    host = Host(stack, game="moon", resume=str(path))
    with pytest.raises(ArmoonError, match=re.escape(text("remote.refused.unknown"))):
        join(host.link, stack, "Nobody")
    guest: list[Meeting] = []
    threading.Thread(target=lambda: guest.append(join(host.link, stack, others[0])), daemon=True).start()
    met = host.wait_for_meeting()
    console = Console(file=io.StringIO())
    seat = SEATS[SeatName.MIRROR](640, 360)
    table = setup.prepare_table(met.options, seat, tmp_path, console, cropped=False, real_time=False)
    shared = met.begin_game(table.game.match)
    until(lambda: guest, "the game begins")
    try:
        state = guest[0].wire.seal.table
        assert list(table.game.match.players) == [ann, *others]
        assert [table == state for table in shared._tables] == [seat == 1 for seat in range(1 + len(others))]
        joined = guest[0].set_up_table(console, seat)
        assert joined.game.match.state == table.game.match.state
        assert joined.demo is not None, "the demo's hand can't play at a guest's table"
        joined.game.close()
    finally:
        table.game.close()
