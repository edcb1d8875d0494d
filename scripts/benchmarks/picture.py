"""What a picture costs, pass by pass, in every tier, size and fullness of the table, against a bare camera frame.

Also how well the hand's mask fits the hand, and how long a movement takes from the camera to the picture.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from armoon.camera.seat import table_seat
from armoon.games import game_names
from armoon.games.moon.kind import rising_moon
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.scene import Scene
from benchmarks.picture_film import STANDS_OUT, FilmFigures, measure_film
from benchmarks.picture_first import BEYOND_MS, FirstFigures, measure_first
from benchmarks.picture_hand import HandFigures, measure_hand
from benchmarks.picture_scenes import scene_of, with_hand

SIZES = ((640, 360), (1280, 720))
LADDERS = (2, 12, 28)
#: Frames that are timed: as many as fit into the seconds, but at least the least. One goes before them.
MOST_FRAMES, LEAST_FRAMES, ENOUGH_S = 60, 5, 2.0
#: Width of the table in columns, regardless of the terminal or pipe.
TABLE_WIDTH = 124
#: Wanted of the lite tier with 12 ladders and a hand at 640x360 and at 1280x720, by the clock and of the processor, on
#: two quiet cores without a graphics card.
LITE_MS, LITE_CPU_MS, LITE_LARGE_MS, LITE_LARGE_CPU_MS = 8.0, 13.0, 16.0, 26.0
#: Wanted delay of a hand's movement in the picture.
PHOTON_MS = 24.7
#: Wanted of the high tier at 1280x720 on a graphics card.
HIGH_MS = 4.0
MASK_IOU = 0.90


def run(json_path: Path | None) -> int:
    """Measure and print; 0 whatever the figures are."""
    console = Console()
    console.width = max(console.width, TABLE_WIDTH)
    device, rows = measure_tiers(lambda line: console.print(line))
    console.print(_table(device, rows))
    hand = measure_hand()
    console.print(_hand_text(hand))
    console.print(_wanted(rows, hand))
    first = measure_first()
    console.print(_first_text(first))
    films = {game: measure_film(game=game) for game in game_names()}
    for game, film in films.items():
        console.print(_film_text(game, film))
    film = films["moon"]
    if json_path is not None:
        figures = {
            "device": device,
            "tiers": rows,
            **_lite_figures(rows),
            "hand_mask_iou": hand.mask_iou,
            "hand_mask_iou_least": hand.mask_iou_least,
            "hand_poses_seen": hand.poses_seen,
            "motion_to_photon_ms": hand.motion_to_photon_ms,
            "motion_to_photon_worst_ms": hand.motion_to_photon_worst_ms,
            "film_frames": film.frames,
            "film_cuts": film.cuts,
            "film_median_ms": film.median_ms,
            "film_worst_ms": film.worst_ms,
            "film_standing_out": film.standing_out,
            "film_standing_out_by_game": {game: one.standing_out for game, one in films.items()},
            "first_picture_ms": first.beyond_ms | {game: one.first_beyond_ms for game, one in films.items()},
        }
        json_path.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return 0


def measure_tiers(say: Callable[[str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the graphics device, and one row for each tier, size and number of ladders, with a hand over them."""
    from armoon.gl.surface import HeadlessSurface

    rows: list[dict[str, Any]] = []
    device = ""
    for width, height in SIZES:
        seat = table_seat(width, height)
        surface = HeadlessSurface(width, height)
        camera = RenderedCamera(seat.camera, seat.table_from_camera, None)
        frame = camera.render([])
        camera.close()
        try:
            surface.make_current()
            from pyglet.gl import gl_info

            from armoon.view.scene.tiers import NAMES

            device = str(gl_info.get_renderer())
            for tier in NAMES:
                for count, carries in (*((count, False) for count in LADDERS), (12, True)):
                    say(
                        f"{tier} at {width}x{height} with {count} ladders{' and a carried one' * carries} ..."
                    )
                    rows.append(_row(tier, count, width, height, frame, carries=carries))
        finally:
            surface.close()
    return device, rows


def _row(
    tier: str, count: int, width: int, height: int, frame: npt.NDArray[np.uint8], *, carries: bool
) -> dict[str, Any]:
    from armoon.view.scene.renderer import Renderer

    seat = table_seat(width, height)
    tower, scene = scene_of(count)
    renderer = Renderer(
        tower.ladders,
        tower.base,
        seat.camera,
        seat.table_from_camera,
        False,
        width,
        height,
        tier,
        backdrop=rising_moon(),
    )
    scenes = itertools.cycle(with_hand(tower, scene, seat, carries=carries))
    whole, processor = _median_ms(lambda: renderer.draw(next(scenes), frame))
    blit, _ = _blit_ms(frame)
    return {
        "tier": renderer.tier,
        "width": width,
        "height": height,
        "ladders": count,
        "carries": carries,
        "ms": whole,
        "cpu_ms": processor,
        "blit_ms": blit,
        "passes": _passes(renderer, scenes, frame),
    }


