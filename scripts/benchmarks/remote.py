"""Measures one game between two programs of bots, host and guest, over a connection that delays and loses packets.

The line is a Linux network device, and the system's own TCP retransmits lost packets.

For each line: delay with which the other table shows a tick, once both programs run; the ratio of the drawn ladder's
largest step at the other table to its largest step at the current table; whether both logs have the same records, with
bit-identical poses at rest; the amount of sent data; the time that sharing adds to each frame of the current table; and
the 95th percentile of the frame interval, which shows the machine's load. In the last row, the line is cut for a while.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import math
import os
import random
import re
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.errors import SettingsError
from benchmarks import Save

#: The line's device and its two addresses; a packet to one address returns as if the other address had sent it.
DEVICE, NEAR, FAR = "armoon-line", "10.77.0.1", "10.77.0.2"
#: Linux's ioctl request and flags for a device that carries bare packets, without an extra header.
TUNSETIFF, TUN_WITHOUT_HEADER = 0x400454CA, 0x1001
#: Environment variable that marks the process with its own network namespace.
OWN_NETWORK = "ARMOON_BENCH_OWN_NETWORK"


def enter_own_network() -> None:
    """Restart this program in its own network namespace with TCP Reno. Raises SettingsError without ``unshare``."""
    if OWN_NETWORK not in os.environ:
        os.environ[OWN_NETWORK] = "1"
        try:
            os.execvp("unshare", ["unshare", "-rn", sys.executable, "-m", "benchmarks", *sys.argv[1:]])
        except OSError as error:
            raise SettingsError(f"The line can't be created ({error}).", remedy="Use Linux.") from error
    Path("/proc/sys/net/ipv4/tcp_congestion_control").write_text("reno")


class Line:
    """A line between two addresses of this machine that delays and loses packets."""

    def __init__(self, round_trip_s: float, lost: float, *, jitter: float = 0.2, seed: int = 1) -> None:
        """``lost``: share of lost packets; ``jitter``: maximum additional delay, as a share of the delay."""
        self._one_way_s, self._lost, self._jitter = round_trip_s / 2.0, lost, jitter
        self._random = random.Random(seed)
        self.carried_bytes = 0
        self.is_cut = self._is_closed = False
        self._device = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(self._device, TUNSETIFF, struct.pack("16sH22x", DEVICE.encode(), TUN_WITHOUT_HEADER))
        for order in (f"addr add {NEAR}/24 dev {DEVICE}", f"link set {DEVICE} up", "link set lo up"):
            subprocess.run(["ip", *order.split()], check=True)
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._is_closed = True
        self._thread.join()
        os.close(self._device)

    def _carry(self) -> None:
        """Send each packet back with its addresses exchanged when it is due, in order."""
        waiting = {NEAR: deque[tuple[float, bytes]](), FAR: deque[tuple[float, bytes]]()}
        while not self._is_closed:
            now_s = time.monotonic()
            due_s = min([now_s + 0.1, *(packets[0][0] for packets in waiting.values() if packets)])
            if select.select([self._device], [], [], max(0.0, due_s - now_s))[0]:
                packet = os.read(self._device, 1 << 16)
                source, goal = packet[12:16], packet[16:20]
                if packet[0] >> 4 != 4 or self.is_cut or self._random.random() < self._lost:
                    continue
                self.carried_bytes += len(packet)
                late_s = self._one_way_s * (1.0 + self._jitter * self._random.random())
                packets = waiting[NEAR if goal == socket.inet_aton(NEAR) else FAR]
                due_s = max(time.monotonic() + late_s, packets[-1][0] if packets else 0.0)
                packets.append((due_s, packet[:12] + goal + source + packet[20:]))
            for packets in waiting.values():
                while packets and packets[0][0] <= time.monotonic():
                    os.write(self._device, packets.popleft()[1])


ROUND_TRIPS_MS, LOST_SHARES = (50, 150, 400), (0.0, 0.05, 0.2)
SEED, TURNS = 5, 2
#: Maximum duration of a game of two turns, in seconds. It takes 15 s, or several times as long on a busy machine, and a
#: poor line delays each message by less than a second.
PATIENCE_S = 240.0
#: Game time when the line is cut, and duration of the cut, long enough for both ends to notice it; in seconds.
CUT_AT_S, CUT_S = 4.0, 8.0

Frame = tuple[float, int, bool, Any, float, int, float]


def run(save: Save) -> None:
    enter_own_network()
    lines = [(ms, lost, False) for ms in ROUND_TRIPS_MS for lost in LOST_SHARES] + [(150, 0.05, True)]
    rows = []
    columns = (
        "round trip",
        "lost",
        "breaks",
        "turns",
        "records equal",
        "late ms",
        "p95",
        "jerk",
        "kB/min",
        "extra ms",
        "loop ms",
    )
    table = Table(*columns, title="one game at two tables", box=None)
    for ms, lost, breaks in lines:
        row = play_over_line(ms, lost, breaks=breaks)
        rows.append(row)
        table.add_row(
            *(f"{ms}", f"{lost:.0%}", "yes" if breaks else "", f"{row['turns']}", f"{row['records_equal']}"),
            *(f"{row['late_ms_median']:.0f}", f"{row['late_ms_p95']:.0f}", f"{row['jerk']:.2f}"),
            *(f"{row['bytes_per_min'] / 1000:.0f}", f"{row['extra_ms_mean']:.2f}"),
            f"{row['loop_ms_p95']:.0f}",
        )
    Console().print(table)
    save({"lines": rows})


def play_over_line(ms: int, lost: float, *, breaks: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        host = _start(
            folder / "host",
            *("play", "--remote", "lan", "--remote-port", "0", "--bots", "pip"),
            *("--turns", f"{TURNS}", "--seed", f"{SEED}"),
        )
        link = _wait_for_link(folder / "host", host)
        line = Line(ms / 1000.0, lost)
        guest = _start(folder / "guest", "join", re.sub("//[^:]+:", f"//{FAR}:", link), "--bots", "nova")
        try:
            if breaks:
                _wait_for(lambda: _read_time_s(folder / "guest" / "notes") > CUT_AT_S)
                line.is_cut = True
                time.sleep(CUT_S)
                line.is_cut = False
            for side in (host, guest):
                side.wait(PATIENCE_S)
        finally:
            for side in (host, guest):
                side.kill()
                side.wait()
            line.close()
        return {"round_trip_ms": ms, "lost": lost, "breaks": breaks} | _measure_game(folder, line)


def _start(home: Path, *arguments: str) -> subprocess.Popen[bytes]:
    home.mkdir()
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "DISPLAY", "WAYLAND"))}
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "benchmarks.remote_watched", str(home / "notes"), *arguments),
            *("--headless", "--camera", "none", "--log", "log.jsonl"),
        ],
        cwd=home,
        env={
            **inherited,
            "HOME": str(home),
            "PYTHONUNBUFFERED": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
        stdout=(home / "output").open("wb"),
        stderr=subprocess.STDOUT,
    )


def _wait_for_link(home: Path, host: subprocess.Popen[bytes]) -> str:
    def find_link() -> re.Match[str] | None:
        assert host.poll() is None, (home / "output").read_text()
        return re.search(r"ws://[^']+", (home / "output").read_text())

    return str(_wait_for(find_link)[0])


def _wait_for(condition: Callable[[], Any]) -> Any:
    end_s = time.monotonic() + PATIENCE_S
    while not (answer := condition()):
        assert time.monotonic() < end_s, "timed out"
        time.sleep(0.05)
    return answer


def _read_time_s(notes: Path) -> float:
    lines = notes.read_text().splitlines() if notes.exists() else []
    return json.loads(lines[-2])[1] * TICK_S if len(lines) > 1 else 0.0


def _measure_game(folder: Path, line: Line) -> dict[str, Any]:
    notes = [_read_frames(folder / home / "notes") for home in ("host", "guest")]
    logs = [_read_log(folder / home / "log.jsonl") for home in ("host", "guest")]
    first = [{tick: frame for frame in reversed(frames) for tick in [frame[1]]} for frames in notes]
    late_ms, jerks = [], []
    both_run_s = max(frames[0][0] for frames in notes)
    for own, other in ((0, 1), (1, 0)):
        for tick, frame in first[own].items():
            if (
                frame[2]
                and frame[0] >= both_run_s
                and (shown := next((first[other][t] for t in (tick, tick + 1) if t in first[other]), None))
            ):
                late_ms.append(1000.0 * (shown[0] - frame[0]))
        for turn in {frame[5] for frame in notes[own] if frame[2]}:
            steps = [_find_step_m(frames, turn) for frames in (notes[own], notes[other])]
            if min(steps) > 0.0:
                jerks.append(steps[1] / steps[0])
    extra_ms = [1000.0 * frame[4] for frames in notes for frame in frames if frame[2]]
    loop_ms = [1000.0 * (b[0] - a[0]) for frames in notes for a, b in itertools.pairwise(frames)]
    minutes = max(first[0]) / TICKS_PER_SECOND / 60.0
    return {
        "turns": sum(record["kind"] == "verdict" for record in logs[0]),
        "records_equal": logs[0] == logs[1],
        "late_ms_median": round(statistics.median(late_ms), 1),
        "late_ms_p95": round(statistics.quantiles(late_ms, n=20)[-1], 1),
        # Ratio of the drawn ladder's largest step at the other table to its largest step at the current table.
        "jerk": round(max(jerks, default=math.inf), 2),
        "bytes_per_min": round(line.carried_bytes / minutes),
        "extra_ms_mean": round(statistics.mean(extra_ms), 3),
        "extra_ms_p95": round(statistics.quantiles(extra_ms, n=20)[-1], 3),
        # The loop's frame interval, 17 ms on an idle machine.
        "loop_ms_p95": round(statistics.quantiles(loop_ms, n=20)[-1], 1),
    }


def _find_step_m(frames: list[Frame], turn: int) -> float:
    """Return the largest step of the drawn ladder in a turn, in metres per tick."""
    steps = [0.0]
    for before, after in itertools.pairwise(frames):
        if after[5] == turn and before[3] is not None and after[3] is not None:
            steps.append(math.dist(before[3], after[3]) * TICK_S / max(after[6] - before[6], TICK_S))
    return max(steps)


def _read_frames(path: Path) -> list[Frame]:
    return [tuple(json.loads(line)) for line in path.read_text().splitlines()]


def _read_log(path: Path) -> list[dict[str, Any]]:
    """Return the log's lines without intakes, because a guest's intakes contain another table's facts."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [record for record in records if record["kind"] != "hands"]
