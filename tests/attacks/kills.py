"""``scripts/faults --kills N``: the whole program killed N times, at any moment, and resumed by the command line.

Both games play their demo without a window, with camera, tracker, physics, save, log and children. After each kill the
save is opened as the next start opens it: what the last resume began from is still there and comes first, no die and
no ladder of the turn that was broken off has changed, and the structure stands where it stood. A game that ends is
followed by another.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.kill_kit import SHIFT_M, shift
from support.real_program import Program

from armoon.games.moon.table.saving import MOVES, resume_point
from armoon.saves.files import SaveError
from armoon.saves.game_file import GameFile, SavedGame

GAMES = ("moon", "lake")
#: A life lasts up to so long after the first line on disk was written by it, or after its beginning.
LONGEST_LIFE_S = 25.0
#: Then something hangs.
PATIENCE_S = 600.0


@dataclass
class Tally:
    """What the kills came upon."""

    kills: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    unborn: int = 0
    """Killed before a game was on disk."""
    moves: int = 0
    """Moves that were on disk when the program was killed, in all."""
    failed: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Known:
    """What a save holds that may never change again."""

    moves: tuple[dict[str, Any], ...]
    """Of the turns that are over."""
    drawn: tuple[Any, ...] = ()
    """The die and the ladder that the turn which was broken off begins with again."""
    structure: Any = ()


def known_of(saved: SavedGame) -> Known:
    """What the next start goes on from. Raises SaveError where it couldn't."""
    if saved.game != "moon":
        return Known(tuple(saved.moves))
    point = resume_point(saved)
    drawn = (point.state.turn, point.state.next_face, point.state.supply[:1])
    return Known(tuple(MOVES.encode(move) for move in point.moves), drawn, point.structure)


def compared(before: Known, now: Known) -> str:
    """What was lost or changed between two kills; empty: nothing."""
    if now.moves[: len(before.moves)] != before.moves:
        return "moves were lost or changed"
    if now.drawn[:1] == before.drawn[:1] and now.drawn != before.drawn:
        return f"die or ladder changed from {before.drawn} to {now.drawn}"
    if len(now.moves) == len(before.moves):
        stood = dict(before.structure)
        if any(shift(stood[piece], pose) >= SHIFT_M for piece, pose in now.structure):
            return "the structure shifted"
    return ""


class Victim:
    """One game, life after life."""

    def __init__(self, game: str, folder: Path, dice: random.Random) -> None:
        self.game, self._folder, self._dice = game, folder, dice
        self._path: Path | None = None
        self._known: Known | None = None

    def live(self, tally: Tally) -> None:
        """Begin or go on, kill, and look at what is left."""
        what = ("--resume", str(self._path)) if self._path else ("--seed", str(self._dice.randrange(1 << 30)))
        program = Program(self._folder, "--game", self.game, "--size", "320x180", *what)
        try:
            self._wait(program)
            over = program.process.poll() is not None
        finally:
            program.end()
        if over:
            if program.process.returncode != 0:
                tally.failed.append(f"{self.game}: exit {program.process.returncode}")
            tally.ended[self.game] += 1
        else:
            tally.kills[self.game] += 1
        self._look(tally, over=over)

    def _wait(self, program: Program) -> None:
        """Any moment: from the first instant on, or when it plays."""
        began_s, written = time.monotonic(), self._size()
        until_s = self._dice.uniform(0.0, LONGEST_LIFE_S)
        plays = self._dice.random() < 0.8
        since_s = None if plays else began_s
        while time.monotonic() - began_s < PATIENCE_S and program.process.poll() is None:
            if since_s is None and self._size() != written:
                since_s = time.monotonic()
            if since_s is not None and time.monotonic() - since_s >= until_s:
                return
            time.sleep(0.02)
        assert program.process.poll() is not None, "it neither plays nor ends"

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self._folder.rglob("*.armoon"))

    def _look(self, tally: Tally, *, over: bool) -> None:
        saves = list(self._folder.rglob("*.armoon"))
        if not saves:
            tally.unborn += 1
            return
        (self._path,) = saves
        try:
            saved = GameFile.open(self._path)
            now = known_of(saved)
        except SaveError as error:
            tally.failed.append(f"{self.game}: {error}")
            over = True
        else:
            tally.moves += len(now.moves)
            if self._known is not None and (lost := compared(self._known, now)):
                tally.failed.append(f"{self.game}: {lost}")
            self._known = now
        if over:
            for path in saves:
                path.unlink()
            self._path = self._known = None


def kill(kills: int, seed: int, json_path: Path | None) -> int:
    """As often as is asked; 1 if anything was lost."""
    dice, tally = random.Random(seed), Tally()
    with tempfile.TemporaryDirectory() as folder:
        victims = []
        for game in GAMES:
            home = Path(folder) / game
            home.mkdir()
            victims.append(Victim(game, home, dice))
        while tally.kills.total() < kills:
            victims[tally.kills.total() % len(victims)].live(tally)
            if json_path is not None:
                json_path.write_text(json.dumps(tally.__dict__, indent=1))
    sys.stdout.write(
        f"{tally.kills.total()} kills ({dict(tally.kills)}), {tally.unborn} of them before a game was on disk, "
        f"{dict(tally.ended)} games ended; {tally.moves} moves found again; {len(tally.failed)} failed\n"
    )
    sys.stdout.write("".join(f"    {what}\n" for what in tally.failed))
    return 1 if tally.failed else 0
