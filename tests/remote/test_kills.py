"""Programs are killed one after another in one game: all tables reach the same end, and nothing is lost."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.programs_kit import Programs, invitation, lines_of
from support.waiting import until

from armoon.games.moon.editions import Reason
from armoon.messages import text

HOST, GUEST = "host", "guest"
TURNS = 2


@dataclass
class RemoteSession:
    """A host and a guest whose bots play one game, and whose programs may be killed or stopped at any time."""

    programs: Programs
    seed: int = 5
    way: str = "lan"
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    """Number of each program's first start that reached the game's end."""

    def begin(self, *arguments: str) -> None:
        rest = arguments or ("--bots", "pip", "--turns", f"{TURNS}", "--seed", f"{self.seed}")
        self._start(HOST, "play", "--remote", self.way, "--remote-port", "0", *rest)
        (self.programs.folder / "link").write_text(invitation(self.programs, HOST))
        self.start(GUEST)

    def start(self, home: str) -> None:
        if home == HOST:
            self._start(HOST, "play", "--remote", self.way, "--join", "../link", "--bots", "pip")
        else:
            self._start(GUEST, "join", "../link", "--bots", "nova")

    def kill(self, *homes: str) -> None:
        for home in homes:
            self.signal(home, signal.SIGKILL)
            self.running[home].wait()

    def signal(self, home: str, number: signal.Signals) -> None:
        os.killpg(self.running[home].pid, number)

    def over(self, home: str) -> bool:
        return self.running[home].poll() is not None

    def log(self, home: str) -> Path:
        return self.programs.folder / home / f"log-{self.ended.get(home, self.starts[home])}.jsonl"

    def played_s(self, home: str) -> float:
        log = self.log(home)
        found = re.findall(r'"tick":(\d+)', log.read_text()[-4000:]) if log.exists() else []
        return int(found[-1]) / 60.0 if found else 0.0

    def finish(self) -> None:
        """Wait for the end at all tables; an ended host is restarted for a guest that lacks the end."""

        def ended() -> bool:
            for home in (HOST, GUEST):
                if self.over(home):
                    assert self.running[home].returncode == 0, self.programs.read_output(home)
                    self.ended.setdefault(home, self.starts[home])
            if self.over(HOST) and GUEST not in self.ended and self.log(HOST).exists():
                self.start(HOST)
            return {HOST, GUEST} <= self.ended.keys()

        until(ended, "the end of the game")

    def check(self) -> None:
        host, guest = (lines_of(self.log(home)) for home in (HOST, GUEST))
        assert counted_verdicts(host) == counted_verdicts(guest)
        assert judged_turns(host) == [*range(1, TURNS + 1)]
        for home in (HOST, GUEST):
            said = self.programs.read_output(home)
            assert "Traceback" not in said
            for why in ("verdict", "nonsense"):
                assert text(f"remote.refused.{why}") not in said

    def _start(self, home: str, *arguments: str) -> None:
        self.starts[home] = self.starts.get(home, 0) + 1
        log = f"log-{self.starts[home]}.jsonl"
        self.running[home] = self.programs.start(home, *arguments, "--log", log)


def judged_turns(lines: list[dict[str, Any]]) -> list[int]:
    """The judged turns, in order; a fall after a verdict has a verdict of its own (rulings F4, F5)."""
    after = (Reason.LATE_FALL.value, Reason.SAME_INCIDENT.value)
    return [line["turn"] for line in lines if line["kind"] == "verdict" and line["reason"] not in after]


def counted_verdicts(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["kind"] in ("move", "verdict", "poses")]


def play_with_kills(folder: Path, seed: int, kills: list[tuple[str, ...]]) -> None:
    """Play a game in which these programs are killed one after the other, at random times."""
    chance = random.Random(seed)
    programs = Programs(folder)
    try:
        session = RemoteSession(programs, seed)
        session.begin()
        for homes in kills:
            until(lambda: session.played_s(homes[0]) > 0.0, "the game")  # noqa: B023 - done at once
            time.sleep(chance.uniform(0.5, 4.0))
            if any(session.over(home) for home in (HOST, GUEST)):
                break
            session.kill(*homes)
            time.sleep(chance.uniform(0.0, 1.0))
            for home in homes:
                session.start(home)
            # Until then no running table may know the game.
            until(lambda: session.played_s(homes[0]) > 0.0, "it is back")  # noqa: B023 - done at once
        session.finish()
        session.check()
    finally:
        programs.close()


@pytest.mark.slow
def test_a_game_continues_whichever_program_is_killed(tmp_path: Path) -> None:
    play_with_kills(tmp_path, 5, [(HOST,), (GUEST,)])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_kills_over_twenty_games_lose_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(1000 + seed)
    play_with_kills(tmp_path, seed, [chance.choice([(HOST,), (GUEST,)]) for _ in range(5)])


def sleep(*homes: str, length_s: float = 12.0) -> Callable[[RemoteSession], None]:
    """Stop programs for longer than a connection lasts without a word."""

    def away(session: RemoteSession) -> None:
        for home in homes:
            session.signal(home, signal.SIGSTOP)
        time.sleep(length_s)
        for home in homes:
            session.signal(home, signal.SIGCONT)

    return away


def change_clock(wrong_by_s: float) -> Callable[[RemoteSession], None]:
    """Change the clock in the game, and restart the guest by the changed one."""

    def away(session: RemoteSession) -> None:
        session.programs.set_clock(wrong_by_s)
        time.sleep(1.0)
        session.kill(GUEST)
        session.start(GUEST)

    return away


def restart_both(session: RemoteSession) -> None:
    """Read what to do, and do it: a new invitation to the saved game."""
    session.kill(HOST, GUEST)
    session.start(HOST)
    session.start(GUEST)
    session.programs.wait_for_output(HOST, text("remote.nobody"))
    session.programs.wait_for_output(GUEST, text("remote.no_answer", host="127.0.0.1"))
    session.kill(HOST, GUEST)
    for home in (HOST, GUEST):
        (session.programs.folder / home / "said").unlink()
    (saved,) = session.programs.folder.glob(f"{HOST}/**/*.armoon")
    session.begin("--resume", str(saved), "--turns", f"{TURNS}", "--camera", "demo")


AWAY = {
    "guest asleep": sleep(GUEST),
    "host asleep": sleep(HOST),
    "both asleep": sleep(HOST, GUEST),
    "guest long asleep": sleep(GUEST, length_s=40.0),
    "host long asleep": sleep(HOST, length_s=40.0),
    "clock an hour fast": change_clock(3600.0),
    "clock an hour slow": change_clock(-3600.0),
    "both restarted": restart_both,
}
#: The others take longer, and have found nothing more.
OFTEN = ("guest asleep", "host asleep", "both restarted", "clock an hour slow")


@pytest.mark.slow
@pytest.mark.parametrize(
    "event", [name if name in OFTEN else pytest.param(name, marks=pytest.mark.long) for name in AWAY]
)
def test_a_game_continues_after_tables_were_away(event: str, tmp_path: Path) -> None:
    programs = Programs(tmp_path)
    try:
        session = RemoteSession(programs)
        session.begin()
        until(lambda: session.played_s(GUEST) > 0.0, "the game")
        AWAY[event](session)
        session.finish()
        session.check()
    finally:
        programs.close()
