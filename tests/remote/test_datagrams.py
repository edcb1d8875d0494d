"""Packets beside the line: each comes once, whichever way is first, and a lost datagram is made up for by the next."""

from __future__ import annotations

import socket
from contextlib import closing

import pytest
from support.waiting import until

from armoon.remote import lan
from armoon.remote.datagrams import LARGEST_DATAGRAM, PACKETS, TOKEN_BYTES, Datagrams, new_token
from armoon.remote.lan import COME, LanGuest, LanHost, _Line

TOKEN = new_token()


def test_a_packet_is_lost_only_if_three_datagrams_in_a_row_are() -> None:
    here, there = Datagrams(TOKEN), Datagrams(TOKEN)
    packets = [bytes([number]) * 200 for number in range(20)]
    datagrams = [here.next(packet) for packet in packets]
    kept = [datagram for number, datagram in enumerate(datagrams) if number % PACKETS == PACKETS - 1]
    assert [one for datagram in kept for one in there.take(datagram)] == packets[:18]
    assert [one for datagram in datagrams for one in there.take(datagram)] == packets[18:], "no packet twice"


def test_what_came_by_either_way_is_not_new_by_the_other_and_asked_for_again_it_is() -> None:
    here, there = Datagrams(TOKEN), Datagrams(TOKEN)
    datagram = here.next(b"early")
    assert there.take(datagram) == (b"early",)
    assert not there.is_new(b"early")
    assert there.is_new(b"early"), "it was asked for again"
    assert there.is_new(b"late")
    assert there.take(here.next(b"late")) == ()


def test_no_datagram_is_too_large_for_a_network_and_a_cut_one_is_read_as_far_as_it_goes() -> None:
    here = Datagrams(TOKEN)
    datagrams = [here.next(bytes(size)) for size in (700, 700, 5000, 10)]
    assert max(map(len, datagrams)) <= LARGEST_DATAGRAM
    for length in range(TOKEN_BYTES, len(datagrams[0])):
        assert Datagrams(TOKEN).take(datagrams[0][:length]) == ()


def test_what_hurries_comes_once_and_a_strangers_datagram_never() -> None:
    with closing(LanHost("127.0.0.1", 0)) as host, closing(LanGuest(f"ws://127.0.0.1:{host.port}")) as guest:
        until(lambda: guest.up, "the guest is in")
        came: dict[str, list[bytes]] = {"host": [], "guest": []}

        def beside() -> bool:
            """Both know where the other's datagrams go."""
            guest.send(b"where")
            came["host"] += host.take()
            return all(line.throw is not None for line in host._lines)

        until(beside, "the first datagram")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.sendto(Datagrams(new_token()).next(b"a stranger's"), ("127.0.0.1", host.port))
        packets = [bytes([number]) * 200 for number in range(100)]
        for packet in packets:
            guest.send(packet, hurries=True)
            host.send(packet, hurries=True)
        guest.send(b"last")
        host.send(b"last")

        def ended() -> bool:
            came["host"] += host.take()
            came["guest"] += guest.take()
            return all(b"last" in packets for packets in came.values())

        until(ended, "all packets")
        for packets_there in came.values():
            assert sorted(one for one in packets_there if one not in (b"where", b"last")) == packets


class Quiet:
    """A connection on which nobody is."""

    def send(self, packet: bytes) -> None:
        """The test takes what waits itself."""


def line() -> _Line:
    made = _Line(Quiet(), TOKEN)
    made.ended.set()
    made.out.close()
    made._sender.join()
    return made


def test_while_no_datagram_is_lost_packets_go_there_alone_and_else_by_the_line_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, there = line(), line()
    thrown: list[bytes] = []
    here.throw = thrown.append

    def plays(packet: bytes, *, lost: bool = False) -> list[bytes]:
        """Send a packet of the table on turn; return what went by the line."""
        here.send(packet, hurries=True)
        datagram = thrown.pop()
        if not lost:
            came.extend(there.take(datagram))
        return here.out.take()

    def says() -> list[bytes]:
        """Let the other table say that it is there; return what went by its line."""
        there.send(b"here", hurries=False)
        said = there.out.take()
        for packet in said:
            here.is_new(packet)
        return said

    came: list[bytes] = []
    monkeypatch.setattr(lan, "WHOLE_S", 0.0)
    assert plays(b"1") == [b"1"]
    assert says() == [b"here", COME]
    assert plays(b"2") == []
    assert plays(bytes(LARGEST_DATAGRAM)) == [bytes(LARGEST_DATAGRAM)], "it is too large"
    monkeypatch.setattr(lan, "WHOLE_S", 60.0)
    assert plays(b"3", lost=True) == []
    assert plays(b"4") == []
    assert came == [b"1", b"2", b"3", b"4"], "one is made up for"
    assert says() == [b"here"]
    monkeypatch.setattr(lan, "BELIEVED_S", 0.0)
    assert plays(b"5") == [b"5"]
