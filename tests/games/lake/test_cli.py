"""The headless game of bots: what it prints, that it is the same every time, and what it loads."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from support.waiting import PATIENCE_S

from armoon import messages
from armoon.games.lake.alone import bot_names, play_bots
from armoon.games.lake.rules.game import points
from armoon.games.lake.rules.values import IllegalSetup, Strength

WEAK, MIDDLE, STRONG = Strength


def test_a_whole_game_is_played_and_its_score_told() -> None:
    """L2 L7 L8: the last lines are the score, the ending and the winner."""
    said: list[str] = []
    state = play_bots((WEAK, WEAK), 3, say=said.append)
    assert state.over
    assert said[0].startswith("Weak 1 chooses ")
    scores = [re.match(r"(Weak \d): (\d+) point", line) for line in said[-4:-2]]
    assert [match and int(match[2]) for match in scores] == list(points(state))
    assert (
        said[-1]
        == f"Weak {1 + points(state).index(max(points(state)))} wins with {max(points(state))} points"
    )
    assert sum(" carries " in line for line in said) == state.turn - 1


def test_the_same_seed_is_the_same_game() -> None:
    games: list[list[str]] = [[], [], []]
    for said, seed in zip(games, (3, 3, 4), strict=True):
        play_bots((WEAK, MIDDLE), seed, say=said.append)
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("count", [3, 4])
def test_more_players_in_french(count: int) -> None:
    messages.set_language("fr")
    said: list[str] = []
    play_bots((WEAK,) * count, 5, say=said.append)
    assert said[0].startswith("Faible 1 choisit ")
    assert any(" garde " in line for line in said)


def test_names() -> None:
    assert bot_names((WEAK, STRONG)) == ("Weak 1", "Strong 2")
    said: list[str] = []
    play_bots((WEAK, WEAK), 3, names=("Ana", "Ben"), say=said.append)
    assert said[0].startswith("Ana chooses")
    with pytest.raises(IllegalSetup):
        play_bots((WEAK, WEAK), 3, names=("Ana",))


def test_no_camera_no_physics_and_no_window_are_loaded() -> None:
    code = (
        "import json, sys; from armoon.games.lake.alone import *;"
        "play_bots((Strength.WEAK, Strength.WEAK), 3, say=len);"
        "print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S)
    loaded = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert not loaded & {"numpy", "cv2", "mediapipe", "pybullet", "pyglet", "av", "typer"}
