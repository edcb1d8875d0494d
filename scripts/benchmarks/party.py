"""Measures the cost of a party: frame times with and without a crowd, delay to the overlay, and memory.

A logged game is played in blocks of frames, once alone, and once with feed, server and a crowd that votes and
listens. Then malformed requests are sent. The overlay's delay is measured if Playwright and Chromium are installed.
"""

from __future__ import annotations

import itertools
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable

from armoon.app.table import Table
from armoon.broadcast import FeedEvent, LiveLine, StateLine, decode_line, encode_line
from armoon.engine.logbook import LogReader
from armoon.engine.setup import Intake
from armoon.games.contract import load_kind
from armoon.games.library import create_logged_match, read_intakes
from armoon.party.link import Server
from armoon.party.memory import new_key
from armoon.party.server.lines import Keys
from armoon.sinks.feed import FeedSink
from armoon.sinks.hub import Sinks
from benchmarks import Save
from benchmarks.party_guests import fill_connections, make_malformed, send_request

#: Frames per block, pairs of blocks (one without and one with the crowd), and number of warm-up pairs.
BLOCK, BLOCKS, WARM = 80, 11, 1
MALFORMED, CONNECTIONS = 10_000, 1000
#: Number of events in an hour, each with a state, and of live lines: one every two seconds, and five per second.
HOUR_EVENTS, HOUR_LIVE_LINES = 1800, 18_000
SHOWN_EVENTS = 40


def run(save: Save, log: Path | None = None) -> None:
    """``log``: the log of a moon game; by default bots play a game first."""
    with tempfile.TemporaryDirectory(prefix="armoon-party-") as name:
        folder = Path(name)
        figures = _measure_party(log or record_bots(folder), folder)
    table = RichTable("figure", "value")
    for key, value in figures.items():
        table.add_row(key, f"{value:.3f}" if isinstance(value, float) else str(value))
    Console().print(table)
    save(figures)


def _measure_party(log: Path, folder: Path) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    errors = folder / "server.err"
    with errors.open("wb") as stderr:
        keys = Keys(new_key(), new_key(), new_key())
        with closing(Server(keys, lambda sentence: None, port=0, stderr=stderr)) as server:
            lines: list[bytes] = []
            with _start_crowd(server) as (send, finish):
                figures |= _play(log, server, lines, send)
                figures["event_to_pixel_ms"] = _measure_delay_ms(server, lines)
                figures |= finish()
            figures |= _measure_memory(server, lines)
            figures |= _measure_malformed(server)
            figures["crashes"] = server.crashes
    figures["tracebacks"] = errors.read_bytes().count(b"Traceback")
    return figures


def record_bots(folder: Path) -> Path:
    log = folder / "game.jsonl"
    words = ["--camera", "none", "--headless", "--bots", "pip,pip,pip", "--players", "Ann,Ben,Cleo"]
    more = ["--turns", "6", "--seed", "7", "--log", str(log)]
    subprocess.run([sys.executable, "-m", "armoon", "play", *words, *more], check=True, capture_output=True)
    return log


class LogPlayer:
    """A logged game, stepped frame by frame."""

    def __init__(self, log: Path, *sinks: FeedSink) -> None:
        reader = LogReader(log)
        match = create_logged_match(reader)
        game = load_kind(match.game).create_game(match)
        game.is_replayed = True
        self.sinks = Sinks()
        self.sinks.add(*sinks)
        self.table = Table(game, self.sinks)
        self._intakes = read_intakes(reader)

    def play_block(self, lengths_ms: list[float] | None = None) -> list[float]:
        """Play a block in real time; return the ms spent on each frame; add the frames' durations to ``lengths_ms``."""
        times: list[float] = []
        for intake in itertools.islice(self._intakes, BLOCK):
            began_s = time.perf_counter()
            self.table.play_step(intake)
            took_s = time.perf_counter() - began_s
            times.append(1000.0 * took_s)
            if lengths_ms is not None:
                lengths_ms.append(1000.0 * _get_length_s(intake))
            time.sleep(max(0.0, _get_length_s(intake) - took_s))
        return times

    def close(self) -> None:
        self.table.close()
        self.sinks.close()


def _get_length_s(intake: Intake) -> float:
    return min(0.1, intake.ticks / 60.0)


