"""``scripts/soak [--minutes N]``: plays demo and bots for hours, and measures growth.

One process plays game after game, like a session: the demo with its rendered camera, tracker, physics, log, save and
film, and after each demo a game of bots. Every few seconds it measures memory, descriptors, threads, the log's growth
per minute of game time, and the median duration of a frame; at the end the slope of each is compared with its limit.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

from attacks.slopes import estimate_slope

SAMPLE_S = 5.0
#: Maximum growth per hour. The tracker's library retains tenths of a megabyte per minute.
LIMITS_PER_HOUR = {
    "memory of the game, MB": 24.0,
    "memory of its children, MB": 24.0,
    "descriptors": 1.0,
    "threads": 1.0,
    "frame, ms": 6.0,
    "log, MB a minute of the game": 0.1,
}
#: Absolute maxima. A log contains every hand (docs/trust.md): with 1.2 kB in each of 30 pictures per second, a hand
#: that is always visible takes 2.2 MB per minute; the header adds to a game's first minute.
LIMITS = {"log, MB a minute of the game": 3.0, "descriptors": 200.0, "threads": 100.0}


class Sampler:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.frames_ms: list[float] = []
        self.game_s = 0.0
        """The time of all games so far."""
        self.times_s: dict[str, list[float]] = defaultdict(list)
        self.values: dict[str, list[float]] = defaultdict(list)
        self._end = threading.Event()
        self._began_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def note(self, name: str, value: float) -> None:
        self.times_s[name].append(time.monotonic() - self._began_s)
        self.values[name].append(value)

    def _run(self) -> None:
        me = os.getpid()
        logged, game_s = 0, 0.0
        while not self._end.wait(SAMPLE_S):
            children = [pid for pid in _list_pids() if _find_parent_pid(pid) == me]
            self.note("memory of the game, MB", _measure_memory_mb(me))
            self.note("memory of its children, MB", sum(_measure_memory_mb(pid) for pid in children))
            self.note("descriptors", len(os.listdir("/proc/self/fd")))
            self.note("threads", threading.active_count())
            frames, self.frames_ms = self.frames_ms, []
            if frames:
                self.note("frame, ms", statistics.median(frames))
            size = sum(_count_played_bytes(path) for path in self.folder.rglob("*.jsonl"))
            if self.game_s > game_s + 5.0:
                self.note(
                    "log, MB a minute of the game", (size - logged) / 1e6 / (self.game_s - game_s) * 60.0
                )
                logged, game_s = size, self.game_s


def soak(minutes: float, turns: int) -> dict[str, Any]:
    from armoon.app.playing import play_game
    from armoon.app.program import Loop
    from armoon.clock import ManualClock
    from armoon.games import game_names, game_options
    from armoon.games.contract import load_kind
    from armoon.settings.preferences import PlayOptions
    from armoon.values.acts import Feature

    folder = Path(tempfile.mkdtemp(prefix="armoon-soak-"))
    os.environ["XDG_DATA_HOME"] = str(folder)
    sampler = Sampler(folder)
    whole_frame = Loop.run_frame

    def timed_loop(loop: Loop) -> bool:
        began_s = time.perf_counter()
        clock = loop._clock
        before_s = clock.now_s()
        is_running = whole_frame(loop)
        sampler.frames_ms.append((time.perf_counter() - began_s) * 1000.0)
        if isinstance(clock, ManualClock):
            sampler.game_s += clock.now_s() - before_s
        return is_running

    setattr(Loop, "run_frame", timed_loop)  # noqa: B010
    end_s = time.monotonic() + minutes * 60.0
    ends = threading.Timer(minutes * 60.0, _stop)
    ends.daemon = True
    ends.start()
    games: dict[str, int] = defaultdict(int)
    bots = next(name for name in game_names() if Feature.BOTS in game_options(name).has)
    demo = next(name for name in game_names() if name != bots)
    kind = load_kind(bots)
    try:
        while time.monotonic() < end_s:
            seed = sum(games.values())
            film = folder / "film.mp4"
            options = PlayOptions(game=demo, game_options=game_options(demo)(), headless=True, seed=seed)
            options = replace(options, size=(320, 180), turns=turns).with_values({"record": film})
            play_game(options)
            games[demo] += 1
            kind.play_headless(game_options(bots)(), None, seed, lambda line: None, lambda match: None)
            games[bots] += 1
            film.unlink(missing_ok=True)
    finally:
        ends.cancel()
        sampler.close()
    return {
        "minutes": minutes,
        "games": dict(games),
        "game_minutes": sampler.game_s / 60.0,
        "log_mb": sum(path.stat().st_size for path in folder.rglob("*.jsonl")) / 1e6,
        "series": {name: [sampler.times_s[name], values] for name, values in sampler.values.items()},
    }


def judge_growth(measured: dict[str, Any]) -> tuple[list[str], list[str]]:
    rows, faults = [], []
    for name, (times_s, values) in measured["series"].items():
        try:
            slope = estimate_slope(times_s, values)
        except ValueError:
            rows.append(f"{name:32} too few samples")
            continue
        limit = LIMITS_PER_HOUR[name]
        rows.append(
            f"{name:32} {slope.per_hour:+9.3f} ± {slope.noise_per_hour:.3f} an hour (limit {limit:g}),"
            f" {min(values):.2f} to {max(values):.2f}"
        )
        if slope.exceeds(limit):
            faults.append(f"{name} grows by {slope.per_hour:.3f} an hour")
        if max(values) > LIMITS.get(name, float("inf")):
            faults.append(f"{name} reaches {max(values):.2f}")
    return rows, faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--turns", type=int, default=8, help="of each game of the demo")
    parser.add_argument("--json", type=Path, help="write what was measured here as well")
    arguments = parser.parse_args()
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        measured = soak(arguments.minutes, arguments.turns)
    rows, faults = judge_growth(measured)
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(measured))
    games = ", ".join(f"{count} of {name}" for name, count in measured["games"].items())
    sys.stdout.write(
        f"{arguments.minutes:g} minutes, {measured['game_minutes']:.1f} of the games' time; whole games: {games};"
        f" {measured['log_mb']:.1f} MB of logs\n" + "".join(f"{row}\n" for row in rows)
    )
    sys.stdout.write(
        "".join(f"TOO MUCH: {fault}\n" for fault in faults) or "nothing grows beyond its limit\n"
    )
    return 1 if faults else 0


def _stop() -> None:
    from armoon.app import stopping

    stopping._stop_signal.number = 0


def _list_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _count_played_bytes(log: Path) -> int:
    try:
        with log.open("rb") as file:
            return log.stat().st_size - len(file.readline())
    except OSError:
        return 0


def _find_parent_pid(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _measure_memory_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(float(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024.0


if __name__ == "__main__":
    sys.exit(main())
