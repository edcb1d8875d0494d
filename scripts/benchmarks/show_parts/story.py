"""The game that README's pictures show: played by the demo without pictures, and kept so that it can be drawn again.

The hand is read as a skeleton with the real tracker's noise (``played``), and its true pose is kept for each frame. So
the pictures of a kept game can be taken anew in minutes, in the program's look of that day.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from armoon.engine.logbook import LogReader
from armoon.games.moon.player.manner import trailer
from armoon.synthetic_camera.anatomy import HandState
from armoon.values.poses import Pose
from benchmarks.show_parts.film import fallen, worst_fall
from benchmarks.show_parts.played import demo_of, play_here

#: Size of the camera's picture, pixels; number of ladders in the lid, the last of which ends the game.
SIZE, SUPPLY = (1280, 720), 11
#: Number of standing ladders from which the player dares what brings them down.
DARES_AT = 9
#: Number of ladders in the fall that is looked for, and of demos that are played for it: the trailer, then these seeds.
FALL, DEMOS = 4, (None, 1, 2, 3, 4, 5, 6)
_LOG, _HANDS = "story-{}.jsonl", "story-{}-hands.json"


def story(folder: Path) -> tuple[Path, list[HandState]]:
    """Return the log of a game that was won and had a fall, and the hand of each of its frames.

    Games that lie in the folder are taken; others are played there, each in some minutes.
    """
    best: tuple[int, Path, Path] | None = None
    for seed in DEMOS:
        log, hands = (folder / name.format(seed or "trailer") for name in (_LOG, _HANDS))
        if not hands.is_file():
            print(f"The demo {seed or 'of the trailer'} is played; that takes minutes ...", flush=True)
            _play(seed, log, hands)
        fell = worst(list(LogReader(log).records))
        if best is None or fell > best[0]:
            best = (fell, log, hands)
        if fell >= FALL:
            break
    assert best is not None
    return best[1], [_hand(*row) for row in json.loads(best[2].read_text())]


def worst(records: list[dict[str, Any]]) -> int:
    """Return how many ladders fell in one turn at most in a game that was played to its end; 0 for any other."""
    over = any(record.get("event") == "GameOver" for record in records)
    return fallen(worst_fall(records)) if over else 0


def _play(seed: int | None, log: Path, hands: Path) -> None:
    """Play the demo of a seed, or of the trailer's, to the end of its game, in the trailer's manner."""
    log.unlink(missing_ok=True)
    options = demo_of(seed, log)
    options = replace(options, size=SIZE, game_options=options.game_options.having(supply_size=SUPPLY))
    kept = play_here(options, replace(trailer().manner, dares_at=DARES_AT, dares_after_s=0.0))
    rows = [[*hand.palm.position, *hand.palm.rotation, hand.grip] for hand in kept]
    hands.write_text(json.dumps(rows), encoding="utf-8")


def _hand(x: float, y: float, z: float, i: float, j: float, k: float, w: float, grip: float) -> HandState:
    return HandState(Pose((x, y, z), (i, j, k, w)), grip)
