"""How the README's film is cut: what is shown of a log, and that a GIF comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
from benchmarks.show_parts.film import Cut, cuts_of, merged, write_gif


def verdict(second: int, *, ok: bool = True, fallen: int = 0) -> dict[str, Any]:
    return {"kind": "verdict", "tick": 60 * second, "ok": ok, "fallen": ["L"] * fallen}


def test_what_overlaps_is_shown_once_and_in_order() -> None:
    assert merged([Cut(5.0, 8.0, 1.0), Cut(1.0, 6.0, 2.0), Cut(2.0, 3.0, 1.0)]) == [
        Cut(1.0, 6.0, 2.0),
        Cut(6.0, 8.0, 1.0),
    ]


def test_placings_are_shown_briefly_and_the_collapse_ends_the_film_at_its_own_pace() -> None:
    cuts = cuts_of([verdict(10), verdict(20, ok=False), verdict(30, ok=False, fallen=5), verdict(40)])
    assert len(cuts) == 2
    assert cuts[0].start_s < 10.0 < cuts[0].end_s
    assert cuts[0].pace > 1.0
    assert cuts[1].start_s < 30.0 < cuts[1].end_s
    assert cuts[1].pace == 1.0


def test_the_turning_table_and_the_waiting_ladder_are_shown_whole() -> None:
    turning = [{"kind": "turn", "tick": 60 * second, "turned_rad": 0.1} for second in (14, 15, 16)]
    hanging = [{"kind": "air", "tick": 60 * second, "hangs": "let_go"} for second in (20, 22)]
    cuts = cuts_of([*turning, *hanging, verdict(30, ok=False, fallen=3)])
    for second in (14, 15, 16, 20, 21, 22, 30):
        assert any(cut.start_s < second < cut.end_s for cut in cuts)


def test_a_game_without_verdicts_has_no_film() -> None:
    assert cuts_of([{"kind": "turn", "tick": 60, "turned_rad": 0.1}]) == []


def test_a_gif_has_all_pictures(tmp_path: Path) -> None:
    shown = [np.full((40, 64, 3), 20 + 40 * k, np.uint8) for k in range(6)]
    write_gif(tmp_path / "film.gif", iter(shown))
    with av.open(str(tmp_path / "film.gif")) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(frames) == len(shown)
    assert [int(frame.mean()) // 40 for frame in frames] == list(range(6))
