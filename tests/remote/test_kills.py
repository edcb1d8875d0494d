"""Programs are killed one after another in one game: all tables reach the same end, and nothing is lost."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
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
    """A host and a guest whose bots play one game, and whose programs may be killed at any time."""

    programs: Programs
    seed: int
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)

    def begin(self) -> None:
        self._start(
            HOST,
            *("play", "--remote", "lan", "--remote-port", "0", "--bots", "pip"),
            *("--turns", f"{TURNS}", "--seed", f"{self.seed}"),
        )
        (self.programs.folder / "link").write_text(invitation(self.programs, HOST))
        self.start(GUEST)

    def start(self, home: str) -> None:
        if home == HOST:
            self._start(HOST, "play", "--remote", "lan", "--join", "../link", "--bots", "pip")
        else:
            self._start(GUEST, "join", "../link", "--bots", "nova")

    def kill(self, *homes: str) -> None:
        for home in homes:
            os.killpg(self.running[home].pid, signal.SIGKILL)
            self.running[home].wait()

    def over(self, home: str) -> bool:
        return self.running[home].poll() is not None

    def log(self, home: str) -> Path:
        return self.programs.folder / home / f"log-{self.starts[home]}.jsonl"

    def played_s(self, home: str) -> float:
        log = self.log(home)
        found = re.findall(r'"tick":(\d+)', log.read_text()[-4000:]) if log.exists() else []
        return int(found[-1]) / 60.0 if found else 0.0

    def finish(self) -> None:
        """Wait for the end at all tables; an ended host is restarted for a guest that hasn't ended."""

        def ended() -> bool:
            over = {home: self.over(home) for home in (HOST, GUEST)}
            if over[HOST] and not over[GUEST] and self.log(HOST).exists():
                self.start(HOST)
            return all(over.values())

        until(ended, "the end of the game")

    def check(self) -> None:
        host, guest = (lines_of(self.log(home)) for home in (HOST, GUEST))
        assert counted_verdicts(host) == counted_verdicts(guest)
        assert judged_turns(host) == [*range(1, TURNS + 1)]
        for home in (HOST, GUEST):
            said = self.programs.read_output(home)
            assert self.running[home].returncode == 0, said
            assert "Traceback" not in said
            for why in ("verdict", "nonsense"):
                assert text(f"remote.refused.{why}") not in said

    def _start(self, home: str, *arguments: str) -> None:
        self.starts[home] = self.starts.get(home, 0) + 1
        self.running[home] = self.programs.start(home, *arguments, "--log", self.log(home).name)


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
