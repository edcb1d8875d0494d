"""Programs and brokers are killed and clocks changed: all tables reach the same end, and nothing is lost."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.broker_kit import Mosquitto, needs_mosquitto
from support.log_kit import lines_of
from support.programs_kit import Programs, invitation
from support.waiting import until

from armoon.games import library
from armoon.games.moon.editions import Reason
from armoon.messages import text

HOST, GUEST, BROKER = "host", "guest", "broker"
FAST, SLOW = 3600.0, -3600.0


@dataclass
class RemoteSession:
    """A host and a guest whose bots play one game, and whose programs may be killed or stopped at any time."""

    programs: Programs
    seed: int = 5
    broker: Mosquitto | None = None
    """None: on the local network."""
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    """Number of the first start of each program that reached the game's end."""
    lacks_end: set[str] = field(default_factory=set)
    first_turn: int = 1
    turns: int = 2

    def begin(self, *arguments: str) -> None:
        rest = arguments or ("--bots", "pip", "--turns", f"{self.turns}", "--seed", f"{self.seed}")
        self._start(HOST, "play", "--remote", self.way, "--remote-port", "0", *rest)
        (self.programs.folder / "link").write_text(invitation(self.programs, HOST))
        self.start(GUEST)

    @property
    def way(self) -> str:
        return "lan" if self.broker is None else self.broker.address

    def start(self, home: str) -> None:
        if home == BROKER and self.broker is not None:
            self.broker.start()
        elif home == HOST:
            self._start(HOST, "play", "--remote", self.way, "--join", "../link", "--bots", "pip")
        else:
            self._start(GUEST, "join", "../link", "--bots", "nova")

    def kill(self, *homes: str) -> None:
        for home in homes:
            if home == BROKER and self.broker is not None:
                self.broker.kill()
            else:
                self.signal(home, signal.SIGKILL)
                self.running[home].wait()

    def signal(self, home: str, number: signal.Signals) -> None:
        os.killpg(self.running[home].pid, number)

    def has_ended(self, *homes: str) -> bool:
        """Return whether one of these programs (default: of both) has ended."""
        return any(self.running[home].poll() is not None for home in homes or (HOST, GUEST))

    def log_path(self, home: str) -> Path:
        return self.programs.folder / home / f"log-{self.ended.get(home, self.starts[home])}.jsonl"

    def played_s(self, home: str) -> float:
        log = self.log_path(home)
        ticks = re.findall(r'"tick":(\d+)', log.read_text()[-4000:]) if log.exists() else []
        return int(ticks[-1]) / 60.0 if ticks else 0.0

    def wait_for_end(self) -> None:
        """Wait for the end at both tables.

        A program that has ended is restarted if the other one is in the game and lacks its end. If the other one only
        asks for the game, no program has it any more, and the log before the kill counts.
        """

        def have_both_ended() -> bool:
            for home, other in ((HOST, GUEST), (GUEST, HOST)):
                if home not in self.ended and self.has_ended(home):
                    assert self.running[home].returncode == 0, self.programs.read_output(home)
                    self.ended[home] = self.starts[home]
                if self.has_ended(home) and other not in self.ended and not self.has_ended(other):
                    if self.log_path(other).exists():
                        self.start(home)
                    else:
                        self.kill(other)
                        self.ended[other] = self.starts[other] - 1
                        self.lacks_end.add(other)
            return {HOST, GUEST} <= self.ended.keys()

        until(have_both_ended, "the end of the game")

    def check_logs(self) -> None:
        lines = {home: lines_of(self.log_path(home)) for home in (HOST, GUEST)}
        host, guest = (
            [line for line in lines[home] if line["kind"] in ("move", "verdict", "poses")]
            for home in (HOST, GUEST)
        )
        shortest = min(len(host), len(guest))
        assert host[:shortest] == guest[:shortest]
        assert self.lacks_end or len(host) == len(guest)
        for home in {HOST, GUEST} - self.lacks_end:
            assert list_judged_turns(lines[home]) == [*range(self.first_turn, self.turns + 1)]
            assert library.verify_log(self.log_path(home)).same
        for home in (HOST, GUEST):
            output = self.programs.read_output(home)
            assert "Traceback" not in output
            for cause in ("verdict", "nonsense"):
                assert text(f"remote.refused.{cause}") not in output

    def _start(self, home: str, *arguments: str) -> None:
        self.starts[home] = self.starts.get(home, 0) + 1
        log = f"log-{self.starts[home]}.jsonl"
        self.running[home] = self.programs.start(home, *arguments, "--log", log)


