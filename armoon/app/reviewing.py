"""The review of the game at the table, in a process of its own: started by a page, polled once a frame."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from armoon.errors import ArmoonError
from armoon.games.reviews import Reviewed, ReviewedTurn
from armoon.messages import language, set_language, text
from armoon.processes.memory import give_back
from armoon.processes.worker import Worker
from armoon.screens.actions import Request
from armoon.screens.events import ReviewTold
from armoon.sinks.files import keep_picture

#: Time limit of the search for a turn's safest place, seconds.
THINK_S = 1.5
#: Nice level of the review's process.
NICENESS = 10
News = int | ReviewedTurn | Reviewed | str


class Reviewing:
    """At most one review under way; close it."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._of: Path | None = None
        """The log that is, or was, reviewed."""
        self._told = ReviewTold()

    def do(self, action: Request, log: Path | None, folder: Path) -> ReviewTold:
        """Begin, give up, or keep the picture; how it stands then."""
        match action:
            case Request.LOOK_AT_REVIEW:
                if log is None:
                    self._told = ReviewTold(trouble=text("review.no_log"), done=True)
                elif log != self._of or self._told.trouble:
                    self._begin(log)
            case Request.STOP_REVIEW if self._worker is not None:
                self.close()
                self._of = None
            case Request.KEEP_REVIEW if self._told.picture:
                kept = keep_picture(folder, ".svg", self._told.picture.encode())
                self._told = self._told.saying(kept)
        return self._told

    def look(self) -> ReviewTold | None:
        """Once a frame: what has come since; None where nothing has."""
        worker, before = self._worker, self._told
        if worker is None:
            return None
        ended = not worker.alive
        for news in worker.news():
            self._told = self._told.after(news)
        if ended and not self._told.done:
            self._told = self._told.after(text("review.lost"))
        if self._told.done:
            self.close()
        return None if self._told is before else self._told

    def close(self) -> None:
        """End the process; what has come stays."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.close(patience_s=0.0)

    def _begin(self, log: Path) -> None:
        self.close()
        self._of, self._told = log, ReviewTold()
        give_back()  # for the process that comes
        self._worker = Worker("review", serve, log, language(), THINK_S, niceness=NICENESS)


def serve(pipe: Connection, log: Path, spoken: str, think_s: float) -> None:
    """Run the review's process.

    Send the number of turns, each turn as it was weighed, and the end or a sentence why not.
    """
    set_language(spoken)
    try:
        weigh(log, pipe.send, think_s)
    except ArmoonError as error:
        pipe.send(str(error))


def weigh(log: Path, send: Callable[[News], object], think_s: float) -> None:
    """Review a log. Raises ArmoonError."""
    from armoon.engine.logbook import LogReader
    from armoon.games.contract.capabilities import reviewer
    from armoon.games.contract.kind import kind_of
    from armoon.games.contract.replay import intakes, logged_match

    reader = LogReader(log)
    match = logged_match(reader)
    try:
        counted = kind_of(match.game).lines.counted
        turns = {record.get("turn") for record in reader.records if record["kind"] == counted}
        send(len(turns))
        send(reviewer(match.game).review(match, intakes(reader), send, think_s))
    finally:
        match.close()
