"""Input devices defined entirely in this file: a pedal with acts and a pen with grips, both read from text files."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from armoon.camera.profiles import CameraSeat
from armoon.inputs.controls import DevicePart, GripDevice
from armoon.options.kinds import File
from armoon.options.option import COMMAND, FILE, option
from armoon.values.acts import Act
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3


class Pedal:
    def __init__(self, acts: list[Act], act: Callable[[Act, bool], None], say: Callable[[str], None]) -> None:
        self._asked, self._act, self._say = acts, act, say

    def poll(self) -> None:
        if self._asked:
            act = self._asked.pop(0)
            self._act(act, True)
            self._act(act, False)

    def close(self) -> None:
        self._say("The pedal rests.")


class Pen(GripDevice):
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def is_in_use(self, time_s: float) -> bool:
        return bool(self._lines) or self.is_closed

    def collect_grips(
        self, time_s: float, offered: Vec3 | None = None, *, holding: bool | None = None
    ) -> tuple[GripIntent, ...]:
        if not self._lines:
            return ()
        x, y, z, down = json.loads(self._lines.pop(0))
        was, self.is_closed = self.is_closed, bool(down)
        phase = GripPhase.HOLD if self.is_closed else GripPhase.HOVER
        edges = () if was is self.is_closed else (GripPhase.GRAB if self.is_closed else GripPhase.RELEASE,)
        pose, view = Pose((x, y, z)), (0.0, 0.0, -1.0)
        return tuple(GripIntent(time_s, "pen", edge, pose, view) for edge in (*edges, phase))


@dataclass(frozen=True)
class DeskPart(DevicePart):
    pedal: Path | None = option(File("FILE.txt"), None, FILE, COMMAND)
    pen: Path | None = option(File("FILE.txt"), None, FILE, COMMAND)

    texts: ClassVar = {
        "en": {
            "option.pedal.help": "A pedal, read from a file.",
            "option.pen.help": "A pen, read from a file.",
        },
        "fr": {"option.pedal.help": "Une pédale, lue dans un fichier.", "option.pen.help": "Un stylo, lu."},
    }

    def open_device(self, act: Callable[[Act, bool], None], say: Callable[[str], None]) -> Pedal | None:
        if self.pedal is None:
            return None
        return Pedal([Act[word] for word in self.pedal.read_text(encoding="utf-8").split()], act, say)

    def open_grip(self, seat: CameraSeat) -> Pen | None:
        return None if self.pen is None else Pen(self.pen.read_text(encoding="utf-8").splitlines())
