"""A gamepad without hardware: a fake device with pyglet's own controller, mapping and events."""

from __future__ import annotations

import importlib.util
import sys
import types
import warnings
from typing import Any

if "pyglet.input" not in sys.modules:
    # The __init__ of pyglet.input requires a display, for graphics tablets; gamepads don't need one.
    spec = importlib.util.find_spec("pyglet.input")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    stub = types.ModuleType("pyglet.input")
    stub.__path__ = list(spec.submodule_search_locations)
    sys.modules["pyglet.input"] = stub

from pyglet.input.base import AbsoluteAxis, Button, Controller, Device

#: Mapping in SDL's format; pyglet reads it like the mappings of real gamepads.
GUID = "03000000ff11000001000000ffff0000"
MAPPING = (
    f"{GUID},Odd Pad,a:b0,b:b1,x:b2,y:b3,leftshoulder:b4,rightshoulder:b5,start:b6,back:b7,leftstick:b8,"
    "leftx:a0,lefty:a1,rightx:a2,righty:a3,lefttrigger:a4,righttrigger:a5,"
    "dpup:-a7,dpdown:+a7,dpleft:-a6,dpright:+a6,platform:Linux,"
)
BUTTONS = ("a", "b", "x", "y", "leftshoulder", "rightshoulder", "start", "back", "leftstick")
AXES = {
    "leftx": 0,
    "lefty": 1,
    "rightx": 2,
    "righty": 3,
    "lefttrigger": 4,
    "righttrigger": 5,
    "across": 6,
    "down": 7,
}
FULL = 32767


def parse_mapping(line: str) -> Any:
    from pyglet.input import controller

    return controller._parse_mapping(line)


class FakeDevice(Device):  # type: ignore[misc]
    def __init__(self, axes: int = 8, buttons: int = 9, name: str = "Odd Pad", *, opens: bool = True) -> None:
        super().__init__(None, name)
        self.id_product = "0x1"
        self.opens = opens
        self.opened = 0
        # The values of triggers (axes 4 and 5) start at 0; sticks also have negative values.
        self.axes = [
            AbsoluteAxis(f"axis{k}", 0 if k in (4, 5) else -FULL - 1, FULL, f"a{k}") for k in range(axes)
        ]
        self.buttons = [Button(f"button{k}", f"b{k}") for k in range(buttons)]

    def open(self, window: Any = None, exclusive: bool = False) -> None:
        if not self.opens:
            raise OSError(16, "Device or resource busy")
        self.opened += 1
        super().open(window, exclusive)

    def close(self) -> None:
        self.opened -= 1
        super().close()

    def get_controls(self) -> list[Any]:
        return [*self.axes, *self.buttons]

    def get_guid(self) -> str:
        return GUID


class FakePad:
    def __init__(self, device: FakeDevice | None = None, mapping: dict[str, Any] | None = None) -> None:
        from pyglet.input.controller import get_mapping

        from armoon.view.gamepads import add_mappings

        add_mappings(MAPPING)
        self.device = device or FakeDevice()
        self.rumbles: list[tuple[str, float]] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.controller: Any = _FakeController(self, mapping or get_mapping(GUID))

    def press(self, name: str, down: bool = True) -> None:
        self.device.buttons[BUTTONS.index(name)].value = int(down)

    def push(self, axis: str, value: float) -> None:
        """Move a stick or the D-pad to -1 ... 1 (positive: right or down), or a trigger to 0 ... 1."""
        self.device.axes[AXES[axis]].value = int(value * FULL)


class _FakeController(Controller):  # type: ignore[misc]
    def __init__(self, pad: FakePad, mapping: dict[str, Any]) -> None:
        super().__init__(pad.device, mapping)
        self._pad = pad

    def rumble_play_weak(self, strength: float = 1.0, duration: float = 0.5) -> None:
        self._pad.rumbles.append(("weak", strength))

    def rumble_play_strong(self, strength: float = 1.0, duration: float = 0.5) -> None:
        self._pad.rumbles.append(("strong", strength))
