"""The line in the same network: what one table sends, all others get; a guest dials again when the line broke."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.waiting import until

from armoon.errors import ArmoonError
from armoon.remote.ways import LanGuest, LanHost


def test_what_one_sends_all_others_get_in_order() -> None:
    with closing(LanHost("127.0.0.1", 0)) as host:
        address = f"ws://127.0.0.1:{host.port}"
        with closing(LanGuest(address)) as one, closing(LanGuest(address)) as other:
            until(lambda: one.up and other.up, "both are in")
            got: dict[object, list[bytes]] = {host: [], one: [], other: []}

            def came(count: int) -> bool:
                for end, packets in got.items():
                    packets += end.take()  # type: ignore[attr-defined]
                return len(got[host]) >= count and len(got[other]) >= count

            packets = [bytes([number]) * 50 for number in range(200)]
            for packet in packets:
                one.send(packet)
            until(lambda: came(200), "all packets")
            assert got == {host: packets, one: [], other: packets}
            host.send(b"from the host")
            until(lambda: [*one.take(), *other.take()].count(b"from the host") >= 1, "the host's packet")


def test_a_guest_comes_back_to_a_host_that_was_away() -> None:
    first = LanHost("127.0.0.1", 0)
    with closing(LanGuest(f"ws://127.0.0.1:{first.port}")) as guest:
        until(lambda: guest.up, "the guest is in")
        first.close()
        until(lambda: not guest.up, "the line breaks")
        guest.send(b"lost")
        with closing(LanHost("127.0.0.1", first.port)) as again:
            until(lambda: guest.up, "the guest is in again")
            guest.send(b"here")
            until(lambda: again.take() == [b"here"], "the packet")


def test_a_port_that_is_taken_is_one_sentence() -> None:
    with closing(LanHost("127.0.0.1", 0)) as host, pytest.raises(ArmoonError, match=str(host.port)):
        LanHost("127.0.0.1", host.port)
