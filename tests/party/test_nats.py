"""Many tables, and one game at several, at NATS: a broker that speaks MQTT 3.1.1, and keeps what it is to keep."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from support.broker_kit import Told, nats, needs_nats
from support.waiting import until

from armoon.party.tables import Broker, Publisher, TablesListener, table_in
from armoon.remote.ways import OverBroker


@pytest.mark.parametrize("name", ["By the window", "no. 7", "50 % off", "%20", "plain"])
def test_a_tables_name_is_written_in_its_topic_so_that_every_broker_takes_it(name: str) -> None:
    topic = Broker("", 0, "club/evening", secured=False).topic(name, "state")
    assert not set(topic) & set(" .")
    assert topic.count("/") == 3
    assert table_in(topic) == name


@needs_nats
@pytest.mark.slow
def test_tables_are_followed_and_kept_for_who_comes_later(tmp_path: Path) -> None:
    with nats(tmp_path) as at:
        listener, said = TablesListener(at.broker), list[str]()
        until(lambda: listener.connected, "it listens")
        told = [Told("By the window"), Told("no. 7")]
        tables = [Publisher(at.broker, one.name, said.append) for one in told]
        for one, table in zip(told, tables, strict=True):
            for line in [*one.begin(), *one.judge(1), *one.judge(2)]:
                table.write(line)
        until(lambda: sum(row.turn == 2 and row.here for row in listener.rows()) == 2, "both are seen")
        late = TablesListener(at.broker)
        until(lambda: sum(row.turn == 2 and row.here for row in late.rows()) == 2, "and by who comes later")
        assert [row.name for row in late.rows()] == ["By the window", "no. 7"]
        for table in tables:
            table.close()
        until(lambda: not any(row.here for row in late.rows()), "they have said goodbye")
        late.close()
        listener.close()
    assert listener.unread == 0
    assert not [sentence for sentence in said if "doesn't answer" in sentence or "doesn't let" in sentence]


@needs_nats
@pytest.mark.slow
def test_what_one_table_sends_all_others_get_and_it_doesnt_itself(tmp_path: Path) -> None:
    with (
        nats(tmp_path) as at,
        closing(OverBroker(at.broker, "room")) as one,
        closing(OverBroker(at.broker, "room")) as other,
    ):
        until(lambda: one.up and other.up, "both are in")
        got: list[bytes] = []

        def came(packet: bytes) -> bool:
            one.send(packet)
            got.extend(other.take())
            return packet in got

        until(lambda: came(b"?" * 40), "the first packet")
        packets = [bytes([number]) * 300 for number in range(200)]
        for packet in packets:
            one.send(packet)

        def all_came() -> bool:
            got.extend(other.take())
            return got[-1] == packets[-1]

        until(all_came, "all packets")
        assert got[-200:] == packets
        assert one.take() == []