def _median_ms(draw: Callable[[], None]) -> tuple[float, float]:
    """Median milliseconds of a picture that is finished before the next begins; of the clock, and of processors.

    The processors' time is that of all threads of this process: a busy machine stretches the clock's, hardly this.
    """
    from armoon.gl.context import current

    draw()
    current().finish()
    spent: list[float] = []
    worked: list[float] = []
    end = time.perf_counter() + ENOUGH_S
    while len(spent) < LEAST_FRAMES or (len(spent) < MOST_FRAMES and time.perf_counter() < end):
        start, start_work = time.perf_counter(), time.process_time()
        draw()
        current().finish()
        spent.append(1000.0 * (time.perf_counter() - start))
        worked.append(1000.0 * (time.process_time() - start_work))
    return statistics.median(spent), statistics.median(worked)


def _passes(renderer: Any, scenes: Iterator[Scene], frame: npt.NDArray[np.uint8]) -> dict[str, float]:
    """Median milliseconds of each pass, each finished before the next begins: their sum is above the whole's."""
    from armoon.gl.context import current

    spent: dict[str, list[float]] = {}
    last = [0.0]

    def note(part: str) -> None:
        current().finish()
        now = time.perf_counter()
        spent.setdefault(part, []).append(1000.0 * (now - last[0]))
        last[0] = now

    renderer.after_pass = note
    for _ in range(LEAST_FRAMES):
        current().finish()
        last[0] = time.perf_counter()
        renderer.draw(next(scenes), frame)
    renderer.after_pass = None
    return {part: statistics.median(values) for part, values in spent.items()}


def _blit_ms(frame: npt.NDArray[np.uint8]) -> tuple[float, float]:
    """Return the least that any picture costs: the frame to the graphics card and onto the surface."""
    from armoon.gl.memory import copy_colour, open_target, target, texture

    height, width = frame.shape[:2]
    picture = texture(width, height, 3, frame)
    source = target(colour=picture)

    def draw() -> None:
        picture.write(frame)
        copy_colour(source, open_target())

    return _median_ms(draw)


def _table(device: str, rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"A picture in milliseconds, on {device}")
    parts = list(rows[0]["passes"])
    for column in ("tier", "size", "ladders", "ms", "processor", "bare frame", *parts):
        table.add_column(column, justify="left" if column in ("tier", "size") else "right")
    for row in rows:
        table.add_row(
            row["tier"],
            f"{row['width']}x{row['height']}",
            f"{row['ladders']}{' + 1' * row['carries']}",
            f"{row['ms']:.1f}",
            f"{row['cpu_ms']:.1f}",
            f"{row['blit_ms']:.2f}",
            *(f"{row['passes'][part]:.1f}" for part in parts),
        )
    return table


def _hand_text(hand: HandFigures) -> str:
    return (
        f"Hand mask against the rendered camera's truth: IoU {hand.mask_iou:.3f} (wanted: at least {MASK_IOU}), "
        f"worst of {hand.poses_seen} poses {hand.mask_iou_least:.3f}.\n"
        f"From a moved hand's frame to the changed pixel: {hand.motion_to_photon_ms:.1f} ms, "
        f"at worst {hand.motion_to_photon_worst_ms:.1f} ms."
    )


def _first_text(first: FirstFigures) -> str:
    slowest = sorted(first.beyond_ms, key=lambda name: -first.beyond_ms[name])[:3]
    told = ", ".join(f"{name} {first.beyond_ms[name]:.0f}" for name in slowest)
    return (
        f"The first picture of a page takes at most {first.worst_ms:.0f} ms of the processor more than its others "
        f"(wanted: at most {BEYOND_MS:.0f}; {len(first.beyond_ms)} pages, the slowest {told})."
    )


def _film_text(game: str, film: FilmFigures) -> str:
    return (
        f"{game}: its first picture takes {film.first_beyond_ms:.0f} ms of the processor more than its others "
        f"(wanted: at most {BEYOND_MS:.0f}). Its film of {film.frames} frames: median {film.median_ms:.1f} ms of the "
        f"processor, at worst {film.worst_ms:.1f} ms; {film.standing_out} above {STANDS_OUT:.0f} times the median "
        f"but for {film.cuts} cuts (wanted: 0)."
    )


def _lite_figures(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the lite tier's milliseconds with 12 ladders and a hand, by size; of the clock, and of the processor."""
    found: dict[str, float] = {}
    for row in rows:
        if (row["tier"], row["ladders"], row["carries"]) == ("lite", 12, False):
            name = {640: "lite_640", 1280: "lite_720"}[row["width"]]
            found |= {f"{name}_ms": row["ms"], f"{name}_cpu_ms": row["cpu_ms"]}
    return found


def _wanted(rows: list[dict[str, Any]], hand: HandFigures) -> str:
    def cost(tier: str, width: int) -> str:
        row = next(
            r for r in rows if (r["tier"], r["width"], r["ladders"]) == (tier, width, 12) and not r["carries"]
        )
        return f"{row['ms']:.1f} ms, of the processor {row['cpu_ms']:.1f}"

    return (
        f"lite with 12 ladders and a hand at 640x360: {cost('lite', 640)} (wanted: at most {LITE_MS:.0f} and "
        f"{LITE_CPU_MS:.0f} without a graphics card and with nothing else to do); at 1280x720: {cost('lite', 1280)} "
        f"(at most {LITE_LARGE_MS:.0f} and {LITE_LARGE_CPU_MS:.0f}); "
        f"high at 1280x720: {cost('high', 1280)} (at most {HIGH_MS:.0f} with a card). "
        f"From hand to picture {hand.motion_to_photon_ms:.1f} ms (at most {PHOTON_MS})."
    )
