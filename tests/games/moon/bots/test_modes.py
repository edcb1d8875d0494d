"""Bots in every mode: against each other, as a team, beside a hand, in the final, with a real die; hurried, undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from armoon.games.moon.play import PAUSE_TICKS, MoonGame, bot_match
from armoon.games.moon.rules import outcome
from armoon.values.acts import Act
from armoon.values.pieces import Command

#: It gives every ladder up at the word that is put in, and writes down what it is told.
BOT = """
import sys
told = open(sys.argv[0] + ".told", "a", buffering=1)
for line in sys.stdin:
    told.write(line)
    if line.startswith("ready"): print("hello Meek", flush=True)
    if line.startswith("{word}"): print("pass", flush=True)
"""
MAX_FRAMES = 6000

Sit = Callable[..., tuple[MoonGame, MoonBots]]


@pytest.fixture
def bot(tmp_path: Path) -> Callable[..., str]:
    def made(name: str, word: str = "go") -> str:
        path = tmp_path / f"{name}.py"
        path.write_text(BOT.replace("{word}", word), encoding="utf-8")
        return str(path)

    return made


def told(path: str) -> str:
    heard = Path(f"{path}.told")
    return heard.read_text() if heard.exists() else ""


@pytest.fixture
def sit() -> Iterator[Sit]:
    games: list[MoonGame] = []

    def begun(
        *bots: str | None,
        house: Options,
        edition: EditionName = EditionName.KOSMOS_2022,
        on_time: bool = False,
        pause_ticks: int | None = PAUSE_TICKS,
    ) -> tuple[MoonGame, MoonBots]:
        options = MoonOptions(edition=edition, house=house, bots=bots)
        match = bot_match(options, ("Ann", "Ben", "Cleo")[: len(bots)], 3)
        players = MoonBots(match, on_time=on_time, pause_ticks=pause_ticks, patience=1.0)
        games.append(MoonGame(match, players))
        return games[-1], players

    yield begun
    for game in games:
        game.close()


def frame(game: MoonGame, *commands: Command) -> Output:
    match = game.match
    return game.advance(Intake((match.tick + FRAME_TICKS) * TICK_S, FRAME_TICKS, None, commands))


def until(game: MoonGame, done: Callable[[], bool]) -> list[Output]:
    out: list[Output] = []
    for _ in range(MAX_FRAMES):
        if done():
            return out
        out.append(frame(game))
    raise AssertionError("it never comes to that")


def test_they_play_the_final(sit: Sit, bot: Callable[..., str]) -> None:
    first, second = bot("first"), bot("second")
    game, bots = sit(first, second, house=Options(tears=2, two_player_limit=9))
    until(game, lambda: game.match.over)
    state = game.match.state
    assert (state.final, state.ending, state.tears) == (True, Ending.LAST_STANDING, (1, 1))
    assert len(bots.faults) == 0
    dice = [line.split()[1] for line in told(first).splitlines() if line.startswith("die")]
    assert dice[-1] == "MOON"
    ended = outcome(game.match.state)
    assert ended is not None
    assert ended.winners == (1,), "who began made the first mistake"


def test_a_team_of_bots_scores_with_its_last_tear(sit: Sit, bot: Callable[..., str]) -> None:
    game, _ = sit(bot("a"), bot("b"), house=Options(mode=Mode.COOPERATIVE, tears=3, line_m=0.08))
    out = until(game, lambda: game.match.over)
    reasons = [verdict.reason for one in out for verdict in one.events_of(Verdict)]
    assert reasons == [Reason.GAVE_UP, Reason.GAVE_UP, Reason.SCORED]
    assert game.match.state.ending is Ending.LAST_TEAR


def test_a_team_mate_leaves_scoring_to_the_hand_and_time_for_it(sit: Sit, bot: Callable[..., str]) -> None:
    game, _ = sit(bot("mate"), None, house=Options(mode=Mode.COOPERATIVE, tears=2), pause_ticks=None)
    match = game.match
    until(game, lambda: match.state.phase is not Phase.ROLL)
    assert match.tick >= TEAM_PAUSE_TICKS
    until(game, lambda: match.state.player == 1)
    assert (match.state.tears_left, match.state.scorings) == (1, ())
    frame(game, Command(Act.ROLL))
    until(game, lambda: match.state.phase is Phase.DRAW and match.state.ladder is not None)
    assert match.bot is None, "it is the hand's turn"


def thinking(game: MoonGame, bots: MoonBots) -> None:
    wait_until(lambda: bots.is_thinking, meanwhile=lambda: frame(game))


def test_a_thought_is_cut_short_by_the_key_that_rolls(sit: Sit, bot: Callable[..., str]) -> None:
    path = bot("slow", "stop")
    game, bots = sit(path, None, house=Options(), on_time=True)
    thinking(game, bots)
    assert game.is_awaiting_roll, "a click does it, too"
    frame(game, Command(Act.ROLL))
    wait_until(lambda: game.match.state.player == 1, meanwhile=lambda: frame(game))
    assert len(bots.faults) == 0


def test_nobody_waits_for_the_answer_of_a_turn_that_was_put_back(sit: Sit, bot: Callable[..., str]) -> None:
    path = bot("late", "forget")
    game, bots = sit(None, path, house=Options(), on_time=True)
    match = game.match
    frame(game, Command(Act.ROLL))
    until(game, lambda: match.state.phase is Phase.DRAW and match.state.ladder is not None)
    frame(game, Command(Act.GIVE_UP))
    thinking(game, bots)
    frame(game, Command(Act.UNDO, value=1))
    until(game, lambda: (match.state.player, match.state.phase) == (0, Phase.ROLL))
    assert match.state.turn == 1, "both turns are taken back"
    wait_until(lambda: "forget" in told(path), meanwhile=lambda: frame(game))
    for _ in range(60):
        frame(game)
    assert "forget" in told(path)
    assert (match.state.turn, match.state.player, match.state.tears, bots.faults) == (1, 0, (0, 0), [])


PLANS = """
import sys, time
for line in sys.stdin:
    if line.startswith("ready"): print("hello Dreamer", flush=True)
    if line.startswith("go"): print("plan 0 0 0.3 0 0 0 1", flush=True)
"""


def test_when_its_time_is_over_its_last_plan_is_played(tmp_path: Path) -> None:
    path = tmp_path / "dreamer.py"
    path.write_text(PLANS, encoding="utf-8")
    match = bot_match(MoonOptions(bots=(str(path), None)), ("Ann", "Ben"), 3)
    clock = CountedClock(lambda: bots._plan is not None)
    bots = MoonBots(match, on_time=False, clock=clock, pause_ticks=PAUSE_TICKS, patience=1.0)
    game = MoonGame(match, bots)
    try:
        until(game, lambda: match.facts.held is not None)
        assert len(bots.faults) == 0
        assert len(bots.think_s) == 1
    finally:
        game.close()
