"""Connections between tables: all others get a table's packets, broken ones are restored, strangers do no harm."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from support.broker_kit import Mosquitto, Nats, needs_mosquitto, needs_nats
from support.waiting import PATIENCE_S, until
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from armoon.errors import ArmoonError
from armoon.remote.nearby import PATH, LinkQuery, LinkRequests
from armoon.remote.protocol import Hello, KeepAlive, Seats, TablePlayer
from armoon.remote.seal import MAX_PACKET_BYTES, Seal, new_key
from armoon.remote.transport import (
    MAX_FROM_ONE,
    MAX_NEW,
    MAX_UNSEATED,
    QUEUE_BYTES,
    BrokerClient,
    LanGuest,
    LanHost,
    Wire,
)

MOSQUITTO = pytest.param("mosquitto", marks=needs_mosquitto)
NATS = pytest.param("nats", marks=[needs_nats, pytest.mark.slow])


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as exit_stack:
        yield exit_stack


class ConnectedTables:
    """Three tables, connected by their host or by a broker, which ``stop`` and ``start`` apply to."""

    def __init__(self, kind: str, folder: Path) -> None:
        key = new_key()
        self.seals = [Seal(key) for _ in range(3)]
        self.ends: list[Wire]
        self.broker: Mosquitto | None = None
        if kind == "lan":
            host = LanHost("127.0.0.1", 0, self.seals[0])
            self._port = host.port
            self.ends = [host, *(LanGuest(f"ws://127.0.0.1:{host.port}", seal) for seal in self.seals[1:])]
        else:
            self.broker = (Nats if kind == "nats" else Mosquitto)(folder)
            self.broker.start()
            self.ends = [BrokerClient(self.broker.broker, "room", seal) for seal in self.seals]
        until(lambda: all(end.is_connected for end in self.ends), "all are connected")
        for end, seal in zip(self.ends, self.seals, strict=True):
            end.send(seal.seal_message(KeepAlive(0)))

    def stop(self) -> None:
        if self.broker is None:
            self.ends[0].close()
        else:
            self.broker.kill()

    def start(self) -> None:
        if self.broker is None:
            self.ends[0] = LanHost("127.0.0.1", self._port, self.seals[0])
        else:
            self.broker.start()

    def close(self) -> None:
        for end in self.ends:
            end.close()
        self.stop()


@pytest.fixture
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ConnectedTables]:
    with closing(ConnectedTables(request.param, tmp_path)) as tables:
        yield tables


def collect_packets(end: Wire, got: list[bytes]) -> list[bytes]:
    """Return ``got`` with the packets received since."""
    got += [packet for *_, packet in end.receive()]
    return got


def wait_for_packet(packet: bytes, sender: Wire, end: Wire) -> list[bytes]:
    """Send until the packet gets through, since those before a subscription are lost; return all received ones."""
    got: list[bytes] = []
    until(lambda: packet in collect_packets(end, got), "a packet", lambda: sender.send(packet))
    return got


@pytest.mark.parametrize("tables", ["lan", MOSQUITTO, NATS], indirect=True)
def test_all_other_tables_of_the_game_get_packets_in_order(tables: ConnectedTables, stack: ExitStack) -> None:
    stranger = (
        None if tables.broker is None else BrokerClient(tables.broker.broker, "elsewhere", tables.seals[0])
    )
    sender, *others = tables.ends[1], tables.ends[0], tables.ends[2]
    seal = tables.seals[1]
    got = [wait_for_packet(seal.seal_message(KeepAlive(0)), sender, other) for other in others]
    packets = [seal.seal_message(KeepAlive(number)) for number in range(200)]
    for packet in packets:
        sender.send(packet)
    for received, other in zip(got, others, strict=True):
        until(lambda: packets[-1] in collect_packets(other, received), "all packets")  # noqa: B023 - done at once
        assert received[-200:] == packets
    if stranger is not None:
        stack.callback(stranger.close)
        assert [*stranger.receive()] == []


@pytest.mark.parametrize("tables", ["lan", MOSQUITTO], indirect=True)
def test_a_broken_connection_restores_itself(tables: ConnectedTables) -> None:
    guest = tables.ends[1]
    tables.stop()
    until(lambda: not guest.is_connected, "the connection breaks")
    lost = tables.seals[1].seal_message(KeepAlive(1))
    guest.send(lost)
    tables.start()
    until(lambda: all(end.is_connected for end in tables.ends), "all are connected again")
    assert lost not in wait_for_packet(tables.seals[1].seal_message(KeepAlive(2)), guest, tables.ends[0])


def test_a_guests_invented_tables_do_not_keep_others_out(stack: ExitStack) -> None:
    """Anyone with the link can sign for any number of tables and keep connections open for them."""
    key = new_key()
    host = LanHost("127.0.0.1", 0, Seal(key))
    stack.callback(host.close)
    received, seated = list[bytes](), Seal(key)
    host.seated.add(seated.table)

    def join(seal: Seal) -> tuple[Any, bytes]:
        line = stack.enter_context(connect(f"ws://127.0.0.1:{host.port}", max_queue=None))
        packet = seal.seal_message(KeepAlive(0))
        line.send(packet)
        until(lambda: packet in collect_packets(host, received), "its packet")
        return line, packet

    _, recorded = join(seated)
    invented, _ = join(Seal(key))
    for _ in range(5000):
        last = Seal(key).seal_message(KeepAlive(0))
        invented.send(last)
    until(lambda: last in collect_packets(host, received), "all", lambda: None)
    for _ in range(2 * MAX_UNSEATED):
        newcomer = Seal(key)
        join(newcomer)
    assert {seated.table, newcomer.table} <= {*host._connections}
    assert len(host._connections) == 1 + MAX_UNSEATED
    assert not host._verify(recorded)[1], "a seated table's old packets stay old"
    assert len(host._numbers) == 4096


def test_an_occupied_port_is_reported() -> None:
    seal = Seal(new_key())
    host = LanHost("127.0.0.1", 0, seal)
    with pytest.raises(ArmoonError, match=str(host.port)):
        LanHost("127.0.0.1", host.port, seal)
    host.close()


def wait_for_close_code(line: Any) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        line.recv(PATIENCE_S)
    return 0 if closed.value.rcvd is None else int(closed.value.rcvd.code)


def test_strangers_neither_keep_a_guest_out_nor_reach_a_table_nor_fill_a_queue(stack: ExitStack) -> None:
    """1,000 idle sockets, half-open TLS, a web page, junk of 1 MiB, replays, flipped packets and a slow reader."""
    key = new_key()
    own, ann, slow, ben = (Seal(key) for _ in range(4))
    host = LanHost("127.0.0.1", 0, own)
    stack.callback(host.close)
    url, silent = f"ws://127.0.0.1:{host.port}", list[Any]()
    first = LanGuest(url, ann)
    stack.callback(first.close)
    until(lambda: first.is_connected, "the first guest")
    hello = Hello("this one", (TablePlayer("Ann"),))
    recorded = [ann.seal_message(hello), ann.seal_message(KeepAlive(1))]
    received, got = list[bytes](), list[bytes]()
    for packet in recorded:
        first.send(packet)
    until(lambda: len(collect_packets(host, received)) == len(recorded), "its packets")

    for _ in range(1000):
        silent.append(stack.enter_context(socket.create_connection(("127.0.0.1", host.port))))
    for _ in range(3 * MAX_NEW):
        silent.append(stack.enter_context(connect(url)))
        tls = stack.enter_context(socket.create_connection(("127.0.0.1", host.port)))
        tls.sendall(bytes.fromhex("1603010200010001fc0303"))  # the beginning of a handshake
    with pytest.raises(InvalidStatus, match="403"), connect(url, origin=Origin("http://page.example")):
        pass
    flipped = bytearray(recorded[0])
    flipped[-1] ^= 1
    junks = ((os.urandom(MAX_PACKET_BYTES), 4001), (os.urandom(1 << 20), 1009), (bytes(flipped), 4001))
    for content, code in junks * 3:
        with connect(url) as junk:
            with suppress(ConnectionClosed):
                junk.send(content)
            assert wait_for_close_code(junk) == code
    for packet in recorded:
        silent.append(stack.enter_context(connect(url)))
        silent[-1].send(packet)
    stack.enter_context(connect(url, max_queue=1)).send(slow.seal_message(KeepAlive(2)))

    latecomer = LanGuest(url, ben)
    stack.callback(latecomer.close)
    joins = ben.seal_message(hello)
    until(lambda: joins in collect_packets(host, received), "a late guest", lambda: latecomer.send(joins))
    assert [received.count(packet) for packet in recorded] == [1, 1]
    assert len(host.unverified) <= MAX_FROM_ONE

    sent, most_bytes = list[bytes](), 0
    while slow.table in host._connections:
        sent.append(own.seal_message(Seats({"long": os.urandom(100_000).hex()}, (own.table,))))
        host.send(sent[-1])
        until(lambda: sent[-1] in collect_packets(first, got), "the packet")
        lines = [guest.transport for guest in list(host._connections.values())]
        most_bytes = max([most_bytes, *(line.get_write_buffer_size() for line in lines)])
    assert QUEUE_BYTES / 2 < most_bytes <= QUEUE_BYTES
    assert [packet for packet in got if packet in sent] == sent
    assert {*got} - {*sent} <= {packet for packet in received if packet not in recorded}
    for link in silent:  # those closed for others, and the rest after the deadline
        with suppress(ConnectionError):
            assert link.recv(1) == b"" if isinstance(link, socket.socket) else wait_for_close_code(link) >= 0
    assert {*host._connections} == {ann.table, ben.table}


def test_a_table_in_between_shows_other_digits_and_a_changed_key_is_refused(stack: ExitStack) -> None:
    real, between = hosts = [LanHost("127.0.0.1", 0, Seal(new_key())) for _ in range(2)]
    for host in hosts:
        stack.callback(host.close)
        host.requests = LinkRequests("the link")
    shown, shown_between = (host.requests for host in hosts if host.requests is not None)
    with connect(f"ws://127.0.0.1:{real.port}{PATH}") as liar:
        liar.send(bytes(32))
        liar.recv(PATIENCE_S)
        liar.send(os.urandom(32) + b"Eve")  # not the key that it has committed to
        wait_for_close_code(liar)
    assert shown.oldest is None
    guest, fooled = (LinkQuery(f"ws://127.0.0.1:{host.port}", "Ben") for host in hosts)
    stack.callback(guest.close)
    stack.callback(fooled.close)
    until(lambda: shown.oldest and shown_between.oldest and guest.code and fooled.code, "the digits")
    assert shown.oldest == ("Ben", guest.code)
    assert guest.code != fooled.code
    shown.decide(fooled.code, is_granted=True)
    assert shown.oldest == ("Ben", guest.code)
    shown.decide(guest.code, is_granted=True)
    until(lambda: guest.link, "the link")
    assert guest.link == "the link"
    assert shown.oldest is None
    between.close()
    until(lambda: fooled.failure, "the end")
    assert not fooled.link
