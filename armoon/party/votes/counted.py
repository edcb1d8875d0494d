"""The votes of an evening, counted, as a CSV table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from armoon.broadcast.happenings import Words
from armoon.messages import language, text
from armoon.party.votes.ballots import Ballot, Question

#: Votes that are remembered; more than an evening has.
MOST_COUNTED = 2000
#: What a spreadsheet would take for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t")


@dataclass(frozen=True)
class Counted:
    """A vote that was closed. It tells how many voted for what, and never who."""

    number: int
    at: str
    """Local time with its distance from UTC, as in ISO 8601."""
    question: str
    about: str
    """The player that it was about, or the host's own question."""
    choices: tuple[Words, ...]
    tally: tuple[int, ...]
    right: int | None = None
    """Which choice came true, of a bet."""


def counted(ballot: Ballot, before: Counted | None) -> Counted:
    """Return a closed vote as it is kept; ``before``: the same vote, counted earlier."""
    at = datetime.now().astimezone().isoformat(timespec="seconds") if before is None else before.at
    named = ballot.number, at, ballot.question.value, ballot.about
    return Counted(*named, ballot.choices, ballot.tally, ballot.right)


def votes_csv(votes: Iterable[Counted]) -> bytes:
    """Return one row for each choice of each vote, in the house's language; UTF-8 with a mark that Excel needs."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(text("air.votes_head").split(","))
    for one in votes:
        own = one.question == Question.OWN.value
        asked = (one.about, "") if own else (text(f"air.page.title_{one.question}"), one.about)
        for number, choice in enumerate(one.choices):
            right = "" if one.right is None else int(number == one.right)
            words = (*asked, getattr(choice, language()))
            rows.writerow((one.at, one.number, *map(_plain, words), one.tally[number], right))
    return written.getvalue().encode("utf-8-sig")


def _plain(words: str) -> str:
    """Return words that no spreadsheet reckons with."""
    return f"'{words}" if words.startswith(_FORMULA) else words
