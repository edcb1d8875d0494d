"""Many tables at a broker: kept, shown on one page, and complete after the broker was killed."""

from __future__ import annotations

import html
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from support.broker_kit import FakeTable, Mosquitto, Nats, needs_mosquitto, needs_nats
from support.command_line import run
from support.waiting import PATIENCE_S, until

from armoon.broadcast import decode_line
from armoon.errors import ArmoonError
from armoon.party.tables import (
    MAX_EVENTS,
    MAX_TABLES,
    Broker,
    Publisher,
    Tables,
    TablesListener,
    create_client,
    parse_broker,
    read_table_name,
    render_tables,
    table_name,
)
from armoon.values.text import Address

BRIEF_TABLE = """
import sys, time
from armoon.party.tables import Broker, Publisher
publisher = Publisher(Broker("127.0.0.1", int(sys.argv[1]), "club/evening", False), "short", print)
time.sleep(60)
"""


class Recorder:
    def __init__(self, server: Mosquitto) -> None:
        self.numbers: dict[str, list[int]] = {}
        self.ready = False
        self._client = create_client(server.broker)
        self._client._client_id = b"recorder"
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        properties: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = 3600
        self._client.connect_async("127.0.0.1", server.port, 15, clean_start=False, properties=properties)
        self._client.loop_start()

    def _on_connect(self, client: Any, *_: object) -> None:
        client.on_subscribe = lambda *_: setattr(self, "ready", True)
        client.subscribe("club/evening/+/event", 1)

    def _on_message(self, client: Any, data: object, message: Any) -> None:
        self.numbers.setdefault(message.topic.split("/")[2], []).append(decode_line(message.payload).number)

    def close(self) -> None:
        self._client.disconnect()


@needs_mosquitto
@pytest.mark.slow
def test_fifty_tables_are_on_one_page_and_complete_after_the_broker_was_killed(tmp_path: Path) -> None:
    feeds = [FakeTable(f"table {number:02}") for number in range(50)]
    with Mosquitto(tmp_path) as server:
        recorder, listener = Recorder(server), TablesListener(server.broker)
        until(lambda: recorder.ready and listener.connected, "both listeners")
        messages: list[str] = []
        tables = [Publisher(server.broker, f.name, messages.append) for f in feeds]
        for feed, table in zip(feeds, tables, strict=True):
            for line in [*feed.begin(), *feed.judge(1)]:
                table.write(line)
        until(lambda: sum(row.turn == 1 and row.here for row in listener.rows()) == 50, "all tables")
        # The broker keeps the states for late readers.
        result = run("tables", server.address, "--once", "--page", str(tmp_path / "all.html"))
        assert result.exit_code == 0, result.output
        assert all(f"table {number:02}" in result.output for number in range(50))
        assert "Ann table 49" in (tmp_path / "all.html").read_text()
        server.kill()
        for turn in range(2, 6):
            for feed, table in zip(feeds, tables, strict=True):
                for line in feed.judge(turn):
                    table.write(line)
        until(lambda: not listener.connected, "the lost connection")
        server.start()
        until(lambda: all(len(set(ids)) == 6 for ids in recorder.numbers.values()), "every event")
        assert len(recorder.numbers) == 50
        for ids in recorder.numbers.values():
            assert list(dict.fromkeys(ids)) == [1, 2, 3, 4, 5, 6], "in order, at least once"
        until(lambda: sum(row.turn == 5 and row.here for row in listener.rows()) == 50, "the newest states")
        for table in tables:
            table.close()
        until(lambda: not any(row.here for row in listener.rows()), "the tables' farewells")
        listener.close()
        recorder.close()
    assert {t.lost for t in tables} == {0}
    assert listener.unread == 0
    outages = [sentence for sentence in messages if "doesn't answer" in sentence]
    assert len(outages) == 50, "each table reports the lost broker once"


@needs_mosquitto
@pytest.mark.slow
def test_the_last_will_of_a_killed_table_is_shown(tmp_path: Path) -> None:
    with Mosquitto(tmp_path) as server:
        listener = TablesListener(server.broker)
        process = subprocess.Popen(
            [sys.executable, "-c", BRIEF_TABLE, str(server.port)], stdout=subprocess.DEVNULL
        )
        until(lambda: [row.name for row in listener.rows() if row.here] == ["short"], "the table")
        process.send_signal(signal.SIGKILL)
        process.wait()
        until(lambda: [row.here for row in listener.rows()] == [False], "its last will")
        listener.close()


@needs_mosquitto
@pytest.mark.slow
def test_a_page_is_refreshed_without_a_terminal_until_the_command_is_terminated(tmp_path: Path) -> None:
    page = tmp_path / "club.html"
    with Mosquitto(tmp_path) as server:
        address = f"mqtt://127.0.0.1:{server.port}/{server.broker.prefix}"
        words = [sys.executable, "-m", "armoon", "tables", address, "--page", str(page)]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        until(lambda: page.is_file(), "the first page")
        table = Publisher(server.broker, "late", lambda message: None)
        table.write(FakeTable("late").begin()[1])
        until(lambda: "late" in page.read_text(), "an updated page")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) in (0, 143)
        table.close()