def list_judged_turns(lines: list[dict[str, Any]]) -> list[int]:
    """Return the judged turns, in order; a fall after a verdict has its own verdict (rulings F4, F5)."""
    after = (Reason.LATE_FALL.value, Reason.SAME_INCIDENT.value)
    return [line["turn"] for line in lines if line["kind"] == "verdict" and line["reason"] not in after]


Event = Callable[[RemoteSession], None]
"""An event that affects a session's programs during the game."""


def disturb(*events: str | float) -> Event:
    """Kill and restart programs, or change the clock by seconds, one after the other, at random times."""

    def apply(session: RemoteSession) -> None:
        rng = random.Random(session.seed)
        for event in events:
            time.sleep(rng.uniform(0.5, 4.0))
            if session.has_ended():
                break
            if isinstance(event, float):
                session.programs.set_clock(event)
                continue
            session.kill(event)
            time.sleep(rng.uniform(0.0, 1.0))
            session.start(event)
            # Until then perhaps no running table has the game.
            home = GUEST if event == BROKER else event
            until(lambda: session.played_s(home) > 0.0 or session.has_ended(), "it is back")  # noqa: B023 - done at once

    return apply


def sleep(home: str) -> Event:
    """Stop a program for longer than a connection lasts without a packet."""

    def apply(session: RemoteSession) -> None:
        session.signal(home, signal.SIGSTOP)
        time.sleep(12.0)
        session.signal(home, signal.SIGCONT)

    return apply


def restart_broker(session: RemoteSession) -> None:
    session.kill(BROKER)
    session.programs.wait_for_output(GUEST, text("remote.line_gone"))
    session.start(BROKER)


def restart_both(session: RemoteSession) -> None:
    """Follow the printed instructions: invite again to the saved game, which has all that a verdict showed."""
    logs = [session.log_path(home) for home in (HOST, GUEST)]
    until(lambda: all('"kind":"verdict"' in log.read_text() for log in logs), "a verdict")
    session.kill(HOST, GUEST)
    session.start(HOST)
    session.start(GUEST)
    session.programs.wait_for_output(HOST, text("remote.nobody"))
    session.programs.wait_for_output(GUEST, text("remote.no_answer", host="127.0.0.1"))
    session.kill(HOST, GUEST)
    for home in (HOST, GUEST):
        (session.programs.folder / home / "output").unlink()
    (saved,) = session.programs.folder.glob(f"{HOST}/**/*.armoon")
    session.first_turn = 2
    session.begin("--resume", str(saved), "--turns", f"{session.turns}", "--camera", "demo")


EVENTS = {
    "killed": disturb(HOST, GUEST),
    "guest asleep": sleep(GUEST),
    "host asleep": sleep(HOST),
    "clock an hour fast": disturb(FAST, GUEST),
    "clock an hour slow": disturb(SLOW, GUEST),
    "broker restarted": restart_broker,
    "both restarted": restart_both,
}


def play(folder: Path, event: Event, *, at_broker: bool = False, seed: int = 5, turns: int = 2) -> None:
    with ExitStack() as stack:
        programs = stack.enter_context(closing(Programs(folder)))
        broker = stack.enter_context(Mosquitto(folder)) if at_broker else None
        session = RemoteSession(programs, seed, broker, turns=turns)
        session.begin()
        until(lambda: session.played_s(GUEST) > 0.0, "the game")
        event(session)
        session.wait_for_end()
        session.check_logs()


@pytest.mark.slow
@needs_mosquitto
@pytest.mark.parametrize("event", EVENTS)
def test_a_game_continues_after_whatever_happens_to_its_programs(event: str, tmp_path: Path) -> None:
    play(tmp_path, EVENTS[event], at_broker=event == "broker restarted")


@pytest.mark.long
@needs_mosquitto
@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_kills_cuts_and_clock_changes_over_20_games_lose_nothing(tmp_path: Path, seed: int) -> None:
    """In the local network and at a broker by turns; a killed host or broker cuts the guest's connection."""
    rng, at_broker = random.Random(1000 + seed), seed % 2 == 1
    events: list[str | float] = [HOST, GUEST, FAST, SLOW, *([BROKER] if at_broker else [])]
    five = disturb(*(rng.choice(events) for _ in range(5)))
    play(tmp_path, five, at_broker=at_broker, seed=seed, turns=4)
