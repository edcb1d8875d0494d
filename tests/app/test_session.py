"""A whole session in the real window on a virtual screen: title, a game at several window sizes, and its result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from support.log_kit import lines_of
from support.waiting import PATIENCE_S, until
from support.window_kit import MISSING, REASON, SCREEN, Screen, await_window, start_program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.gl,
    pytest.mark.tracker,
    pytest.mark.skipif(MISSING, reason=REASON),
]
#: Minimum mean difference of two pages, in grey levels.
ANOTHER_PAGE = 2.5
#: Colour near the upper edge of a page's main button, and maximum difference from it, in grey levels.
GOLDEN, NEARLY = (249.0, 236.0, 126.0), 25.0
#: Minimum number of pixels that change when a button is highlighted, and their minimum change in grey levels. An
#: idle page doesn't change.
LIT_PX, LIT_LEVELS = 1000, 40


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    screen = Screen(tmp_path)
    yield screen
    screen.close()


class Pages:
    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def press(self, key: str, name: str) -> None:
        before = self.screen.picture().astype(np.int16)

        def changed() -> bool:
            return float(np.abs(self.screen.picture() - before).mean()) > ANOTHER_PAGE

        self.screen.xdotool("key", key)
        until(changed, f"the page {name}")

    def light(self, key: str, name: str) -> None:
        before = self._still().astype(np.int16)

        def lit() -> bool:
            differ = np.abs(self.screen.picture() - before)
            assert float(differ.mean()) < ANOTHER_PAGE, f"another page instead of {name}"
            return int((differ.max(axis=2) > LIT_LEVELS).sum()) > LIT_PX

        self.screen.xdotool("key", key)
        until(lit, name)

    def _still(self) -> npt.NDArray[np.uint8]:
        pictures = [self.screen.picture()]

        def same() -> bool:
            pictures.append(self.screen.picture())
            return bool((pictures[-1] == pictures[-2]).all())

        until(same, "a page that has faded in")
        return pictures[-1]


def test_a_whole_game_runs_from_title_to_result(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    arguments = ["--camera", "demo", "--seed", "3", "--tears", "1", "--players", "Ann,Ben"]
    program = start_program(screen, tmp_path, "play", *arguments, "--log", str(log))
    pages = Pages(screen)

    def top_edge() -> int:
        return int(np.argmax(screen.picture()[:, 350:450].max(axis=(1, 2)) > 24))

    try:
        await_window(screen, program)
        window = screen.xdotool("search", "--name", "^armoon$").splitlines()[0]
        until(lambda: screen.picture()[:90, :900].std(axis=(0, 1)).max() > 3.0, "the title page")
        pages.light("Right", "title with play in focus")
        pages.light("Left", "title with settings in focus")
        pages.light("Right", "title with play in focus again")
        pages.press("Return", "preparing")

        until(lambda: bool(list(tmp_path.glob("evening-*.jsonl"))), "the game's log")
        (played,) = tmp_path.glob("evening-*.jsonl")
        until(
            lambda: any(r["kind"] == "move" and r["move"]["move"] == "draw" for r in lines_of(played)),
            "the roll",
        )
        assert screen.picture().std() > 30.0, "the table and a hand aren't drawn"
        screen.xdotool("windowsize", "--sync", window, "800", "600")
        # 16:9 in 4:3: full window width, with bars of 75 pixels above and below.
        until(lambda: abs(screen.lit_size()[0] - 800) <= 3 and top_edge() == pytest.approx(75, abs=3), "bars")
        # One way only: without a window manager nothing restores a window's old size.
        screen.xdotool("key", "F11")
        until(lambda: screen.lit_size() >= (SCREEN[0] - 3, SCREEN[1] - 3), "the full screen")
        pages.press("Escape", "pause")
        pages.press("Return", "table again")
        pages.press("g", "the question about giving up")
        screen.xdotool("key", "Right")
        screen.xdotool("key", "Return")
        until(lambda: any(r["kind"] == "verdict" for r in lines_of(played)), "the verdict")
        # Only the result has a golden button, at its lower right.
        x, y = (round(side * share) for side, share in zip(SCREEN, (0.74, 0.87), strict=True))
        until(lambda: float(np.abs(screen.picture()[y, x] - GOLDEN).max()) < NEARLY, "the result")
        pages.press("Escape", "title again")
        pages.press("Escape", "the question about quitting")
        screen.xdotool("key", "Right")
        screen.xdotool("key", "Return")
        output, errors = program.communicate(timeout=PATIENCE_S)
    finally:
        program.kill()
    assert program.returncode == 0, errors
    assert errors == ""
    assert "Ann begins." in output
    assert "the ladder was given up" in output
    records = lines_of(played)
    assert [r["outcome"]["ending"] for r in records if r["kind"] == "game_ended"] == ["last_tear"]
    assert len(list(tmp_path.rglob("*.armoon"))) == 1
