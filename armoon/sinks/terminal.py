"""The terminal as a sink: what is to be said, a line each."""

from __future__ import annotations

from rich.console import Console

from armoon.messages import text
from armoon.sinks.moment import Moment
from armoon.sinks.sink import Rule


def sentences_console() -> Console:
    """A terminal that shows sentences as they are: names with brackets stay names, paths stay in one line."""
    return Console(markup=False, emoji=False, highlight=False, soft_wrap=True)


class TerminalSink:
    """Prints sentences; a terminal that was stopped holds up nobody."""

    rule = Rule.QUEUES
    capacity = 256

    def __init__(self, console: Console) -> None:
        self._console = console

    @property
    def name(self) -> str:
        """What players call it."""
        return text("sink.name.terminal")

    def part(self, moment: Moment) -> tuple[str, ...] | None:
        """The moment's sentences."""
        return moment.sentences or None

    def take(self, part: tuple[str, ...]) -> None:
        """Print them."""
        for sentence in part:
            self._console.print(sentence)

    def close(self) -> None:
        """The terminal stays open."""
