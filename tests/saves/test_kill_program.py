"""The program resumes a turn in which it was killed, and its child processes end with it."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from support.kill_kit import SHIFT_M, shift
from support.kill_table import save_tower, score_of
from support.real_program import FILM_OPTIONS, Program, ProgramStarter, await_end, list_children
from support.waiting import PATIENCE_S

from armoon.engine.logbook import LogReader
from armoon.games.moon.saving import load_state, load_verdicts, resume_setup
from armoon.saves.game_file import GameFile

#: Cases: size of the recorded tower, number of its standing ladders, number of kills, and maximum processor time from
#: the roll to a kill, seconds. If the turn ends before the kill, the test restores the file and halves that time. With
#: few ladders the last program is terminated, otherwise it plays to the end of the turn.
FEW, TOWER = (12, 2, 1, 2.0), (28, 26, 3, 6.0)


def wait_until_rolled(program: Program, path: Path, before: bytes) -> None:
    program.until(
        lambda: (
            path.read_bytes() != before and score_of(load_state(GameFile.read_saved(path)))["phase"] == "draw"
        )
    )


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize(
    ("size", "placed", "kill_count", "longest_s"),
    [pytest.param(*FEW, id="few"), pytest.param(*TOWER, id="tower", marks=pytest.mark.long)],
)
def test_the_program_resumes_a_turn_in_which_it_was_killed(
    size: int, placed: int, kill_count: int, longest_s: float, tmp_path: Path, start_program: ProgramStarter
) -> None:
    """X4 E1: score, structure, die and ladder are the same after every kill."""
    rng = random.Random(5)
    path = save_tower(tmp_path, size, seed=5, placed=placed)
    first = point = resume_setup(GameFile.read_saved(path))
    turn = first.state.turn
    resume = ("--resume", str(path), "--turns", str(turn), *FILM_OPTIONS, "--rate", "15")
    kills = 0
    while kills < kill_count:
        content = path.read_bytes()
        program = start_program(*resume)
        wait_until_rolled(program, path, content)
        program.wait_running(rng.uniform(0.0, longest_s))
        children = list_children(program.process.pid)
        assert children
        program.process.kill()
        _, errors = program.process.communicate(timeout=PATIENCE_S)
        assert "Traceback" not in errors
        await_end(children)
        assert program.film_frames() > 0
        assert LogReader(max(program.logs)).header["game"] == "moon"
        now = load_state(GameFile.read_saved(path))
        if now.turn > turn:
            path.write_bytes(content)
            longest_s /= 2.0
            continue
        kills += 1
        assert now.turn == turn
        assert (now.die, now.ladder) == (first.state.fixed_face, first.state.supply[0])
        before, point = point, resume_setup(GameFile.read_saved(path))
        assert score_of(point.state) == score_of(first.state)
        stood = dict(before.structure)
        assert all(shift(stood[piece], pose) < SHIFT_M for piece, pose in point.structure)
    content = path.read_bytes()
    last = start_program(*resume)
    if placed < TOWER[1]:
        wait_until_rolled(last, path, content)
        last.terminate()
        saved = GameFile.read_saved(path)
        now = load_state(saved)
        assert (now.turn, now.die, now.ladder) == (turn, first.state.fixed_face, first.state.supply[0])
        assert (saved.closed, saved.damage) == (True, "")
        return
    output = last.process.communicate(timeout=2.0 * PATIENCE_S)
    assert last.process.returncode == 0, output
    saved = GameFile.read_saved(path)
    state, verdict = list(load_verdicts(saved))[-1]
    assert verdict.turn == turn
    assert (verdict.die, verdict.ladder) == (first.state.fixed_face, first.state.supply[0])
    assert state.turn == turn + 1
    assert saved.closed
    assert not saved.damage
