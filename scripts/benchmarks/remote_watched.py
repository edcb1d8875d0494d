"""``python -m benchmarks.remote_watched FILE ARGUMENT...``: runs armoon and records the frames that its table shows.

After each frame of the loop, one line of FILE gives the machine's time, the number of ticks played, whether it is this
table's turn, where the held ladder is drawn, the processor time of sharing the game (without playing it), the number of
the turn, and the loop's time.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from armoon.app.table import Table
from armoon.cli import main
from armoon.engine.setup import Intake
from armoon.remote.shared import SharedGame


def record_frames(path: str) -> None:
    """Record every frame in a file."""
    file = open(path, "w", buffering=1 << 16, encoding="utf-8")  # noqa: SIM115 - open until the program ends
    stepped_s = [0.0]
    step, advance, play = Table._step_shared, Table.advance, SharedGame.play
    sharing_s = [0.0]

    def timed_step(table: Table, intake: Intake, remote: bool) -> Any:
        began_s = time.thread_time()
        try:
            return step(table, intake, remote)
        finally:
            stepped_s[0] += time.thread_time() - began_s

    def timed_play(shared: SharedGame, own: Intake, stepping: Any, over: Any) -> Any:
        stepped_s[0] = 0.0
        began_s = time.thread_time()
        try:
            return play(shared, own, stepping, over)
        finally:
            sharing_s[0] = time.thread_time() - began_s - stepped_s[0]

    def noted_advance(table: Table, fed: Any, now_s: float, *arguments: Any, **more: Any) -> Any:
        frame = advance(table, fed, now_s, *arguments, **more)
        shared, match = table._shared, table.game.match
        assert shared is not None
        scene = table.game.build_turned_scene(_get_fraction(table), "")
        held = match.facts.held
        drawn = next((p.pose.position for p in scene.pieces if p.piece == held), None) if held else None
        line = (time.monotonic(), match.tick, shared.has_turn, drawn, sharing_s[0], match.on_turn[0], now_s)
        file.write(json.dumps(line) + "\n")
        file.flush()
        return frame

    for kind, name, function in (
        (Table, "_step_shared", timed_step),
        (SharedGame, "play", timed_play),
        (Table, "advance", noted_advance),
    ):
        setattr(kind, name, function)


def _get_fraction(table: Table) -> float:
    """Return the fraction of a tick that ``Table.compose_scene`` uses."""
    if table._shared is not None and not table._shared.is_playing:
        return table._shared.playout.fraction
    return 1.0 if table._steps is None else table._steps.fraction()


if __name__ == "__main__":
    record_frames(sys.argv.pop(1))
    main()
