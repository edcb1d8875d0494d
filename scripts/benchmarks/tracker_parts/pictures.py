"""What both trackers are shown: photographs, recorded clips, and the rendered hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from armoon.hands.tracking.landmarker import Image
from armoon.hands.tracking.tracker import WATCH_EVERY
from benchmarks.hand_parts.rendered import OTHER_FINGERS, ROTATIONS, rendered_frames
from benchmarks.hand_parts.seen import LOOKS, manifest, photograph


@dataclass(frozen=True)
class Film:
    """Pictures that follow one another; between two films the trackers forget their hands."""

    name: str
    pictures: Callable[[], Iterator[Image]]


def photographs(folder: Path, every: int = 1) -> list[Film]:
    """Return each photograph, or each so-many-th, as a film in which it is looked at as the benchmark of hands does."""
    entries = [entry for entry in manifest(folder) if entry["kind"] == "photo"][::every]
    return [
        Film(
            entry["file"],
            partial(_looks, folder / entry["file"], LOOKS * (1 if entry["hands"] == 1 else WATCH_EVERY)),
        )
        for entry in entries
    ]


def clips(folder: Path, frames: int | None = None) -> list[Film]:
    """Return the recorded clips, or their first ``frames`` frames."""
    paths = [folder / entry["file"] for entry in manifest(folder) if entry["kind"] == "video"]
    return [Film(path.name, partial(_frames, path, frames)) for path in paths]


def rendered(frames: int | None = None) -> list[Film]:
    """Return the rendered hand's pinches, or their first ``frames`` frames."""
    return [
        Film(f"{seat}, {fingers}", partial(_rendered, seat, fingers, frames))
        for seat in ROTATIONS
        for fingers in OTHER_FINGERS
    ]


def _looks(path: Path, looks: int) -> Iterator[Image]:
    picture = photograph(path)
    for _ in range(looks):
        yield picture


def _frames(path: Path, frames: int | None) -> Iterator[Image]:
    capture = cv2.VideoCapture(str(path))
    for _ in range(frames) if frames is not None else iter(int, 1):
        there, frame = capture.read()
        if not there:
            break
        yield np.ascontiguousarray(frame, dtype=np.uint8)
    capture.release()


def _rendered(seat: str, fingers: str, frames: int | None) -> Iterator[Image]:
    return islice((picture for _, picture in rendered_frames(seat, fingers)), frames)
