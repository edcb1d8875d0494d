"""Switches: any key, mouse button, gamepad button or loud sound, for players who use only one or two of them.

A mouse that has moved since its last press counts as a pointer; arrows, Tab, Escape and function keys are never
switches, so a helper can always change the settings.
"""

from __future__ import annotations

import math
from dataclasses import replace

from armoon.inputs.switch import SwitchFilter
from armoon.messages import set_keys, set_ways
from armoon.screens.layout import others_use_way
from armoon.screens.state import PageName, Screens, SwitchEvent
from armoon.settings.preferences import Preferences
from armoon.values.acts import PAD, Act, Layout, find_act_by_key, get_buttons, get_keys, get_shown_keys
from armoon.values.choices import Way
from armoon.values.poses import Vec2
from armoon.values.text import parse_count
from armoon.view.window import MousePointer

#: Keys that are never switches.
_NEVER_SWITCHES = ("up", "down", "left", "right", "tab", "backtab", "escape", "lshift", "rshift")
#: Inputs that step to the next widget when two switches are used; all others press the highlighted one.
_STEP_INPUTS = ("space", "b", "right_button")
#: The only key besides letters that can be a switch at the first start; Enter starts a game.
_FIRST_KEY = "space"
#: Movement that makes a mouse a pointer, as a fraction of the window.
_MIN_MOVEMENT = 0.02


class Switches:
    """Finds the presses of switches in the input of all devices."""

    def __init__(self) -> None:
        self._filters = {SwitchEvent.DOWN: SwitchFilter(), SwitchEvent.STEP: SwitchFilter()}
        self.name = ""
        """The switch used last, except for stepping; empty: none so far."""
        self._press_place: Vec2 | None = None
        """Position of the mouse at its last press."""
        self._has_moved = False
        """Whether the mouse has moved since the start; then it counts as a pointer until scanning begins."""
        self._buttons = (False, False)

    def handle_key(self, name: str, pressed: bool, screens: Screens, now_s: float) -> bool:
        is_function_key = name.startswith("f") and parse_count(name[1:]) is not None
        if name in _NEVER_SWITCHES or is_function_key or not self._is_listening(screens):
            return False
        if not screens.is_scanning and name != _FIRST_KEY and len(name) > 1:
            return False
        if not screens.preferences.uses_switch and screens.page is PageName.SWITCH and name != self.name:
            return False  # the page asks about another key
        self._set_switch(name, pressed, screens, now_s)
        return True

    def handle_pad(self, name: str, pressed: bool, screens: Screens, now_s: float) -> bool:
        if name in _NEVER_SWITCHES or name == "start" or not self._is_listening(screens):
            return False
        self._set_switch(name, pressed, screens, now_s)
        return True

    def handle_loud_sound(self, down: bool, screens: Screens, now_s: float) -> None:
        if screens.preferences.uses_switch:
            self._set_switch("loud_sound", down, screens, now_s)

    def handle_pointer(self, pointer: MousePointer, screens: Screens, now_s: float) -> bool:
        """Handle the mouse; return whether a button acted as a switch, which works only while the mouse rests."""
        buttons = (pointer.pressed, pointer.turning)
        self._has_moved = self._has_moved or buttons == self._buttons
        if not self._is_listening(screens) or others_use_way(screens, Way.MOUSE):
            self._press_place = None
            return False
        if buttons == self._buttons:
            return False
        if self._press_place is None:
            self._press_place = pointer.over
        has_moved = math.dist(pointer.over, self._press_place) > _MIN_MOVEMENT
        is_pointing = self._has_moved and (screens.is_trying_switch or not screens.is_scanning)
        if has_moved or is_pointing:
            self._press_place, self._buttons = (self._press_place if any(buttons) else pointer.over), buttons
            return False
        for name, before, now in zip(("left_button", "right_button"), self._buttons, buttons, strict=True):
            if before is not now:
                self._set_switch(name, now, screens, now_s)
        self._buttons = buttons
        return True

    def drain_presses(self, screens: Screens, now_s: float) -> list[SwitchEvent]:
        presses: list[SwitchEvent] = []
        for switch, switch_filter in self._filters.items():
            switch_filter.hold_s = screens.preferences.switch_hold_s
            for down in switch_filter.drain_edges(now_s):
                if down:
                    presses.append(switch)
                elif switch is SwitchEvent.DOWN:
                    presses.append(SwitchEvent.UP)
        return presses

    def pop_fault(self) -> str:
        return next((fault for switch in self._filters.values() if (fault := switch.drain_fault())), "")

    def _is_listening(self, screens: Screens) -> bool:
        """Return whether switches work: while scanning, and on the first title page until a widget has the focus."""
        is_first_start = (
            screens.must_choose_way and screens.page is PageName.TITLE and not screens.focus_shown
        )
        return screens.is_scanning or is_first_start

    def _set_switch(self, name: str, down: bool, screens: Screens, now_s: float) -> None:
        steps = screens.preferences.way is Way.SWITCHES and name in _STEP_INPUTS
        self.name = self.name if steps else name
        self._filters[SwitchEvent.STEP if steps else SwitchEvent.DOWN].set_state(down, now_s)


