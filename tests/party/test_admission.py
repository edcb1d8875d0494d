"""Admission to the party: a flood from some addresses neither locks others out nor takes their votes."""

from __future__ import annotations

import itertools
from contextlib import ExitStack, suppress

import pytest

from armoon.broadcast import Words
from armoon.party import votes
from armoon.party.server import guard

TWO = (Words("One", "Une"), Words("Two", "Deux"))


class Party:
    def __init__(self) -> None:
        self.now_s = 0.0
        self.ballots = votes.Ballots()
        self.registry = guard.GuestRegistry(self.ballots, lambda: self.now_s)

    def restart(self) -> None:
        before = self.ballots.make_snapshot((), self.registry.joins.rounded_counts(4))
        self.ballots = votes.Ballots(before)
        self.registry = guard.GuestRegistry(self.ballots, lambda: self.now_s, before.arrivals)

    def enter(self, guest: str, address: str = "10.0.0.2") -> None:
        self.registry.admit(guest, address, guest, "Guest")

    def refusal_of(self, guest: str, address: str = "10.0.0.2") -> votes.VoteRefusal:
        with pytest.raises(votes.VoteRefused) as why:
            self.enter(guest, address)
        return why.value.reason

    def vote(self, guest: str, choice: int = 0) -> votes.VoteRefusal | None:
        assert self.ballots.ballot is not None
        try:
            self.ballots.vote(guest, self.ballots.ballot.number, choice)
        except votes.VoteRefused as refused:
            return refused.reason
        return None


def test_the_number_of_new_guests_from_one_address_is_limited() -> None:
    party = Party()
    for number in range(guard.MAX_JOINS):
        party.enter(f"g{number}")
    assert party.refusal_of("one more") is votes.VoteRefusal.OFTEN
    party.enter("another house", "10.0.0.3")
    party.now_s = guard.JOINS_S + 1.0
    party.enter("one more")
    for number in range(2 * guard.MAX_JOINS):
        party.enter(f"own {number}", "127.0.0.1")


