"""A sink with an option, defined entirely in this file: a lamp that records a game's events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TextIO

from armoon.engine.events import MatchBegan
from armoon.options.kinds import File
from armoon.options.option import COMMAND, FILE, option
from armoon.sinks.sink import DrawnPictures, Moment, Rule, Sink, SinkPart


class LampSink(Sink):
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

    def sink(
        self, rate_hz: float, say: Callable[[str], None], pictures: DrawnPictures | None
    ) -> LampSink | None:
        return None if self.lamp is None else LampSink(self.lamp)
