"""In a private D-Bus session: begins the process for screen readers again and again, under load, read by a client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from armoon.screen_reader.link import ReaderLink
from armoon.screen_reader.tree import Numbers, tree_of
from armoon.screens.page import page_of
from armoon.values.scene import SceneHud
from support.atspi_pages import SIZE, Listener
from support.screens_kit import fresh

PATIENCE_S = 120.0


def start(listener: Listener | None, number: int, python: str) -> tuple[Listener, bool, int]:
    """Begin, and show a tree after the other until the client reads one: whether it did, and how many processes."""
    reader, numbers, page = ReaderLink(), Numbers(), page_of(fresh())
    reader.place((0.0, 0.0, float(SIZE[0]), float(SIZE[1])), SIZE)
    reader.focus(True)
    pids, shown, found = {reader.pid}, 0, False
    end_s = time.monotonic() + PATIENCE_S
    while not found and time.monotonic() < end_s:
        for _ in range(20):
            shown += 1
            reader.show(tree_of(page, SceneHud(hint=f"start {number}", die_text=f"{shown}"), numbers))
            reader.take()
            pids.add(reader.pid)
            time.sleep(0.002)
        if reader.wanted:
            listener = listener or Listener(python)
            found = bool(listener.ask(f"find start {number}")["done"])
    reader.close()
    assert listener is not None, "no reader ever came"
    return listener, found, len(pids)


def main() -> None:
    """Prints a JSON object: starts, those that were read, and those whose process had to be replaced."""
    python, count = sys.argv[1], int(sys.argv[2])
    burners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)
    ]
    listener: Listener | None = None
    told = {"starts": count, "read": 0, "replaced": 0}
    try:
        for number in range(count):
            listener, found, processes = start(listener, number, python)
            told["read"] += found
            told["replaced"] += processes > 1
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
