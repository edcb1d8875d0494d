"""Onlookers of a table: what 500 at the party's server cost the game, how late they see it; thousands at a broker.

The same logged game is stepped in blocks, each once alone and once with the feed and the onlookers, at the game's own
pace. A frame is lost where its step took longer than the frame lasts. Onlookers are in a process of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Shown

from armoon.party.link import Place, Server, new_key
from armoon.party.server.lines import Keys
from armoon.sinks.feed import FeedSink
from benchmarks.party import Player, bots_log
from benchmarks.party_parts import mqtt
from benchmarks.party_parts.onlookers import stamped

WATCHERS, BLOCKS, WARM = 500, 9, 1
#: Length of the measurement at the broker, in seconds, and lines a second.
BROKER_S, LIVE_HZ = 8.0, 5.0


def run(json_path: Path | None, log: Path | None = None, trials: int | None = None) -> int:
    """Measure, print, and write the figures; ``trials``: how many onlookers come."""
    watchers = trials or WATCHERS
    with tempfile.TemporaryDirectory(prefix="armoon-watch-") as name:
        folder = Path(name)
        figures, line = at_the_house(log or bots_log(folder), watchers)
        figures |= at_the_broker(folder, 4 * watchers, line)
    shown = Shown("figure", "value")
    for key, value in figures.items():
        shown.add_row(key, str(value))
    Console().print(shown)
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=1))
    return 0


def at_the_house(log: Path, watchers: int) -> tuple[dict[str, Any], bytes]:
    """Return what onlookers at the party's server cost and see, and a live line."""
    server = Server(Place(0), Keys(new_key(), new_key(), new_key()), lambda said: None)
    lines: list[bytes] = []

    def write(line: bytes) -> None:
        lines.append(line)
        server.write(stamped(line))

    alone, party = Player(log), Player(log, FeedSink(write))
    without: list[float] = []
    with_them: list[float] = []
    lengths: list[float] = []
    try:
        with onlookers(watchers, "sse", str(server.port), server.keys.join) as (tell, ended):
            for number in range(BLOCKS):
                first = alone.block()
                tell("on" if number >= WARM else "off")
                second = party.block(lasted := list[float]())
                if number >= WARM:
                    without += first
                    with_them += second
                    lengths += lasted
            time.sleep(1.0)
            seen = ended()
    finally:
        alone.close()
        party.close()
        server.close()
    extra = [b - a for a, b in zip(without, with_them, strict=True)]
    lives = [line for line in lines if b'"live":' in line[:100]]
    return {
        "watchers": watchers,
        "frames": len(extra),
        "frames_lost": _lost(with_them, lengths),
        "frames_lost_alone": _lost(without, lengths),
        "extra_ms": statistics.median(extra),
        "watch_late_ms": late(seen["late_ms"]),
        "watch_lines": seen["lines"],
        "watch_gone": seen["ended"],
    }, max(lives, key=len)


def _lost(took_ms: list[float], lasts_ms: list[float]) -> int:
    return sum(took > lasts for took, lasts in zip(took_ms, lasts_ms, strict=True))


def late(late_ms: list[float]) -> dict[str, float]:
    """Return median and 95th percentile."""
    ordered = sorted(late_ms) or [float("nan")]
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
    }


def at_the_broker(folder: Path, watchers: int, line: bytes) -> dict[str, Any]:
    """Return how late onlookers at mosquitto's WebSocket see one table; nothing where it isn't installed."""
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        return {}
    tcp, web = free_port(), free_port()
    config = folder / "mosquitto.conf"
    config.write_text(
        f"listener {tcp} 127.0.0.1\nlistener {web} 127.0.0.1\nprotocol websockets\nallow_anonymous true\n"
        "log_dest none\nuser root\nmax_queued_messages 10\n"
    )
    broker = subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL)
    try:
        time.sleep(1.0)
        with onlookers(watchers, "web", str(web), "club", "1") as (tell, ended):
            tell("on")
            before_s = processor_s(broker.pid)
            sent = asyncio.run(tables(tcp, "club", 1, line, BROKER_S, LIVE_HZ))
            used_s = processor_s(broker.pid) - before_s
            time.sleep(1.0)
            seen = ended()
    finally:
        broker.kill()
        broker.wait()
    return {
        "broker_watchers": watchers,
        "broker_late_ms": late(seen["late_ms"]),
        "broker_delivered": round(seen["lines"] / (sent * watchers), 4),
        "broker_processor_us_a_line": round(1e6 * used_s / max(1, seen["lines"]), 1),
    }


async def tables(port: int, prefix: str, count: int, line: bytes, seconds: float, hertz: float) -> int:
    """Let tables tell a live line each, so often; return how many lines they told."""
    clients = [await mqtt.connect("127.0.0.1", port, f"table-{number}") for number in range(count)]
    begun_s, told = time.monotonic(), 0
    for round_ in range(int(seconds * hertz)):
        for number, client in enumerate(clients):
            due_s = begun_s + (round_ + number / count) / hertz
            if (early_s := due_s - time.monotonic()) > 0.0:
                await asyncio.sleep(early_s)
            await client.publish(f"{prefix}/{number}/live", stamped(line))
            told += 1
    return told


def processor_s(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


@contextmanager
def onlookers(
    count: int, *words: str
) -> Iterator[tuple[Callable[[str], None], Callable[[], dict[str, Any]]]]:
    """Yield functions that tell whether what is seen counts, and that end it and return what was seen."""
    crowd = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.party_parts.onlookers", str(count), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    written, read = crowd.stdin, crowd.stdout
    assert read.readline() == "ready\n", "all have come"

    def tell(word: str) -> None:
        written.write(word + "\n")
        written.flush()

    def ended() -> dict[str, Any]:
        written.close()
        return dict(json.loads(read.readline()))

    try:
        yield tell, ended
    finally:
        crowd.kill()
        crowd.wait()
