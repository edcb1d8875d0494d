"""How the README's film is cut: what is shown of a log, and that a film comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from benchmarks.show_parts.film import FILM_S, RATE_HZ, Cut, cuts_of, merged, write_film
from benchmarks.show_parts.story import worst


def verdict(
    second: int, *, ok: bool = True, fallen: int = 0, height_m: float | None = None
) -> dict[str, Any]:
    return {
        "kind": "verdict",
        "tick": 60 * second,
        "turn": second // 10,
        "ok": ok,
        "fallen": [["L", "table"]] * fallen,
        "height_m": height_m,
    }


def turn(second: int, **judged: Any) -> list[dict[str, Any]]:
    """A turn of ten seconds that is judged at this one."""
    moves = (("roll", 9), ("take", 7), ("let_go", 2))
    made = [{"kind": "move", "move": move, "tick": 60 * (second - before)} for move, before in moves]
    return [*made, verdict(second, **judged)]


def test_what_overlaps_is_shown_once_and_in_order() -> None:
    assert merged([Cut(5.0, 8.0), Cut(1.0, 6.0, 2.0), Cut(2.0, 3.0)]) == [Cut(1.0, 6.0, 2.0), Cut(6.0, 8.0)]


def test_the_film_shows_a_turn_that_went_well_from_its_roll_on_and_then_the_worst_fall() -> None:
    records = [
        *turn(20, height_m=0.20),
        *turn(40, height_m=0.25),
        *turn(60, height_m=0.22),
        *turn(80, ok=False, fallen=1),
        *turn(100, ok=False, fallen=1),
        *(verdict(100 + late, fallen=1) for late in (1, 2)),  # one after the other
        *turn(120, height_m=0.30),
    ]
    cuts = cuts_of(records)
    for second in (31.0, 33.0, 38.0, 40.0, 100.0, 102.0):  # roll, pinch, let go, verdict; fall, tear
        assert any(cut.start_s < second < cut.end_s for cut in cuts), second
    for second in (20, 60, 80, 120):
        assert not any(cut.start_s < second < cut.end_s for cut in cuts), second
    assert cuts[-1].start_s == 120.0  # the winner's feast
    assert len(cuts[-1].times) > 1.5 * RATE_HZ
    assert sum(len(cut.times) for cut in cuts) == pytest.approx(FILM_S * RATE_HZ, abs=1.0)


def test_a_game_in_which_nothing_falls_has_no_film() -> None:
    assert cuts_of(turn(20, height_m=0.2)) == []
    assert cuts_of([{"kind": "turn", "tick": 60, "turned_rad": 0.1}]) == []


def test_a_story_needs_an_end_as_well_as_a_fall() -> None:
    played = [*turn(20, ok=False, fallen=3), *turn(40, ok=False, fallen=2)]
    assert worst(played) == 0
    assert worst([*played, {"kind": "event", "event": "GameOver", "tick": 2400}]) == 3


def test_a_film_has_all_pictures_and_loops(tmp_path: Path) -> None:
    shown = [np.full((40, 64, 3), 20 + 40 * k, np.uint8) for k in range(6)]
    write_film(tmp_path / "film.webp", shown)
    read, film = cv2.imreadanimation(str(tmp_path / "film.webp"))
    assert read
    assert film.loop_count == 0
    assert [int(frame[..., :3].mean()) // 40 for frame in film.frames] == list(range(6))
