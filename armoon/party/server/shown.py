"""The room as everybody may see it, and the choices of a question."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.broadcast.happenings import Began, Words
from armoon.broadcast.speaking import same_words, text_words
from armoon.party.votes.ballots import Ballot, Question

#: Faces as the table counts them.
FACES = {1: "die.one", 2: "die.two", 3: "die.moon"}


@dataclass(frozen=True)
class ShownBallot:
    """A vote as everybody may see it."""

    number: int
    question: str
    about: str
    """The host's own question."""
    choices: tuple[Words, ...]
    tally: tuple[int, ...] | None
    """None: hidden until the bell."""
    votes: int
    """How many have voted."""
    open: bool
    right: int | None


@dataclass(frozen=True)
class ShownRoom:
    """The room as everybody may see it."""

    ballot: ShownBallot | None
    guests: int
    best: tuple[tuple[str, int], ...]
    on_turn: str
    """The name of who is on turn."""
    turn: int
    chat: bool = False
    """A chat votes as well, by numbers."""
    reachable: bool = True
    """Phones can open the address that they are given."""
    hidden: bool = False
    """Results are hidden until the bell."""
    at: str = ""
    """Where a browser asks for the room's code: host and port."""
    code: str = ""
    fingerprint: str = ""
    """The beginning of the certificate's; empty: there is none."""


def shown_ballot(ballot: Ballot, *, hidden: bool) -> ShownBallot:
    """Return a vote as it is shown; ``hidden``: its result only after the bell."""
    own = ballot.about if ballot.question is Question.OWN else ""
    tally = None if hidden and ballot.open else ballot.tally
    said = ballot.number, ballot.question.value, own, ballot.choices
    return ShownBallot(*said, tally, len(ballot.votes), ballot.open, ballot.right)


def choices_of(question: Question, began: Began, turn: int) -> tuple[tuple[Words, ...], tuple[int, ...]]:
    """Return a question's choices, and what each means to the table where that isn't its place."""
    if question is Question.HOLDS:
        return (text_words("air.choice.holds"), text_words("air.choice.falls")), ()
    if question is Question.LADDER:
        return tuple(text_words("air.choice.ladder", count=n) for n in (1, 2, 3)), (0, 1, 2)
    if question is Question.FACE:
        left_out = 1 + turn % 3
        values = tuple(face for face in FACES if face != left_out)
        return tuple(text_words(FACES[face]) for face in values), values
    return tuple(same_words(seat.name) for seat in began.seats), ()