def _play(log: Path, server: Server, lines: list[bytes], send: Callable[[str], None]) -> dict[str, float]:
    def write(line: bytes) -> None:
        lines.append(line)
        server.write(line)

    alone, party = LogPlayer(log), LogPlayer(log, FeedSink(write))
    alone_ms: list[float] = []
    party_ms: list[float] = []
    for number in range(BLOCKS):
        send("off")
        first = alone.play_block()
        send("on")
        time.sleep(0.3)
        second = party.play_block()
        if number >= WARM:
            alone_ms += first
            party_ms += second
    send("off")
    alone.close()
    party.close()
    extra = [b - a for a, b in zip(alone_ms, party_ms, strict=True)]
    return {
        "frames": len(extra),
        "alone_ms_median": statistics.median(alone_ms),
        "alone_ms_p99": statistics.quantiles(alone_ms, n=100)[-1],
        "party_ms_median": statistics.median(party_ms),
        "party_ms_p99": statistics.quantiles(party_ms, n=100)[-1],
        "extra_ms_median": statistics.median(extra),
        "extra_ms_p99": statistics.quantiles(party_ms, n=100)[-1] - statistics.quantiles(alone_ms, n=100)[-1],
    }


@contextmanager
def _start_crowd(server: Server) -> Iterator[tuple[Callable[[str], None], Callable[[], dict[str, int]]]]:
    """Yield a function that sends the crowd a command, and a function that ends the crowd and returns its counts."""
    arguments = [str(server.port), server.keys.view, server.keys.join]
    crowd = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.party_crowd", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert crowd.stdin is not None
    assert crowd.stdout is not None
    commands = crowd.stdin
    assert crowd.stdout.readline() == "ready\n"

    def send(word: str) -> None:
        commands.write(word + "\n")
        commands.flush()

    def finish() -> dict[str, int]:
        commands.close()
        assert crowd.stdout is not None
        return dict(json.loads(crowd.stdout.readline()))

    try:
        yield send, finish
    finally:
        crowd.kill()
        crowd.wait()


def _measure_delay_ms(server: Server, lines: list[bytes]) -> float | None:
    """Return the median ms from an event until the overlay shows it; None without a verdict or a browser."""
    chromium = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    read = [decode_line(line) for line in lines]
    event = next((line for line in read if isinstance(line, FeedEvent) and line.kind == "judged"), None)
    state = next(line for line in reversed(read) if isinstance(line, StateLine))
    if chromium is None or event is None:
        return None
    took: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
        page.goto(server.address("overlay"))
        page.wait_for_function("document.body.dataset.number")
        page.evaluate(
            "window.seen = {}; new MutationObserver(() => { const n = document.body.dataset.number;"
            " requestAnimationFrame(() => requestAnimationFrame(() => { window.seen[n] ??= Date.now(); })); })"
            ".observe(document.body, { attributes: true })"
        )
        for number in range(100_000, 100_000 + SHOWN_EVENTS):
            began_ms = 1000.0 * time.time()
            server.write(encode_line(replace(event, number=number)))
            server.write(encode_line(replace(state, number=number)))
            page.wait_for_function(f"window.seen[{number}]")
            took.append(float(page.evaluate(f"window.seen[{number}]")) - began_ms)
        browser.close()
    return statistics.median(took)


def _read_memory_mb(server: Server) -> float:
    status = Path(f"/proc/{server.process_id}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024.0


def _measure_memory(server: Server, lines: list[bytes]) -> dict[str, float]:
    """Return the server's memory after an hour's lines, and its growth since a warm-up with a tenth of these lines."""
    read = [decode_line(line) for line in lines]
    events = [line for line in read if isinstance(line, FeedEvent) and line.kind != "began"]
    states = [line for line in read if isinstance(line, StateLine) and line.state is not None]
    live_lines = [line for line in read if isinstance(line, LiveLine)]

    def write_lines(share: float) -> None:
        per_event = HOUR_LIVE_LINES // HOUR_EVENTS
        for number in range(int(share * HOUR_EVENTS)):
            server.write(encode_line(replace(events[number % len(events)], number=number)))
            server.write(encode_line(replace(states[number % len(states)], number=number)))
            for more in range(per_event):
                server.write(encode_line(live_lines[(number * per_event + more) % len(live_lines)]))
            time.sleep(0.004)
        send_request(server.port, _make_request(server))
        time.sleep(2.0)

    write_lines(0.1)
    before_mb = _read_memory_mb(server)
    write_lines(1.0)
    return {"memory_mb": _read_memory_mb(server), "growth_mb": _read_memory_mb(server) - before_mb}


def _measure_malformed(server: Server) -> dict[str, Any]:
    rng = random.Random(1)
    keys = (server.keys.view, server.keys.join, server.keys.host, new_key())
    before_mb = _read_memory_mb(server)
    answers = [send_request(server.port, make_malformed(rng, server.port, keys)) for _ in range(MALFORMED)]
    faults = [answer for answer in answers if answer.startswith("HTTP/1.1 5")]
    return {
        "malformed": len(answers),
        "malformed_answered_5xx": len(faults),
        "malformed_growth_mb": _read_memory_mb(server) - before_mb,
        "connections": CONNECTIONS,
        "connections_closed": fill_connections(server.port, CONNECTIONS),
        "answers_after": send_request(server.port, _make_request(server)),
    }


def _make_request(server: Server) -> bytes:
    return f"GET /{server.keys.view}/overlay HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
