"""The live stream as a sink: as the film, but what isn't taken in time is left out."""

from __future__ import annotations

from collections.abc import Callable

from armoon.messages import text
from armoon.party.live.link import Live
from armoon.sinks.film import FilmSink
from armoon.sinks.moment import Leaving, Picture


class LiveSink(FilmSink):
    """Hands pictures and sounds to a stream."""

    def __init__(self, live: Live, drawn: Callable[[], Picture | None]) -> None:
        """``drawn`` gives the picture that was drawn of this moment (h, w, 3), BGR; None if none was."""
        super().__init__(live, drawn)
        self._live = live

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.live")

    @property
    def leaving(self) -> Leaving | None:
        """Pictures leave the program as long as a server takes them."""
        return Leaving.STREAM if self._live.on_air else None
