"""The switches: any key, mouse button, gamepad button or loud sound, for players who use one or two of them.

A mouse that has moved since its last press is a pointer, and arrows, Tab, Escape and function keys keep their
meaning, so that a helper can always change the settings.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from armoon.inputs.switch import SwitchFilter
from armoon.screens.input import Switch, Switched
from armoon.screens.own import others_play_with
from armoon.screens.state import PageName, Screens
from armoon.values.choices import Way
from armoon.values.numbers import count_in
from armoon.values.poses import Vec2

if TYPE_CHECKING:
    from armoon.view.window import Pointer

#: Keys that are no switch.
_NO_SWITCH = ("up", "down", "left", "right", "tab", "backtab", "escape", "lshift", "rshift")
#: With two switches, these step to the next widget; all others press the highlighted one.
_STEPS = ("space", "b", "right_button")
#: Keys, besides those that write one letter, that may be a switch at the first start.
_SHOWING = ("space", "return", "enter", "num_enter")
#: Distance from which a mouse that moves is a pointer, in parts of the window.
_MOVED = 0.02


class Switches:
    """Picks out of all device input the presses of switches."""

    def __init__(self) -> None:
        self._filters = {Switch.DOWN: SwitchFilter(), Switch.STEP: SwitchFilter()}
        self.name = ""
        """The switch that pressed a widget last; empty: none yet."""
        self._rested: Vec2 | None = None
        """Where the mouse was when it was pressed last."""
        self._wandered = False
        """The mouse has moved since the program began, so it is used as a pointer."""
        self._buttons = (False, False)

    def key(self, name: str, pressed: bool, screens: Screens, now_s: float) -> bool:
        """Note that a key went down or up; return whether it is a switch."""
        function = name.startswith("f") and count_in(name[1:]) is not None
        if name in _NO_SWITCH or function or not self._hears(screens):
            return False
        if not screens.scans and name not in _SHOWING and len(name) > 1:
            return False
        self._move(name, pressed, screens, now_s)
        return True

    def pad(self, name: str, pressed: bool, screens: Screens, now_s: float) -> bool:
        """Note that a gamepad's button went down or up; return whether it is a switch."""
        if name in _NO_SWITCH or name == "start" or not self._hears(screens):
            return False
        self._move(name, pressed, screens, now_s)
        return True

    def loud_sound(self, down: bool, screens: Screens, now_s: float) -> None:
        """Note that a loud sound began or ended."""
        if screens.preferences.scans:
            self._move("loud_sound", down, screens, now_s)

    def pointer(self, pointer: Pointer, screens: Screens, now_s: float) -> bool:
        """Handle the mouse; return whether its buttons are switches, because it rests."""
        buttons = (pointer.pressed, pointer.turning)
        self._wandered = self._wandered or buttons == self._buttons
        if not self._hears(screens) or others_play_with(screens, Way.MOUSE):
            self._rested = None
            return False
        if buttons == self._buttons:
            return False
        if self._rested is None:
            self._rested = pointer.over
        moved = math.dist(pointer.over, self._rested) > _MOVED
        pointed = self._wandered and not screens.scans
        if moved or pointed:
            self._rested, self._buttons = (pointer.over if not any(buttons) else self._rested), buttons
            return False
        for name, was, now in zip(("left_button", "right_button"), self._buttons, buttons, strict=True):
            if was is not now:
                self._move(name, now, screens, now_s)
        self._buttons = buttons
        return True

    def take(self, screens: Screens, now_s: float) -> list[Switched]:
        """Return the switches' presses and releases since the last call."""
        told = []
        for what, one in self._filters.items():
            one.hold_s = screens.preferences.switch_hold_s
            for down in one.take(now_s):
                if down:
                    told.append(Switched(what))
                elif what is Switch.DOWN:
                    told.append(Switched(Switch.UP))
        return told

    def take_trouble(self) -> str:
        """Return a fault of a switch as a message key, once; else an empty string."""
        return next((trouble for one in self._filters.values() if (trouble := one.take_trouble())), "")

    def _hears(self, screens: Screens) -> bool:
        """Return whether switches are heard: at the first start's title too, while nothing has the focus."""
        first = screens.asks_way and screens.page is PageName.TITLE and not screens.focus_shown
        return screens.scans or first

    def _move(self, name: str, down: bool, screens: Screens, now_s: float) -> None:
        steps = screens.preferences.way is Way.SWITCHES and name in _STEPS
        self.name = self.name if steps else name
        self._filters[Switch.STEP if steps else Switch.DOWN].move(down, now_s)
