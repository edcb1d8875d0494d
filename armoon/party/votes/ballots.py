"""One vote at a time, one phone one vote, and points for good bets."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field, replace

from armoon.broadcast.happenings import Words
from armoon.party.votes.names import free_name

#: Maximum number of guests; later ones are refused with a sentence.
MOST_GUESTS = 300
#: Guests who gave up their places and are remembered, with their points, for when they come back.
MOST_GONE = 300
#: Number of voters that another program or a chat may bring by name; their keys begin like this.
MOST_OTHERS, OTHER = 1000, "other:"
#: Further ones have a vote, but neither name nor points, and are known by a hash; votes of one ballot.
NAMELESS, MOST_VOTES = "hash:", 200_000
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
    OWN = "own"
    """The host's own question; changes nothing."""


class Refusal(enum.Enum):
    """Why a vote isn't taken; the message key is ``air.refused.`` and this value."""

    NOBODY = "nobody"
    """The voter hasn't joined, or was sent away."""
    FULL = "full"
    OFTEN = "often"
    """Too many come from one address."""
    LOCKED = "locked"
    """The host lets no more guests in."""
    WAITING = "waiting"
    """The host hasn't let this guest in yet."""
    LATE = "late"
    """The guest came after a vote that changes the game was opened."""
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
    waiting: bool = False
    """The host is still to let them in."""


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
    electors: frozenset[str] | None = None
    """The phones that may vote, where the vote changes the game: those that were there before it. None: all."""
    about: str = ""
    """The player that it is about, or the host's own question."""

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
        self.hidden = False
        """How many voted for what is shown only after the bell."""
        self.locked = False
        """No more guests come in."""
        self.approves = False
        """The host lets each new guest in."""
        self.gone: dict[str, Guest] = {}
        """Guests who gave up their places, the last one last."""
        self.number = 0

    # Guests -------------------------------------------------------------------------------------------------

    def join(self, guest: str, name: str, called: str, *, waits: bool = False) -> Guest:
        """Admit a guest, or change a guest's name; ``called`` is the name for guests who give none.

        ``waits``: a new one has no vote before the host lets them in. Raises NotTaken.
        """
        known = self.guests.get(guest)
        if known is not None and known.banned:
            raise NotTaken(Refusal.NOBODY)
        if known is None and self._full(guest.startswith(OTHER)):
            raise NotTaken(Refusal.FULL)
        known = known or self.gone.pop(guest, None)
        others = {one.name for key, one in self.guests.items() if key != guest}
        fresh = free_name(name, others, f"{called} {len(self.guests) + 1}" if known is None else known.name)
        self.guests[guest] = replace(known or Guest(fresh, waiting=waits), name=fresh)
        return self.guests[guest]

    def _full(self, others: bool) -> bool:
        count = sum(key.startswith(OTHER) == others and not one.banned for key, one in self.guests.items())
        return count >= (MOST_OTHERS if others else MOST_GUESTS)

    def leave(self, guest: str) -> None:
        """Take a guest's place; who comes back has the same name and points."""
        self.gone[guest] = self.guests.pop(guest)
        if len(self.gone) > MOST_GONE:
            del self.gone[min(self.gone, key=lambda one: self.gone[one].points)]

    def ban(self, name: str) -> str | None:
        """Send a guest away with their vote; return the guest's key, None if there was none of that name."""
        for key, one in self.guests.items():
            if one.name == name and not one.banned:
                self.guests[key] = replace(one, banned=True, points=0)
                if self.ballot is not None:
                    self.ballot.votes.pop(key, None)
                return key
        return None

    def let_in(self, name: str) -> bool:
        """Give a guest who waits a vote; return whether there was one."""
        waiting = [key for key, one in self.guests.items() if one.name == name and one.waiting]
        for key in waiting:
            self.guests[key] = replace(self.guests[key], waiting=False)
        return bool(waiting)

    def voter(self, guest: str) -> Guest:
        """Return a guest who may vote. Raises NotTaken."""
        if guest.startswith(NAMELESS):
            return Guest("")
        known = self.guests.get(guest)
        if known is None or known.banned:
            raise NotTaken(Refusal.NOBODY)
        if known.waiting:
            raise NotTaken(Refusal.WAITING)
        return known

    def best(self, count: int = 8) -> tuple[Guest, ...]:
        """Return the best guessers, the best first; those without a point aren't listed."""
        listed = [one for one in self.guests.values() if one.points > 0 and not one.banned]
        return tuple(sorted(listed, key=lambda one: (-one.points, one.name.casefold()))[:count])

    def shown_best(self) -> tuple[tuple[str, int], ...]:
        """Return the best guessers as they may be shown, with their points; without names where those are hidden."""
        best = enumerate(self.best(), 1)
        return tuple((one.name if self.names_shown else f"{place}.", one.points) for place, one in best)

    # Votes --------------------------------------------------------------------------------------------------

    @property
    def recent(self) -> tuple[Ballot, ...]:
        """The last settled bet and the vote of now, where there are any."""
        return tuple(one for one in (self._before, self.ballot) if one is not None)

    def ask(
        self, question: Question, choices: tuple[Words, ...], values: tuple[int, ...] = (), about: str = ""
    ) -> Ballot:
        """Open a vote; one that was open is closed for good."""
        self.number += 1
        values = values or tuple(range(len(choices)))
        self.clear()
        electors = None if question in (Question.HOLDS, Question.OWN) else frozenset(self.guests)
        self.ballot = Ballot(self.number, question, choices, values, electors=electors, about=about)
        return self.ballot

    def vote(self, guest: str, number: int, choice: int) -> None:
        """Count a vote; a later one of the same guest replaces it. Raises NotTaken."""
        self.voter(guest)
        ballot = self.ballot
        if ballot is None or not ballot.open or ballot.number != number:
            raise NotTaken(Refusal.CLOSED)
        if (
            ballot.electors is not None
            and guest not in ballot.electors
            and not guest.startswith((OTHER, NAMELESS))
        ):
            raise NotTaken(Refusal.LATE)
        if guest not in ballot.votes and len(ballot.votes) >= MOST_VOTES:
            raise NotTaken(Refusal.FULL)
        if not 0 <= choice < len(ballot.choices):
            raise NotTaken(Refusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice

    def count_of(self, number: int) -> int:
        """How many choices a vote has that can still be voted on; 0: none."""
        ballot = self._known(number)
        return 0 if ballot is None else len(ballot.choices)

    def _known(self, number: int) -> Ballot | None:
        return next((one for one in self.recent if one.number == number), None)

    def bet_late(self, guest: str, number: int, choice: int) -> None:
        """Count a delayed viewer's bet after it was closed; once. Raises NotTaken."""
        known = self.voter(guest)
        ballot = self._known(number)
        if ballot is None or ballot.question is not Question.HOLDS or guest in ballot.votes:
            raise NotTaken(Refusal.CLOSED)
        if not 0 <= choice < len(ballot.choices):
            raise NotTaken(Refusal.NO_SUCH_CHOICE)
        ballot.votes[guest] = choice
        if choice == ballot.right and guest in self.guests:
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
    locked: bool = False
    approves: bool = False
    gone: dict[str, Guest] = field(default_factory=dict)
    hidden: bool = False

    def __post_init__(self) -> None:
        if len(self.guests) > 2 * (MOST_GUESTS + MOST_OTHERS) or len(self.gone) > MOST_GONE:
            raise ValueError(f"{len(self.guests)} guests")


def kept(ballots: Ballots, allowed: tuple[str, ...]) -> Kept:
    """Return the value to keep."""
    doors = ballots.locked, ballots.approves, dict(ballots.gone), ballots.hidden
    return Kept(dict(ballots.guests), ballots.names_shown, allowed, ballots.number, *doors)


def restored(kept: Kept) -> Ballots:
    """Return the guests again; a vote that was under way is gone."""
    ballots = Ballots()
    ballots.guests = dict(kept.guests)
    ballots.names_shown, ballots.hidden, ballots.number = kept.names_shown, kept.hidden, kept.number
    ballots.locked, ballots.approves, ballots.gone = kept.locked, kept.approves, dict(kept.gone)
    return ballots