def test_an_invalid_message_is_ignored() -> None:
    tables = Tables()
    state = FakeTable("t").begin()[1]
    good = [("a/b/t/state", state), ("a/b/t/here", b'{"here": true}')]
    for topic, content in good:
        assert tables.add_message(topic, content)
    before = tables.rows()
    hostile: list[tuple[str, bytes]] = [
        ("a/b/t/state", b""),
        ("a/b/t/state", b"{" * 5000),
        ("a/b/t/state", state[:-20]),
        ("a/b/t/state", b"[" + state + b"]"),
        ("a/b/t/state", b" " * 2_000_000),
        ("a/b/t/live", state),
        ("a/b/t/here", b'{"here": 1}'),
        ("a/b/t/here", b"\xff\xfe"),
        ("a/b/t/else", state),
        ("", state),
        ("a/b//state", state),
        (f"a/b/{'t' * 99}/state", state),
    ]
    for topic, content in hostile:
        assert not tables.add_message(topic, content), (topic, content[:40])
    assert tables.rows() == before
    assert tables.unread == len(hostile)
    for number in range(2 * MAX_TABLES):
        tables.add_message(f"a/b/{number}/here", b'{"here": true}')
    assert len(tables.rows()) == MAX_TABLES
    assert tables.more == f"{MAX_TABLES + 1} more tables aren't shown"
    assert tables.more in html.unescape(render_tables("club", tables.rows(), tables.more))


def test_names_on_the_page_are_plain_text() -> None:
    tables = Tables()
    state = FakeTable("<script>alert(1)</script>").begin()[1]
    tables.add_message("p/<img src=x>/state", state.replace(b"#ff8000", b"red;x:url(y)"))
    page = render_tables("p", tables.rows())
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "url(" not in page
    assert "&lt;img" in page


def test_events_wait_for_a_lost_broker_and_the_oldest_are_dropped() -> None:
    messages: list[str] = []
    publisher = Publisher(Broker("127.0.0.1", 9, "p", secured=False), "t", messages.append)
    for number in range(MAX_EVENTS + 7):
        publisher.write(json.dumps({"feed": 1, "number": number}).encode())
    publisher.close()
    assert publisher.lost == 7
    assert sum("oldest" in sentence for sentence in messages) == 1


def test_addresses_and_names_are_validated() -> None:
    broker = parse_broker(Address("mqtts://me:a%2Fb@club.example/moon/hall"))
    assert (broker.host, broker.port, broker.prefix, broker.user, broker.password) == (
        *("club.example", 8883, "moon/hall"),
        *("me", "a/b"),
    )
    assert "a/b" not in repr(broker)
    assert parse_broker(Address("mqtt://h:1/p"), "other").password == "other"
    with pytest.raises(ArmoonError, match="200 letters"):
        parse_broker(Address("mqtt://h/a+b"))
    assert table_name(" hall/2+#\n") == "hall-2--"
    assert table_name("") == "table"


@pytest.mark.parametrize("name", ["By the window", "no. 7", "50 % off", "%20", "plain"])
def test_a_tables_name_is_encoded_for_every_brokers_topics(name: str) -> None:
    topic = Broker("", 0, "club/evening", secured=False).topic(name, "state")
    assert not set(topic) & set(" .")
    assert topic.count("/") == 3
    assert read_table_name(topic) == name


@needs_nats
@pytest.mark.slow
def test_tables_are_followed_and_kept_for_late_readers(tmp_path: Path) -> None:
    with Nats(tmp_path) as server:
        listener, notes = TablesListener(server.broker), list[str]()
        until(lambda: listener.connected, "the listener")
        feeds = [FakeTable("By the window"), FakeTable("no. 7")]
        tables = [Publisher(server.broker, f.name, notes.append) for f in feeds]
        for feed, table in zip(feeds, tables, strict=True):
            for line in [*feed.begin(), *feed.judge(1), *feed.judge(2)]:
                table.write(line)
        until(lambda: sum(row.turn == 2 and row.here for row in listener.rows()) == 2, "both tables")
        late = TablesListener(server.broker)
        until(lambda: sum(row.turn == 2 and row.here for row in late.rows()) == 2, "both tables, read late")
        assert [row.name for row in late.rows()] == ["By the window", "no. 7"]
        for table in tables:
            table.close()
        until(lambda: not any(row.here for row in late.rows()), "the tables' farewells")
        late.close()
        listener.close()
    assert listener.unread == 0
    assert not [sentence for sentence in notes if "doesn't answer" in sentence or "doesn't let" in sentence]
