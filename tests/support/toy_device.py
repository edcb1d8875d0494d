"""A device with an option, all of it in this file: a file whose lines are a player's commands, one a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from armoon.inputs.controls import DevicePart
from armoon.options.kinds import File
from armoon.options.option import COMMAND, FILE, option
from armoon.values.acts import Act


class Pedal:
    def __init__(
        self, asked: list[Act], act: Callable[[Act, bool], None], say: Callable[[str], None]
    ) -> None:
        self._asked, self._act, self._say = asked, act, say

    def poll(self) -> None:
        if self._asked:
            act = self._asked.pop(0)
            self._act(act, True)
            self._act(act, False)

    def close(self) -> None:
        self._say("The pedal rests.")


@dataclass(frozen=True)
class PedalPart(DevicePart):
    pedal: Path | None = option(File("FILE.txt"), None, FILE, COMMAND)

    texts: ClassVar = {
        "en": {"option.pedal.help": "A pedal, read from a file."},
        "fr": {"option.pedal.help": "Une pédale, lue dans un fichier."},
    }

    def open_device(self, act: Callable[[Act, bool], None], say: Callable[[str], None]) -> Pedal | None:
        if self.pedal is None:
            return None
        return Pedal([Act[word] for word in self.pedal.read_text(encoding="utf-8").split()], act, say)


OWN = PedalPart
