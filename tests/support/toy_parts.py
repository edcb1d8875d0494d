"""A sink, input devices and a source with options of their own, defined entirely in this file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TextIO

import numpy as np

from armoon.app.sources import SourcePart
from armoon.app.table import Table
from armoon.camera.profiles import CameraSeat
from armoon.camera.sources import Frame
from armoon.engine.events import MatchBegan
from armoon.inputs.controls import DevicePart, GripDevice
from armoon.options.kinds import File, Number
from armoon.options.option import COMMAND, FILE, option
from armoon.players.demo import DemoOptions
from armoon.sinks.sink import DrawnPictures, Moment, Rule, Sink, SinkPart
from armoon.values.acts import Act
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3


class LampSink(Sink):
    """A lamp that records the events of a game in a file."""

    word = "lamp"
    rule = Rule.KEEPS
    capacity = 100_000

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("w", buffering=1, encoding="utf-8")  # line-buffered

    def select(self, moment: Moment) -> list[str]:
        events = () if moment.output is None else moment.output.events_of(object)
        scene = ["scene"] if moment.shown and moment.scene is not None and moment.scene() else []
        return [
            *(f"begins {e.game}" if isinstance(e, MatchBegan) else type(e).__name__ for e in events),
            *scene,
            *(["ended"] if moment.ended else []),
        ]

    def process(self, part: list[str]) -> None:
        self._file.writelines(f"{line}\n" for line in part)

    def close(self) -> None:
        self._file.write("closed\n")
        self._file.close()


@dataclass(frozen=True)
class LampPart(SinkPart):
    lamp: Path | None = option(File("FILE.txt"), None, FILE, COMMAND)

    texts: ClassVar = {
        "en": {"sink.name.lamp": "The lamp", "option.lamp.help": "Write events to a file as lamp signals."},
        "fr": {"sink.name.lamp": "La lampe", "option.lamp.help": "Allume une lampe, notée dans un fichier."},
    }

    def create_sink(
        self, rate_hz: float, notify: Callable[[str], None], pictures: DrawnPictures | None
    ) -> LampSink | None:
        return None if self.lamp is None else LampSink(self.lamp)


class Pedal:
    """A device that sends acts from a text file."""

    def __init__(
        self, acts: list[Act], act: Callable[[Act, bool], None], notify: Callable[[str], None]
    ) -> None:
        self._acts, self._act, self._notify = acts, act, notify

    def poll(self) -> None:
        if self._acts:
            act = self._acts.pop(0)
            self._act(act, True)
            self._act(act, False)

    def close(self) -> None:
        self._notify("The pedal rests.")


class Pen(GripDevice):
    """A device that sends grips from a text file."""

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

    def open_device(self, act: Callable[[Act, bool], None], notify: Callable[[str], None]) -> Pedal | None:
        if self.pedal is None:
            return None
        return Pedal([Act[word] for word in self.pedal.read_text(encoding="utf-8").split()], act, notify)

    def open_grip(self, seat: CameraSeat) -> Pen | None:
        return None if self.pen is None else Pen(self.pen.read_text(encoding="utf-8").splitlines())


class Fog:
    """A limited number of grey frames."""

    description, width, height, rate_hz, live = "fog", 64, 48, 30.0, False

    def __init__(self, pictures: int) -> None:
        self._left, self._pictures = pictures, pictures

    def read(self) -> Frame | None:
        if not self._left:
            return None
        self._left -= 1
        index = self._pictures - self._left
        return Frame(index, index / self.rate_hz, np.full((self.height, self.width, 3), 128, np.uint8))

    def close(self) -> None: ...


@dataclass(frozen=True)
class FogPart(SourcePart):
    fog: int = option(Number(1, whole=True), 3, FILE, COMMAND)

    word: ClassVar[str] = "fog"
    size: ClassVar[tuple[int, int]] = (64, 48)
    texts: ClassVar = {
        "en": {"option.fog.help": "How many pictures of fog there are."},
        "fr": {"option.fog.help": "Combien d'images de brouillard il y a."},
    }

    def open_for_table(
        self, demo: DemoOptions | None, table: Table, meanwhile: Callable[[], None]
    ) -> Fog | None:
        return Fog(self.fog)
