"""MQTT brokers for tests, mosquitto and NATS; their stored messages survive a kill."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from armoon.broadcast import FeedBegan, FeedRecorder, FeedVerdict, Seat, Standing, Words, encode_line
from armoon.party.tables import Broker
from support.waiting import until

_MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
needs_mosquitto = pytest.mark.skipif(_MOSQUITTO is None, reason="mosquitto isn't installed")
_NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/sbin")
needs_nats = pytest.mark.skipif(_NATS is None, reason="nats-server isn't installed")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Mosquitto:
    """A broker that runs inside a ``with`` block."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.broker = Broker("127.0.0.1", self.port, "club/evening", secured=False)
        self.address = f"mqtt://127.0.0.1:{self.port}/club/evening"
        self._config = folder / "mosquitto.conf"
        persistence = "persistence true\nautosave_on_changes true\nautosave_interval 1\n"
        self._config.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nlog_dest none\nuser root\n"
            f"{persistence}persistence_location {folder}/\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Mosquitto:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        command = [str(_MOSQUITTO), "-c", str(self._config)]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until(self._answers, "the broker answers")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _answers(self) -> bool:
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0


class Nats(Mosquitto):
    """NATS with MQTT 3.1.1; its JetStream stores retained messages."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._config = folder / "nats.conf"
        self._config.write_text(
            f"server_name: armoon-test\nport: {free_port()}\nhost: 127.0.0.1\n"
            f'jetstream {{ store_dir: "{folder}" }}\nmqtt {{ host: 127.0.0.1, port: {self.port} }}\n'
        )

    def start(self) -> None:
        self._process = subprocess.Popen([str(_NATS), "-c", str(self._config)], stderr=subprocess.DEVNULL)
        until(self._answers, "NATS answers")


def bilingual(words: str) -> Words:
    return Words(words, words)


class FakeTable:
    def __init__(self, name: str) -> None:
        self.name = name
        self._feed = FeedRecorder()
        self.seats: tuple[Seat, ...] = (
            Seat(f"Ann {name}", "#ff8000", 1, False, bilingual("")),
            Seat("Ben", "#0080ff", 0, False, bilingual("")),
        )

    def begin(self) -> list[bytes]:
        start = FeedBegan("moon", bilingual("Catch the Moon"), bilingual("tears"), "side", self.seats, ())
        event = self._feed.add_event(0.0, start)
        self._feed.build_live_line(0.0, Standing(self.seats, 1, 0, bilingual("Roll")))
        return [encode_line(event), encode_line(self._feed.build_state_line(0.0))]

    def judge(self, turn: int) -> list[bytes]:
        verdict = FeedVerdict(turn, 0, True, bilingual(f"{self.name} turn {turn}"), top_m=0.1 + 0.01 * turn)
        event = self._feed.add_event(float(turn), verdict)
        standing = Standing(self.seats, turn, turn % 2, bilingual("Roll"), top_m=0.1 + 0.01 * turn)
        live = self._feed.build_live_line(float(turn), standing)
        assert live is not None
        return [encode_line(live), encode_line(event), encode_line(self._feed.build_state_line(float(turn)))]
