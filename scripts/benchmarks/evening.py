"""Measures a whole session of the real program on a virtual screen: its start-up time, and the memory of all processes.

The session shows the title, then plays turns of the moon game and of the lake with the demo, and reviews each game. The
program is started once beforehand to cache Python's bytecode, as at a player's second start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from armoon.errors import ArmoonError
from armoon.screens.events import Request
from armoon.screens.layout import Reply
from armoon.screens.state import Screens
from benchmarks import Save

#: Targets: seconds until the title, seconds from Play to the first ladder, and memory of all processes together.
TITLE_S, LADDER_S, PEAK_MB = 1.5, 8.0, 600.0
#: Interval between memory samples, seconds.
SAMPLE_S = 0.5
PLAY_COMMAND = ("play", "--camera", "demo", "--seed", "3", "--players", "Ann,Ben", "--log", "evening.jsonl")
#: Environment variables: the file for the program's notes, with one line of JSON for each, and the number of turns of
#: each game (0: end at the first ladder).
NOTES, TURNS = "ARMOON_BENCH_NOTES", "ARMOON_BENCH_TURNS"
DRIVER_CODE = "from benchmarks.evening import drive\ndrive()\nfrom armoon.cli import main\nmain()"


class Size(NamedTuple):
    """Memory of one process, with shared pages divided among processes (PSS) or counted fully in each (RSS)."""

    pss_mb: float
    rss_mb: float


#: Monotonic time in seconds, and the memory by process number.
Sample = tuple[float, dict[int, Size]]


def run(save: Save, trials: int = 1) -> None:
    """``trials``: number of turns of each game."""
    console = Console()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        screen, display = start_virtual_screen()
        try:
            _run_session(folder, display, 0)
            (folder / "notes").unlink()
            samples = _run_session(folder, display, trials)
        finally:
            screen.terminate()
            screen.wait()
        text = (folder / "notes").read_text(encoding="utf-8")
    parsed = [json.loads(line) for line in text.splitlines()]
    names = {note["pid"]: note["process"] for note in parsed if "process" in note}
    figures = _collect_figures({note["step"]: note for note in parsed if "step" in note}, samples, names)
    console.print(
        f"From the start to the title: {figures['title_s']:.2f} s, {figures['title_cpu_s']:.2f} s of processor "
        f"time (target: at most {TITLE_S} s).\n"
        f"From Play to the first ladder: {figures['first_ladder_s']:.2f} s (target: at most {LADDER_S} s).\n"
        f"Peak memory of all processes together: {figures['peak_mb']:.0f} MB (target: at most {PEAK_MB:.0f} MB), "
        f"{figures['peak_rss_mb']:.0f} if shared pages count in each process; by step: {figures['peak_mb_by_step']}; "
        f"by process at the peak: {figures['peak_mb_by_process']}."
    )
    save(figures)


def _collect_figures(
    notes: dict[str, dict[str, Any]], samples: list[Sample], names: dict[int, str]
) -> dict[str, Any]:
    by_step: dict[str, float] = {}
    for at_s, sizes in samples:
        step = max(
            (name for name in notes if notes[name]["at_s"] <= at_s),
            key=lambda n: notes[n]["at_s"],
            default="",
        )
        by_step[step] = max(by_step.get(step, 0.0), _sum_memory_mb(sizes))
    peak = max((sizes for _, sizes in samples), key=_sum_memory_mb)
    by_process: dict[str, float] = {}
    for pid, size in peak.items():
        name = names.get(pid, "others")
        by_process[name] = by_process.get(name, 0.0) + size.pss_mb
    return {
        "title_s": notes["title"]["since_start_s"],
        "title_cpu_s": notes["title"]["cpu_s"],
        "first_ladder_s": notes["moon"]["at_s"] - notes["play moon"]["at_s"],
        "first_dome_s": notes["lake"]["at_s"] - notes["play lake"]["at_s"],
        "peak_mb": max(by_step.values()),
        "peak_mb_by_step": {name: round(size) for name, size in by_step.items()},
        "peak_mb_by_process": {name: round(size) for name, size in by_process.items()},
        "peak_rss_mb": max(sum(size.rss_mb for size in sizes.values()) for _, sizes in samples),
    }


def _sum_memory_mb(sizes: dict[int, Size]) -> float:
    return sum(size.pss_mb for size in sizes.values())


def start_virtual_screen() -> tuple[subprocess.Popen[bytes], str]:
    """Start Xvfb; return its process, and the display's name."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        return screen, f":{answer.readline().strip()}"


