"""What films and clips of a logged game cost, stage by stage, and what a live stream costs and how late it is.

Films and clips are drawn in real time on two cores where a picture takes less than 1000 / 30 * 2 = 67 ms of the
processor.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table as Shown

from armoon.app.films.filming import FILM_HZ, Drawn, Logged, clips_of, film_log
from armoon.party.recorder import Recorder
from armoon.values.scene import Scene
from benchmarks.party import bots_log
from benchmarks.party_parts.streaming import measure_stream

SIZE, TIER = (1280, 720), "lite"
#: What two cores have for a picture.
TWO_CORES_MS = 2.0 * 1000.0 / FILM_HZ
CLIPS = 2


def run(json_path: Path | None, log: Path | None = None) -> int:
    """Measure, print, and write the figures."""
    with tempfile.TemporaryDirectory(prefix="armoon-films-") as name:
        folder = Path(name)
        log = log or bots_log(folder)
        figures: dict[str, float | None] = {"two_cores_ms": TWO_CORES_MS}
        figures |= _film(log, folder) | _clips(log, folder)
        figures |= measure_stream(log, SIZE, TIER)
    shown = Shown("figure", "value")
    for key, value in figures.items():
        shown.add_row(key, "–" if value is None else f"{value:.2f}")
    Console().print(shown)
    if json_path is not None:
        json_path.write_text(json.dumps(figures, indent=1))
    return 0


@contextmanager
def _staged() -> Iterator[dict[str, float]]:
    """Seconds of the processor by stage, and how many pictures."""
    spent: dict[str, float] = defaultdict(float)
    picture, write, advance = Drawn.picture, Recorder.write, Logged._steps

    def drawn(self: Drawn, scene: Scene) -> Any:
        began_s = time.process_time()
        made = picture(self, scene)
        spent["draw"] += time.process_time() - began_s
        spent["pictures"] += 1
        return made

    def written(self: Recorder, bgr: npt.NDArray[np.uint8], time_s: float) -> None:
        began_s = time.process_time()
        write(self, bgr, time_s)
        spent["encode"] += time.process_time() - began_s

    def stepped(self: Logged) -> Iterator[Any]:
        began_s = time.process_time()
        for step in advance(self):
            spent["replay"] += time.process_time() - began_s
            yield step
            began_s = time.process_time()

    began_s = time.process_time()
    with (
        mock.patch.object(Drawn, "picture", drawn),
        mock.patch.object(Recorder, "write", written),
        mock.patch.object(Logged, "_steps", stepped),
    ):
        yield spent
    spent["all"] = time.process_time() - began_s


def _told(kind: str, spent: dict[str, float]) -> dict[str, float | None]:
    pictures = max(1.0, spent.pop("pictures", 0.0))
    told: dict[str, float | None] = {f"{kind}_pictures": pictures}
    for stage in ("replay", "draw", "encode", "all"):
        name = f"{kind}_ms" if stage == "all" else f"{kind}_{stage}_ms"
        told[name] = 1000.0 * spent.get(stage, 0.0) / pictures
    return told


def _film(log: Path, folder: Path) -> dict[str, float | None]:
    with _staged() as spent:
        film_log(log, folder / "whole-game.mp4", SIZE, TIER, 1.0)
    return _told("film", spent)


def _clips(log: Path, folder: Path) -> dict[str, float | None]:
    with _staged() as spent:
        clips_of(log, folder, (SIZE,), TIER, lambda sentence: None, CLIPS)
    return _told("clip", spent)
