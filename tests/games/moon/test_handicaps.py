"""Handicaps (ruling X5): their effects, their display, and their origin in players' profiles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app_kit import advance, play_to_draw, setup_for

from armoon.app.setup import list_known_players, save_player, with_handicaps
from armoon.engine.events import NoticeShown
from armoon.games.moon.editions import Options, Verdict
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.presenters import make_result
from armoon.games.moon.records import encode_variant, format_variant
from armoon.games.moon.scene import compose_scene
from armoon.messages import text
from armoon.saves.profiles import Profile, Profiles, load_profiles
from armoon.screens.events import FormPlayer
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.values.player_settings import Handicap, VisualAids
from armoon.view.aids import DisplayAids

CHILD = Handicap(spared=1, hints=1, helps=VisualAids.ALL)
SURGEON = Handicap(helps=VisualAids.NONE)
HOUSE = Options(handicaps=(CHILD, SURGEON))
ASK, GIVE_UP = Command(Act.HINT), Command(Act.GIVE_UP)


@pytest.fixture
def match() -> Iterator[MoonMatch]:
    drawn_match = play_to_draw(setup_for(options=HOUSE).match())
    yield drawn_match
    drawn_match.close()


def test_a_spared_mistake_is_shown_everywhere(match: MoonMatch) -> None:
    scene = compose_scene(match, 1.0, None)
    notes = [player.note for player in scene.hud.players]
    assert notes == ["1 free, 1 hint, all visual aids", "no visual aids"]
    assert scene.visual_aids is VisualAids.ALL
    output = advance(match, GIVE_UP)
    assert [(verdict.charged, verdict.tears) for verdict in output.events_of(Verdict)] == [(0, 0)]
    assert output.events_of(Verdict)[0].rulings[-1] == "X5"
    assert (match.state.tears, match.state.tears_left) == ((0, 0), match.state.tears_total)
    scene = compose_scene(match, 1.0, None)
    assert scene.hud.players[0].note.startswith("0 free")
    assert scene.visual_aids is VisualAids.NONE
    assert "0 mistakes free, 1 hint, all visual aids" in make_result(match).lines[0].note
    assert "1 mistake spared," in make_result(match).lines[0].note
    assert "spared" not in make_result(match).lines[1].note
    assert "no visual aids" in make_result(match).lines[1].note


def test_a_handicap_limits_hints(match: MoonMatch) -> None:
    assert "1 hint" in compose_scene(match, 1.0, None).hud.players[0].note
    assert advance(match, ASK).events_of(NoticeShown) == ()
    assert "0 hints" in compose_scene(match, 1.0, None).hud.players[0].note
    assert advance(match, ASK).events_of(NoticeShown) == (NoticeShown("places.used_up"),)
    assert match.hints == [1, 0]
    advance(match, GIVE_UP)
    play_to_draw(match)
    for _ in range(3):
        assert advance(match, ASK).events_of(NoticeShown) == ()
    assert match.hints == [1, 3], "hints are unlimited unless a handicap limits them"


def test_a_ladder_counts_as_helped_only_if_its_place_was_chosen(match: MoonMatch) -> None:
    advance(match, Command(Act.PLACE, "choice", 0))
    assert match.places_chosen == [0, 0]
    advance(match, Command(Act.PLACE, "choice", 2))
    assert match.places_chosen == [1, 0]
    assert "1 with help" in compose_scene(match, 1.0, None).hud.players[0].note


def test_results_with_and_without_handicaps_are_not_compared() -> None:
    assert encode_variant(HOUSE) != encode_variant(Options())
    assert format_variant(encode_variant(HOUSE)) == text("variant.handicaps")


def test_games_take_handicaps_from_profiles(tmp_path: Path) -> None:
    save_player(tmp_path, FormPlayer("Ann", 1, handicap=CHILD))
    profiles = load_profiles(tmp_path)
    assert [player.handicap for player in list_known_players(profiles)] == [CHILD]
    table = (profiles.find_profile("Ann"), Profile("Ben"))
    options = PlayOptions(camera="none", game="moon", players=("Ann", "Ben"), game_options=MoonOptions())
    own = with_handicaps(options, table).game_options
    assert isinstance(own, MoonOptions)
    assert own.house.handicaps == (CHILD, Handicap())
    typed = MoonOptions(house=HOUSE)
    options_typed = PlayOptions(camera="none", players=("Ann", "Ben"), game_options=typed)
    assert with_handicaps(options_typed, table).game_options == typed, "options override profiles"
    bots = PlayOptions(camera="none", players=("Ann", "Ben"), game_options=MoonOptions(bots=("luna", None)))
    assert with_handicaps(bots, table).game_options == bots.game_options, "a bot has no profile"
    assert Profiles().find_profile("Cleo").handicap == Handicap()


def test_a_game_has_as_many_handicaps_as_players_or_none() -> None:
    with pytest.raises(ValueError, match="handicaps"):
        MoonOptions(house=HOUSE).check_players(("Ann", "Ben", "Cleo"))
    assert MoonOptions(house=HOUSE).fit_players(3).house.handicaps == ()
    assert MoonOptions(house=HOUSE).fit_players(2).house.handicaps == (CHILD, SURGEON)


def test_visual_aids_override_the_display_settings() -> None:
    settings = DisplayAids(drop_line=False, see_through=False)
    assert settings.with_visual_aids(VisualAids.USUAL) == settings
    assert settings.with_visual_aids(VisualAids.ALL) == DisplayAids(see_through=False)
    bare = settings.with_visual_aids(VisualAids.NONE)
    assert not any((bare.drop_line, bare.halo, bare.inset, bare.uncertainty, bare.landing))
