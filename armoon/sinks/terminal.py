"""The terminal as a sink: one line per message."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from armoon.sinks.moment import Moment
from armoon.sinks.sink import NamedSink, Rule
from armoon.values.foreign_text import shown_lines


class SafeConsole(Console):
    """A terminal that only this program steers: what others wrote is shown, never obeyed."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """As rich renders it; a table's lines and the program's own colours stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(shown_lines(segment.text), segment.style)


def sentences_console() -> Console:
    """Return a terminal that shows sentences as they are: names with brackets stay names, paths stay in one line."""
    return SafeConsole(markup=False, emoji=False, highlight=False, soft_wrap=True)


class TerminalSink(NamedSink):
    """Print sentences; a stopped terminal blocks nothing."""

    word = "terminal"
    rule = Rule.QUEUES
    capacity = 256

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        """``quiet``: say nothing of the game, only what is wrong with a sink."""
        self._console, self._quiet = console, quiet

    def part(self, moment: Moment) -> tuple[str, ...] | None:
        """Return the moment's sentences."""
        return None if self._quiet and moment.output is not None else moment.sentences or None

    def take(self, part: tuple[str, ...]) -> None:
        """Print them."""
        for sentence in part:
            self._console.print(sentence)