def _run_session(folder: Path, display: str, turns: int) -> list[Sample]:
    """Run the session; return the memory of each of its processes over time."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    inherited.pop("PYTHONDONTWRITEBYTECODE", None)
    own = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), NOTES: str(folder / "notes"), TURNS: str(turns)}
    program = subprocess.Popen(
        [sys.executable, "-c", DRIVER_CODE, *PLAY_COMMAND],
        cwd=folder,
        env={**inherited, **own, "DISPLAY": display, "HOME": str(folder)},
        stdout=subprocess.DEVNULL,
    )
    samples = []
    while program.poll() is None:
        samples.append((time.monotonic(), _measure_memory(program.pid)))
        time.sleep(SAMPLE_S)
    if program.returncode:
        raise ArmoonError(
            f"The program ended with exit code {program.returncode}.",
            remedy=f"Start {' '.join(('armoon', *PLAY_COMMAND))} and read its messages.",
        )
    return [sample for sample in samples if sample[1]]


def _measure_memory(root: int) -> dict[int, Size]:
    """Return the memory of a process and all its descendants, by their numbers."""
    parents, sizes = dict[int, int](), dict[int, Size]()
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    family, found = set[int](), {root}
    while found - family:
        family |= found
        found = {pid for pid, parent in parents.items() if parent in family}
    for pid in family:
        with suppress(OSError):
            rows = (line.split() for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
            kib = {row[0]: int(row[1]) for row in rows}
            sizes[pid] = Size(kib["Pss:"] / 1024.0, kib["Rss:"] / 1024.0)
    return sizes


# Code that runs in the program --------------------------------------------------------------------------------


def drive() -> None:
    from armoon.app.session import Session
    from armoon.processes.child import Worker

    start = Worker._start

    def time_start(worker: Worker) -> None:
        start(worker)
        _write({"process": worker._name, "pid": worker.pid})

    setattr(Worker, "_start", time_start)  # noqa: B010 - mypy rejects assignment to a method
    _write({"process": "program", "pid": os.getpid()})
    play, scripts = Session.play_frame, dict[Session, Iterator[None]]()

    def follow_script(session: Session, fed: Any, now_s: float, notice: str) -> Any:
        next(scripts.setdefault(session, _make_script(session)), None)
        return play(session, fed, now_s, notice)

    setattr(Session, "play_frame", follow_script)  # noqa: B010 - mypy rejects assignment to a method


def _make_script(session: Any) -> Iterator[None]:
    from armoon.games import game_options
    from armoon.screens.pages.opening import start_game
    from armoon.screens.pages.result import open_review
    from armoon.screens.pages.table import leave_game

    front, host, turns = session._front, session._host, int(os.environ[TURNS])

    def press(button: Callable[[Screens], Reply]) -> None:
        front.screens, actions = button(front.screens)
        for action in actions:
            session._carry_out(action)

    yield  # the first picture is drawn after this
    _write_step("title")
    for game in ("moon", "lake"):
        form = replace(front.screens.form, game=game).with_options(game_options(game)())
        front.screens = replace(front.screens, form=form)
        _write_step(f"play {game}")
        press(start_game)
        while host.table is None or not _has_begun(host.table.game):
            yield
        _write_step(game)
        if turns == 0:
            break
        while host.table.game.turns_played < turns:
            yield
        press(open_review)
        _write_step(f"review of {game}")
        while not host.review_job._state.is_done:
            yield
        press(leave_game)
        yield
    session._carry_out(Request.QUIT)


def _has_begun(game: Any) -> bool:
    pieces = getattr(game.match.facts, "pieces", ()) if hasattr(game.match, "facts") else ()
    return any(piece.status.value == "offered" for piece in pieces) if pieces else game.match.tick > 0


def _write_step(step: str) -> None:
    ticks = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
    started_s = ticks / os.sysconf("SC_CLK_TCK")
    since_s = time.clock_gettime(time.CLOCK_BOOTTIME) - started_s
    _write({"step": step, "at_s": time.monotonic(), "since_start_s": since_s, "cpu_s": time.process_time()})


def _write(line: dict[str, Any]) -> None:
    with Path(os.environ[NOTES]).open("a", encoding="utf-8") as notes:
        notes.write(json.dumps(line) + "\n")
