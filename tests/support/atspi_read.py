"""Reads the program's tree like a screen reader; run by the system's Python, which has AT-SPI's library.

It answers each line of its input with a line of JSON. "read" returns the tree, "press NAME" and "focus NAME" act on the
node with this name, and "find NAME" looks for it. This module imports nothing from armoon.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

STATES = ("focused", "focusable", "enabled", "sensitive", "selected", "checked")


def run_loop(seconds: float) -> None:
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def find_program() -> Any:
    end_s = time.time() + 20.0
    while time.time() < end_s:
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(number)
            if child is not None and child.get_child_count():
                return child
        run_loop(0.1)
    return None


def text_of(node: Any) -> str:
    name = node.get_name()
    if not name and node.get_text_iface():
        name = Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))
    return str(name or "")


def read_tree(node: Any) -> dict[str, Any]:
    node.clear_cache()
    states = node.get_state_set()
    states_of_node = {state.value_nick for state in states.get_states()}
    count = node.get_n_actions() if node.get_action_iface() else 0
    children = [node.get_child_at_index(number) for number in range(node.get_child_count())]
    extents = node.get_extents(Atspi.CoordType.SCREEN) if node.get_component_iface() else None
    value = node.get_value_iface()
    span = (value.get_current_value(), value.get_minimum_value(), value.get_maximum_value()) if value else ()
    return {
        "role": node.get_role_name(),
        "name": text_of(node),
        "description": node.get_description() or "",
        "states": sorted(states_of_node & set(STATES)),
        "actions": count,
        "bounds": [extents.x, extents.y, extents.width, extents.height] if extents else [],
        "span": span,
        "children": [read_tree(child) for child in children if child is not None],
    }


def find(node: Any, name: str) -> Any:
    if text_of(node) == name:
        return node
    for number in range(node.get_child_count()):
        child = node.get_child_at_index(number)
        descendant = None if child is None else find(child, name)
        if descendant is not None:
            return descendant
    return None


def answer_query(app: Any, command: str, name: str) -> dict[str, Any]:
    if command == "read":
        return read_tree(app)
    if command == "find":  # the program may have been restarted
        program = find_program()
        return {"done": program is not None and find(program, name) is not None}
    node = find(app, name)
    if node is None:
        return {"done": False}
    if command == "press":
        return {"done": bool(node.get_action_iface().do_action(0))}
    return {"done": bool(node.get_component_iface().grab_focus())}


def main() -> None:
    Atspi.init()
    app = find_program()
    names = (app.get_name(), app.get_toolkit_name()) if app else ("", "")
    print(json.dumps({"found": app is not None, "name": names[0], "toolkit": names[1]}), flush=True)
    for line in sys.stdin:
        command, _, name = line.strip().partition(" ")
        try:
            answer = answer_query(app, command, name)
        except GLib.GError as error:  # the widget is gone: the page has changed meanwhile
            answer = {"done": False, "children": [{"name": str(error), "children": []}]}
        print(json.dumps(answer), flush=True)


main()
