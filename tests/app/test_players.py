"""Profiles on pages, on disk and in matches: first player, palms, hands and colours; and resumed games."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from support.session_kit import AppSession, LocalHost, moon, session_in, start

from armoon.app.setup import build_table_setup, find_first_player, list_known_players, save_player
from armoon.camera.profiles import SEATS
from armoon.games.library import list_unfinished
from armoon.games.moon.editions import EditionName
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstBy, FirstPlayer, draw_first_player
from armoon.saves.profiles import Profile, Profiles, load_profiles, save_profiles
from armoon.screens.events import COLOURS, Ask, FormPlayer, Request
from armoon.values.acts import Act
from armoon.values.choices import HandPreference, OneHand, Palette, SeatName, TextSize, Way
from armoon.values.look import rgb
from armoon.values.pieces import Command
from armoon.values.player_settings import PlayerSettings

BORN, MOON = datetime.date(2012, 2, 29), datetime.date(2026, 9, 26)
ANN = Profile("Ann", "#009e73", HandPreference.LEFT, 0.08, datetime.date(1980, 1, 1), MOON)
BEN = Profile("Ben", "#123456", HandPreference.EITHER, None, BORN)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppSession]:
    save_profiles(tmp_path, Profiles((ANN, BEN)))
    session = session_in(tmp_path, monkeypatch)
    yield session
    session.host.close_table()


def play_a_little(session: AppSession) -> None:
    session.run_ticks(60)
    assert session.host.table is not None
    for kind in (Act.ROLL, Act.GIVE_UP):
        session.host.table.controls.add_command(Command(kind))
        session.run_ticks(5)


# Profiles ---------------------------------------------------------------------------------------------------


def test_profiles_become_players_and_are_saved(tmp_path: Path) -> None:
    save_profiles(tmp_path, Profiles((ANN, BEN)))
    ann, ben = list_known_players(load_profiles(tmp_path))
    assert ann == FormPlayer("Ann", 2, HandPreference.LEFT, ANN.born, MOON)
    assert ben.born == BORN
    save_player(tmp_path, replace(ann, hand=HandPreference.RIGHT, full_moon=None))
    save_player(tmp_path, replace(ben, hand=HandPreference.LEFT))
    save_player(tmp_path, FormPlayer("Cleo", 5))
    loaded = load_profiles(tmp_path).profiles
    assert loaded[0] == replace(ANN, hand=HandPreference.RIGHT, full_moon=None)
    # A custom colour remains until the player chooses one of the six.
    assert loaded[1] == replace(BEN, hand=HandPreference.LEFT)
    assert loaded[2] == Profile("Cleo", "#cc79a7")
    save_player(tmp_path, replace(ben, colour=(ben.colour + 1) % len(COLOURS)))
    assert rgb(load_profiles(tmp_path).find_profile("Ben").colour) == COLOURS[(ben.colour + 1) % len(COLOURS)]


def test_habits_are_saved_and_a_file_without_them_loads(tmp_path: Path) -> None:
    save_profiles(tmp_path, Profiles((ANN, BEN)))
    path = tmp_path / "players.json"
    written = json.loads(path.read_text())
    for row in next(rows for rows in written.values() if isinstance(rows, list)):
        del row["habits"]
    path.write_text(json.dumps(written))
    assert load_profiles(tmp_path).profiles == (ANN, BEN)
    ann, _ = list_known_players(load_profiles(tmp_path))
    habits = PlayerSettings(Way.SWITCH, 1.5, TextSize.DOUBLE, Palette.PROTAN)
    save_player(tmp_path, replace(ann, habits=habits))
    assert load_profiles(tmp_path).profiles == (replace(ANN, habits=habits), BEN)
    assert list_known_players(load_profiles(tmp_path))[0].habits == habits


# First player -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "edition", "found"),
    [
        (None, "bombyx-2017", FirstPlayer()),
        (None, "kosmos-2022", FirstPlayer(0, "moon.full_moon")),
        (FirstBy.AGE, "bombyx-2017", FirstPlayer(1, "age.youngest")),
        (FirstBy.CHANCE, "bombyx-2017", FirstPlayer(draw_first_player(2, 5), "chance")),
        (FirstPlayer(1, "chosen"), "kosmos-2022", FirstPlayer(1, "chosen")),
        (FirstPlayer(4, "chosen"), "bombyx-2017", FirstPlayer()),
    ],
)
def test_the_first_player_is_passed_to_the_match(
    session: AppSession, first: FirstPlayer | FirstBy | None, edition: str, found: FirstPlayer
) -> None:
    options = replace(
        session.host._camera.options, first=first, game_options=MoonOptions(EditionName(edition))
    )
    assert find_first_player(options, (ANN, BEN)) == found
    setup = build_table_setup(options, SEATS["table"](640, 360), (ANN, BEN), found, one_hand=OneHand.WARN)
    assert setup.first_why == found.why
    assert setup.palms_m == (0.08, 0.0955)
    assert setup.hands == ("left", "either")
    # Ben's colour is nearest to the same page colour as Ann's, so he gets a free one.
    assert setup.colours == (rgb("#009e73"), COLOURS[0])


def test_the_demo_uses_no_players_palm_or_hand(session: AppSession) -> None:
    options = replace(session.host._camera.options, camera="demo")
    setup = build_table_setup(
        options, SEATS["table"](640, 360), (ANN, BEN), FirstPlayer(), one_hand=OneHand.WARN
    )
    assert setup.palms_m == ()
    assert setup.hands == ()


@pytest.mark.parametrize("game", ["moon", "lake"])
def test_the_match_uses_the_screens_settings(session: AppSession, game: str) -> None:
    request = start(game)
    party = replace(request.party, hands=(HandPreference.RIGHT, HandPreference.LEFT))
    session.host.carry_out(replace(request, party=party, begins=FirstPlayer(1, "chosen")))
    assert session.host.table is not None
    game_table = session.host.table.game
    assert game_table.match.state.player == 1
    table = game_table.match.table
    assert (table.first_why, table.hands) == ("chosen", ("right", "left"))
    assert table.colours == party.colours


def test_the_screens_hold_the_seed_of_the_next_game(session: AppSession) -> None:
    screens = session.host._front.screens
    assert screens.seed == 5
    session.host.carry_out(start("moon"))
    assert moon(session).match.setup.seed == 5
    seed = session.host._front.screens.seed
    session.host.carry_out(start("moon"))
    assert moon(session).match.setup.seed == seed
    assert session.host._front.screens.seed != seed


# Resuming ---------------------------------------------------------------------------------------------------


def test_an_unfinished_game_resumes_from_the_title(session: AppSession) -> None:
    assert not list(session.host._front.screens.unfinished)
    session.host.carry_out(replace(start("moon"), begins=FirstPlayer(1, "chosen")))
    play_a_little(session)
    before = moon(session).match.state
    assert before.tears == (0, 1)
    session.host.carry_out(Request.LEAVE_GAME)
    (saved,) = session.host._front.screens.unfinished
    assert (saved.game, saved.players) == ("moon", ("Ann", "Ben"))
    assert saved.options.collect_values()["edition"] is EditionName.BOMBYX_2017
    session.front.change(form=replace(session.screens.form, seat=SeatName.TABLE))
    session.host.carry_out(Ask(Request.RESUME_GAME, saved))
    match = moon(session).match
    assert match.state.tears == (0, 1)
    assert match.state.fixed_face == before.fixed_face
    assert match.table.seat == "table"
    assert match.table.palms_m == (0.08, 0.0955)
    assert match.table.hands == ("left", "either")


def test_a_resumed_game_keeps_its_own_players_palms(session: AppSession, tmp_path: Path) -> None:
    session.host.carry_out(start("moon"))
    play_a_little(session)
    session.host.carry_out(Request.LEAVE_GAME)
    camera, console = session.host._camera, Console(quiet=True)
    camera.options = replace(camera.options, players=("Zoe", "Yan", "Xu"))
    before = session.host
    session.host = LocalHost(camera, console, before._front, session.clock, before._drawing, session.sinks)
    (saved,) = session.host._front.screens.unfinished
    session.host.carry_out(Ask(Request.RESUME_GAME, saved))
    assert moon(session).match.setup.players == ("Ann", "Ben")
    assert moon(session).match.table.palms_m == (0.08, 0.0955)


def test_finished_and_empty_games_cannot_be_resumed(session: AppSession, tmp_path: Path) -> None:
    session.host.carry_out(start("moon"))
    session.host.carry_out(Request.LEAVE_GAME)
    assert list_unfinished(tmp_path) == ()
    request = start("moon")
    session.host.carry_out(replace(request, options=request.options.with_values(tears=1)))
    play_a_little(session)
    assert moon(session).match.state.over
    session.host.carry_out(Request.LEAVE_GAME)
    assert list_unfinished(tmp_path) == ()
    assert not list(session.host._front.screens.unfinished)
    (tmp_path / "torn.armoon").write_bytes(b"nothing")
    assert list_unfinished(tmp_path) == ()


def test_practice_is_not_saved_and_still_changes_seats(session: AppSession, tmp_path: Path) -> None:
    session.host.carry_out(Ask(Request.START_PRACTICE, ""))
    session.run_ticks(10)
    session.host.change_seat()
    assert moon(session).match.table.seat == "table"
    session.host.carry_out(Request.LEAVE_GAME)
    assert list(tmp_path.glob("*.armoon")) == []
