"""The live stream as a sink: like the film, but late pictures are dropped."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from armoon.options.kinds import To
from armoon.options.option import COMMAND, option
from armoon.sinks.film import FilmSink
from armoon.sinks.moment import Leaving, Picture
from armoon.sinks.sink import Opened, SinkPart
from armoon.values.address import Address

if TYPE_CHECKING:  # the encoder is loaded where something is streamed
    from armoon.party.live.link import Live

#: Other users of the computer may read command lines, but not this.
STREAM_KEY = "ARMOON_STREAM_KEY"


class LiveSink(FilmSink):
    """Hands pictures and sounds to a stream."""

    word = "live"

    def __init__(self, live: Live, drawn: Callable[[], Picture | None]) -> None:
        """``drawn`` gives the picture that was drawn of this moment (h, w, 3), BGR; None if none was."""
        super().__init__(live, drawn)
        self._live = live

    @property
    def leaving(self) -> Leaving | None:
        """Pictures leave the program as long as a server takes them."""
        return Leaving.STREAM if self._live.on_air else None


@dataclass(frozen=True)
class LivePart(SinkPart):
    """The option ``--stream``."""

    stream: Address | None = option(To("stream", ("rtmp", "rtmps")), None, COMMAND)
    """Where pictures and sounds go as they are played; None: nowhere."""

    @property
    def draws(self) -> bool:
        """Whether anything is streamed."""
        return self.stream is not None

    def sink(self, opened: Opened) -> LiveSink | None:
        """Begin the stream. Raises ArmoonError."""
        if self.stream is None or opened.pictures is None:
            return None
        from armoon.party.live.link import Live
        from armoon.sound.wood import RATE_HZ

        opened.pictures.kept = True
        key = os.environ.get(STREAM_KEY, "")
        live = Live(self.stream, key, opened.pictures.size, opened.rate_hz, RATE_HZ, opened.say)
        return LiveSink(live, opened.pictures.picture)


OWN = LivePart
