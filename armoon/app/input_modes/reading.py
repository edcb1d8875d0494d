"""Screen readers beside a window: their library, if it is wanted and installed, and their requests to the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from armoon.messages import speaking_of
from armoon.screen_reader.link import ReaderError, ReaderLink, can_read
from armoon.screen_reader.tree import NOWHERE, Numbers, Thing, Tree, tree_of
from armoon.screens.events import Event
from armoon.screens.input import WidgetWished, Wished
from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink
from armoon.values.choices import ReaderUse
from armoon.values.page import Page, Rect
from armoon.values.scene import Scene, SceneHud

#: Says where the glass's texts are seen, by name, and which things on the table.
Look = Callable[[Scene], tuple[Mapping[str, Rect], tuple[Thing, ...]]]
#: Seconds from a tree to the next one that differs only in where things are.
MOVES_S = 0.25


def _blind(scene: Scene) -> tuple[Mapping[str, Rect], tuple[Thing, ...]]:
    """Nothing is drawn."""
    return NOWHERE, ()


class Reading:
    """Their process as a window's attendant; a fault of it is one sentence, and from then on it is left alone."""

    def __init__(self, use: ReaderUse, say: Callable[[str], None], tell: Callable[[Event], None]) -> None:
        """``say`` gets that sentence, ``tell`` the requests. Raises ReaderError on a system without it."""
        self._say, self._tell = say, tell
        wanted = use is ReaderUse.ON or (use is ReaderUse.AUTO and can_read())
        self._reader = ReaderLink() if wanted else None

    def open(self) -> Reading | None:
        """Return the attendant for a window, where one is wanted and possible."""
        return None if self._reader is None else self

    def sinks(self, words: Callable[[], Mapping[str, str]], look: Look) -> tuple[ReaderSink, ...]:
        """Return the sinks that tell screen readers of every moment; ``words`` names the game's things."""
        return () if self._reader is None else (ReaderSink(self._reader, words, look),)

    def place(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        """Note the window's place and size."""
        if self._reader is not None:
            self._reader.place(bounds, size)

    def focus(self, focused: bool) -> None:
        """Note whether the window has the keyboard."""
        if self._reader is not None:
            self._reader.focus(focused)

    def pump(self) -> None:
        """Hand on what screen readers have asked for since the last frame."""
        if self._reader is None:
            return
        try:
            for widget, what in self._reader.take():
                self._tell(WidgetWished(widget, Wished(what)))
        except ReaderError as error:
            self.close()
            self._say(str(error))

    def close(self) -> None:
        """End their process; may be called twice."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None


class ReaderSink(NamedSink):
    """In the loop: only changes are sent, and nothing is waited for."""

    word = "reader"

    def __init__(
        self, reader: ReaderLink, words: Callable[[], Mapping[str, str]] = dict, look: Look = _blind
    ) -> None:
        """``words`` is what the game at the table calls its things, ``look`` says where they are seen."""
        self._reader, self._words, self._look = reader, words, look
        self._numbers = Numbers()
        self._seen: tuple[Page | None, SceneHud] | None = None
        self._next_s = 0.0

    def part(self, moment: Moment) -> Tree | None:
        """Return the screen's tree if a reader listens and words are new, or things may have moved."""
        if not (moment.shown and self._reader.wanted):
            return None
        scene = None if moment.scene is None else moment.scene()
        seen = (moment.page, SceneHud() if scene is None else scene.hud)
        if seen == self._seen and moment.now_s < self._next_s:
            return None
        self._seen, self._next_s = seen, moment.now_s + MOVES_S
        with speaking_of(self._words()):
            places, things = ({}, ()) if scene is None else self._look(scene)
            return tree_of(*seen, self._numbers, places, things)

    def take(self, part: Tree) -> None:
        """Tell it. Raises ReaderError."""
        self._reader.show(part)
