"""A game that is killed at any moment goes on as if nothing had happened."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.moon_play import key
from support.saves_kit import PretendTable, new_game
from support.waiting import PATIENCE_S

from armoon.games.moon.referee.referee import Places
from armoon.games.moon.rules.game import turn_start
from armoon.games.moon.rules.state import Move
from armoon.games.moon.table.saving import moves_of, resume_point, state_of
from armoon.saves.game_file import GameFile

TESTS = Path(__file__).parents[1]
#: A player is killed after it has reported so many events at most, of the hundred or so of a game, and within
#: so many seconds more, in which it writes about as many events as lie between two calls for the disk.
MOST_EVENTS = 40
LONGEST_WAIT_S = 0.004
#: The exit status of a process that SIGKILL has ended.
KILLED = -9

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="players are forked")


@dataclass
class Life:
    """How much a player said was on disk (None: not even the game), and whether it was killed."""

    reported: int | None
    killed: bool


@dataclass
class Kills:
    """Of the lives: those that ended before anything was written, within a turn, and between turns."""

    unborn: int
    mid_turn: int
    between: int
    torn: int
    """Of all these, how many left half a line."""


class Players:
    """Starts players and kills them."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "support.saves_child"],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._orders, self._said = self._server.stdin, self._server.stdout

    def live(self, path: Path, seed: int, life: int, events: int, then_s: float) -> Life:
        """Let one player play until it has reported so many events, wait, and kill it with SIGKILL."""
        self._orders.write(f"{path} {seed} {life}\n".encode())
        said = self._read(lambda said: said.endswith(b"\n"))
        player = int(said.replace(b".", b""))  # a dot may have come before the number
        said = b"." * said.count(b".")
        if events:
            said += self._read(lambda more: (said + more).count(b".") > events or more.endswith(b"="))
        time.sleep(then_s)
        if not said.endswith(b"="):
            with contextlib.suppress(ProcessLookupError):  # the game may just have ended
                os.kill(player, signal.SIGKILL)
            said += self._read(lambda more: more.endswith(b"="))
        status = int(self._read(lambda said: said.endswith(b"\n")))
        assert status in (0, KILLED), "the player failed by itself"
        dots = said.count(b".")
        return Life(dots - 1 if dots else None, status == KILLED)

    def _read(self, enough: Callable[[bytes], bool]) -> bytes:
        said = b""
        while not enough(said):
            byte = self._said.read(1)
            assert byte, "the server has ended"
            said += byte
        return said

    def close(self) -> None:
        self._orders.close()
        self._server.wait(timeout=PATIENCE_S)
        self._said.close()


@pytest.fixture
def players() -> Iterator[Players]:
    server = Players()
    yield server
    server.close()


def kill_and_check(players: Players, folder: Path, kills: int) -> Kills:
    """So many lives of so many games as it takes; after each death the file says what the child was doing."""
    chance = random.Random(11)
    done = games = unborn = mid_turn = between = torn = highest = 0
    while done < kills:
        games += 1
        path = folder / f"{games}.armoon"
        before, places = new_game(games), dict[int, Places]()
        structure: Places = ()
        content = b""
        kept = life = 0
        while done < kills:
            lived = players.live(
                path, games, life, chance.randrange(MOST_EVENTS), chance.uniform(0.0, LONGEST_WAIT_S)
            )
            done += lived.killed
            if not path.exists():
                assert lived.reported is None, "a game that was reported is there"
                unborn += 1
                break
            content, former = path.read_bytes(), content
            if content == former:
                assert lived.reported is None, "a game is resumed in the file before it goes on"
                unborn += 1
                life += 1
                continue
            saved = GameFile.open(path)
            # Where a line crosses a page of the disk's cache, a kill may come between its halves.
            assert saved.damage == "" or "is cut off" in saved.damage
            torn += bool(saved.damage)
            assert saved.closed or lived.killed
            # Play the same game here, up to the event that is the last in the file.
            table = PretendTable(before, structure, places, f"{games}:{life}")
            events = 0
            moves: list[Move] = []
            batches = table.batches(rebuilt=bool(life))
            while kept + len(moves) < len(saved.moves):
                moves += next(batches)
                events += 1
            assert moves_of(saved)[kept:] == tuple(moves)
            reported = lived.reported or 0
            assert reported <= events <= reported + 1, "what was reported is there"
            assert state_of(saved) == table.state
            point = resume_point(saved)
            start = turn_start(table.state)
            mid_turn += start is not table.state
            between += start is table.state
            highest = max(highest, len(point.structure))
            assert key(point.state) == key(start)
            assert point.state.next_face == start.next_face
            assert point.state.supply == start.supply
            assert point.structure == table.resumable
            assert {t: p for t, p in point.places.items() if t <= start.turn} == {
                t: p for t, p in table.places.items() if t <= start.turn
            }
            before, structure, places = point.state, point.structure, dict(point.places)
            kept = point.keep + len(point.again)
            life += 1
            if not lived.killed:
                break
    assert highest > 4, "some kills came when a structure stood"
    return Kills(unborn, mid_turn, between, torn)


def test_killed_20_times_nothing_is_lost(players: Players, tmp_path: Path) -> None:
    """X4 E1"""
    kill_and_check(players, tmp_path, 20)


@pytest.mark.long
def test_killed_200_times_nothing_is_lost(players: Players, tmp_path: Path) -> None:
    kills = kill_and_check(players, tmp_path, 200)
    assert kills.mid_turn > 20
    assert kills.between > 20
