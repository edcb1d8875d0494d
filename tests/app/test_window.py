"""The real window on a virtual screen: it opens, shows the game, and keys and sizes work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.app_kit import lines_of
from support.waiting import PATIENCE_S, until
from support.window_kit import MISSING, REASON, SCREEN, Screen, so_far, start

pytestmark = [
    pytest.mark.slow,
    pytest.mark.gl,
    pytest.mark.tracker,
    pytest.mark.skipif(MISSING, reason=REASON),
]


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path)
    yield screen
    screen.close()


def test_the_demo_in_a_window_is_seen_and_obeys(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    arguments = ["play", "--now", "--camera", "demo", "--seed", "3", "--turns", "1", "--log", str(log)]
    program = start(screen, tmp_path, *arguments)
    try:
        until(lambda: bool(screen.fingers("search", "--name", "^armoon$")), "the window")
        window = screen.fingers("search", "--name", "^armoon$").splitlines()[0]
        until(lambda: screen.lit() >= (1000, 600), "a picture")
        until(lambda: screen.picture().std() > 30.0, "table and hand")

        screen.fingers("windowsize", "--sync", window, "800", "600")
        # 16:9 in 4:3: as wide as the window, with bars above and below.
        until(
            lambda: abs(screen.lit()[0] - 800) <= 3 and abs(screen.lit()[1] - 450) <= 3, "the smaller picture"
        )

        # There and not back: without a window manager nobody gives a window its old size again.
        screen.fingers("key", "F11")
        until(lambda: screen.lit() >= (SCREEN[0] - 3, SCREEN[1] - 3), "the full screen")
        screen.fingers("key", "p")
        until(
            lambda: any(r.get("commands") == [["pause", "pause.asked", 0]] for r in so_far(log)), "the pause"
        )
        screen.fingers("key", "Escape")
        said, complained = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 0, complained
    assert complained == ""
    assert "turns were played" in said
    assert lines_of(log)[-1]["kind"] == "end"