_MESSAGE_WAYS = {
    Way.MOUSE: ("mouse",),
    Way.KEYS: ("keys",),
    Way.SWITCH: ("switch", "choice"),
    Way.SWITCHES: ("switch", "choice"),
    Way.VOICE: ("voice", "choice"),
    Way.HEAD: ("head", "choice"),
}


def find_act_for_key(screens: Screens, name: str) -> Act | None:
    """Return the act of a key; for switch users and while typing, keys have their default meaning."""
    preferences = screens.preferences
    if preferences.uses_switch or screens.page is PageName.NAME:
        return find_act_by_key(name)
    return find_act_by_key(name, get_keys(preferences.key_hand, preferences.keys))


def get_current_buttons(screens: Screens) -> Layout:
    preferences = screens.preferences
    return PAD if preferences.uses_switch else get_buttons(preferences.pad)


def show_key_names(preferences: Preferences, switch: str = "") -> None:
    switches = {"k_switch": (switch,)} if switch else {}
    set_keys(get_shown_keys(preferences.key_hand, preferences.keys, preferences.pad) | switches)
    set_ways(*_MESSAGE_WAYS.get(preferences.way, ()))


#: Maximum movement of a resting pointer, as a fraction of the window.
MAX_REST_MOVEMENT = 0.012
#: Rest time before the ring appears, in seconds; a moving pointer shows no ring.
RING_DELAY_S = 0.2
#: Factor by which the rest before a ladder is released is longer, because players need time to look.
RELEASE_DWELL_FACTOR = 2.5


class DwellClicker:
    """Clicks once when the mouse rests, and again only after the mouse has moved."""

    def __init__(self) -> None:
        self._pointer: MousePointer | None = None
        self._since_s = 0.0
        self._has_clicked = True

    def move_to(self, pointer: MousePointer, now_s: float) -> None:
        """Record the position of the mouse; a real press counts as the click."""
        has_moved = self._pointer is None or math.dist(pointer.over, self._pointer.over) > MAX_REST_MOVEMENT
        if has_moved or pointer.pressed or pointer.turning or pointer.wheel:
            self._has_clicked = self._pointer is None or pointer.pressed
            self._pointer, self._since_s = pointer, now_s

    def progress(self, now_s: float, dwell_s: float) -> float:
        """Return the progress towards a click, from 0 to 1; it is 0 just after a movement, and after a click."""
        rested_s = 0.0 if self._has_clicked else now_s - self._since_s
        return 0.0 if rested_s < RING_DELAY_S else min(1.0, rested_s / dwell_s)

    def pop_click(self, now_s: float, dwell_s: float) -> tuple[MousePointer, ...]:
        """Return a press and a release at the mouse's position if it has rested long enough, else nothing."""
        if self._pointer is None or self.progress(now_s, dwell_s) < 1.0:
            return ()
        self._has_clicked = True
        click = replace(self._pointer, wheel=0.0, pressed=False, turning=False)
        return replace(click, pressed=True), click
