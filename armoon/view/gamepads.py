"""Gamepads, also any plugged in during play; pressing a pad's only stick switches it to lifting and rotating."""

from __future__ import annotations

import re
import select
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

#: Dead zone: untouched sticks rest near their middle, seldom in it.
DEAD = 0.18
#: Pull at which a trigger counts as pressed, and at which it is released: no tremor between them.
PULLED, LET_UP = 0.6, 0.35
TRIGGERS = ("lefttrigger", "righttrigger")
STICKS = ("leftstick", "rightstick")
#: With one stick these switch its function: the stick itself, or a button where it can't be pressed.
CHANGES = ("leftstick", "rightstick", "y")
#: Names of an unknown pad's buttons, in its own order.
PLAIN_BUTTONS = (
    "a",
    "b",
    "x",
    "y",
    "leftshoulder",
    "rightshoulder",
    "back",
    "start",
    "leftstick",
    "rightstick",
)
#: In a mapping: a pad's number, what can be mapped, and to which button, axis or hat.
_NUMBER = re.compile(r"[0-9a-fA-F]{32}")
_STICKS, _ARMS = ("leftx", "lefty", "rightx", "righty"), ("dpup", "dpdown", "dpleft", "dpright")
_MAPPED = frozenset((*PLAIN_BUTTONS, *TRIGGERS, *_STICKS, *_ARMS, "guide"))
_CONTROL = re.compile(r"[+-]?(b[0-9]{1,3}|a[0-9]{1,3}|h[0-9]{1,2}\.[0-9]{1,3})~?")
#: The shortest and the strongest push, seconds.
RUMBLE_S = (0.06, 0.25)
#: The cross, as the names of its four buttons.
_CROSS = (("left", 0, -1.0), ("right", 0, 1.0), ("down", 1, -1.0), ("up", 1, 1.0))

OnButton = Callable[[str, bool], None]
OnSticks = Callable[[Mapping[str, float]], None]


