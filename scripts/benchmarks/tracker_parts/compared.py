"""Both trackers before the same pictures: how far apart their hands are, and how long they take."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field

import numpy as np

from armoon.hands.tracking.landmarker import Image
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.tracking.tracker import HandTracker
from armoon.values.choices import TrackerName
from benchmarks.hand_parts.seen import BLANKS
from benchmarks.tracker_parts.pictures import Film

#: The first one is compared with.
BOTH = (TrackerName.MEDIAPIPE, TrackerName.LITERT)


@dataclass
class Difference:
    """The differences in the pictures shown so far."""

    pictures: int = 0
    found_otherwise: list[str] = field(default_factory=list)
    """Pictures in which the trackers see different numbers of hands."""
    sides_otherwise: int = 0
    apart_px: list[float] = field(default_factory=list)
    """Distance of each landmark of the hands that both see."""
    apart_mm: list[float] = field(default_factory=list)
    """The same in the world."""
    took_ms: dict[TrackerName, list[float]] = field(default_factory=lambda: {one: [] for one in BOTH})
    processor_ms: dict[TrackerName, list[float]] = field(default_factory=lambda: {one: [] for one in BOTH})

    @property
    def hands(self) -> int:
        """How many both see."""
        return len(self.apart_px) // 21

    @property
    def found_alike(self) -> float:
        """The share of pictures with the same number of hands."""
        return 1.0 - len(self.found_otherwise) / self.pictures if self.pictures else 0.0

    @property
    def sides_alike(self) -> float:
        """The share of hands with the same label."""
        return 1.0 - self.sides_otherwise / self.hands if self.hands else 0.0

    @property
    def p95_px(self) -> float:
        """The distance that 95 % of the landmarks keep to; infinite without any."""
        return float(np.percentile(self.apart_px, 95)) if self.apart_px else float("inf")

    def add(self, where: str, first: Hands, second: Hands) -> None:
        """Count one picture."""
        self.pictures += 1
        if len(first.hands) != len(second.hands):
            self.found_otherwise.append(where)
            return
        for one, other in zip(first.hands, second.hands, strict=True):
            self.sides_otherwise += one.side != other.side
            self.apart_px += np.linalg.norm(one.points - other.points, axis=1).tolist()
            self.apart_mm += (1000.0 * np.linalg.norm(one.world - other.world, axis=1)).tolist()


def compare(films: Iterable[Film]) -> Difference:
    """Show films to both trackers, picture by picture. Raises TrackerError where one of them isn't there."""
    difference, index = Difference(), 0
    with ExitStack() as stack:
        trackers = {by: stack.enter_context(HandTracker(by)) for by in BOTH}

        def show(picture: Image, *, timed: bool = True) -> list[Hands]:
            seen = []
            for by, tracker in trackers.items():
                wall_s, processor_s = time.perf_counter(), time.process_time()
                seen.append(tracker.track(picture, index / 30.0, index))
                if timed:
                    difference.took_ms[by].append(1000.0 * (time.perf_counter() - wall_s))
                    difference.processor_ms[by].append(1000.0 * (time.process_time() - processor_s))
            return seen

        for film in films:
            for number, picture in enumerate(film.pictures()):
                if number == 0:
                    for _ in range(BLANKS):
                        index += 1
                        show(np.full_like(picture, 128), timed=False)
                index += 1
                difference.add(f"{film.name}, picture {number}", *show(picture))
    return difference


def together(some: Iterable[Difference]) -> Difference:
    """Return the difference over all of their pictures."""
    whole = Difference()
    for one in some:
        whole.pictures += one.pictures
        whole.sides_otherwise += one.sides_otherwise
        whole.found_otherwise += one.found_otherwise
        whole.apart_px += one.apart_px
        whole.apart_mm += one.apart_mm
        for by in BOTH:
            whole.took_ms[by] += one.took_ms[by]
            whole.processor_ms[by] += one.processor_ms[by]
    return whole
