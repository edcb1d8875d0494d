"""Bots in the final, as a team, and in a team with a person; hurried bots, undone turns and timeouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.waiting import CountedClock
from support.waiting import until as wait_until

from armoon.clock import TICK_S
from armoon.engine.events import Output
from armoon.engine.setup import Intake
from armoon.games.library import FRAME_TICKS
from armoon.games.moon.bots import TEAM_PAUSE_TICKS, MoonBots
from armoon.games.moon.editions import EditionName, Ending, Mode, Options, Phase, Reason, Verdict
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.play import PAUSE_TICKS, MoonGame, create_bot_match
from armoon.games.moon.turn import find_outcome
from armoon.values.acts import Act
from armoon.values.pieces import Command

#: A bot that gives up its ladder when it receives the inserted word, and records the received lines.
BOT = """
import sys
received = open(sys.argv[0] + ".received", "a", buffering=1)
for line in sys.stdin:
    received.write(line)
    if line.startswith("ready"): print("hello Meek", flush=True)
    if line.startswith("{word}"): print("pass", flush=True)
"""
MAX_FRAMES = 6000

Start = Callable[..., tuple[MoonGame, MoonBots]]
WriteBot = Callable[..., str]


@pytest.fixture
def write_bot(tmp_path: Path) -> WriteBot:
    def write(name: str, word: str = "go") -> str:
        path = tmp_path / f"{name}.py"
        path.write_text(BOT.replace("{word}", word), encoding="utf-8")
        return str(path)

    return write


def read_received(path: str) -> str:
    record = Path(f"{path}.received")
    return record.read_text() if record.exists() else ""


@pytest.fixture
def start() -> Iterator[Start]:
    games: list[MoonGame] = []

    def make_game(
        *bots: str | None,
        house: Options,
        edition: EditionName = EditionName.KOSMOS_2022,
        real_time: bool = False,
        pause_ticks: int | None = PAUSE_TICKS,
    ) -> tuple[MoonGame, MoonBots]:
        options = MoonOptions(edition=edition, house=house, bots=bots)
        match = create_bot_match(options, ("Ann", "Ben", "Cleo")[: len(bots)], 3)
        players = MoonBots(match, real_time=real_time, pause_ticks=pause_ticks, patience=1.0)
        games.append(MoonGame(match, players))
        return games[-1], players

    yield make_game
    for game in games:
        game.close()


def play_frame(game: MoonGame, *commands: Command) -> Output:
    match = game.match
    return game.advance(Intake((match.tick + FRAME_TICKS) * TICK_S, FRAME_TICKS, None, commands))


def play_until(game: MoonGame, is_done: Callable[[], bool]) -> list[Output]:
    outputs: list[Output] = []
    for _ in range(MAX_FRAMES):
        if is_done():
            return outputs
        outputs.append(play_frame(game))
    raise AssertionError("the condition never held")


def test_bots_play_the_final(start: Start, write_bot: WriteBot) -> None:
    first, second = write_bot("first"), write_bot("second")
    game, bots = start(first, second, house=Options(tears=2, two_player_limit=9))
    play_until(game, lambda: game.match.over)
    state = game.match.state
    assert (state.is_final, state.ending, state.tears) == (True, Ending.LAST_STANDING, (1, 1))
    assert len(bots.faults) == 0
    dice = [line.split()[1] for line in read_received(first).splitlines() if line.startswith("die")]
    assert dice[-1] == "MOON"
    ended = find_outcome(game.match.state)
    assert ended is not None
    assert ended.winners == (1,), "the first player made the first mistake"


def test_a_team_of_bots_scores_with_its_last_tear(start: Start, write_bot: WriteBot) -> None:
    house = Options(mode=Mode.COOPERATIVE, tears=3, line_m=0.08)
    game, _ = start(write_bot("a"), write_bot("b"), house=house)
    outputs = play_until(game, lambda: game.match.over)
    reasons = [verdict.reason for output in outputs for verdict in output.events_of(Verdict)]
    assert reasons == [Reason.GAVE_UP, Reason.GAVE_UP, Reason.SCORED]
    assert game.match.state.ending is Ending.LAST_TEAR


def test_a_bot_leaves_its_team_mate_time_to_score(start: Start, write_bot: WriteBot) -> None:
    game, _ = start(write_bot("mate"), None, house=Options(mode=Mode.COOPERATIVE, tears=2), pause_ticks=None)
    match = game.match
    play_until(game, lambda: match.state.phase is not Phase.ROLL)
    assert match.tick >= TEAM_PAUSE_TICKS
    play_until(game, lambda: match.state.player == 1)
    assert (match.state.tears_left, match.state.scorings) == (1, ())
    play_frame(game, Command(Act.ROLL))
    play_until(game, lambda: match.state.phase is Phase.DRAW and match.state.ladder is not None)
    assert match.bot is None, "it is the person's turn"


def wait_for_search(game: MoonGame, bots: MoonBots) -> None:
    wait_until(lambda: bots.is_thinking, meanwhile=lambda: play_frame(game))


def test_the_roll_key_ends_a_search(start: Start, write_bot: WriteBot) -> None:
    path = write_bot("slow", "stop")
    game, bots = start(path, None, house=Options(), real_time=True)
    wait_for_search(game, bots)
    assert game.is_awaiting_roll, "a click works too"
    play_frame(game, Command(Act.ROLL))
    wait_until(lambda: game.match.state.player == 1, meanwhile=lambda: play_frame(game))
    assert len(bots.faults) == 0


def test_an_answer_for_an_undone_turn_is_ignored(start: Start, write_bot: WriteBot) -> None:
    path = write_bot("late", "forget")
    game, bots = start(None, path, house=Options(), real_time=True)
    match = game.match
    play_frame(game, Command(Act.ROLL))
    play_until(game, lambda: match.state.phase is Phase.DRAW and match.state.ladder is not None)
    play_frame(game, Command(Act.GIVE_UP))
    wait_for_search(game, bots)
    play_frame(game, Command(Act.UNDO, value=1))
    play_until(game, lambda: (match.state.player, match.state.phase) == (0, Phase.ROLL))
    assert match.state.turn == 1, "both turns are undone"
    wait_until(lambda: "forget" in read_received(path), meanwhile=lambda: play_frame(game))
    for _ in range(60):
        play_frame(game)
    assert (match.state.turn, match.state.player, match.state.tears, bots.faults) == (1, 0, (0, 0), [])


PLANS = """
import sys, time
for line in sys.stdin:
    if line.startswith("ready"): print("hello Dreamer", flush=True)
    if line.startswith("go"): print("plan 0 0 0.3 0 0 0 1", flush=True)
"""


def test_a_timeout_plays_the_last_plan(tmp_path: Path) -> None:
    path = tmp_path / "dreamer.py"
    path.write_text(PLANS, encoding="utf-8")
    match = create_bot_match(MoonOptions(bots=(str(path), None)), ("Ann", "Ben"), 3)
    clock = CountedClock(lambda: bots._plan is not None)
    bots = MoonBots(match, real_time=False, clock=clock, pause_ticks=PAUSE_TICKS, patience=1.0)
    with closing(MoonGame(match, bots)) as game:
        play_until(game, lambda: match.facts.held is not None)
        assert len(bots.faults) == 0
