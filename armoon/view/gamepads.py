"""Gamepads, the one that is plugged in during play too: buttons and sticks come out as plain values."""

from __future__ import annotations

import select
from collections.abc import Callable
from typing import Any

#: Sticks that nobody touches rest near their middle, seldom in it.
DEAD = 0.18
#: The cross, as the names of its four buttons.
_CROSS = (("left", 0, -1.0), ("right", 0, 1.0), ("down", 1, -1.0), ("up", 1, 1.0))

OnButton = Callable[[str, bool], None]
OnSticks = Callable[[float, float, float, float], None]


class Gamepads:
    """Every gamepad that the system knows; none is as good as nothing."""

    def __init__(self, on_button: OnButton, on_sticks: OnSticks) -> None:
        """``on_button`` gets names such as "a", "start", "up", and whether the button went down; ``on_sticks``
        how far right, away, up and about the view sticks are pushed, from -1 to 1.
        """
        self._on_button, self._on_sticks = on_button, on_sticks
        self._sticks: dict[str, tuple[float, float]] = {}
        self._pressed: set[str] = set()
        self._open: list[Any] = []
        self._manager: Any = None
        try:
            from pyglet import input as devices

            self._manager = devices.ControllerManager()
            self._manager.push_handlers(on_connect=self._connect, on_disconnect=self._disconnect)
            for controller in self._manager.get_controllers():
                self._connect(controller)
        except Exception:  # pyglet raises whatever the system gave it; who has no gamepad needs none
            self._manager = None

    def pump(self) -> None:
        """Hand on what was pressed since the last call."""
        if self._manager is None:
            return
        from pyglet import app
        from pyglet.display.base import Display

        loop = app.platform_event_loop
        loop.dispatch_posted_events()
        # On Linux devices are files; those of the window are read by the window.
        files = [one for one in getattr(loop, "select_devices", ()) if not isinstance(one, Display)]
        ready = [one for one in files if one.poll()] or select.select(files, (), (), 0.0)[0] if files else []
        for one in ready:
            one.select()

    def close(self) -> None:
        """Let go of all; may be called twice."""
        for controller in self._open:
            controller.close()
        self._open.clear()

    # What pyglet tells --------------------------------------------------------------------------------------

    def _connect(self, controller: Any) -> None:
        controller.open()
        controller.push_handlers(
            on_button_press=lambda pad, name: self.button(name, True),
            on_button_release=lambda pad, name: self.button(name, False),
            on_dpad_motion=lambda pad, place: self.cross(place.x, place.y),
            on_stick_motion=lambda pad, name, place: self.stick(name, place.x, place.y),
        )
        self._open.append(controller)

    def _disconnect(self, controller: Any) -> None:
        if controller in self._open:
            self._open.remove(controller)
        for name in tuple(self._pressed):
            self.button(name, False)
        self._sticks.clear()
        self._tell_sticks()

    def button(self, name: str, pressed: bool) -> None:
        """A button went down or up."""
        (self._pressed.add if pressed else self._pressed.discard)(name)
        self._on_button(name, pressed)

    def cross(self, right: float, up: float) -> None:
        """The cross is pushed, as the buttons of its arms."""
        for name, axis, way in _CROSS:
            pressed = (right, up)[axis] * way > 0.5
            if pressed != (name in self._pressed):
                self.button(name, pressed)

    def stick(self, name: str, right: float, up: float) -> None:
        """A stick is pushed so far: the left one along the table, the right one up and about the view."""
        self._sticks[name] = (_lively(right), _lively(up))
        self._tell_sticks()

    def _tell_sticks(self) -> None:
        (right, away), (twist, up) = (
            self._sticks.get(name, (0.0, 0.0)) for name in ("leftstick", "rightstick")
        )
        self._on_sticks(right, away, up, twist)


def _lively(part: float) -> float:
    """Nothing in the middle, and from there on all the way."""
    size = max(0.0, abs(part) - DEAD) / (1.0 - DEAD)
    return size if part > 0.0 else -size
