"""All reachable positions of small games keep the invariants; the numbers of positions and games never change."""

from __future__ import annotations

import functools

import pytest
from support.moon_invariants import check, list_sample_moves
from support.moon_play import key

from armoon.games.moon.editions import DieSource, Ending, Mode, Options
from armoon.games.moon.rules import apply_move, create_state
from armoon.games.moon.turn import State
from armoon.values.choices import OneHand

NAMES = ("Ana", "Ben", "Cleo")


@functools.cache
def explore(first: State) -> tuple[int, int, dict[Ending, int]]:
    """Check every position; return the counts of positions, of games and of games by ending."""
    games: dict[State, dict[Ending, int]] = {}

    def count_endings(state: State) -> dict[Ending, int]:
        known = games.get(state)
        if known is not None:
            return known
        check(state, first)
        if state.ending is not None:
            games[state] = {state.ending: 1}
            return games[state]
        total: dict[Ending, int] = {}
        for move in list_sample_moves(state):
            for ending, count in count_endings(key(apply_move(state, move))).items():
                total[ending] = total.get(ending, 0) + count
        assert total, "a dead end"
        games[state] = total
        return total

    endings = count_endings(key(first))
    return len(games), sum(endings.values()), endings


def make_small_game(players: int, ladders: int, tears: int, edition: str, **options: object) -> State:
    choice = Options(die=DieSource.REAL, supply_size=ladders, tears=tears, **options)  # type: ignore[arg-type]
    return create_state(NAMES[:players], edition, 0, choice)


#: Numbers of positions and of games by edition, players, ladders and tears.
KNOWN_COUNTS: dict[tuple[str, int, int, int], tuple[int, int]] = {
    ("bombyx-2017", 2, 4, 2): (605, 35085),
    ("bombyx-2017", 2, 4, 3): (1677, 311049),
    ("bombyx-2017", 3, 4, 2): (873, 54369),
    ("bombyx-2017", 3, 4, 3): (2511, 459198),
    ("kosmos-2022", 2, 4, 2): (888, 79293),
    ("kosmos-2022", 2, 4, 3): (1677, 311049),
    ("kosmos-2022", 3, 4, 2): (857, 51252),
    ("kosmos-2022", 3, 4, 3): (2681, 470394),
}


@pytest.mark.parametrize("setup", sorted(KNOWN_COUNTS))
def test_small_games_keep_their_counts(setup: tuple[str, int, int, int]) -> None:
    """Rulings E1, E2, E3, E4, E5: exactly one ending, no dead end, tears and ladders conserved."""
    edition, players, ladders, tears = setup
    positions, games, _ = explore(make_small_game(players, ladders, tears, edition))
    assert (positions, games) == KNOWN_COUNTS[setup]


@pytest.mark.parametrize(
    ("first", "games"),
    [
        (make_small_game(1, 3, 3, "kosmos-2022", mode=Mode.COOPERATIVE), 37108),
        (make_small_game(2, 3, 2, "kosmos-2022", mode=Mode.COOPERATIVE), 5851),
        (make_small_game(2, 3, 3, "bombyx-2017", one_hand=OneHand.MISTAKE), 79488),
    ],
)
def test_other_small_games_keep_their_counts(first: State, games: int) -> None:
    """Rulings C4, C5 and F3."""
    assert explore(first)[1] == games


def test_small_games_reach_every_ending_of_the_rules() -> None:
    """Rulings E1, E2, E3 and E4."""
    _, _, bombyx = explore(make_small_game(2, 4, 3, "bombyx-2017"))
    _, _, kosmos = explore(make_small_game(3, 4, 3, "kosmos-2022"))
    _, _, tied = explore(make_small_game(3, 3, 3, "bombyx-2017"))
    # A trial's own ending is reached in a playthrough.
    assert set(bombyx) | set(kosmos) | set(tied) == set(Ending) - {Ending.GOAL}


@functools.cache
def count_by_hand(point: str, supply: int, placed: int) -> int:
    """Count the games from a point in the turn with unlimited tears, by a recurrence from T1, F2 and E1.

    ``supply`` ladders are left, and ``placed`` ladders stand; -1 would be a fall without any ladder, so no game.
    """
    if placed < 0:
        return 0
    if supply == 0 and point in ("roll", "incident"):
        return 1  # E1: over
    another_falls = count_by_hand("incident", supply, placed - 1)
    if point == "drawn":  # take, or another falls and the ladder in the lid leaves with it
        return count_by_hand("held", supply, placed) + another_falls
    if point == "roll":  # three faces, or a fall before the roll
        return 3 * count_by_hand("rolled", supply, placed) + another_falls
    if point == "incident":  # rest, or one more fall
        return count_by_hand("roll", supply, placed) + another_falls
    if point == "rolled":  # draw, or a fall before that
        return count_by_hand("drawn", supply - 1, placed) + another_falls
    leaves = count_by_hand("incident", supply, placed)  # the drawn ladder falls
    if point == "held":  # release, it falls, or another falls and both leave
        return count_by_hand("settling", supply, placed) + leaves + another_falls
    # Settling: it stands, honoured or not; it falls; or another falls and it stays.
    return 2 * count_by_hand("roll", supply, placed + 1) + leaves + (leaves if placed else 0)


@pytest.mark.parametrize("ladders", [1, 2, 3, 4])
def test_counts_agree_with_a_recurrence_worked_out_by_hand(ladders: int) -> None:
    """Rulings T1, F2, F4, F5, F6 and E1."""
    first = make_small_game(2, ladders, 100, "kosmos-2022", two_player_limit=100)
    assert explore(first)[1] == count_by_hand("roll", ladders, 0)
