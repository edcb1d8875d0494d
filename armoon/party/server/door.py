"""The party's door: who may come in, who holds a place, and who loses it when the house is full."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from armoon.party.votes.ballots import MOST_GUESTS, OTHER, Ballots, Guest, NotTaken, Refusal

#: This machine's own addresses, from which programs bring many guests and connections.
OWN = ("127.0.0.1", "::1")
#: Maximum new guests from one address, and within how many seconds: a school class behind one router, some of it twice.
MOST_JOINS, JOINS_S = 40, 600.0
#: Time without an open page or a request after which a guest isn't present and loses the place, seconds.
SILENT_S = 60.0
#: Time after sending a guest away in which the host is asked about new ones from the same address, seconds.
WATCHED_S = 600.0
#: Maximum requests of one phone in ten seconds.
MOST_ASKED, ASKED_S = 40, 10.0
#: Addresses that are remembered; further ones push out the oldest.
MOST_ADDRESSES = 4096
#: Maximum wrong room codes from one address, and within how many seconds: more than fingers mistype.
MOST_GUESSES, GUESSES_S = 30, 600.0


class Door:
    """Lets guests in by their address, and knows who is present."""

    def __init__(self, ballots: Ballots, now_s: Callable[[], float] = time.monotonic) -> None:
        self._ballots, self._now_s = ballots, now_s
        self._joined_s: dict[str, deque[float]] = {}
        """When guests came in, or tried to, by address."""
        self._address: dict[str, str] = {}
        """Where a guest came from."""
        self._seen_s: dict[str, float] = dict.fromkeys(ballots.guests, now_s())
        self._asked_s: dict[str, deque[float]] = {}
        self._open: Counter[str] = Counter()
        """Number of a guest's pages that listen."""
        self._watched_until_s: dict[str, float] = {}
        self._guessed_s: dict[str, deque[float]] = {}
        """When wrong room codes came, by address."""

    def enter(self, guest: str, address: str, name: str, called: str) -> Guest:
        """Admit a guest, or change the name of one who is in. Raises NotTaken."""
        ballots, now_s = self._ballots, self._now_s()
        known = ballots.guests.get(guest)
        if known is None:
            self._count(address, now_s)
            if ballots.locked and guest not in ballots.gone:
                raise NotTaken(Refusal.LOCKED)
            if sum(self._holds_place(key) for key in ballots.guests) >= MOST_GUESTS:
                self._free_one(now_s)
        waits = known is None and (ballots.approves or self._watched_until_s.get(address, now_s) > now_s)
        admitted = ballots.join(guest, name, called, waits=waits)
        self._address[guest], self._seen_s[guest] = address, now_s
        return admitted

    def asks(self, guest: str, address: str) -> bool:
        """Note that a guest asks for something; False for a stranger, or where it is too often.

        One who had given up the place gets it back. Raises NotTaken.
        """
        if (gone := self._ballots.gone.get(guest)) is not None:
            self.enter(guest, address, gone.name, gone.name)
        if guest not in self._ballots.guests:
            return False
        times = self._asked_s.setdefault(guest, deque(maxlen=MOST_ASKED))
        now_s = self._now_s()
        often = len(times) == MOST_ASKED and now_s - times[0] < ASKED_S
        if not often:
            times.append(now_s)
        self._seen_s[guest] = now_s
        return not often

    def guessed(self, address: str) -> None:
        """Note that somebody has typed a wrong room code."""
        times = self._guessed_s.pop(address, None) or deque(maxlen=MOST_GUESSES)
        self._guessed_s[address] = times
        times.append(self._now_s())
        if len(self._guessed_s) > MOST_ADDRESSES:
            del self._guessed_s[next(iter(self._guessed_s))]

    def may_guess(self, address: str) -> bool:
        """Whether an address may try another room code."""
        times = self._guessed_s.get(address) or deque()
        return len(times) < MOST_GUESSES or self._now_s() - times[0] > GUESSES_S

    @contextmanager
    def listening(self, guest: str) -> Iterator[None]:
        """Keep the place of a guest while a page of theirs is open."""
        self._open[guest] += 1
        try:
            yield
        finally:
            self._open[guest] -= 1
            if not self._open[guest]:
                del self._open[guest]
            self._seen_s[guest] = self._now_s()

    def ban(self, name: str) -> bool:
        """Send a guest away and watch their address; return whether there was one of that name."""
        guest = self._ballots.ban(name)
        if guest is None:
            return False
        if (address := self._address.get(guest)) is not None:
            self._watched_until_s[address] = self._now_s() + WATCHED_S
        return True

    def present(self) -> int:
        """Return how many guests are at their phones."""
        now_s = self._now_s()
        return sum(
            self._holds_place(guest) and not self._is_silent(guest, now_s) for guest in self._ballots.guests
        )

    def _holds_place(self, guest: str) -> bool:
        return not guest.startswith(OTHER) and not self._ballots.guests[guest].banned

    def _is_silent(self, guest: str, now_s: float) -> bool:
        return guest not in self._open and now_s - self._seen_s.get(guest, now_s) > SILENT_S

    def _count(self, address: str, now_s: float) -> None:
        """Count who knocks. Raises NotTaken where too many come from one address."""
        times = self._joined_s.pop(address, None) or deque(maxlen=2 * MOST_JOINS)
        while times and now_s - times[0] > JOINS_S:
            times.popleft()
        times.append(now_s)
        self._joined_s[address] = times
        if len(self._joined_s) > MOST_ADDRESSES:
            del self._joined_s[next(iter(self._joined_s))]
        if len(times) > MOST_JOINS and address not in OWN:
            raise NotTaken(Refusal.OFTEN)

    def _free_one(self, now_s: float) -> None:
        """Make room for one: a guest whose page is closed leaves.

        First one who is silent, then one from where most have knocked; of these who wasn't seen for longest.
        """

        def rank(guest: str) -> tuple[bool, int, float]:
            knocked = len(self._joined_s.get(self._address.get(guest, ""), ()))
            return not self._is_silent(guest, now_s), -knocked, self._seen_s.get(guest, 0.0)

        closed = [one for one in self._ballots.guests if self._holds_place(one) and one not in self._open]
        if closed:
            leaves = min(closed, key=rank)
            self._ballots.leave(leaves)
            for kept in (self._address, self._seen_s, self._asked_s):
                kept.pop(leaves, None)
