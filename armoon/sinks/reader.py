"""Screen readers as a sink: they get every change of page and glass."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from armoon.messages import speaking_of, text
from armoon.screen_reader.adapter import Reader
from armoon.screen_reader.tree import Numbers, Tree, tree_of
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule
from armoon.values.page import Page
from armoon.values.scene import SceneHud


class ReaderSink:
    """In the loop: an update takes 0.1 ms, and only changes are sent."""

    rule = Rule.IN_LOOP
    capacity = 1

    def __init__(self, reader: Reader, words: Callable[[], Mapping[str, str]] = dict) -> None:
        """``words`` is what the game at the table calls its things."""
        self._reader, self._words = reader, words
        self._numbers = Numbers()
        self._seen: tuple[Page | None, SceneHud] | None = None

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.reader")

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

    def close(self) -> None:
        """Close nothing: the library ends with the program."""
