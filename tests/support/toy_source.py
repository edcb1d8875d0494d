"""A source with an option, defined entirely in this file: a limited number of grey frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from armoon.app.sources import SourcePart
from armoon.app.table import Table
from armoon.camera.sources import Frame
from armoon.options.kinds import Number
from armoon.options.option import COMMAND, FILE, option
from armoon.players.demo import DemoOptions


class Fog:
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

    def frames(self, demo: DemoOptions | None, table: Table, meanwhile: Callable[[], None]) -> Fog | None:
        return Fog(self.fog)
