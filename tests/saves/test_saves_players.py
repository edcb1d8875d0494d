"""Profiles and results are saved completely and backed up if broken, and each result counts once."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.saves_kit import NAMES, play_game

from armoon.games.moon.editions import EDITIONS, Extent, Mode, Options, find_rank_key
from armoon.games.moon.records import encode_variant, make_result
from armoon.games.moon.rules import apply_move, create_state
from armoon.games.moon.turn import Overrule, Score, State
from armoon.games.shared import SEAT_COLOURS, FirstBy, FirstPlayer, choose_first_player
from armoon.saves.profiles import (
    FigureCounts,
    Profile,
    Profiles,
    Result,
    Results,
    change_profile,
    load_profiles,
    load_results,
    save_profiles,
    store_result,
)
from armoon.values.acts import Act
from armoon.values.choices import HandPreference, Way
from armoon.values.player_settings import PlayerSettings

ANA = Profile(
    "Ana", "#123456", HandPreference.LEFT, 0.0815, datetime.date(2011, 2, 3), datetime.date(2026, 4, 2)
)
BEN = Profile("Ben", born=datetime.date(1980, 1, 1))


def store(folder: Path, game: str, state: State, date: str, figures: FigureCounts | None = None) -> Results:
    return store_result(folder, game, make_result(game, state, date, figures) if state.over else None)


def make_end_state(players: tuple[str, ...], points: int, options: Options | None = None) -> State:
    options = options or Options()
    state = create_state(players, "kosmos-2022", 1, replace(options, mode=Mode.COOPERATIVE))
    ladders = tuple(f"X{n}" for n in range(points))
    state = replace(state, placed=ladders, tears_left=1)
    extents = tuple(Extent(piece, 0.1, 0.3 if piece in ladders else 0.15) for piece in state.structure)
    return apply_move(state, Score(0.2, extents))


# Profiles ----------------------------------------------------------------------------------------------------


def test_profiles_are_readable_and_can_be_repaired_by_hand(tmp_path: Path) -> None:
    save_profiles(tmp_path, Profiles((ANA, replace(BEN, name="Élodie"))))
    path = tmp_path / "players.json"
    assert "Élodie" in path.read_text(encoding="utf-8")
    path.write_text(path.read_text(encoding="utf-8").replace("left", "right"), encoding="utf-8")
    assert load_profiles(tmp_path).find_profile("Ana").hand is HandPreference.RIGHT


def test_new_players_get_unused_colours() -> None:
    table = Profiles((Profile("Ana", SEAT_COLOURS[1]),)).find_profiles(("Ben", "Ana", "Cleo"))
    assert [profile.name for profile in table] == ["Ben", "Ana", "Cleo"]
    assert [profile.colour for profile in table] == [SEAT_COLOURS[0], SEAT_COLOURS[1], SEAT_COLOURS[2]]


def test_a_changed_profile_keeps_its_position() -> None:
    changed = replace(ANA, hand=HandPreference.RIGHT)
    assert Profiles((ANA, BEN)).with_profile(changed).profiles == (changed, BEN)
    assert Profiles((ANA,)).with_profile(BEN).profiles == (ANA, BEN)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"name": "A\nB"},
        {"colour": "red"},
        {"palm_length_m": 0.4},
        {"palm_length_m": 0.01},
        {"palm_length_m": float("nan")},
    ],
)
def test_an_impossible_profile_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="isn't"):
        Profile(**{"name": "Ana", **wrong})  # type: ignore[arg-type]


def break_json(text: str) -> str:
    return text[: len(text) // 2]


def misspell_field(text: str) -> str:
    return text.replace('"colour"', '"color"').replace('"score"', '"scores"')


def break_value(text: str) -> str:
    return text.replace('"#123456"', "3").replace('"score": 4', '"score": -4')


def wrap_in_list(text: str) -> str:
    return json.dumps([json.loads(text)])


def raise_version(text: str) -> str:
    return text.replace('"version": 1', '"version": 2')


@pytest.mark.parametrize("damage", [break_json, misspell_field, break_value, wrap_in_list, raise_version])
def test_a_broken_file_is_reported_until_repaired_and_kept_when_it_changes(
    tmp_path: Path, damage: Callable[[str], str]
) -> None:
    save_profiles(tmp_path, Profiles((ANA,)))
    store(tmp_path, "g", make_end_state(("Ana",), 4), "2026-01-01")
    for name in ("players.json", "results.json"):
        path = tmp_path / name
        text = path.read_text(encoding="utf-8")
        broken = damage(text)
        for copy, content in (("broken", broken), ("broken-2", "x")):
            path.write_text(content, encoding="utf-8")
            for _ in range(2):
                loaded = load_profiles(tmp_path) if name == "players.json" else load_results(tmp_path)
                assert f"{name} is broken (" in loaded.trouble
                assert loaded in (Profiles(trouble=loaded.trouble), Results(trouble=loaded.trouble))
                assert path.read_text(encoding="utf-8") == content
            if name == "players.json":
                change_profile(tmp_path, "Ben", lambda before: before)
                assert load_profiles(tmp_path) == Profiles((Profiles().find_profile("Ben"),))
            else:
                assert len(store(tmp_path, "h", make_end_state(("Ben",), 4), "2026-01-02").results) == 1
                assert load_results(tmp_path).trouble == ""
            assert (tmp_path / f"{name}.{copy}").read_text(encoding="utf-8") == content
        path.write_text(text, encoding="utf-8")
        repaired = load_profiles(tmp_path) if name == "players.json" else load_results(tmp_path)
        assert repaired.trouble == ""


def truncate(text: str) -> str:
    return text[:-20]


def drop_comma(text: str) -> str:
    return text.replace(',\n   "hand": "left"', '\n   "hand": "left"')


def misspell_word(text: str) -> str:
    return text.replace('"left"', '"foot"')


def break_encoding(text: str) -> str:
    return text.replace("Ana", "\udcff")


def repeat_name(text: str) -> str:
    return text.replace("Ana", "Cleo")


@pytest.mark.parametrize("damage", [drop_comma, misspell_word, break_encoding, repeat_name, truncate])
def test_the_good_rows_of_a_broken_file_are_read(tmp_path: Path, damage: Callable[[str], str]) -> None:
    cleo = Profile("Cleo", habits=PlayerSettings(Way.SWITCH))
    rows = (cleo, BEN, ANA) if damage is truncate else (cleo, ANA, BEN)
    save_profiles(tmp_path, Profiles(rows))
    path = tmp_path / "players.json"
    broken = damage(path.read_text(encoding="utf-8"))
    assert broken != path.read_text(encoding="utf-8")
    path.write_bytes(broken.encode(errors="surrogateescape"))
    loaded = load_profiles(tmp_path)
    assert loaded.profiles == (cleo, BEN)
    assert "could be read: 2" in loaded.trouble
    assert change_profile(tmp_path, "Ben", lambda before: before) == loaded.trouble
    assert load_profiles(tmp_path) == Profiles((cleo, BEN))
    assert path.with_name("players.json.broken").read_bytes() == broken.encode(errors="surrogateescape")


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    """A player might keep the file elsewhere, for instance on a shared disk."""
    (tmp_path / "kept").mkdir()
    path, target = tmp_path / "players.json", tmp_path / "kept" / "of-mine.json"
    for content in (None, b"x"):
        path.unlink(missing_ok=True)
        target.write_bytes(b"") if content is None else target.write_bytes(content)
        path.symlink_to(target)
        change_profile(tmp_path, "Ana", lambda _: ANA)
        assert path.is_symlink()
        assert load_profiles(tmp_path) == Profiles((ANA,))
        assert "Ana" in target.read_text(encoding="utf-8")


# First player -------------------------------------------------------------------------------------------------


def choose_first(by: FirstBy, *profiles: Profile, seed: int = 1, chosen: int = 0) -> FirstPlayer:
    return choose_first_player([(p.full_moon, p.born) for p in profiles], by, seed, chosen)


def test_the_full_moon_decides_then_age_then_the_seat() -> None:
    """M3"""
    undated = Profile("Cleo")
    assert choose_first(FirstBy.MOON, BEN, ANA, undated) == FirstPlayer(1, "moon.full_moon")
    assert choose_first(FirstBy.MOON, undated, BEN, replace(ANA, full_moon=None)) == FirstPlayer(
        2, "moon.youngest"
    )
    assert choose_first(FirstBy.AGE, BEN, ANA) == FirstPlayer(1, "age.youngest")
    assert choose_first(FirstBy.AGE, replace(BEN, full_moon=ANA.full_moon), undated) == FirstPlayer(
        0, "age.youngest"
    )
    assert choose_first(FirstBy.AGE, undated, replace(undated, name="Dan")) == FirstPlayer(0, "age.seat")
    assert choose_first(FirstBy.MOON, undated, replace(undated, name="Dan")) == FirstPlayer(0, "moon.seat")


def test_if_several_share_the_full_moon_the_youngest_of_all_begins() -> None:
    """M3, as printed by Kosmos: the youngest of all players, not only of those who share the day."""
    day, long_ago = datetime.date(2026, 9, 26), datetime.date(2001, 1, 9)
    ana, ben = (
        Profile(n, full_moon=day, born=datetime.date(y, 5, 1)) for n, y in (("Ana", 1980), ("Ben", 1990))
    )
    cleo = Profile("Cleo", born=datetime.date(2015, 5, 1))
    for full_moon in (None, long_ago):
        party = (ana, ben, replace(cleo, full_moon=full_moon))
        assert choose_first(FirstBy.MOON, *party) == FirstPlayer(2, "moon.youngest")
    twins = (replace(ana, born=cleo.born), ben, cleo)
    assert choose_first(FirstBy.MOON, *twins) == FirstPlayer(0, "moon.youngest")
    ageless = (replace(cleo, born=None), replace(ana, born=None), replace(ben, born=None))
    assert choose_first(FirstBy.MOON, *ageless) == FirstPlayer(0, "moon.seat")


def test_every_seat_can_be_chosen_by_chance_and_the_seed_determines_it() -> None:
    """M3"""
    table = Profiles().find_profiles(NAMES)
    firsts = [choose_first(FirstBy.CHANCE, *table, seed=seed) for seed in range(60)]
    assert {first.seat for first in firsts} == {0, 1, 2}
    assert {first.why for first in firsts} == {"chance"}
    assert firsts == [choose_first(FirstBy.CHANCE, *table, seed=seed) for seed in range(60)]


def test_the_players_can_choose_the_first_player_and_a_single_player_begins() -> None:
    """M3"""
    table = Profiles().find_profiles(NAMES)
    assert choose_first(FirstBy.CHOSEN, *table, chosen=2) == FirstPlayer(2, "chosen")
    assert choose_first(FirstBy.CHOSEN, *table, chosen=7) == FirstPlayer(0, "chosen")
    assert choose_first(FirstBy.CHANCE, table[0]) == FirstPlayer()
    assert EDITIONS["bombyx-2017"].first_player is FirstBy.CHOSEN
    assert EDITIONS["kosmos-2022"].first_player is FirstBy.MOON


# Results -----------------------------------------------------------------------------------------------------


def test_each_player_has_one_high_score_per_edition_alone_and_in_a_team(tmp_path: Path) -> None:
    """C5 C6"""
    games = [
        ("a", ("Ana",), 4, "2026-01-01"),
        ("b", ("Ana",), 2, "2026-01-02"),
        ("c", ("Ana", "Ben"), 3, "2026-01-03"),
        ("d", ("Ben",), 4, "2026-01-04"),
        ("e", ("Ana",), 4, "2026-01-05"),
    ]
    for name, players, points, date in games:
        store(tmp_path, name, make_end_state(players, points), date)
    lines = load_results(tmp_path).list_high_scores()
    assert [(score, player, game.game) for score, player, game in lines] == [
        (4, "Ana", "a"),
        (4, "Ben", "d"),
        (3, "Ana", "c"),
        (3, "Ben", "c"),
    ]
    assert find_rank_key(lines[0][0]) == "rank.touch_the_moon"


def test_house_options_have_separate_score_tables(tmp_path: Path) -> None:
    """C5"""
    store(tmp_path, "a", make_end_state(("Ana",), 2), "2026-01-01")
    store(tmp_path, "b", make_end_state(("Ana",), 9, Options(young_climbers=True)), "2026-01-02")
    lines = load_results(tmp_path).list_high_scores()
    assert [(score, game.variant) for score, _, game in lines] == [(9, "young"), (2, "")]
    assert encode_variant(Options(tears=3, supply_size=10)) == "3 tears, 10 ladders"
    assert encode_variant(Options(turn_limit_s=30.0)) == ""


def test_a_game_that_ends_repeatedly_is_counted_once(tmp_path: Path) -> None:
    """X4: for example if a finished game is resumed, or the host gives a tear back."""
    end = play_game(tmp_path / "g.armoon", 5).state
    assert end.over
    assert not end.is_team_game
    for _ in range(3):
        results = store(tmp_path, "g", end, "2026-01-01", {"Ana": {"swing": 2}})
    (result,) = results.results
    assert result.winners
    for player in NAMES:
        tally = results.tally(player)
        assert (tally.played, tally.won, tally.together) == (1, int(player in result.winners), 0)
    assert results.tally("Ana").figures == {"swing": 2}
    assert results.tally("Ben").figures == {}
    assert load_results(tmp_path) == results


def test_a_continued_game_has_no_result(tmp_path: Path) -> None:
    """X4"""
    state = create_state(("Ana", "Ben"), "bombyx-2017", 1, Options(tears=1, two_player_limit=1))
    over = apply_move(state, Overrule(Act.ADD_TEAR, player=1))
    assert store(tmp_path, "g", over, "2026-01-01").tally("Ana").won == 1
    continued = apply_move(over, Overrule(Act.GIVE_TEAR_BACK, player=1))
    assert not continued.over
    assert store(tmp_path, "g", continued, "2026-01-01").results == ()
    assert load_results(tmp_path).results == ()


def test_figures_are_added_up_over_games() -> None:
    base = make_result("a", make_end_state(("Ana",), 1), "2026-01-01", {"Ana": {"swing": 1, "candle": 2}})
    second: Result = replace(base, game="b", figures={"Ana": {"swing": 3}})
    tally = Results().with_result(base).with_result(second).tally("Ana")
    assert tally.figures == {"swing": 4, "candle": 2}
    assert tally.together == 2
    trial = replace(
        base, game="a trial", trial="place-three", score=None, winners=("Ana",), figures={"Ana": {"moon": 1}}
    )
    with_trial = Results().with_result(base).with_result(second).with_result(trial).tally("Ana")
    assert with_trial.figures == {"swing": 4, "candle": 2, "moon": 1}, "figures made in a trial count"
    assert (with_trial.together, with_trial.played, with_trial.won) == (2, 0, 0), (
        "a trial doesn't count as a game"
    )
