"""Parts of the moon rules: editions, set-up, refusals, points and ranks."""

from __future__ import annotations

from collections import Counter

import pytest
from support.moon_play import refusal_of

from armoon.games.moon import editions
from armoon.games.moon.rules import apply_move, create_state, list_legal_kinds
from armoon.games.moon.turn import Draw, Overrule, Roll, Take
from armoon.games.shared import FirstBy
from armoon.values.acts import Act


def test_the_box_contains_the_printed_pieces() -> None:
    """Ruling M1: 30 ladders, 3 straight and 27 crooked, 7 tears, two of each face."""
    assert (len(editions.ALL_LADDERS), len(editions.STRAIGHT), len(editions.CROOKED)) == (30, 3, 27)
    assert not set(editions.STRAIGHT) & set(editions.CROOKED)
    assert Counter(editions.FACES) == {editions.Die.ONE: 2, editions.Die.TWO: 2, editions.Die.MOON: 2}
    assert {edition.tears for edition in editions.EDITIONS.values()} == {7}


@pytest.mark.parametrize(
    ("edition", "young", "starting", "supply", "third_in_supply"),
    [
        ("bombyx-2017", False, 2, 28, True),
        ("bombyx-2017", True, 3, 27, False),
        ("kosmos-2022", False, 2, 27, False),
        ("kosmos-2022", True, 3, 27, False),
    ],
)
def test_each_edition_has_its_number_of_ladders(
    edition: str, young: bool, starting: int, supply: int, third_in_supply: bool
) -> None:
    """Rulings M2, M3 and M4."""
    state = create_state(("Ana", "Ben"), edition, 1, editions.Options(young_climbers=young))
    assert (len(state.starting), len(state.supply)) == (starting, supply)
    assert ("L03" in state.supply) == third_in_supply
    assert set(state.supply) >= set(editions.CROOKED)
    assert set(state.starting) <= set(editions.STRAIGHT)


def test_editions_differ_as_printed() -> None:
    """Rulings M3, E3 and C1."""
    b, k = editions.BOMBYX_2017, editions.KOSMOS_2022
    assert (b.min_players, b.max_players, k.min_players, k.max_players) == (2, 6, 1, 6)
    assert (b.two_player_limit, k.two_player_limit) == (3, 4)
    assert (b.last_tear_eliminates, k.last_tear_eliminates) == (True, False)
    assert (b.cooperative_tears, k.cooperative_tears) == (None, 5)
    assert (b.terms["base"], k.terms["base"]) == ("word.base", "word.cloud")
    assert (b.first_player, k.first_player) == (FirstBy.CHOSEN, FirstBy.MOON)
    team = create_state(("Ana",), "kosmos-2022", 1, editions.Options(mode=editions.Mode.COOPERATIVE))
    assert team.tears_left == 5


@pytest.mark.parametrize(
    ("players", "edition", "options", "more", "message"),
    [
        (("Ana",), "bombyx-2017", editions.Options(), {}, "players"),
        (tuple("ABCDEFG"), "kosmos-2022", editions.Options(), {}, "players"),
        (("Ana",), "kosmos-2022", editions.Options(), {}, "alone"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(mode=editions.Mode.COOPERATIVE), {}, "together"),
        (("Ana", "Ana"), "bombyx-2017", editions.Options(), {}, "names"),
        (("Ana", ""), "bombyx-2017", editions.Options(), {}, "names"),
        (("Ana", "Ben"), "haba-1999", editions.Options(), {}, "bombyx-2017, kosmos-2022"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(tears=0), {}, "at least 1"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(supply_size=0), {}, "at least 1"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(two_player_limit=0), {}, "at least 1"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(turn_limit_s=0.0), {}, "0 seconds"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(), {"first_player": 2}, "seat 2"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(), {"starting": ("L01",)}, "not 1"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(), {"supply": ("L01", "L05")}, "twice"),
        (("Ana", "Ben"), "bombyx-2017", editions.Options(), {"supply": ()}, "empty"),
    ],
)
def test_an_impossible_moon_setup_is_refused(
    players: tuple[str, ...], edition: str, options: editions.Options, more: dict[str, object], message: str
) -> None:
    """Ruling M3."""
    with pytest.raises(editions.IllegalSetup, match=message):
        create_state(players, edition, 1, options, **more)  # type: ignore[arg-type]


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    """Ruling T1."""
    state = create_state(("Ana", "Ben"))
    assert refusal_of(state, Take()) is editions.MoonRefusal.WRONG_PHASE
    assert state == create_state(("Ana", "Ben"))
    wrong = next(die for die in editions.Die if die is not state.fixed_face)
    assert refusal_of(state, Roll(wrong)) is editions.MoonRefusal.WRONG_FACE
    assert state.fixed_face is not None
    rolled = apply_move(state, Roll(state.fixed_face))
    assert refusal_of(rolled, Draw(rolled.supply[1])) is editions.MoonRefusal.WRONG_LADDER
    assert set(list_legal_kinds(rolled)) > {Draw, Overrule}
    assert Take not in list_legal_kinds(rolled)


@pytest.mark.parametrize("seat", [-1, 2])
@pytest.mark.parametrize("kind", [Act.GIVE_TEAR_BACK, Act.ADD_TEAR])
def test_an_unknown_player_cannot_be_overruled(kind: Act, seat: int) -> None:
    """Ruling X4."""
    overrule = Overrule(kind, player=seat)
    assert refusal_of(create_state(("Ana", "Ben"), seed=9), overrule) is editions.MoonRefusal.NO_SUCH_PLAYER


@pytest.mark.parametrize(
    ("lowest", "highest", "points"),
    [(0.0, 0.19, 0), (0.1, 0.2, 0), (0.1, 0.2001, 1), (0.2, 0.3, 1), (0.2001, 0.3, 3)],
)
def test_points_count_above_the_line(lowest: float, highest: float, points: int) -> None:
    """Ruling C2: a point on the line is not above it."""
    assert editions.count_points(editions.Extent("L01", lowest, highest), 0.2) == points


def test_the_achievement_chart_rises_and_has_the_known_rank() -> None:
    """Ruling C6: a chart of our own with at least 7 ranks, and the one known entry of the printed chart."""
    assert len(editions.CHART) >= 7
    assert [least for least, _ in editions.CHART] == sorted({least for least, _ in editions.CHART})
    assert len({key for _, key in editions.CHART}) == len(editions.CHART)
    assert editions.find_rank_key(4) == "rank.touch_the_moon"
    assert editions.find_rank_key(0) == editions.CHART[0][1]
    assert editions.find_rank_key(1000) == editions.CHART[-1][1]
