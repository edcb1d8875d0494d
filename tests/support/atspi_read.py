"""Run by the system's own Python, which has AT-SPI's library: reads the program's tree as a screen reader does.

A line "read" answers with the tree as JSON, "press NAME" and "focus NAME" do that; nothing of armoon is imported here.
"""

import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

STATES = ("focused", "focusable", "enabled", "selected")


def spin(seconds):
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def program():
    """The one application with children."""
    until = time.time() + 20.0
    while time.time() < until:
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            one = desktop.get_child_at_index(number)
            if one is not None and one.get_child_count():
                return one
        spin(0.1)
    return None


def text_of(node):
    name = node.get_name()
    if not name and node.get_text_iface():
        name = Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))
    return name or ""


def tree(node):
    node.clear_cache()
    states = node.get_state_set()
    nicks = {state.value_nick for state in states.get_states()}
    count = node.get_n_actions() if node.get_action_iface() else 0
    extents = node.get_extents(Atspi.CoordType.WINDOW) if node.get_component_iface() else None
    return {
        "role": node.get_role_name(),
        "name": text_of(node),
        "description": node.get_description() or "",
        "states": sorted(nicks & set(STATES)),
        "actions": count,
        "size": [extents.width, extents.height] if extents else [0, 0],
        "children": [tree(node.get_child_at_index(n)) for n in range(node.get_child_count())],
    }


def find(node, name):
    if text_of(node) == name:
        return node
    for number in range(node.get_child_count()):
        found = find(node.get_child_at_index(number), name)
        if found is not None:
            return found
    return None


def main():
    Atspi.init()
    app = program()
    print(
        json.dumps({"found": app is not None, "toolkit": app.get_toolkit_name() if app else ""}), flush=True
    )
    for line in sys.stdin:
        what, _, name = line.strip().partition(" ")
        if what == "read":
            answer = tree(app)
        else:
            node = find(app, name)
            if node is None:
                answer = {"done": False}
            elif what == "press":
                answer = {"done": bool(node.get_action_iface().do_action(0))}
            else:
                answer = {"done": bool(node.get_component_iface().grab_focus())}
        print(json.dumps(answer), flush=True)


main()
