"""Practice: the competitive game without penalties, with chosen faces and repeated turns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from support.app_kit import setup_for

from armoon import messages
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.moon import editions
from armoon.games.moon.editions import Die, EditionName, MoonRefusal, Options, Phase, Reason
from armoon.games.moon.kind import KIND
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.options import MoonOptions, read_house_options
from armoon.games.moon.play import MoonGame
from armoon.games.moon.rules import create_state, replay_moves
from armoon.games.moon.scene import compose_scene
from armoon.games.moon.turn import Draw, LetGo, Move, Roll, Settle, Take, find_outcome
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.pieces import Command

PRACTICE = Options(practice=True)


@pytest.fixture
def game() -> Iterator[MoonGame]:
    match = setup_for(players=("You",), options=PRACTICE, auto_roll_s=None).match()
    yield MoonGame(match)
    match.close()


def play_ticks(game: MoonGame, *commands: Command, ticks: int = 60) -> list[Output]:
    return [game.advance(Intake(k / 60.0, 1, None, commands if k == 0 else ())) for k in range(ticks)]


def make_roll(face: int) -> Command:
    return Command(Act.ROLL, "keys", face)


def list_place_moves(die: Die, ladder: str, touched: tuple[str, ...]) -> tuple[Move, ...]:
    return (Roll(die), Draw(ladder), Take(), LetGo(), Settle(touched, 0.1, "L01", 0.2))


@pytest.mark.parametrize("edition", EditionName)
def test_no_mistake_costs_a_tear_and_only_the_last_ladder_ends_practice(edition: EditionName) -> None:
    state = create_state(("You",), edition, options=Options(practice=True, supply_size=9))
    assert not state.is_team_game
    for ladder in state.supply:
        assert not state.over
        state = replay_moves(state, list_place_moves(Die.TWO, ladder, ("L01",)))
        verdict = state.verdict
        assert verdict is not None
        assert (verdict.reason, verdict.ok) == (Reason.TOO_FEW, False)
        assert (verdict.charged, verdict.tears, state.tears) == (0, 0, (0,))
        assert state.tears_left == editions.EDITIONS[edition].tears
    result = find_outcome(state)
    assert result is not None
    assert result.ending is editions.Ending.LAST_LADDER


@pytest.mark.parametrize(("number", "die"), [(1, Die.ONE), (2, Die.TWO), (3, Die.MOON)])
def test_the_die_shows_the_requested_face(game: MoonGame, number: int, die: Die) -> None:
    (command,) = game.handle_act((Act.ONE, Act.TWO, Act.THREE)[number - 1])
    assert command == make_roll(number)
    play_ticks(game, command)
    assert game.match.state.die is die


def test_a_mistake_is_reported_with_its_usual_price(game: MoonGame) -> None:
    play_ticks(game, make_roll(2))
    outputs = play_ticks(game, Command(Act.GIVE_UP), ticks=5)
    sentences = [sentence for output in outputs for sentence in game.list_sentences(output)]
    assert sentences == ["  It would have cost a tear: the ladder was given up"]
    scene = compose_scene(game.match, 1.0, None)
    assert scene.hud.tears_left == 0  # no tears on the moon
    assert scene.lid_height_m == 0.0  # no scoring line
    assert game.match.state.tears == (0,)


def test_the_last_ladder_can_be_placed_again_under_the_same_die(game: MoonGame) -> None:
    play_ticks(game, make_roll(3))
    ladder = game.match.state.ladder
    play_ticks(game, Command(Act.GIVE_UP))
    assert game.match.state.phase is Phase.ROLL
    (command,) = game.handle_act(Act.PLACE_AGAIN)
    play_ticks(game, command, ticks=90)
    state = game.match.state
    assert (state.phase, state.die, state.ladder, state.turn) == (Phase.DRAW, Die.MOON, ladder, 1)


def test_a_competitive_game_ignores_the_acts_of_practice() -> None:
    match: MoonMatch = setup_for(auto_roll_s=None).match()
    with closing(match):
        game = MoonGame(match)
        assert game.handle_act(Act.ONE) == game.handle_act(Act.PLACE_AGAIN) == ()
        outputs = play_ticks(game, Command(Act.PLACE_AGAIN), ticks=2)
        sentences = [sentence for output in outputs for sentence in game.list_sentences(output)]
        assert sentences == [messages.text(f"refusal.{MoonRefusal.OPTION_OFF.value}")]


def test_practice_uses_the_partys_edition_and_its_option_is_logged() -> None:
    own = MoonOptions(EditionName.KOSMOS_2022)
    practised = KIND.build_practice_options(PlayOptions(game_options=own)).game_options
    assert isinstance(practised, MoonOptions)
    assert practised.edition is EditionName.KOSMOS_2022
    assert practised.house.practice
    assert read_house_options({"practice": True}).practice
    assert not read_house_options({}).practice
