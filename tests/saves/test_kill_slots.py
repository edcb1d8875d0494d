"""Games with loose slots, which starting ladders leave easily: undoing, verdicts, logs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.kill_kit import SHIFT_M, shift
from support.kill_table import PlayedGame, save_tower, speed_up_games
from support.log_kit import lines_of, records_of

from armoon.engine.logbook import LogWriter
from armoon.games.library import verify_log
from armoon.games.moon.editions import Phase
from armoon.games.moon.events import StartingLadderRestored
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.pieces import Command, PieceStatus
from armoon.world import slots

pytestmark = pytest.mark.slow
#: Maximum number of camera frames until a ladder is knocked out.
MAX_FRAMES = 3000


@pytest.fixture(autouse=True)
def loose_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    speed_up_games(monkeypatch.setattr)
    monkeypatch.setattr(slots, "FRICTION_N_M", 0.0002)
    monkeypatch.setattr(slots, "MAX_HOLD_N_M", 0.0004)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayedGame]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    killed_game = PlayedGame(tmp_path, 4, host=False)
    yield killed_game
    killed_game.close()


def _any_out(game: PlayedGame) -> bool:
    starting = game.match.state.starting
    return any(p.piece in starting and p.status is PieceStatus.FREE for p in game.match.facts.pieces)


def _play_until_out(game: PlayedGame) -> None:
    for _ in range(MAX_FRAMES):
        game.frame()
        if _any_out(game):
            return
    raise AssertionError("no ladder left its slot")


def test_undoing_puts_a_loose_ladder_back_and_the_verdict_announces_it(game: PlayedGame) -> None:
    """X4 F2 M3"""
    _play_until_out(game)
    turn = game.match.state.turn if game.match.state.phase is not Phase.ROLL else game.match.state.turn - 1
    game.frame(Command(Act.UNDO, "host", 1))
    game.frame()
    assert game.match.state.turn == turn
    assert not _any_out(game)
    for piece, slot in zip(game.match.state.starting, game.match.base.slots, strict=True):
        facts = game.match.facts[piece]
        assert (facts.status, facts.pose) == (PieceStatus.FIXED, slot)
    _play_until_out(game)
    announced: list[StartingLadderRestored] = []
    messages: list[str] = []
    for _ in range(MAX_FRAMES):
        output = game.frame()
        announced += output.events_of(StartingLadderRestored)
        messages += game.table.game.list_sentences(output)
        if announced and game.match.state.phase is Phase.ROLL and game.match.at_rest and not _any_out(game):
            break
    assert announced
    assert text("notice.stood_back") in messages
    assert game.match.state.starting == game.match.setup.state.starting


def test_a_leaning_ladder_leans_again_after_undoing_and_resuming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X4: all ladders keep their poses."""
    monkeypatch.setattr(slots, "FRICTION_N_M", 0.0)
    monkeypatch.setattr(slots, "MAX_HOLD_N_M", 0.05)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = save_tower(tmp_path, 12, seed=3)
    with closing(PlayedGame(tmp_path, 3, resume=path, host=False)) as game:
        for _ in range(MAX_FRAMES):
            game.frame()
            if game.match.state.phase is Phase.ROLL and game.match.state.turn > game.match.setup.state.turn:
                break
        while game.match.state.phase is Phase.ROLL:
            game.frame()
        stood = {piece.piece: piece.pose for piece in game.match.facts.pieces}
        leaning = set(game.match.base.slots) - set(stood.values())
        assert leaning, "some starting ladders lean"
        game.frame(Command(Act.UNDO, "host", 1))
        game.frame()
    with closing(PlayedGame(tmp_path, 3, resume=path, host=False)) as resumed:
        resumed.frame()
    for match in (game, resumed):
        now = {piece.piece: piece.pose for piece in match.match.facts.pieces}
        for piece in (*match.match.state.starting, *match.match.state.placed):
            assert shift(stood[piece], now[piece]) < SHIFT_M


def test_the_log_of_a_loose_ladder_replays_bit_for_bit(game: PlayedGame, tmp_path: Path) -> None:
    outputs = [game.match.opening]
    while game.match.state.turn < 4:
        outputs.append(game.frame())
    outputs.append(game.match.finish())
    log = LogWriter(tmp_path / "loose.jsonl")
    for record in records_of(game.match, *outputs):
        log.write_record(record)
    log.close()
    assert any(line["kind"] == "starting_ladder_restored" for line in lines_of(tmp_path / "loose.jsonl"))
    verification = verify_log(tmp_path / "loose.jsonl")
    assert verification.same, verification.difference
