"""Gamepads, including those plugged in during play. On a pad with one stick, pressing it switches its function."""

from __future__ import annotations

import re
import select
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

#: Deflection below which a stick counts as centred, because sticks rarely rest exactly in the middle.
DEAD_ZONE = 0.18
#: Pull above which a trigger counts as pressed, and below which it counts as released. The gap absorbs tremor.
PRESS_AT, RELEASE_AT = 0.6, 0.35
TRIGGERS = ("lefttrigger", "righttrigger")
STICKS = ("leftstick", "rightstick")
#: Inputs that switch the function of a pad's only stick: the stick itself, or a button if it can't be pressed.
STICK_SWITCHES = ("leftstick", "rightstick", "y")
#: Button names for an unknown pad, in the order of its buttons.
DEFAULT_BUTTONS = (
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
#: Parts of a mapping in SDL's format: the pad's GUID, control names, and the button, axis or hat for each name.
_GUID = re.compile(r"[0-9a-fA-F]{32}")
_STICK_AXES, _DPAD_KEYS = ("leftx", "lefty", "rightx", "righty"), ("dpup", "dpdown", "dpleft", "dpright")
_MAPPABLE = frozenset((*DEFAULT_BUTTONS, *TRIGGERS, *_STICK_AXES, *_DPAD_KEYS, "guide"))
_CONTROL = re.compile(r"[+-]?(b[0-9]{1,3}|a[0-9]{1,3}|h[0-9]{1,2}\.[0-9]{1,3})~?")
#: Minimum and maximum duration of a rumble, in seconds.
RUMBLE_S = (0.06, 0.25)
#: Directions of the d-pad: name, axis and sign.
_DPAD = (("left", 0, -1.0), ("right", 0, 1.0), ("down", 1, -1.0), ("up", 1, 1.0))

OnButton = Callable[[str, bool], None]
OnSticks = Callable[[Mapping[str, float]], None]


class Gamepads:
    def __init__(self, on_button: OnButton, on_sticks: OnSticks, *, mappings: str = "") -> None:
        """Open the gamepads.

        ``on_button`` gets a name such as "a" or "up" and whether the button went down; ``on_sticks`` gets each stick's
        push by direction ("leftstick_up"), from 0 to 1. ``mappings``: lines for unusual pads, in SDL's format.
        """
        self.has_one_stick = False
        self.is_unplugged = False
        """Whether all pads have been unplugged."""
        self._is_switched = False
        """Whether a pad's only stick lifts and rotates instead of moving along the table."""
        self._last_used: Any = None
        self._on_button, self._on_sticks = on_button, on_sticks
        self._sticks: dict[str, tuple[float, float]] = {}
        self._pressed: set[str] = set()
        self._controllers: list[Any] = []
        self._manager: Any = None
        try:
            from pyglet import input as devices
            from pyglet.input.base import Controller

            add_mappings(mappings)
            self._manager = devices.ControllerManager()
            self._manager.push_handlers(on_connect=self.connect, on_disconnect=self.disconnect)
            controllers = self._manager.get_controllers()
        except Exception:  # pyglet doesn't wrap system errors; gamepads are optional
            self._manager = None
            return
        for controller in controllers:
            self.connect(controller)
        # Also open joysticks for which pyglet has no mapping. An unreadable one must not disable the others.
        known_names = {controller.device.name for controller in controllers}
        joysticks: list[Any] = []
        with suppress(Exception):
            joysticks = devices.get_joysticks()
        for joystick in joysticks:
            with suppress(Exception):
                if joystick.device.name not in known_names:
                    self.connect(Controller(joystick.device, make_default_mapping(joystick.device)))

    def poll(self) -> None:
        if self._manager is None:
            return
        from pyglet import app
        from pyglet.display.base import Display

        loop = app.platform_event_loop
        loop.dispatch_posted_events()
        # On Linux, devices are files; the window polls its own display.
        files = [d for d in getattr(loop, "select_devices", ()) if not isinstance(d, Display)]
        ready = [d for d in files if d.poll()] or select.select(files, (), (), 0.0)[0] if files else []
        for device in ready:
            with suppress(Exception):  # an unreadable pad must not disable the others
                device.select()

    def close(self) -> None:
        for controller in self._controllers:
            with suppress(Exception):  # pyglet doesn't wrap system errors, such as that of an unplugged pad
                controller.close()
        self._controllers.clear()

    def rumble(self, strength: float) -> None:
        """Rumble the last used pad, if it has motors, with a strength from 0 to 1."""
        strength = min(1.0, max(0.0, strength))
        if self._last_used not in self._controllers or strength <= 0.0:
            return
        seconds = RUMBLE_S[0] + (RUMBLE_S[1] - RUMBLE_S[0]) * strength
        with suppress(Exception):  # a pad without motors raises an error of its driver
            self._last_used.rumble_play_weak(strength, seconds)
            if strength > 0.5:
                self._last_used.rumble_play_strong(strength, seconds)

    def connect(self, controller: Any) -> None:
        try:
            controller.open()
            controller.push_handlers(
                on_button_press=lambda pad, name: self._handle_pad_button(pad, name, True),
                on_button_release=lambda pad, name: self._handle_pad_button(pad, name, False),
                on_dpad_motion=lambda pad, vector: self.handle_dpad(vector.x, vector.y),
                on_stick_motion=lambda pad, name, vector: self.handle_stick(name, vector.x, vector.y),
                on_trigger_motion=lambda pad, name, pulled: self.handle_trigger(name, pulled),
            )
        except Exception:  # pyglet doesn't wrap system errors, such as that of a busy pad
            return
        self._controllers.append(controller)
        self._last_used, self.is_unplugged = controller, False

    def disconnect(self, controller: Any) -> None:
        """Centre a pad's sticks and release its buttons, but not its triggers, because one may hold a ladder."""
        if controller not in self._controllers:
            return
        self._controllers.remove(controller)
        for name in tuple(self._pressed):
            if name in TRIGGERS:
                self._pressed.discard(name)
            else:
                self.handle_button(name, False)
        self._sticks.clear()
        self._report_sticks()
        self.is_unplugged = not self._controllers

    def _handle_pad_button(self, pad: Any, name: str, pressed: bool) -> None:
        self._last_used = pad
        self.handle_button(name, pressed)

    def handle_button(self, name: str, pressed: bool) -> None:
        (self._pressed.add if pressed else self._pressed.discard)(name)
        if self.has_one_stick and name in STICK_SWITCHES:
            if pressed:
                self._is_switched = not self._is_switched
                self._report_sticks()
            return
        self._on_button(name, pressed)

    def handle_trigger(self, name: str, pulled: float) -> None:
        pressed = pulled > (RELEASE_AT if name in self._pressed else PRESS_AT)
        if pressed != (name in self._pressed):
            self.handle_button(name, pressed)

    def handle_dpad(self, right: float, up: float) -> None:
        for name, axis, sign in _DPAD:
            pressed = (right, up)[axis] * sign > 0.5
            if pressed != (name in self._pressed):
                self.handle_button(name, pressed)

    def handle_stick(self, name: str, right: float, up: float) -> None:
        """Report a push of the left stick, which moves along the table, or the right one, which lifts and rotates."""
        self._sticks[name] = (_apply_dead_zone(right), _apply_dead_zone(up))
        self._report_sticks()

    def _report_sticks(self) -> None:
        pushes = {name: self._sticks.get(name, (0.0, 0.0)) for name in STICKS}
        if self.has_one_stick:
            (right, away), (twist, up) = pushes.values()
            active, inactive = reversed(STICKS) if self._is_switched else STICKS
            pushes = {active: (right or twist, away or up), inactive: (0.0, 0.0)}
        by_direction: dict[str, float] = {}
        for name, push in pushes.items():
            by_direction |= {f"{name}_{way}": max(0.0, push[axis] * sign) for way, axis, sign in _DPAD}
        self._on_sticks(by_direction)


def add_mappings(lines: str) -> None:
    """Add mappings that take precedence over pyglet's; ignore malformed lines."""
    from pyglet.input.controller import add_mappings_from_string

    add_mappings_from_string("\n".join(filter_mappings(lines)))


def filter_mappings(lines: str) -> tuple[str, ...]:
    """Return the lines that are mappings in SDL's format: a pad's GUID, name and controls."""
    return tuple(line for line in map(str.strip, lines.splitlines()) if _is_mapping(line))


def _is_mapping(line: str) -> bool:
    guid, *rest = line.split(",")
    items = [item.partition(":") for item in rest[1:] if item]
    return (
        bool(items)
        and _GUID.fullmatch(guid) is not None
        and all(key not in _MAPPABLE or _CONTROL.fullmatch(value) is not None for key, _, value in items)
    )


def make_default_mapping(device: Any) -> dict[str, Any]:
    """Return a mapping for an unknown device: two axes for each stick, buttons in the device's order."""
    from pyglet.input.base import AbsoluteAxis, Button
    from pyglet.input.controller import Relation

    controls = device.get_controls()
    hat_names = ("hat_x", "hat_y", "hat")
    axes = [c for c in controls if isinstance(c, AbsoluteAxis) and c.name not in hat_names]
    buttons = [c for c in controls if isinstance(c, Button)]
    sticks = _STICK_AXES[: len(axes) // 2 * 2]
    mapping: dict[str, Any] = {"name": device.name, "guid": ""}
    mapping |= {name: Relation("axis", number) for number, name in enumerate(sticks)}
    names = DEFAULT_BUTTONS[: len(buttons)]
    return mapping | {name: Relation("button", number) for number, name in enumerate(names)}


def _apply_dead_zone(value: float) -> float:
    size = max(0.0, abs(value) - DEAD_ZONE) / (1.0 - DEAD_ZONE)
    return size if value > 0.0 else -size
