"""The ways between tables: what one sends, all others get; a line that broke is mended by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.broker_kit import Mosquitto, Nats, needs_mosquitto, needs_nats
from support.waiting import until

from armoon.errors import ArmoonError
from armoon.remote.ways import LanGuest, LanHost, OverBroker, Wire

MOSQUITTO = pytest.param("mosquitto", marks=needs_mosquitto)
NATS = pytest.param("nats", marks=[needs_nats, pytest.mark.slow])


class Line:
    def __init__(self, kind: str, folder: Path) -> None:
        self._broker: Mosquitto | None = None
        self.ends: list[Wire]
        if kind == "lan":
            host = LanHost("127.0.0.1", 0)
            self._port = host.port
            self.ends = [host, *(LanGuest(f"ws://127.0.0.1:{host.port}") for _ in range(2))]
        else:
            self._broker = (Nats if kind == "nats" else Mosquitto)(folder)
            self._broker.start()
            self.ends = [OverBroker(self._broker.broker, "room") for _ in range(3)]
        until(lambda: all(end.up for end in self.ends), "all are in")

    def stop(self) -> None:
        if self._broker is None:
            self.ends[0].close()
        else:
            self._broker.kill()

    def start(self) -> None:
        if self._broker is None:
            self.ends[0] = LanHost("127.0.0.1", self._port)
        else:
            self._broker.start()

    def stranger(self) -> Wire | None:
        return None if self._broker is None else OverBroker(self._broker.broker, "elsewhere")

    def close(self) -> None:
        for end in self.ends:
            end.close()
        if self._broker is not None:
            self._broker.kill()


@pytest.fixture
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Line]:
    made = Line(request.param, tmp_path)
    yield made
    made.close()


def arrives(packet: bytes, sender: Wire, end: Wire) -> list[bytes]:
    """Return what has come once a packet got through: one before a subscription was taken is lost."""
    got: list[bytes] = []

    def came() -> bool:
        sender.send(packet)
        got.extend(end.take())
        return bool(got)

    until(came, "a packet")
    return got


@pytest.mark.parametrize("line", ["lan", MOSQUITTO, NATS], indirect=True)
def test_what_one_sends_all_others_of_the_game_get_in_order(line: Line) -> None:
    stranger = line.stranger()
    sender, *others = line.ends[1], line.ends[0], line.ends[2]
    got = [arrives(b"?", sender, other) for other in others]
    packets = [bytes([number]) * 300 for number in range(200)]
    for packet in packets:
        sender.send(packet)

    def came() -> bool:
        for packets_of_one, other in zip(got, others, strict=True):
            packets_of_one += other.take()
        return all(one[-1] == packets[-1] for one in got)

    until(came, "all packets")
    assert [one[-200:] for one in got] == [packets, packets]
    assert sender.take() == []
    if stranger is not None:
        assert stranger.take() == []
        stranger.close()


@pytest.mark.parametrize("line", ["lan", MOSQUITTO], indirect=True)
def test_a_line_that_broke_is_mended_by_itself(line: Line) -> None:
    guest = line.ends[1]
    line.stop()
    until(lambda: not guest.up, "the line breaks")
    guest.send(b"lost")
    line.start()
    until(lambda: all(end.up for end in line.ends), "all are in again")
    assert set(arrives(b"here", guest, line.ends[0])) == {b"here"}


def test_a_port_that_is_taken_is_one_sentence() -> None:
    host = LanHost("127.0.0.1", 0)
    with pytest.raises(ArmoonError, match=str(host.port)):
        LanHost("127.0.0.1", host.port)
    host.close()
