"""Plays a turn of the moon game and changes a setting through AT-SPI alone, in a private D-Bus session."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

from armoon.app.speech import ScreenReaders
from armoon.messages import text
from armoon.screens.machine import request_widget
from armoon.screens.state import PageName
from armoon.sinks.sink import Moment
from armoon.values.choices import ReaderUse, Way
from support.atspi_pages import SIZE, ReaderClient
from support.person_kit import FixedPlaces, Person

PATIENCE_S = 60.0


class BlindPlayer(Person):
    """Sends the screen to the screen reader's process, and receives its presses."""

    def __init__(self, python: str) -> None:
        super().__init__(way=Way.SWITCHES, switch_pause_s=0.0)
        self.reading = ScreenReaders(
            ReaderUse.ON, print, lambda *request: self.front.apply(request_widget, *request)
        )
        assert self.reading.listener is not None
        (self._sink,) = self.reading.make_sinks(dict, lambda scene: ({}, ()))
        self.reading.set_bounds((0.0, 0.0, float(SIZE[0]), float(SIZE[1])), SIZE)
        self.reading.set_focus(True)
        self.change_moment = self._send_screen
        self.sent = 0
        self.wait(lambda: self.sent > 1)
        self._client = ReaderClient(python)

    def _send_screen(self, moment: Moment) -> Moment:
        part = self._sink.select(Moment(moment.now_s, page=self.front.page, scene=moment.scene, shown=True))
        if part is not None:
            self.sent += 1
            self._sink.process(part)
        self.reading.poll()
        return moment

    def wait(self, condition: Callable[[], object]) -> bool:
        end_s = time.monotonic() + PATIENCE_S
        while not condition() and time.monotonic() < end_s:
            self.run_frame()
            for action in self.front.drain_actions():
                self.host.carry_out(action)
            time.sleep(0.01)
        return bool(condition())

    def nodes(self) -> list[dict[str, Any]]:
        def list_nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
            yield node
            for child in node["children"]:
                yield from list_nodes(child)

        return list(list_nodes(self._client.query("read")))

    def press_node(self, name: str, condition: Callable[[], object]) -> bool:
        """Have the client press a node whose name begins with ``name``; return whether the condition is met in time."""
        pressed = False

        def press_and_check() -> bool:
            nonlocal pressed
            if not pressed:
                nodes = [n["name"] for n in self.nodes() if n["actions"] and n["name"].startswith(name)]
                pressed = bool(nodes) and bool(self._client.query(f"press {nodes[0]}")["done"])
            return bool(condition())

        return self.wait(press_and_check)

    def close(self) -> None:
        self._client.close()
        self.reading.close()


def main() -> None:
    with patch("armoon.games.moon.offers.PlaceSearch", FixedPlaces):
        player = BlindPlayer(sys.argv[1])
    match = player.moon.match
    report: dict[str, Any] = {
        "rolled": player.press_node(text("choose.roll"), lambda: match.state.die is not None),
        "taken": player.press_node("Place 1: ", lambda: match.facts.held is not None),
        "judged": player.press_node(text("choose.let_go"), lambda: match.state.turn == 2),
        "paused": player.press_node(
            text("screens.table.pause"), lambda: player.screens.page is PageName.PAUSE
        ),
        "settings": player.press_node(
            text("screens.pause.settings"), lambda: player.screens.page is PageName.SETTINGS
        ),
    }
    label = text("option.contrast.label")
    report["contrast"] = player.press_node(label, lambda: player.screens.preferences.contrast)
    player.wait(lambda: "checked" in next(n for n in player.nodes() if n["name"] == label)["states"])
    box = next(node for node in player.nodes() if node["name"] == label)
    report["box"] = [box["role"], "checked" in box["states"]]
    player.close()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
