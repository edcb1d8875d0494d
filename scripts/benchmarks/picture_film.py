"""Whether a picture now and then takes far longer than the others: every frame of a whole game's film, timed alone."""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from armoon.app.pictures import NEAREST, make_renderer
from armoon.app.sources.frames import NoCamera
from armoon.engine.logbook import LogReader
from armoon.games.contract.capabilities import viewed_of
from armoon.games.contract.kind import kind_of
from armoon.games.contract.replay import intakes, logged_match
from armoon.values.choices import FramingName
from armoon.values.scene import Scene
from benchmarks.show_parts.played import play_demo

#: Ticks per picture: the camera's 30 a second.
EVERY_TICKS = 2
#: Factor over the median by which a frame stands out.
STANDS_OUT = 2.0
#: Number of turns that the demo plays for it.
TURNS = 8


@dataclass(frozen=True)
class FilmFigures:
    """The figures of a film."""

    frames: int
    cuts: int
    """Frames that begin a game or another view of it, which are left out."""
    median_ms: float
    """Processor time, as all of these: on a busy machine wall time is longer."""
    worst_ms: float
    standing_out: int
    """Frames above STANDS_OUT times the median."""
    first_beyond_ms: float
    """What the game's very first picture takes more than the median."""


def measure_film(
    log: Path | None = None, width: int = 640, height: int = 360, tier: str = "lite", game: str = "moon"
) -> FilmFigures:
    """Draw a log's game, or one that the demo plays first. Raises LogError for no log."""
    if log is not None:
        return _of_log(log, width, height, tier)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "demo.jsonl"
        play_demo("--game", game, "--turns", str(TURNS), "--log", str(made))
        return _of_log(made, width, height, tier)


def _of_log(log: Path, width: int, height: int, tier: str) -> FilmFigures:
    from armoon.gl.surface import HeadlessSurface

    reader = LogReader(log)
    match = logged_match(reader)
    game = kind_of(match.game).game(match)
    image = NoCamera((width, height)).image
    surface = HeadlessSurface(width, height)
    spent: list[float] = []
    cuts = 0
    before: Scene | None = None
    first_ms = 0.0
    try:
        surface.make_current()
        from armoon.gl.context import current
        from armoon.view.scene.choosing import warm_up

        renderer = make_renderer(viewed_of(match), width, height)
        renderer.set_tier(tier)
        warm_up(renderer)
        renderer.framing.nearest = NEAREST[FramingName.NEAR]
        for intake in intakes(reader):
            game.advance(intake)
            if before is not None and match.tick - before.tick < EVERY_TICKS:
                continue
            scene = game.scene(1.0, "")
            start = time.process_time()
            renderer.draw(scene, image)
            current().finish()
            taken_ms = 1000.0 * (time.process_time() - start)
            if before is None or before.seen_from != scene.seen_from:
                first_ms = taken_ms if before is None else first_ms
                cuts += 1
            else:
                spent.append(taken_ms)
            before = scene
    finally:
        match.close()
        surface.close()
    median = statistics.median(spent)
    out = sum(one > STANDS_OUT * median for one in spent)
    return FilmFigures(len(spent) + cuts, cuts, median, max(spent), out, first_ms - median)
