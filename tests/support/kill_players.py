"""Players in processes of their own, who are killed with SIGKILL at moments of a wanted kind."""

from __future__ import annotations

import contextlib
import json
import os
import random
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.real_program import worked_s
from support.waiting import PATIENCE_S

TESTS = Path(__file__).parents[1]
Line = dict[str, Any]
#: What a kill waits for, drawn evenly; after that it waits a random time more.
AIMS = ("any", "any", "any", "any", "writing", "writing", "held", "settling", "falling")
#: A life that isn't aimed at something lasts so long at most, seconds of its processor time: about a turn.
LONGEST_LIFE_S = 1.2
#: So long after the wanted thing began; a line is written in less than a millisecond where the disk isn't asked
#: to keep it, in a few where it is.
AFTER_S = {"any": 0.0, "writing": 0.002, "held": 0.4, "settling": 0.15, "falling": 0.15}
#: Nobody waits longer for a ladder to be taken or to fall, seconds of processor time.
LONGEST_AIM_S = 4.0
#: Seconds after which a player's time is looked at again.
LOOK_S = 0.02
SILENCE_S = 120.0
#: The exit status of a process that SIGKILL has ended.
KILLED = -9


@dataclass
class Life:
    """What one player said before it died."""

    lines: list[Line]
    status: int

    def said(self, what: str) -> list[Line]:
        return [line for line in self.lines if what in line]

    @property
    def doing(self) -> str:
        told = [line["doing"] for line in self.lines if "doing" in line]
        if self.lines and "writing" in self.lines[-1]:
            return "writing"
        return told[-1] if told else "laying the table"


class Players:
    """Starts players and kills them."""

    def __init__(self, home: Path) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "support.kill_child"],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={
                **os.environ,
                "XDG_DATA_HOME": str(home),
                "HOME": str(home),
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._orders, self._said = self._server.stdin, self._server.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._said, selectors.EVENT_READ)
        self._buffer = b""

    def live(self, order: Line, aim: str, chance: random.Random) -> Life:
        """Let one play, and kill it with SIGKILL at a moment of that kind; it may end by itself before."""
        self._orders.write(json.dumps(order).encode() + b"\n")
        player = self._next(SILENCE_S)
        assert player is not None
        lines = self._until(player["pid"], aim, chance)
        time.sleep(chance.uniform(0.0, AFTER_S[aim]))
        if not (lines and "ended" in lines[-1]):
            with contextlib.suppress(ProcessLookupError):  # it has ended by itself this very moment
                os.kill(player["pid"], signal.SIGKILL)
        while not (lines and "ended" in lines[-1]):
            line = self._next(SILENCE_S)
            assert line is not None, "the server has nothing to say"
            lines.append(line)
        status = lines.pop()["ended"]
        assert status in (0, KILLED), "the player failed by itself"
        return Life(lines, status)

    def _until(self, player: int, aim: str, chance: random.Random) -> list[Line]:
        """What is said until the moment has come."""
        lines: list[Line] = []
        count = chance.randint(1, 12) if aim == "writing" else 1
        end_s = worked_s(player) + (chance.uniform(0.0, LONGEST_LIFE_S) if aim == "any" else LONGEST_AIM_S)
        while count and worked_s(player) < end_s:
            line = self._next(LOOK_S)
            if line is None:
                continue
            lines.append(line)
            if "ended" in line:
                break
            count -= aim in (line.get("doing"), *line)
        return lines

    def _next(self, patience_s: float) -> Line | None:
        while b"\n" not in self._buffer:
            if not self._selector.select(patience_s):
                return None
            more = os.read(self._said.fileno(), 65536)
            assert more, "the server has ended"
            self._buffer += more
        line, self._buffer = self._buffer.split(b"\n", 1)
        said: Line = json.loads(line)
        return said

    def close(self) -> None:
        self._orders.close()
        self._server.wait(timeout=PATIENCE_S)
        self._selector.close()
        self._said.close()
