"""Votes by their rules: one phone one vote, numbers that keep votes apart, points, names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armoon.broadcast.happenings import Words
from armoon.party.votes.ballots import (
    MOST_GUESTS,
    RIGHT,
    RIGHT_ALONE,
    Ballots,
    NotTaken,
    Question,
    Refusal,
    kept,
    restored,
)
from armoon.party.votes.names import LONGEST_NAME, free_name, tidy_name

TWO = (Words("Yes", "Oui"), Words("No", "Non"))


def room(*names: str) -> Ballots:
    ballots = Ballots()
    for name in names:
        ballots.join(name, name, "Guest")
    return ballots


def refused(ballots: Ballots, guest: str, number: int, choice: int) -> Refusal:
    with pytest.raises(NotTaken) as why:
        ballots.vote(guest, number, choice)
    return why.value.why


def test_one_phone_has_one_vote_and_may_change_its_mind() -> None:
    ballots = room("Ann", "Ben")
    ballot = ballots.ask(Question.HOLDS, TWO)
    for choice in (0, 1, 0, 1):
        ballots.vote("Ann", ballot.number, choice)
    ballots.vote("Ben", ballot.number, 1)
    assert ballot.tally == (0, 2)
    ballots.close()
    assert refused(ballots, "Ann", ballot.number, 0) is Refusal.CLOSED


def test_a_late_vote_never_counts_for_the_next() -> None:
    ballots = room("Ann")
    old = ballots.ask(Question.HOLDS, TWO)
    new = ballots.ask(Question.HOLDS, TWO)
    assert refused(ballots, "Ann", old.number, 0) is Refusal.CLOSED
    assert new.number > old.number
    assert refused(ballots, "Ann", new.number, 2) is Refusal.NO_SUCH_CHOICE
    assert refused(ballots, "Ann", new.number, -1) is Refusal.NO_SUCH_CHOICE
    assert refused(ballots, "nobody", new.number, 0) is Refusal.NOBODY


def test_a_right_bet_is_worth_more_alone() -> None:
    ballots = room("Ann", "Ben", "Cleo")
    for right, wrong in ((("Ann",), ("Ben", "Cleo")), (("Ann", "Ben"), ("Cleo",))):
        number = ballots.ask(Question.HOLDS, TWO).number
        for guest in right:
            ballots.vote(guest, number, 0)
        for guest in wrong:
            ballots.vote(guest, number, 1)
        assert ballots.settle(0) == right
        assert ballots.settle(1) == (), "a bet is settled once"
    points = {guest.name: guest.points for guest in ballots.best()}
    assert points == {"Ann": RIGHT_ALONE + RIGHT, "Ben": RIGHT}
    assert [guest.name for guest in ballots.best()] == ["Ann", "Ben"]


def test_who_is_sent_away_stays_away() -> None:
    ballots = room("Ann", "Ben")
    number = ballots.ask(Question.HOLDS, TWO).number
    ballots.vote("Ann", number, 0)
    assert ballots.ban("Ann")
    assert not ballots.ban("Ann")
    assert ballots.ballot is not None
    assert ballots.ballot.tally == (0, 0)
    assert refused(ballots, "Ann", number, 0) is Refusal.NOBODY
    with pytest.raises(NotTaken):
        ballots.join("Ann", "Anna", "Guest")


def test_the_room_is_bounded_and_outlives_its_server() -> None:
    ballots = room(*(f"Guest {n}" for n in range(MOST_GUESTS)))
    with pytest.raises(NotTaken) as full:
        ballots.join("one more", "Zoé", "Guest")
    assert full.value.why is Refusal.FULL
    ballots.ask(Question.HOLDS, TWO)
    again = restored(kept(ballots, ("holds",)))
    assert again.guests == ballots.guests
    assert again.ballot is None
    assert again.ask(Question.HOLDS, TWO).number > 1, "numbers go on"


@pytest.mark.parametrize(
    "name", ["Zoé", "Jean-Luc", "Monique", "Scunthorpe", "Grape", "O'Neil", "Li", "Ünal"]
)
def test_names_stay(name: str) -> None:
    assert tidy_name(name) == name


@pytest.mark.parametrize(
    "name", ["f.u.c k", "H1tl3r", "PUTAIN", "merde", "pu\u200btain", "n4zi", "", "\u202e", "<>"]
)
def test_names_that_no_stream_shows(name: str) -> None:
    assert tidy_name(name) == ""


@given(st.lists(st.text(max_size=40), max_size=12))
def test_names_are_short_seen_and_unlike(typed: list[str]) -> None:
    ballots = Ballots()
    for number, name in enumerate(typed):
        ballots.join(str(number), name, "Guest")
    names = [guest.name for guest in ballots.guests.values()]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(name.isprintable() and 0 < len(name) <= LONGEST_NAME + 4 for name in names)
    assert free_name("Ann", ["ann", "Ann 2"], "Guest") == "Ann 3"
