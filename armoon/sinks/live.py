"""The live stream as a sink: like the film, but in wall time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from armoon.options.kinds import Number, TargetAddress
from armoon.options.option import COMMAND, option
from armoon.sinks.film import FilmFrame, FilmSink
from armoon.sinks.sink import DrawnPictures, Moment, OutputChannel, Picture, SinkPart
from armoon.values.text import Address

if TYPE_CHECKING:  # imported only when something is streamed
    from armoon.party.live import LiveStream

#: Environment variable with the stream's key; other users can read command lines, but not the environment.
STREAM_KEY = "ARMOON_STREAM_KEY"


class LiveSink(FilmSink):
    """Streams pictures and sounds in wall time, because the loop's time can be slower or faster."""

    word = "live"

    def __init__(
        self,
        live: LiveStream,
        read_picture: Callable[[], Picture | None],
        wall_s: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(live, read_picture)
        self._live = live
        self._wall_s = wall_s

    def select(self, moment: Moment) -> FilmFrame | None:
        return super().select(replace(moment, now_s=self._wall_s()))

    @property
    def output_channel(self) -> OutputChannel | None:
        return OutputChannel.STREAM if self._live.on_air else None


@dataclass(frozen=True)
class LivePart(SinkPart):
    """The options ``--stream`` and ``--stream-kbit``."""

    stream: Address | None = option(TargetAddress("stream", ("rtmp", "rtmps")), None, COMMAND)
    stream_kbit: int | None = option(Number(200, 50_000, whole=True), None, COMMAND, needs=("stream",))
    """Bit rate of the picture in kbit/s; None: by the picture's size."""

    @property
    def needs_pictures(self) -> bool:
        return self.stream is not None

    def create_sink(
        self, rate_hz: float, notify: Callable[[str], None], pictures: DrawnPictures | None
    ) -> LiveSink | None:
        if self.stream is None or pictures is None:
            return None
        from armoon.party.live import LiveStream
        from armoon.sound.effects import RATE_HZ

        pictures.should_read_back = True
        key, size = os.environ.get(STREAM_KEY, ""), pictures.size
        live = LiveStream(self.stream, key.strip(), size, rate_hz, RATE_HZ, notify, kbit=self.stream_kbit)
        return LiveSink(live, pictures.picture)
