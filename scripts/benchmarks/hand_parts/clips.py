"""Clips of hands, what is true of them, and what the interpreter makes of them at several frame rates."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from armoon.camera.seat import table_seat
from armoon.geometry import CameraModel, pose_apply, pose_inverse, unit
from armoon.hands.grips.interpret import Interpreter
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.watch.onehand import OneHandWatch, Zone
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3
from benchmarks.hand_parts.seen import clip_hands

#: Focal lengths of webcams, in parts of the picture's longer side; the clips' own are unknown.
USUAL_FOCAL = 0.8
#: Seconds by which a grab may precede contact, or a release follow parting, and still belong to that pinch.
EARLY_S, LATE_S = 0.35, 0.6
#: Seconds before parting at which fingers begin to slide: a release is to be where it was held until then.
BEFORE_S = 0.1
#: A zone that no clip comes near, since it isn't known of a clip where a structure would be.
NOWHERE = Zone(centre=(9.0, 9.0, 9.0))


@dataclass(frozen=True)
class Pinch:
    """Thumb and finger touch, by eye or by a rendered hand's truth."""

    contact_s: float
    parted_s: float | None


@dataclass(frozen=True)
class Clip:
    """A clip and its truth."""

    name: str
    frames: tuple[Hands, ...]
    camera: CameraModel
    table_from_camera: Pose
    pinches: tuple[Pinch, ...] = ()
    unsure_s: tuple[tuple[float, float], ...] = ()
    two_hands_s: float | None = None
    """From when on one hand pinches with another one beside it."""

    @property
    def seconds(self) -> float:
        """How long it goes on."""
        return self.frames[-1].time_s - self.frames[0].time_s

    def thinned(self, rate_hz: float, part: float) -> list[Hands]:
        """Its frames at no more than a rate; ``part`` of a frame later begins another choice of them."""
        kept: list[Hands] = []
        next_s = self.frames[0].time_s + part / rate_hz
        for hands in self.frames:
            if hands.time_s >= next_s - 1e-3:
                kept.append(hands)
                next_s = max(next_s + 1.0 / rate_hz, hands.time_s + 0.5 / rate_hz)
        return kept


@dataclass
class Reading:
    """Figures of clips at one frame rate; lists over all annotations."""

    minutes: float = 0.0
    false_grabs: int = 0
    false_at: list[str] = field(default_factory=list)
    pinches: int = 0
    missed: int = 0
    dropped: int = 0
    grab_early_s: list[float] = field(default_factory=list)
    release_late_s: list[float] = field(default_factory=list)
    release_off_mm: list[float] = field(default_factory=list)
    """Across the line of sight, as the picture shows it."""
    release_off_depth_mm: list[float] = field(default_factory=list)
    """Along it."""
    watch_s: list[float | None] = field(default_factory=list)


def annotated_clips(folder: Path) -> list[Clip]:
    """Return the clips of the media folder with what is known of them by eye."""
    text = resources.files("benchmarks.hand_parts").joinpath("annotations.json").read_text(encoding="utf-8")
    return [_clip(folder, entry) for entry in json.loads(text)["clips"]]


def read_clip(clip: Clip, frames: Sequence[Hands], reading: Reading) -> None:
    """Show a clip's frames to an interpreter and the watch, and add up what they made of it."""
    interpreter, watch = Interpreter(clip.camera, clip.table_from_camera), OneHandWatch()
    edges: list[GripIntent] = []
    held: list[tuple[float, Vec3]] = []
    warned_s = None
    for hands in frames:
        interpreter.see(hands)
        said = interpreter.intent(hands.time_s)
        while said is not None and said.phase in (GripPhase.GRAB, GripPhase.RELEASE):
            edges.append(said)
            said = interpreter.intent(hands.time_s)
        holds = said is not None and said.phase is GripPhase.HOLD
        if said is not None and holds:
            held.append((hands.time_s, said.pose.position))
        if warned_s is None and watch.see(hands.time_s, interpreter.views(), holds, NOWHERE).warns:
            warned_s = hands.time_s
    _judge(clip, edges, held, reading)
    if clip.two_hands_s is not None:
        reading.watch_s.append(None if warned_s is None else warned_s - clip.two_hands_s)


def _judge(
    clip: Clip, edges: Sequence[GripIntent], held: Sequence[tuple[float, Vec3]], reading: Reading
) -> None:
    grabs = [edge for edge in edges if edge.phase is GripPhase.GRAB]
    if not clip.pinches:
        reading.minutes += clip.seconds / 60.0
        reading.false_grabs += len(grabs)
        reading.false_at += [f"{clip.name} {grab.time_s:.2f} s" for grab in grabs]
        return
    for pinch in clip.pinches:
        end_s = math.inf if pinch.parted_s is None else pinch.parted_s
        own = [grab for grab in grabs if pinch.contact_s - EARLY_S <= grab.time_s < end_s]
        reading.pinches += 1
        if not own:
            reading.missed += 1
            continue
        reading.dropped += sum(not _is_in(grab.time_s, clip.unsure_s) for grab in own[1:])
        reading.grab_early_s.append(pinch.contact_s - own[0].time_s)
        if pinch.parted_s is not None and not _is_in(pinch.parted_s, clip.unsure_s):
            _judge_release(clip, pinch.parted_s, own[-1].time_s, edges, held, reading)


def _judge_release(
    clip: Clip,
    parted_s: float,
    grabbed_s: float,
    edges: Sequence[GripIntent],
    held: Sequence[tuple[float, Vec3]],
    reading: Reading,
) -> None:
    later = (e for e in edges if e.phase is GripPhase.RELEASE and e.time_s > grabbed_s)
    release = next((edge for edge in later if edge.time_s <= parted_s + LATE_S), None)
    if release is None:
        return
    reading.release_late_s.append(release.time_s - parted_s)
    before = [place for time_s, place in held if time_s <= parted_s - BEFORE_S]
    if before:
        camera_from_table = pose_inverse(clip.table_from_camera)
        was, now = (pose_apply(camera_from_table, place) for place in (before[-1], release.pose.position))
        sight, off = unit(was), np.subtract(now, was)
        along = float(off @ sight)
        reading.release_off_mm.append(1000.0 * float(np.linalg.norm(off - along * sight)))
        reading.release_off_depth_mm.append(1000.0 * abs(along))


def _is_in(time_s: float, stretches: Sequence[tuple[float, float]]) -> bool:
    return any(begin <= time_s <= end for begin, end in stretches)


def _clip(folder: Path, entry: dict[str, Any]) -> Clip:
    frames = tuple(clip_hands(folder / entry["file"]))
    width, height = frames[0].width, frames[0].height
    focal = USUAL_FOCAL * max(width, height)
    return Clip(
        name=entry["name"],
        frames=frames,
        camera=CameraModel(width, height, focal, focal, (width - 1) / 2.0, (height - 1) / 2.0),
        table_from_camera=table_seat(width, height).table_from_camera,
        pinches=tuple(Pinch(one["contact_s"], one["parted_s"]) for one in entry.get("pinches", ())),
        unsure_s=tuple((begin, end) for begin, end in entry.get("unsure_s", ())),
        two_hands_s=entry.get("two_hands_s"),
    )
