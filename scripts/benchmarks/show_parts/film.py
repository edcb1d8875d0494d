"""The README's film: the trailer, played and filmed by the program itself, and cut to its best moments.

``scripts/film FILE.gif [--folder F]`` plays the demo before its rendered camera (that takes minutes), or takes the film
and the log that lie in the folder already, and writes a GIF of at most 3 MB. Nothing is drawn here.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import av
import cv2
import numpy as np
import numpy.typing as npt
import typer

from armoon.clock import TICKS_PER_SECOND
from armoon.engine.logbook import LogReader
from benchmarks.show_parts.played import play_demo

#: At most so large; the widths in pixels that are tried for that, the pictures a second and colours.
MOST_BYTES = 3_000_000
WIDTHS, RATE_HZ, COLOURS = (480, 440, 400, 360, 320, 280), 8, 200
#: Number of turns.
TURNS = 20
FILM, LOG = "filmed.mp4", "played.jsonl"
#: The camera's noise would cost most of a GIF: what differs by less (of 255) from what was shown is taken over slowly.
NOISE, TAKEN_OVER = 14, 0.12
#: Around a verdict, and around the last one, the collapse: seconds before and after.
BEFORE_S, AFTER_S, COLLAPSE_BEFORE_S, COLLAPSE_AFTER_S = 1.4, 0.9, 1.6, 2.6
#: Number of falls at once that make a collapse; maximum length of one scene, seconds.
COLLAPSE, LONGEST_S = 3, 3.5

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Cut:
    """A part of the film, and how many times as fast it is shown."""

    start_s: float
    end_s: float
    pace: float


def film(
    out: Annotated[Path, typer.Argument(metavar="FILE.gif", help="Where the film goes.")],
    folder: Annotated[
        Path | None, typer.Option(help="Keeps the whole film and its log, or has them already.")
    ] = None,
) -> None:
    """Play, film and cut."""
    with tempfile.TemporaryDirectory() as made:
        where = folder or Path(made)
        where.mkdir(parents=True, exist_ok=True)
        if not (where / FILM).is_file():
            print("The trailer is played before its rendered camera and filmed; that takes minutes ...")
            files = ["--record", str(where / FILM), "--log", str(where / LOG)]
            play_demo("--turns", str(TURNS), *files, patience_s=None)
        cuts = cuts_of(list(LogReader(where / LOG).records))
        for width in WIDTHS:
            write_gif(out, pictures(where / FILM, cuts, width))
            if out.stat().st_size <= MOST_BYTES:
                break
    print(f"{out}: {out.stat().st_size / 1e6:.1f} MB, {width} pixels wide.")


def cuts_of(records: list[dict[str, Any]]) -> list[Cut]:
    """Which parts of a logged game are shown: each placing briefly, what is shown once whole, the collapse slowly."""
    verdicts = [record for record in records if record["kind"] == "verdict"]
    if not verdicts:
        return []
    worst = max(verdicts, key=lambda verdict: len(verdict["fallen"]))
    cuts = []
    for verdict in verdicts:
        at_s = _seconds(verdict)
        if verdict is worst and len(verdict["fallen"]) >= COLLAPSE:
            cuts.append(Cut(at_s - COLLAPSE_BEFORE_S, at_s + COLLAPSE_AFTER_S, 1.0))
            break
        if verdict["ok"]:
            cuts.append(Cut(at_s - BEFORE_S, at_s + AFTER_S, 2.0))
    ended_s = max((cut.end_s for cut in cuts), default=0.0)
    turned = [_seconds(record) for record in records if record["kind"] == "turn"]
    hung = [_seconds(record) for record in records if record["kind"] == "air"]
    taken = [_seconds(record) for record in records if record.get("move") == "take"]
    for seconds, pace in ((turned, 1.5), (hung[:2], 2.0), (taken[:1], 2.0)):
        if seconds:
            cuts.append(Cut(min(seconds) - 0.8, min(max(seconds), min(seconds) + LONGEST_S) + 0.6, pace))
    return merged([cut for cut in cuts if cut.start_s < ended_s])


def merged(cuts: list[Cut]) -> list[Cut]:
    """In order, and what would be shown twice once."""
    whole: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: cut.start_s):
        start_s = max(cut.start_s, whole[-1].end_s if whole else 0.0)
        if start_s < cut.end_s:
            whole.append(Cut(start_s, cut.end_s, cut.pace))
    return whole


def pictures(path: Path, cuts: list[Cut], width: int) -> Iterator[Picture]:
    """Yield the pictures (h, w, 3), RGB, that are shown ``RATE_HZ`` times a second, without the camera's noise."""
    wanted = [
        cut.start_s + k * cut.pace / RATE_HZ
        for cut in cuts
        for k in range(int((cut.end_s - cut.start_s) * RATE_HZ / cut.pace))
    ]
    shown: npt.NDArray[np.float32] | None = None
    with av.open(str(path)) as container:
        for frame in container.decode(container.streams.video[0]):
            if not wanted:
                return
            if frame.time is None or frame.time < wanted[0]:
                continue
            wanted.pop(0)
            picture = frame.to_ndarray(format="rgb24")
            height = round(width * picture.shape[0] / picture.shape[1])
            small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
            if shown is None:
                shown = small
            differs = np.abs(small - shown).max(axis=2, keepdims=True)
            shown = np.where(differs < NOISE, shown + TAKEN_OVER * (small - shown), small).astype(np.float32)
            yield np.clip(np.round(shown), 0, 255).astype(np.uint8)


def write_gif(path: Path, shown: Iterator[Picture]) -> None:
    """Write a GIF that loops for ever, with one table of colours for all of it."""
    first = next(shown)
    height, width = first.shape[:2]
    graph = av.filter.Graph()
    source = graph.add_buffer(width=width, height=height, format="rgb24", time_base=_beat())
    split = graph.add("split")
    palette = graph.add("palettegen", f"max_colors={COLOURS}:stats_mode=full")
    use = graph.add("paletteuse", "dither=none:diff_mode=rectangle")
    sink = graph.add("buffersink")
    source.link_to(split)
    split.link_to(use, 0, 0)
    split.link_to(palette, 1, 0)
    palette.link_to(use, 0, 1)
    use.link_to(sink)
    graph.configure()
    with av.open(str(path), "w", format="gif", options={"loop": "0"}) as container:
        stream: Any = container.add_stream("gif", rate=RATE_HZ)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        number = 0
        for picture in _all(first, shown):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base, number = number, _beat(), number + 1
            source.push(frame)
        source.push(None)
        for _ in range(number):
            made: Any = sink.pull()
            container.mux(stream.encode(made))
        container.mux(stream.encode(None))


def _all(first: Picture, others: Iterator[Picture]) -> Iterator[Picture]:
    yield first
    yield from others


def _beat() -> Fraction:
    return Fraction(1, RATE_HZ)


def _seconds(record: dict[str, Any]) -> float:
    return float(record["tick"]) / TICKS_PER_SECOND


if __name__ == "__main__":
    typer.run(film)
