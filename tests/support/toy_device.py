"""A device with an option, all of it in this file: a file whose lines are what a player asks for, one a frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from armoon.inputs.controls import Asking, DevicePart
from armoon.options.kinds import File
from armoon.options.option import COMMAND, FILE, option
from armoon.values.acts import Act


class Pedal:
    """Asks for the next line's act in each frame."""

    def __init__(self, asked: list[Act], asking: Asking) -> None:
        self._asked, self._asking = asked, asking

    def pump(self) -> None:
        if self._asked:
            act = self._asked.pop(0)
            self._asking.act(act, True)
            self._asking.act(act, False)

    def close(self) -> None:
        self._asking.say("The pedal rests.")


@dataclass(frozen=True)
class PedalPart(DevicePart):
    """The option ``--pedal``."""

    pedal: Path | None = option(File("FILE.txt"), None, FILE, COMMAND)

    texts: ClassVar = {
        "en": {"option.pedal.help": "A pedal, read from a file."},
        "fr": {"option.pedal.help": "Une pédale, lue dans un fichier."},
    }

    def device(self, asking: Asking) -> Pedal | None:
        if self.pedal is None:
            return None
        return Pedal([Act[word] for word in self.pedal.read_text(encoding="utf-8").split()], asking)


OWN = PedalPart