@pytest.mark.parametrize("together", [True, False], ids=["one router", "each alone"])
def test_honest_guests_join_and_vote_during_a_flood(together: bool) -> None:
    party = Party()
    honest = [f"honest {number}" for number in range(30)]
    refused = 0
    for number in range(2000):
        party.now_s += 0.01
        try:
            party.enter(f"hostile {number}", f"10.0.1.{number % 20}")
        except votes.VoteRefused:
            refused += 1
        if number % 40 == 20 and number // 40 < len(honest):
            party.enter(honest[number // 40], "10.0.0.2" if together else f"10.0.0.{number}")
    assert refused == 2000 - 20 * guard.MAX_JOINS
    assert sum(guest.startswith("hostile") for guest in party.ballots.guests) < votes.MAX_GUESTS
    party.ballots.open_ballot(votes.VoteQuestion.BEGINS, TWO)
    assert [party.vote(guest) for guest in honest] == [None] * len(honest)


@pytest.mark.parametrize("asleep_s", [0.0, guard.SILENT_S + 30.0], ids=["at once", "after a nap"])
@pytest.mark.parametrize("addresses", [1, 5, 50], ids=["one router", "five", "each alone"])
def test_honest_guests_return_after_a_flood_and_a_restart(addresses: int, asleep_s: float) -> None:
    party = Party()
    honest = [f"honest {number}" for number in range(50)]

    def flood(count: int) -> None:
        for number in range(count):
            party.now_s += 0.01
            with suppress(votes.VoteRefused):
                party.enter(f"hostile {party.now_s:.2f}", f"10.0.1.{number % 20}")

    with ExitStack() as pages:
        for number, guest in enumerate(honest):
            party.now_s += guard.JOINS_S / guard.MAX_JOINS + 1.0
            address = f"10.0.0.{number % addresses}"
            if addresses == 1 or number % 5:  # the other phones are in pockets
                pages.enter_context(party.registry.hold_place(guest, address))
            party.enter(guest, address)
        flood(800)
    party.restart()
    assert party.registry.count_present() == 0, "no guest has sent anything yet"
    party.now_s += asleep_s
    for number, guest in enumerate(honest):
        flood(10)
        assert party.registry.count_request(guest, f"10.0.0.{number % addresses}")
    party.ballots.open_ballot(votes.VoteQuestion.BEGINS, TWO)
    assert [party.vote(g) for g in honest] == [None] * len(honest)
    party.now_s += guard.SILENT_S
    assert party.registry.count_present() < len(honest) + 30, "only guests who are present count"


def test_active_guests_keep_their_place_and_silent_ones_lose_it() -> None:
    party = Party()
    with party.registry.hold_place("there", "127.0.0.1"):
        party.enter("there", "127.0.0.1")
        party.enter("silent", "127.0.0.1")
        assert party.registry.count_present() == 2
        party.now_s = guard.SILENT_S + 1.0
        assert party.registry.count_present() == 1
        for number in range(votes.MAX_GUESTS):
            party.enter(f"g{number}", "127.0.0.1")
        assert "there" in party.ballots.guests
        assert "silent" not in party.ballots.guests
        party.now_s += 1.0
    party.enter("next", "127.0.0.1")
    assert "there" in party.ballots.guests, "their page was open until now"


def test_absent_guests_with_the_fewest_points_are_forgotten_first() -> None:
    party = Party()
    names = [f"g{number}" for number in range(votes.MAX_GUESTS)]
    for name in names:
        party.enter(name, "127.0.0.1")
    ballot = party.ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    for name in names[::2]:
        party.ballots.vote(name, ballot.number, 1)
    party.ballots.settle_bets(1)
    for number in range(votes.MAX_FORMER + 10):
        party.now_s += guard.SILENT_S
        party.enter(f"later {number}", "127.0.0.1")
    assert len(party.ballots.former) == votes.MAX_FORMER
    assert {*party.ballots.former, *party.ballots.guests} >= {*names[::2]}


def test_a_returning_guest_has_the_same_name_and_points() -> None:
    party = Party()
    party.enter("luna")
    ballot = party.ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    party.ballots.vote("luna", ballot.number, 1)
    party.ballots.settle_bets(1)
    before = party.ballots.guests["luna"]
    party.ballots.leave("luna")
    party.restart()
    assert "luna" not in party.ballots.guests
    assert party.registry.count_request("luna", "10.0.0.2")
    assert party.ballots.guests["luna"] == before
    assert before.points > 0
    assert party.registry.count_present() == 1
    assert not party.registry.count_request("a stranger", "10.0.0.2")


def test_a_locked_party_admits_only_former_guests() -> None:
    party = Party()
    party.enter("ann")
    party.enter("ben")
    party.ballots.leave("ben")
    party.ballots.locked = True
    assert party.refusal_of("cleo") is votes.VoteRefusal.LOCKED
    party.enter("ann")
    party.enter("ben")


def test_the_host_admits_guests_one_by_one() -> None:
    party = Party()
    party.ballots.approves = True
    party.enter("ann")
    party.ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    assert party.vote("ann") is votes.VoteRefusal.WAITING
    assert party.ballots.admit("ann")
    assert not party.ballots.admit("ann")
    assert party.vote("ann") is None


def test_a_banned_guest_holds_no_place_and_returns_only_if_the_host_agrees() -> None:
    party = Party()
    party.enter("mallory")
    ballot = party.ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    assert party.vote("mallory") is None
    assert party.registry.set_banned("mallory", banned=True)
    assert not party.registry.set_banned("mallory", banned=True)
    assert ballot.tally == (0, 0)
    assert party.registry.count_present() == 0
    assert party.refusal_of("mallory") is votes.VoteRefusal.NOBODY
    party.enter("a private window")
    party.enter("a neighbour", "10.0.0.9")
    assert party.vote("mallory") is votes.VoteRefusal.NOBODY
    assert party.vote("a private window") is votes.VoteRefusal.WAITING
    assert party.vote("a neighbour") is None
    party.now_s = guard.WATCHED_S + 1.0
    party.enter("later")
    assert party.vote("later") is None


def test_a_request_counts_as_presence_without_an_open_page() -> None:
    party = Party()
    party.enter("ann")
    party.now_s = guard.SILENT_S
    assert party.registry.count_request("ann", "10.0.0.2")
    party.now_s += guard.SILENT_S
    assert party.registry.count_present() == 1
    party.now_s += 1.0
    assert party.registry.count_present() == 0
    with party.registry.hold_place("invented", "10.0.0.2"):
        pass
    assert {*party.registry._seen_s} == {"ann"}


def test_of_equal_guests_the_one_seen_least_recently_loses_the_place() -> None:
    party, ticks = Party(), itertools.count()
    party.registry = guard.GuestRegistry(party.ballots, lambda: party.now_s + 1e-6 * next(ticks))
    for number in range(votes.MAX_GUESTS):
        party.enter(f"g{number}", f"10.0.0.{number // 30}")
    party.now_s = guard.SILENT_S + 1.0
    party.enter("next", "10.0.1.1")
    assert [*party.ballots.former] == ["g0"]


def test_codes_may_be_tried_again_after_a_while() -> None:
    party = Party()
    party.registry.wrong_codes.count("10.0.0.2", guard.MAX_GUESSES)
    assert not party.registry.wrong_codes.allows("10.0.0.2")
    party.now_s = guard.GUESSES_S
    assert party.registry.wrong_codes.allows("10.0.0.2")


def test_a_phone_that_sends_too_many_requests_is_answered_again_soon() -> None:
    party = Party()
    party.enter("ann")
    for _ in range(guard.MAX_PHONE_REQUESTS):
        assert party.registry.count_request("ann", "10.0.0.2")
    assert not party.registry.count_request("ann", "10.0.0.2")
    party.now_s = guard.PHONE_REQUESTS_S
    assert party.registry.count_request("ann", "10.0.0.2")
