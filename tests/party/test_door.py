"""Admission to the party: a flood from some addresses neither locks others out nor takes their votes."""

from __future__ import annotations

from contextlib import ExitStack, suppress

import pytest

from armoon.broadcast.happenings import Words
from armoon.party import votes
from armoon.party.server import guard

TWO = (Words("One", "Une"), Words("Two", "Deux"))


class House:
    def __init__(self) -> None:
        self.now_s = 0.0
        self.ballots = votes.Ballots()
        self.door = guard.GuestRegistry(self.ballots, lambda: self.now_s)

    def restart(self) -> None:
        before = votes.kept(self.ballots, (), self.door.count_arrivals())
        self.ballots = votes.restored(before)
        self.door = guard.GuestRegistry(self.ballots, lambda: self.now_s, before.knocks)

    def enter(self, guest: str, address: str = "10.0.0.2") -> None:
        self.door.enter(guest, address, guest, "Guest")

    def refused(self, guest: str, address: str = "10.0.0.2") -> votes.VoteRefusal:
        with pytest.raises(votes.VoteRefused) as why:
            self.enter(guest, address)
        return why.value.why

    def vote(self, guest: str, choice: int = 0) -> votes.VoteRefusal | None:
        assert self.ballots.ballot is not None
        try:
            self.ballots.vote(guest, self.ballots.ballot.number, choice)
        except votes.VoteRefused as refused:
            return refused.why
        return None


def test_one_address_may_have_as_many_guests_as_a_house_has_phones() -> None:
    house = House()
    for number in range(guard.MAX_JOINS):
        house.enter(f"g{number}")
    assert house.refused("one more") is votes.VoteRefusal.OFTEN
    house.enter("another house", "10.0.0.3")
    house.now_s = guard.JOINS_S + 1.0
    house.enter("one more")
    for number in range(2 * guard.MAX_JOINS):
        house.enter(f"own {number}", "127.0.0.1")