class Gamepads:
    """All gamepads of the system; works without any."""

    def __init__(self, on_button: OnButton, on_sticks: OnSticks, *, mappings: str = "") -> None:
        """Open the gamepads.

        ``on_button`` gets names such as "a" or "up" and whether the button went down; ``on_sticks`` each stick's push
        by direction ("leftstick_up"), from 0 to 1. ``mappings``: lines for odd pads, in SDL's format.
        """
        self.one_stick = False
        self.gone = False
        """The last pad has been unplugged, and no other was plugged in."""
        self._second = False
        """The one stick lifts and rotates now."""
        self._last: Any = None
        self._on_button, self._on_sticks = on_button, on_sticks
        self._sticks: dict[str, tuple[float, float]] = {}
        self._pressed: set[str] = set()
        self._open: list[Any] = []
        self._manager: Any = None
        try:
            from pyglet import input as devices
            from pyglet.input.base import Controller

            add_mappings(mappings)
            self._manager = devices.ControllerManager()
            self._manager.push_handlers(on_connect=self.connect, on_disconnect=self.disconnect)
            controllers = self._manager.get_controllers()
        except Exception:  # pyglet raises any error of the system; gamepads are optional
            self._manager = None
            return
        for controller in controllers:
            self.connect(controller)
        # Joysticks that pyglet has no mapping for. One that can't be read must not cost the others.
        known = {controller.device.name for controller in controllers}
        joysticks: list[Any] = []
        with suppress(Exception):
            joysticks = devices.get_joysticks()
        for joystick in joysticks:
            with suppress(Exception):
                if joystick.device.name not in known:
                    self.connect(Controller(joystick.device, plain_mapping(joystick.device)))

    def pump(self) -> None:
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
            with suppress(Exception):  # what pyglet can't read of one pad must not cost the others
                one.select()

    def close(self) -> None:
        for controller in self._open:
            with suppress(
                Exception
            ):  # one that is gone needs no closing, and pyglet raises what the system gave
                controller.close()
        self._open.clear()

    def rumble(self, strength: float) -> None:
        """Rumble the pad used last with this strength, from 0 to 1, if it can."""
        strength = min(1.0, max(0.0, strength))
        if self._last is None or self._last not in self._open or strength <= 0.0:
            return
        seconds = RUMBLE_S[0] + (RUMBLE_S[1] - RUMBLE_S[0]) * strength
        with suppress(Exception):  # pads without motors raise whatever their driver says
            self._last.rumble_play_weak(strength, seconds)
            if strength > 0.5:
                self._last.rumble_play_strong(strength, seconds)

    # pyglet's events ---------------------------------------------------------------------------------------

    def connect(self, controller: Any) -> None:
        try:
            controller.open()
            controller.push_handlers(
                on_button_press=lambda pad, name: self._handle_button(pad, name, True),
                on_button_release=lambda pad, name: self._handle_button(pad, name, False),
                on_dpad_motion=lambda pad, place: self.cross(place.x, place.y),
                on_stick_motion=lambda pad, name, place: self.stick(name, place.x, place.y),
                on_trigger_motion=lambda pad, name, pulled: self.trigger(name, pulled),
            )
        except Exception:  # busy, or gone again: pyglet raises what the system gave it
            return
        self._open.append(controller)
        self._last, self.gone = controller, False

    def disconnect(self, controller: Any) -> None:
        """Disconnect a pad: its sticks rest and its buttons come up, except a trigger, which may hold something."""
        if controller not in self._open:
            return
        self._open.remove(controller)
        for name in tuple(self._pressed):
            if name in TRIGGERS:
                self._pressed.discard(name)
            else:
                self.button(name, False)
        self._sticks.clear()
        self._report_sticks()
        self.gone = not self._open

    def _handle_button(self, pad: Any, name: str, pressed: bool) -> None:
        self._last = pad
        self.button(name, pressed)

    def button(self, name: str, pressed: bool) -> None:
        (self._pressed.add if pressed else self._pressed.discard)(name)
        if self.one_stick and name in CHANGES:
            if pressed:
                self._second = not self._second
                self._report_sticks()
            return
        self._on_button(name, pressed)

    def trigger(self, name: str, pulled: float) -> None:
        pressed = pulled > (LET_UP if name in self._pressed else PULLED)
        if pressed != (name in self._pressed):
            self.button(name, pressed)

    def cross(self, right: float, up: float) -> None:
        for name, axis, way in _CROSS:
            pressed = (right, up)[axis] * way > 0.5
            if pressed != (name in self._pressed):
                self.button(name, pressed)

    def stick(self, name: str, right: float, up: float) -> None:
        """Handle a stick's push: the left one moves along the table, the right one up and about the view."""
        self._sticks[name] = (_without_dead_zone(right), _without_dead_zone(up))
        self._report_sticks()

    def _report_sticks(self) -> None:
        places = {name: self._sticks.get(name, (0.0, 0.0)) for name in STICKS}
        if self.one_stick:
            (right, away), (twist, up) = places.values()
            now, other = reversed(STICKS) if self._second else STICKS
            places = {now: (right or twist, away or up), other: (0.0, 0.0)}
        self._on_sticks(
            {
                f"{name}_{arm}": max(0.0, place[axis] * way)
                for name, place in places.items()
                for arm, axis, way in _CROSS
            }
        )


def add_mappings(lines: str) -> None:
    """Add mappings with precedence over pyglet's own; ignore malformed lines."""
    from pyglet.input.controller import add_mappings_from_string

    add_mappings_from_string("\n".join(valid_mappings(lines)))


def valid_mappings(lines: str) -> tuple[str, ...]:
    """Return the lines that are mappings in SDL's format: a pad's number, its name, its controls."""
    return tuple(line for each in lines.splitlines() if _is_mapping(line := each.strip()))


def _is_mapping(line: str) -> bool:
    number, *rest = line.split(",")
    items = [item.partition(":") for item in rest[1:] if item]
    return (
        bool(items)
        and _NUMBER.fullmatch(number) is not None
        and all(key not in _MAPPED or _CONTROL.fullmatch(value) is not None for key, _, value in items)
    )


def plain_mapping(device: Any) -> dict[str, Any]:
    """Return a mapping for an unknown device, from its parts: two axes a stick, buttons in their order."""
    from pyglet.input.base import AbsoluteAxis, Button
    from pyglet.input.controller import Relation

    controls = device.get_controls()
    named = ("hat_x", "hat_y", "hat")
    axes = [one for one in controls if isinstance(one, AbsoluteAxis) and one.name not in named]
    buttons = [one for one in controls if isinstance(one, Button)]
    sticks = _STICKS[: len(axes) // 2 * 2]
    mapping: dict[str, Any] = {"name": device.name, "guid": ""}
    mapping.update({name: Relation("axis", number) for number, name in enumerate(sticks)})
    mapping.update(
        {name: Relation("button", number) for number, name in enumerate(PLAIN_BUTTONS[: len(buttons)])}
    )
    return mapping


def _without_dead_zone(part: float) -> float:
    size = max(0.0, abs(part) - DEAD) / (1.0 - DEAD)
    return size if part > 0.0 else -size
