"""Rules of votes: one vote per phone, unique ballot numbers, points, names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.names_kit import NAMES

from armoon.broadcast import Words
from armoon.party import votes
from armoon.values import names

TWO = (Words("Yes", "Oui"), Words("No", "Non"))


def make_ballots(*names: str) -> votes.Ballots:
    ballots = votes.Ballots()
    for name in names:
        ballots.join(name, name, "Guest")
    return ballots


def refusal_of(ballots: votes.Ballots, guest: str, number: int, choice: int) -> votes.VoteRefusal:
    with pytest.raises(votes.VoteRefused) as why:
        ballots.vote(guest, number, choice)
    return why.value.reason


def test_one_phone_has_one_vote_and_may_change_it() -> None:
    ballots = make_ballots("Ann", "Ben")
    ballot = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    for choice in (0, 1, 0, 1):
        ballots.vote("Ann", ballot.number, choice)
    ballots.vote("Ben", ballot.number, 1)
    assert ballot.tally == (0, 2)
    ballots.close_ballot()
    assert refusal_of(ballots, "Ann", ballot.number, 0) is votes.VoteRefusal.CLOSED


def test_a_late_vote_never_counts_for_the_next() -> None:
    ballots = make_ballots("Ann")
    old = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    new = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    assert refusal_of(ballots, "Ann", old.number, 0) is votes.VoteRefusal.CLOSED
    assert new.number > old.number
    assert refusal_of(ballots, "Ann", new.number, 2) is votes.VoteRefusal.NO_SUCH_CHOICE
    assert refusal_of(ballots, "Ann", new.number, -1) is votes.VoteRefusal.NO_SUCH_CHOICE
    assert refusal_of(ballots, "nobody", new.number, 0) is votes.VoteRefusal.NOBODY


def test_a_right_bet_is_worth_more_in_a_minority() -> None:
    ballots = make_ballots("Ann", "Ben", "Cleo")
    for right, wrong in ((("Ann",), ("Ben", "Cleo")), (("Ann", "Ben"), ("Cleo",)), (("Ann",), ("Ben",))):
        number = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO).number
        for guest in right:
            ballots.vote(guest, number, 0)
        for guest in wrong:
            ballots.vote(guest, number, 1)
        assert ballots.settle_bets(0) == right
        assert ballots.settle_bets(1) == (), "a bet is settled once"
    points = {guest.name: guest.points for guest in ballots.find_best_guessers()}
    ann_points = votes.RARE_BET_POINTS + 2 * votes.BET_POINTS
    assert points == {"Ann": ann_points, "Ben": votes.BET_POINTS}, "half of the guests aren't a minority"
    assert [guest.name for guest in ballots.find_best_guessers()] == ["Ann", "Ben"]


def test_the_number_of_guests_is_limited_and_a_restart_restores_them() -> None:
    ballots = make_ballots(*(f"Guest {n}" for n in range(votes.MAX_GUESTS)))
    with pytest.raises(votes.VoteRefused) as full:
        ballots.join("one more", "Zoé", "Guest")
    assert full.value.reason is votes.VoteRefusal.FULL
    ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    restored = votes.Ballots(ballots.make_snapshot(("holds",), {}))
    assert restored.guests == ballots.guests
    assert restored.ballot is None
    assert restored.open_ballot(votes.VoteQuestion.HOLDS, TWO).number > 1, "numbering continues"


@pytest.mark.parametrize(
    "name", [*("Monique", "Scunthorpe", "Grape", "Li", "Ünal", "Admina", "7", "a b c", *NAMES)]
)
def test_suitable_names_are_kept(name: str) -> None:
    assert votes.clean_guest_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *("H1tl3r", "PUTAIN", "merde", "n4zi", "pütain", "fuсk", "Ρute", "Admin", "АDMIN", "<>"),
        *("-._'", "Admin1", "nazi88", "fuuuck", "ƒuck", "ᴀᴅᴍɪɴ", "ɑdmin", "άdmin", "hôte"),
        *("modérateur", "f.u.c k", "pu\u200btain", "f u c k", "", "\u202e", "p e n i s", "A d m i n"),
        "Host 2",
    ],
)
def test_unsuitable_names_are_replaced(name: str) -> None:
    assert votes.clean_guest_name(name) == ""


@pytest.mark.parametrize("name", ["Ann", "ann", "\u0410nn", "A nn", "\uff21nn", "Ann."])
@pytest.mark.parametrize("gives_up", [True, False], ids=["after coming back", "at once"])
def test_no_guest_has_a_players_name(name: str, gives_up: bool) -> None:
    ballots = make_ballots("Luna")
    ballots.players = {"Ann", "Ben"}
    if gives_up:
        ballots.leave("Luna")
    for guest in ("Luna", "new"):
        with pytest.raises(votes.VoteRefused) as why:
            ballots.join(guest, name, "Guest")
        assert why.value.reason is votes.VoteRefusal.PLAYER
    assert ballots.join("other:chat", "Ann", "Guest").name == "Ann 2", "a chat's name gets a number"
    assert ballots.join("Luna", "Anna", "Guest").name == "Anna"


@given(st.lists(st.text(max_size=40), max_size=12))
def test_names_are_short_visible_and_different(typed: list[str]) -> None:
    ballots = votes.Ballots()
    for number, name in enumerate(typed):
        ballots.join(str(number), name, "Guest")
    listed = [guest.name for guest in ballots.guests.values()]
    assert names.are_distinct(listed)
    assert all(names.tidy_name(name) and len(name) <= names.LONGEST_NAME + 4 for name in listed)


def test_a_guest_keeps_their_name_and_never_gets_another_guests_name() -> None:
    ballots = make_ballots("Ann", "Ben")
    assert ballots.join("Ann", "Ann", "Guest").name == "Ann"
    assert ballots.join("Ben", "ANN", "Guest").name == "ANN 2"
    ballots.leave("Ann")
    assert ballots.join("Ann", "", "Guest").name == "Ann"
    assert ballots.former == {}


@pytest.mark.parametrize("question", votes.VoteQuestion)
def test_only_a_vote_without_effect_is_open_to_late_guests(question: votes.VoteQuestion) -> None:
    ballots = make_ballots("Ann")
    ballot = ballots.open_ballot(question, TWO)
    for late in ("Ben", "other:chat"):
        ballots.join(late, late, "Guest")
    ballots.vote("Ann", ballot.number, 0)
    ballots.vote("other:chat", ballot.number, 1)
    if question in (votes.VoteQuestion.HOLDS, votes.VoteQuestion.OWN):
        ballots.vote("Ben", ballot.number, 1)
        assert ballot.tally == (1, 2)
    else:
        assert refusal_of(ballots, "Ben", ballot.number, 1) is votes.VoteRefusal.LATE
        assert ballot.tally == (1, 1), "a chat's viewers join with their first vote"


def test_names_and_counts_hidden_by_the_host_stay_hidden() -> None:
    ballots = make_ballots("Ann")
    number = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO).number
    ballots.vote("Ann", number, 0)
    ballots.settle_bets(0)
    assert ballots.list_best_guessers() == (("Ann", votes.BET_POINTS),)
    ballots.names_shown, ballots.hidden = False, True
    assert ballots.list_best_guessers() == (("1.", votes.BET_POINTS),)
    restored = votes.Ballots(ballots.make_snapshot((), {}))
    assert (restored.names_shown, restored.hidden) == (False, True)
    ballots.set_banned("Ann", banned=True)
    assert ballots.find_best_guessers() == ()


def test_a_delayed_viewer_bets_once_on_a_settled_bet_only() -> None:
    ballots = make_ballots("Ann", "Ben")
    bet = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    ballots.vote("Ann", bet.number, 1)
    ballots.settle_bets(0)
    put_back = ballots.open_ballot(votes.VoteQuestion.HOLDS, TWO)
    own = ballots.open_ballot(votes.VoteQuestion.OWN, TWO)
    ballots.add_late_bet("Ben", bet, 0)
    assert ballots.guests["Ben"].points == votes.BET_POINTS
    for guest, ballot in (("Ben", bet), ("Ann", bet), ("Ben", put_back), ("Ben", own)):
        with pytest.raises(votes.VoteRefused):
            ballots.add_late_bet(guest, ballot, 0)
    assert ballots.guests["Ann"].points == 0