@pytest.mark.parametrize("together", [True, False], ids=["one router", "each alone"])
def test_honest_guests_join_and_vote_through_a_flood(together: bool) -> None:
    house = House()
    honest = [f"honest {number}" for number in range(30)]
    refused = 0
    for number in range(2000):
        house.now_s += 0.01
        try:
            house.enter(f"hostile {number}", f"10.0.1.{number % 20}")
        except votes.VoteRefused:
            refused += 1
        if number % 40 == 20 and number // 40 < len(honest):
            house.enter(honest[number // 40], "10.0.0.2" if together else f"10.0.0.{number}")
    assert refused == 2000 - 20 * guard.MAX_JOINS
    assert sum(one.startswith("hostile") for one in house.ballots.guests) < votes.MAX_GUESTS
    house.ballots.ask(votes.VoteQuestion.BEGINS, TWO)
    assert [house.vote(one) for one in honest] == [None] * len(honest)


@pytest.mark.parametrize("asleep_s", [0.0, guard.SILENT_S + 30.0], ids=["at once", "after a nap"])
@pytest.mark.parametrize("addresses", [1, 5, 50], ids=["one router", "five", "each alone"])
def test_honest_guests_return_after_a_flood_and_a_restart(addresses: int, asleep_s: float) -> None:
    house = House()
    honest = [f"honest {number}" for number in range(50)]

    def flood(count: int) -> None:
        for number in range(count):
            house.now_s += 0.01
            with suppress(votes.VoteRefused):
                house.enter(f"hostile {house.now_s:.2f}", f"10.0.1.{number % 20}")

    with ExitStack() as pages:
        for number, one in enumerate(honest):
            house.now_s += guard.JOINS_S / guard.MAX_JOINS + 1.0
            address = f"10.0.0.{number % addresses}"
            if addresses == 1 or number % 5:  # the others' phones are in their pockets
                pages.enter_context(house.door.hold_place(one, address))
            house.enter(one, address)
        flood(800)
    house.restart()
    assert house.door.present() == 0, "nobody has sent anything yet"
    house.now_s += asleep_s
    for number, one in enumerate(honest):
        flood(10)
        assert house.door.count_request(one, f"10.0.0.{number % addresses}")
    house.ballots.ask(votes.VoteQuestion.BEGINS, TWO)
    assert [house.vote(one) for one in honest] == [None] * len(honest)
    house.now_s += guard.SILENT_S
    assert house.door.present() < len(honest) + 30, "only guests who are present count"


def test_active_guests_keep_their_place_and_silent_ones_lose_it() -> None:
    house = House()
    with house.door.hold_place("there", "127.0.0.1"):
        house.enter("there", "127.0.0.1")
        house.enter("silent", "127.0.0.1")
        assert house.door.present() == 2
        house.now_s = guard.SILENT_S + 1.0
        assert house.door.present() == 1
        for number in range(votes.MAX_GUESTS):
            house.enter(f"g{number}", "127.0.0.1")
        assert "there" in house.ballots.guests
        assert "silent" not in house.ballots.guests
        house.now_s += 1.0
    house.enter("next", "127.0.0.1")
    assert "there" in house.ballots.guests, "the page was open until now"


def test_absent_guests_with_the_fewest_points_are_forgotten_first() -> None:
    house = House()
    names = [f"g{number}" for number in range(votes.MAX_GUESTS)]
    for name in names:
        house.enter(name, "127.0.0.1")
    ballot = house.ballots.ask(votes.VoteQuestion.HOLDS, TWO)
    for name in names[::2]:
        house.ballots.vote(name, ballot.number, 1)
    house.ballots.settle(1)
    for number in range(votes.MAX_GONE + 10):
        house.now_s += guard.SILENT_S
        house.enter(f"later {number}", "127.0.0.1")
    assert len(house.ballots.gone) == votes.MAX_GONE
    assert {*house.ballots.gone, *house.ballots.guests} >= {*names[::2]}


def test_a_returning_guest_has_the_same_name_and_points() -> None:
    house = House()
    house.enter("luna")
    ballot = house.ballots.ask(votes.VoteQuestion.HOLDS, TWO)
    house.ballots.vote("luna", ballot.number, 1)
    house.ballots.settle(1)
    before = house.ballots.guests["luna"]
    house.ballots.leave("luna")
    house.restart()
    assert "luna" not in house.ballots.guests
    assert house.door.count_request("luna", "10.0.0.2")
    assert house.ballots.guests["luna"] == before
    assert before.points > 0
    assert house.door.present() == 1
    assert not house.door.count_request("a stranger", "10.0.0.2")


def test_a_locked_party_admits_only_former_guests() -> None:
    house = House()
    house.enter("ann")
    house.enter("ben")
    house.ballots.leave("ben")
    house.ballots.locked = True
    assert house.refused("cleo") is votes.VoteRefusal.LOCKED
    house.enter("ann")
    house.enter("ben")


def test_the_host_admits_guests_one_by_one() -> None:
    house = House()
    house.ballots.approves = True
    house.enter("ann")
    house.ballots.ask(votes.VoteQuestion.HOLDS, TWO)
    assert house.vote("ann") is votes.VoteRefusal.WAITING
    assert house.ballots.let_in("ann")
    assert not house.ballots.let_in("ann")
    assert house.vote("ann") is None


def test_a_banned_guest_holds_no_place_and_returns_only_by_the_host() -> None:
    house = House()
    house.enter("mallory")
    assert house.door.ban("mallory")
    assert not house.door.ban("mallory")
    assert house.door.present() == 0
    house.enter("a private window")
    house.enter("a neighbour", "10.0.0.9")
    house.ballots.ask(votes.VoteQuestion.HOLDS, TWO)
    assert house.vote("mallory") is votes.VoteRefusal.NOBODY
    assert house.vote("a private window") is votes.VoteRefusal.WAITING
    assert house.vote("a neighbour") is None
    house.now_s = guard.WATCHED_S + 1.0
    house.enter("later")
    assert house.vote("later") is None


def test_only_guests_present_at_its_start_vote_on_the_game() -> None:
    house = House()
    house.enter("ann")
    house.ballots.ask(votes.VoteQuestion.LADDER, TWO)
    house.enter("late")
    house.ballots.join("other:chat", "chat", "Guest")
    assert house.vote("ann") is None
    assert house.vote("late") is votes.VoteRefusal.LATE
    assert house.vote("other:chat") is None
    for question in (votes.VoteQuestion.HOLDS, votes.VoteQuestion.OWN):
        house.ballots.ask(question, TWO)
        assert house.vote("late") is None, "it changes nothing in the game"


def test_a_request_counts_as_presence_without_an_open_page() -> None:
    house = House()
    house.enter("ann")
    house.now_s = guard.SILENT_S
    assert house.door.count_request("ann", "10.0.0.2")
    house.now_s += guard.SILENT_S
    assert house.door.present() == 1
    house.now_s += 1.0
    assert house.door.present() == 0


def test_letters_may_be_tried_again_after_a_while() -> None:
    house = House()
    for _ in range(guard.MAX_GUESSES):
        assert house.door.may_try_code("10.0.0.2")
        house.door.count_wrong_code("10.0.0.2")
    assert not house.door.may_try_code("10.0.0.2")
    assert house.door.may_try_code("10.0.0.3")
    house.now_s = guard.GUESSES_S + 1.0
    assert house.door.may_try_code("10.0.0.2")


def test_a_phone_that_asks_too_often_is_answered_again_soon() -> None:
    house = House()
    house.enter("ann")
    assert [house.door.count_request("ann", "10.0.0.2") for _ in range(guard.MAX_ASKED + 1)] == [
        True
    ] * guard.MAX_ASKED + [False]
    house.now_s = guard.ASKED_S
    assert house.door.count_request("ann", "10.0.0.2")
