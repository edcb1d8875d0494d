"""The line over a broker, and a game's meeting there; the broker reads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.broker_kit import Mosquitto, mosquitto, needs_mosquitto
from support.waiting import until

from armoon.remote.ways import OverBroker

pytestmark = needs_mosquitto


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as made:
        yield made


def heard(end: OverBroker, packets: list[bytes], count: int) -> bool:
    packets += end.take()
    return len(packets) >= count


def arrives(packet: bytes, sender: OverBroker, end: OverBroker) -> list[bytes]:
    """What has come once a packet got through: one before a subscription was taken is lost, and asked for again."""
    got: list[bytes] = []

    def came() -> bool:
        sender.send(packet)
        return heard(end, got, 1)

    until(came, "a packet")
    return got


def test_what_one_sends_all_others_of_the_room_get_in_order(at: Mosquitto) -> None:
    with (
        closing(OverBroker(at.broker, "room")) as one,
        closing(OverBroker(at.broker, "room")) as other,
        closing(OverBroker(at.broker, "elsewhere")) as stranger,
    ):
        until(lambda: one.up and other.up and stranger.up, "all are in")
        got = arrives(b"?", one, other)
        packets = [bytes([number]) * 300 for number in range(200)]
        for packet in packets:
            one.send(packet)
        until(lambda: heard(other, got, 200) and got[-1] == packets[-1], "all packets")
        assert got[-200:] == packets
        assert [*one.take(), *stranger.take()] == []


def test_the_line_comes_back_with_the_broker(at: Mosquitto) -> None:
    with closing(OverBroker(at.broker, "room")) as one, closing(OverBroker(at.broker, "room")) as other:
        until(lambda: one.up and other.up, "both are in")
        at.kill()
        until(lambda: not one.up and not other.up, "the line breaks")
        one.send(b"lost")
        at.start()
        until(lambda: one.up and other.up, "both are in again")
        assert set(arrives(b"here", one, other)) == {b"here"}
