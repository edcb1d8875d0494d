"""Shows every page to a screen reader in a private D-Bus session, reads it back, and prints the differences."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from armoon import messages
from armoon.screen_reader.link import ReaderLink
from armoon.screen_reader.tree import Node, Role, Tree, build_tree
from armoon.screens.machine import build_page
from armoon.screens.state import PageName
from armoon.values.choices import Language
from armoon.values.scene import SceneHud
from support.screens_kit import fresh, in_game
from support.waiting import PATIENCE_S

SIZE = (1280, 720)
#: AT-SPI's names for our roles.
ROLES = {
    Role.WINDOW: ("frame",),
    Role.GROUP: ("panel", "grouping"),
    Role.HEADING: ("heading",),
    Role.LABEL: ("label", "static"),
    Role.BUTTON: ("push button", "button"),
    Role.CHOICE: ("push button", "button"),
    Role.CHECK: ("check box",),
    Role.RADIO: ("radio button",),
    Role.SLIDER: ("slider",),
    Role.FIELD: ("entry", "text"),
    Role.PICTURE: ("image",),
}


class ReaderClient:
    def __init__(self, python: str) -> None:
        script = Path(__file__).with_name("atspi_read.py")
        self._process = subprocess.Popen(
            [python, "-W", "ignore", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.hello = self._answer()

    def query(self, line: str) -> Any:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE_S)

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


def describe_difference(tree: Tree, node: Node, read: dict[str, Any]) -> str:
    if read["name"] != node.name:
        return f"{node.name!r} was read as {read['name']!r}"
    if read["role"] not in ROLES[node.role]:
        return f"{node.name!r} is a {node.role}, and was read as a {read['role']}"
    usable = "focusable" in read["states"] and read["actions"] > 0
    if node.widget and usable != node.enabled:
        return (
            f"{node.name!r}: enabled is {node.enabled}, read {read['states']} and {read['actions']} actions"
        )
    if node.widget and not node.enabled and not read["description"]:
        return f"{node.name!r} doesn't say that it can't be pressed"
    if node.widget and node.number == tree.focus and "focused" not in read["states"]:
        return f"{node.name!r} has the focus, and was read as {read['states']}"
    if node.widget and ("selected" in read["states"]) != bool(node.chosen):
        return f"{node.name!r}: chosen is {node.chosen}, read {read['states']}"
    if node.role in (Role.CHECK, Role.RADIO) and ("checked" in read["states"]) != bool(node.chosen):
        return f"{node.name!r}: checked is {node.chosen}, read {read['states']}"
    if node.span is not None and tuple(read["span"]) != node.span:
        return f"{node.name!r} is {node.span}, and was read as {read['span']}"
    rect = node.rect
    bounds = [rect.x * SIZE[0], rect.y * SIZE[1], rect.width * SIZE[0], rect.height * SIZE[1]]
    found = read["bounds"] or [math.inf] * 4  # a widget that is being replaced has none
    if any(abs(actual - expected) > 1.0 for actual, expected in zip(found, bounds, strict=True)):
        return f"{node.name!r} is at {bounds}, and was read at {read['bounds']}"
    if len(read["children"]) != len(node.children):
        return f"{node.name!r} has {len(node.children)} children, and {len(read['children'])} were read"
    for number, child in zip(node.children, read["children"], strict=True):
        node_below = tree.find_node(number)
        assert node_below is not None
        difference = describe_difference(tree, node_below, child)
        if difference:
            return difference
    return ""


def main() -> None:
    """Print a JSON object with the number of pages read, their differences and the results of two requests."""
    reader = ReaderLink()
    reader.set_bounds((0.0, 0.0, float(SIZE[0]), float(SIZE[1])), SIZE)
    reader.set_focus(True)
    client = ReaderClient(sys.argv[1])
    requests: list[tuple[str, str]] = []
    report: dict[str, Any] = {"hello": client.hello, "read": 0, "differs": []}
    hud = SceneHud(hint="Roll the die", die_text="two ladders")
    for language in Language:
        messages.set_language(language)
        screens = in_game(fresh(6))
        for page in PageName:
            state = replace(screens.go_to(page), editing=1, focus_shown=True, tabbed=True)
            tree = build_tree(build_page(state), hud)
            reader.publish(tree)
            end_s, difference = time.monotonic() + PATIENCE_S, "never read"
            while difference and time.monotonic() < end_s:  # the library delivers the tree in a thread
                requests += reader.drain_requests()
                difference = describe_difference(tree, tree.nodes[0], client.query("read")["children"][0])
            report["read"] += 1
            if difference:
                report["differs"].append(f"{page.value} {language}: {difference}")
    messages.set_language(Language.EN)
    reader.publish(build_tree(build_page(replace(fresh(), focus_shown=True)), hud))
    for request in ("focus Settings", "press Learn"):
        report[request] = False
        end_s, before = time.monotonic() + PATIENCE_S, len(requests)
        while time.monotonic() < end_s and len(requests) == before:
            requests += reader.drain_requests()
            report[request] = report[request] or client.query(request)["done"]
            time.sleep(0.05)
    report["requests"] = requests
    client.close()
    reader.close()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
