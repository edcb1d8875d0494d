"""Screen readers beside a window: their library, if it is wanted and installed, and their requests to the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from armoon.errors import ArmoonError
from armoon.messages import speaking_of
from armoon.screen_reader.adapter import Reader, can_read
from armoon.screen_reader.tree import Numbers, Tree, tree_of
from armoon.screens.events import Event
from armoon.screens.input import WidgetWished, Wished
from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink
from armoon.values.choices import ReaderUse
from armoon.values.page import Page
from armoon.values.scene import SceneHud


class Reading:
    """The library as a window's attendant; a fault of it is one sentence, and from then on it is left alone."""

    def __init__(self, use: ReaderUse, say: Callable[[str], None], tell: Callable[[Event], None]) -> None:
        """``say`` gets that sentence, ``tell`` what is asked for. Raises ReaderError where it is missing."""
        self._use, self._say, self._tell = use, say, tell
        self._reader: Reader | None = None
        if use is ReaderUse.ON and not can_read():
            Reader()  # says what is missing

    def open(self) -> Reading | None:
        """Begin before the window is shown, where that is wanted and possible."""
        if self._use is not ReaderUse.OFF and can_read():
            self._try(self._begin)
        return None if self._reader is None else self

    def sinks(self, words: Callable[[], Mapping[str, str]]) -> tuple[ReaderSink, ...]:
        """Return the sinks that tell screen readers of every moment; ``words`` names the game's things."""
        return () if self._reader is None else (ReaderSink(self._reader, words),)

    def place(self, bounds: tuple[float, float, float, float], size: tuple[int, int]) -> None:
        """Note the window's place and size."""
        reader = self._reader
        if reader is not None:
            self._try(lambda: reader.place(bounds, size))

    def focus(self, focused: bool) -> None:
        """Note whether the window has the keyboard."""
        reader = self._reader
        if reader is not None:
            self._try(lambda: reader.focus(focused))

    def pump(self) -> None:
        """Hand on what screen readers have asked for since the last frame."""
        for widget, what in () if self._reader is None else self._reader.take():
            self._tell(WidgetWished(widget, Wished(what)))

    def close(self) -> None:
        """Close nothing: the library ends with its window."""

    def _begin(self) -> None:
        self._reader = Reader()

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except ArmoonError as error:
            self._reader = None
            self._say(str(error))


class ReaderSink(NamedSink):
    """In the loop: an update takes 0.1 ms, and only changes are sent."""

    word = "reader"

    def __init__(self, reader: Reader, words: Callable[[], Mapping[str, str]] = dict) -> None:
        """``words`` is what the game at the table calls its things."""
        self._reader, self._words = reader, words
        self._numbers = Numbers()
        self._seen: tuple[Page | None, SceneHud] | None = None

    def part(self, moment: Moment) -> Tree | None:
        """Return the screen's tree if it is new."""
        if not moment.shown:
            return None
        seen = (moment.page, SceneHud() if moment.scene is None else moment.scene().hud)
        if seen == self._seen:
            return None
        self._seen = seen
        with speaking_of(self._words()):
            return tree_of(*seen, self._numbers)

    def take(self, part: Tree) -> None:
        """Tell it. Raises ReaderError."""
        self._reader.show(part)
