"""One vote at a time, one phone one vote, and points for good bets."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field, replace

from armoon.broadcast.happenings import Words
from armoon.party.votes.names import free_name

#: Maximum number of guests; later ones are refused with a sentence.
MOST_GUESTS = 300
#: Number of voters that another program or a chat may bring; their keys begin like this.
MOST_OTHERS, OTHER = 1000, "other:"
#: A right guess is worth this, and this where most of the others were wrong.
RIGHT, RIGHT_ALONE = 1, 2


class Question(enum.Enum):
    """The possible questions."""

    HOLDS = "holds"
    """Will it hold? A bet; changes nothing."""
    LADDER = "ladder"
    """The next ladder, of three: only where the table draws from all."""
    FACE = "face"
    """The die's face, of two: only at a table with a real die."""
    BEGINS = "begins"
    """Who begins the next game."""


class Refusal(enum.Enum):
    """Why a vote isn't taken; the message key is ``air.refused.`` and this value."""

    NOBODY = "nobody"
    """The voter hasn't joined, or was sent away."""
    FULL = "full"
    CLOSED = "closed"
    NO_SUCH_CHOICE = "no_such_choice"


class NotTaken(Exception):  # noqa: N818 - a refusal is no error
    """A vote that isn't taken; ``why`` says why."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(why.value)
        self.why = why


@dataclass(frozen=True)
class Guest:
    """A guest with a phone."""

    name: str
    points: int = 0
    banned: bool = False


@dataclass(frozen=True)
class Ballot:
    """A vote: its number makes it unlike any other, so that a late vote can't count for the next."""

    number: int
    question: Question
    choices: tuple[Words, ...]
    values: tuple[int, ...]
    """What each choice means to the table."""
    votes: dict[str, int] = field(default_factory=dict)
    """Guest: choice."""
    open: bool = True
    right: int | None = None
    """Which choice came true, of a bet that was settled."""

    @property
    def tally(self) -> tuple[int, ...]:
        """Votes for each choice."""
        count = Counter(self.votes.values())
        return tuple(count[choice] for choice in range(len(self.choices)))

    @property
    def chosen(self) -> int | None:
        """The choice with most votes, of several the first; None without votes."""
        tally = self.tally
        return None if not any(tally) else tally.index(max(tally))


