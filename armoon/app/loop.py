"""The one loop: a source's frames in, the game's ticks, moments out to all sinks.

Playing in a window with or without menus, headless, the demo, a resumed game, a replay and a film differ in the
parts passed in: a source (``sources``), a clock, a director that chooses what is played and shown, and sinks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from armoon.app import stopping
from armoon.app.sources.frames import Incoming, Source
from armoon.clock import Clock
from armoon.sinks.hub import Sinks
from armoon.sinks.moment import Moment

#: Seconds for which a sentence about a sink stays on the screen.
NOTICE_S = 8.0


class Director(Protocol):
    """Choose what is played before which source, and what is shown of it."""

    @property
    def source(self) -> Source:
        """Where frames come from now."""

    @property
    def done(self) -> bool:
        """Whether the director has ended."""

    def play(self, fed: Incoming, now_s: float, notice: str) -> Moment:
        """Put in what came, and play the ticks that are due; ``notice`` is to be seen if there is room."""


class Screen(Protocol):
    """A window, as the loop knows it."""

    @property
    def closed(self) -> bool:
        """The player has closed it."""

    def pump(self) -> None:
        """Hand waiting keys and mouse moves to who listens."""


class Loop:
    """Goes round until the director, the source or the player ends it."""

    def __init__(self, director: Director, sinks: Sinks, clock: Clock, screen: Screen | None = None) -> None:
        """``clock`` is the one by which the source stamps its frames; ``screen`` is None without a window."""
        self._director = director
        self._sinks = sinks
        self._clock = clock
        self._screen = screen
        self._notice, self._notice_ends_s = "", 0.0

    def run(self) -> None:
        """Play, until a signal ends it, too. Raises the source's faults, and WindowLostError."""
        with stopping.in_order():
            while not (stopping.asked() or self._director.done) and self.frame():
                pass

    def frame(self) -> bool:
        """Once round; False if the source or the window has ended."""
        if self._screen is not None:
            self._screen.pump()
            if self._screen.closed:
                return False
        source = self._director.source
        fed = source.take()
        if fed.ended:
            return False
        now_s = self._clock.now_s()
        notices = self._sinks.take_notices()
        if notices:
            self._notice, self._notice_ends_s = notices[-1], now_s + NOTICE_S
        notice = self._notice if now_s < self._notice_ends_s else ""
        moment = self._director.play(fed, now_s, notice)
        shown = fed.shown or (source.steady and self._screen is not None)
        self._sinks.take(replace(moment, shown=shown, sentences=(*moment.sentences, *notices)))
        return True
