"""The live stream as a sink: like the film, but by the wall's time, and late pictures are dropped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from armoon.options.kinds import Number, Targets
from armoon.options.option import COMMAND, option
from armoon.sinks.film import FilmSink
from armoon.sinks.sink import Leaving, Moment, Opened, Picture, SinkPart
from armoon.values.text import Address

if TYPE_CHECKING:  # the encoder is loaded where something is streamed
    from armoon.party.live.link import Lives

#: Other users of the computer may read command lines, but not this. Several keys stand between spaces.
STREAM_KEY = "ARMOON_STREAM_KEY"


class LiveSink(FilmSink):
    """Hands pictures and sounds to one stream or several.

    A game may be slower or faster than the wall's clock; who watches lives by that, so its stamps are the wall's.
    """

    word = "live"

    def __init__(
        self,
        lives: Lives,
        drawn: Callable[[], Picture | None],
        wall_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """``drawn`` gives the picture that was drawn of this moment (h, w, 3), BGR; None if none was."""
        super().__init__(lives, drawn)
        self._lives = lives
        self._wall_s = wall_s

    def part(self, moment: Moment) -> tuple[Picture, float] | None:
        """Return the picture, and the wall's time."""
        return super().part(replace(moment, now_s=self._wall_s()))

    @property
    def leaving(self) -> Leaving | None:
        """Pictures leave the program as long as a server takes them."""
        return Leaving.STREAM if self._lives.on_air else None


@dataclass(frozen=True)
class LivePart(SinkPart):
    """The options ``--stream`` and ``--stream-kbit``."""

    stream: tuple[Address, ...] = option(Targets("stream", ("rtmp", "rtmps")), (), COMMAND)
    """Where pictures and sounds go as they are played; none: nowhere."""
    stream_kbit: int | None = option(Number(200, 50_000, whole=True), None, COMMAND, needs=("stream",))
    """Bits of the picture, in thousands a second; None: by its size."""

    @property
    def draws(self) -> bool:
        """Whether anything is streamed."""
        return bool(self.stream)

    def sink(self, opened: Opened) -> LiveSink | None:
        """Begin the stream. Raises ArmoonError."""
        if not self.stream or opened.pictures is None:
            return None
        from armoon.party.live.link import Live, Lives
        from armoon.sound.effects import RATE_HZ

        opened.pictures.kept = True
        size, keys = opened.pictures.size, os.environ.get(STREAM_KEY, "").split()
        lives = tuple(
            Live(address, key, size, opened.rate_hz, RATE_HZ, opened.say, kbit=self.stream_kbit)
            for address, key in zip_longest(self.stream, keys[: len(self.stream)], fillvalue="")
            if isinstance(address, Address)
        )
        return LiveSink(Lives(lives), opened.pictures.picture)


OWN = LivePart