class Ballots:
    """Guests, the vote under way, and what was won."""

    def __init__(self) -> None:
        self.guests: dict[str, Guest] = {}
        self.ballot: Ballot | None = None
        self._before: Ballot | None = None
        """The previous vote, on which delayed viewers still bet."""
        self.names_shown = True
        self.number = 0

    # Guests -------------------------------------------------------------------------------------------------

    def join(self, guest: str, name: str, called: str) -> Guest:
        """Admit a guest, or change a guest's name; ``called`` is the name for guests who give none.

        Raises NotTaken.
        """
        known = self.guests.get(guest)
        if known is not None and known.banned:
            raise NotTaken(Refusal.NOBODY)
        if known is None and self._full(guest.startswith(OTHER)):
            raise NotTaken(Refusal.FULL)
        others = {one.name for key, one in self.guests.items() if key != guest}
        fresh = free_name(name, others, f"{called} {len(self.guests) + 1}" if known is None else known.name)
        self.guests[guest] = replace(known or Guest(fresh), name=fresh)
        return self.guests[guest]

    def _full(self, others: bool) -> bool:
        count = sum(key.startswith(OTHER) == others for key in self.guests)
        return count >= (MOST_OTHERS if others else MOST_GUESTS)

    def ban(self, name: str) -> bool:
        """Send a guest away with their vote; whether there was one."""
        for key, one in self.guests.items():
            if one.name == name and not one.banned:
                self.guests[key] = replace(one, banned=True, points=0)
                if self.ballot is not None:
                    self.ballot.votes.pop(key, None)
                return True
        return False

    def best(self, count: int = 8) -> tuple[Guest, ...]:
        """Return the best guessers, the best first; those without a point aren't listed."""
        listed = [one for one in self.guests.values() if one.points > 0 and not one.banned]
        return tuple(sorted(listed, key=lambda one: (-one.points, one.name.casefold()))[:count])

    def shown_best(self) -> tuple[tuple[str, int], ...]:
        """Return the best guessers as they may be shown, with their points; without names where those are hidden."""
        best = enumerate(self.best(), 1)
        return tuple((one.name if self.names_shown else f"{place}.", one.points) for place, one in best)

    # Votes --------------------------------------------------------------------------------------------------

    def ask(self, question: Question, choices: tuple[Words, ...], values: tuple[int, ...] = ()) -> Ballot:
        """Open a vote; one that was open is closed for good."""
        self.number += 1
        values = values or tuple(range(len(choices)))
        self.clear()
        self.ballot = Ballot(self.number, question, choices, values)
        return self.ballot

    def vote(self, guest: str, number: int, choice: int) -> None:
        """Count a vote; a later one of the same guest replaces it. Raises NotTaken."""
        known = self.guests.get(guest)
        if known is None or known.banned:
            raise NotTaken(Refusal.NOBODY)
        ballot = self.ballot
        if ballot is None or not ballot.open or ballot.number != number:
            raise NotTaken(Refusal.CLOSED)
        if not 0 <= choice < len(ballot.choices):
            raise NotTaken(Refusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice

    def count_of(self, number: int) -> int:
        """How many choices a vote has that can still be voted on; 0: none."""
        ballot = self._known(number)
        return 0 if ballot is None else len(ballot.choices)

    def _known(self, number: int) -> Ballot | None:
        return next((one for one in (self.ballot, self._before) if one and one.number == number), None)

    def bet_late(self, guest: str, number: int, choice: int) -> None:
        """Count a delayed viewer's bet after it was closed; once. Raises NotTaken."""
        known = self.guests.get(guest)
        if known is None or known.banned:
            raise NotTaken(Refusal.NOBODY)
        ballot = self._known(number)
        if ballot is None or ballot.question is not Question.HOLDS or guest in ballot.votes:
            raise NotTaken(Refusal.CLOSED)
        if not 0 <= choice < len(ballot.choices):
            raise NotTaken(Refusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice
        if choice == ballot.right:
            self.guests[guest] = replace(known, points=known.points + RIGHT)

    def close(self) -> Ballot | None:
        """No vote is taken any more; the ballot stays to be seen."""
        if self.ballot is not None:
            self.ballot = replace(self.ballot, open=False)
        return self.ballot

    def clear(self) -> None:
        """There is no vote any more."""
        if self.ballot is not None and self.ballot.right is not None:
            self._before = self.ballot
        self.ballot = None

    def settle(self, right: int) -> tuple[str, ...]:
        """Settle a bet with points for correct guesses; return the guests who guessed right."""
        ballot = self.ballot
        if ballot is None or ballot.right is not None:
            return ()
        self.ballot = replace(ballot, open=False, right=right)
        won = [guest for guest, choice in ballot.votes.items() if choice == right]
        worth = RIGHT_ALONE if 2 * len(won) < len(ballot.votes) else RIGHT
        for guest in won:
            if guest in self.guests:
                known = self.guests[guest]
                self.guests[guest] = replace(known, points=known.points + worth)
        return tuple(won)


@dataclass(frozen=True)
class Kept:
    """Guests by their keys, and what the host has settled."""

    guests: dict[str, Guest]
    names_shown: bool
    allowed: tuple[str, ...]
    number: int = 0

    def __post_init__(self) -> None:
        if len(self.guests) > MOST_GUESTS + MOST_OTHERS:
            raise ValueError(f"{len(self.guests)} guests")


def kept(ballots: Ballots, allowed: tuple[str, ...]) -> Kept:
    """Return the value to keep."""
    return Kept(dict(ballots.guests), ballots.names_shown, allowed, ballots.number)


def restored(kept: Kept) -> Ballots:
    """Return the guests again; a vote that was under way is gone."""
    ballots = Ballots()
    ballots.guests = dict(kept.guests)
    ballots.names_shown, ballots.number = kept.names_shown, kept.number
    return ballots
