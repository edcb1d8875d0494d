"""Recorded and rendered clips of hands, and the tracker's results, cached in the user's cache folder."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import os
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np
import numpy.typing as npt
import platformdirs

from armoon.camera.profiles import SEATS, make_table_seat
from armoon.errors import ArmoonError
from armoon.geometry import Array, CameraModel, pose_apply, pose_inverse, unit
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hands, hands_from_dict, hands_to_dict
from armoon.hands.model import PARTS
from armoon.hands.one_hand_watch import OneHandWatch
from armoon.hands.tracker import WATCH_EVERY, HandTracker
from armoon.settings.files import can_write
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera.anatomy import OPEN_ANGLES, find_grip_angles, place_palm, rotate
from armoon.synthetic_camera.look import HANDS
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import Pose, Vec3
from benchmarks.hand_script import HandScript, Keyframe, Tremor
from benchmarks.one_hand import HEIGHT, RATE_HZ, ROTATIONS, WIDTH

Image = npt.NDArray[np.uint8]

#: Maximum size of photographs that are enlarged, their new size, and their padding, to resemble a webcam's picture.
SMALL_PX, ENLARGED_PX, ROOM_PX = 120, 300, 60
#: Number of blank pictures between photographs, to end the tracking, and of repetitions of each photograph.
BLANKS, LOOKS = 2, 2
#: Frame rate assumed for a video without a plausible frame rate.
USUAL_RATE_HZ = 10.0
#: Version of the cached results; increment it when the processing of media changes.
CACHE_VERSION = 1


def find_media_folder() -> Path:
    """Return the folder of test media. Raises ArmoonError if there is none."""
    named = os.environ.get("ARMOON_MEDIA")
    folder = Path(named) if named else Path(__file__).resolve().parents[3] / "shared" / "media"
    if not (folder / "MANIFEST.json").is_file():
        raise ArmoonError(
            "The test photographs and recordings are missing.",
            remedy="Set ARMOON_MEDIA to the folder that contains their MANIFEST.json.",
        )
    return folder


def read_manifest(folder: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    return entries


def load_photo_hands(folder: Path, entries: Sequence[dict[str, Any]]) -> list[Hands]:
    return _cache_hands([folder / entry["file"] for entry in entries], lambda: _track_photos(folder, entries))


def load_clip_hands(path: Path) -> list[Hands]:
    """Return the hands in each frame of a video, or of a recording of landmarks (``.jsonl.gz``)."""
    if path.name.endswith(".jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return [hands_from_dict(json.loads(line)) for line in lines]
    return _cache_hands([path], lambda: _track_video(path))


def load_cached(name: str, make: Callable[[], list[Any]]) -> list[Any]:
    """Return plain values from the cache, or else compute them with ``make`` and store them there."""
    cache = find_cache_folder()
    path = None if cache is None else cache / "landmarks" / f"{name}.json.gz"
    if path is not None and path.is_file():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            value: list[Any] = json.load(file)
        return value
    value = make()
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as file:
            json.dump(value, file)
    return value


def make_model_name() -> str:
    """Return a name that changes with the networks and the processing of their outputs."""
    return f"{CACHE_VERSION}-{'-'.join(part.sha256[:8] for part in PARTS)}"


def _cache_hands(files: Sequence[Path], make: Callable[[], list[Hands]]) -> list[Hands]:
    digest = hashlib.sha256(make_model_name().encode())
    for path in files:
        digest.update(path.read_bytes())
    plain = load_cached(digest.hexdigest()[:24], lambda: [hands_to_dict(hands) for hands in make()])
    return [hands_from_dict(record) for record in plain]


def _track_photos(folder: Path, entries: Sequence[dict[str, Any]]) -> list[Hands]:
    frames, index = [], 0
    with HandTracker() as tracker:
        for entry in entries:
            picture = read_photo(folder / entry["file"])
            blank = np.full_like(picture, 128)
            looks = LOOKS if entry["hands"] == 1 else LOOKS * WATCH_EVERY
            for image in (*[blank] * BLANKS, *[picture] * looks):
                index += 1
                hands = tracker.track(image, index / 30.0, index)
            frames.append(hands)
    return frames


def read_photo(path: Path) -> Image:
    """Return a photograph as prepared for a tracker. Raises ArmoonError if it can't be read."""
    image = cv2.imread(str(path))
    if image is None:
        raise ArmoonError(f"The photograph {path} can't be read.", remedy="Get the test media again.")
    if max(image.shape[:2]) <= SMALL_PX:
        image = cv2.resize(image, (ENLARGED_PX, ENLARGED_PX), interpolation=cv2.INTER_CUBIC)
        image = cv2.copyMakeBorder(image, ROOM_PX, ROOM_PX, ROOM_PX, ROOM_PX, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(image, dtype=np.uint8)


def _track_video(path: Path) -> list[Hands]:
    capture = cv2.VideoCapture(str(path))
    stated_hz = float(capture.get(cv2.CAP_PROP_FPS))
    rate_hz = stated_hz if 5.0 <= stated_hz <= 100.0 else USUAL_RATE_HZ
    frames: list[Hands] = []
    with HandTracker() as tracker:
        while True:
            has_frame, frame = capture.read()
            if not has_frame:
                break
            picture = np.ascontiguousarray(frame, dtype=np.uint8)
            frames.append(tracker.track(picture, len(frames) / rate_hz, len(frames)))
    capture.release()
    if not frames:
        raise ArmoonError(f"The video {path} can't be read.", remedy="Get the test media again.")
    return frames


#: Typical focal length of webcams, relative to the picture's longer side; the clips' focal lengths are unknown.
USUAL_FOCAL = 0.8
#: Maximum time from a grab to the fingers' contact, and from their parting to the release, seconds.
EARLY_S, LATE_S = 0.35, 0.6
#: Time before the fingers part when they begin to slide, seconds; a release should leave the ladder as it was then.
BEFORE_S = 0.1
#: Top of an empty zone, in metres; a clip doesn't show where a structure would be.
NOWHERE = -9.0


@dataclass(frozen=True)
class Pinch:
    """One pinch, annotated by hand or known from a rendered hand."""

    contact_s: float
    parted_s: float | None


@dataclass(frozen=True)
class Clip:
    """A clip and its annotations."""

    name: str
    frames: tuple[Hands, ...]
    camera: CameraModel
    table_from_camera: Pose
    pinches: tuple[Pinch, ...] = ()
    unsure_s: tuple[tuple[float, float], ...] = ()
    two_hands_s: float | None = None
    """Time from which a second hand is beside a pinching one."""

    @property
    def seconds(self) -> float:
        return self.frames[-1].time_s - self.frames[0].time_s

    def thin(self, rate_hz: float, share: float) -> list[Hands]:
        """Return the frames thinned to a rate, beginning after ``share`` of an interval."""
        frames: list[Hands] = []
        next_s = self.frames[0].time_s + share / rate_hz
        for hands in self.frames:
            if hands.time_s >= next_s - 1e-3:
                frames.append(hands)
                next_s = max(next_s + 1.0 / rate_hz, hands.time_s + 0.5 / rate_hz)
        return frames


@dataclass
class ClipResults:
    """Results of clips at one frame rate; lists have one entry per annotation."""

    minutes: float = 0.0
    false_grabs: int = 0
    false_at: list[str] = field(default_factory=list)
    pinches: int = 0
    missed: int = 0
    dropped: int = 0
    grab_early_s: list[float] = field(default_factory=list)
    release_late_s: list[float] = field(default_factory=list)
    release_off_mm: list[float] = field(default_factory=list)
    """Error across the line of sight."""
    release_off_depth_mm: list[float] = field(default_factory=list)
    """Error along the line of sight."""
    watch_s: list[float | None] = field(default_factory=list)


def load_annotated_clips(folder: Path) -> list[Clip]:
    text = Path(__file__).with_name("hand_annotations.json").read_text(encoding="utf-8")
    return [_load_clip(folder, entry) for entry in json.loads(text)["clips"]]


def read_clip(clip: Clip, frames: Sequence[Hands], results: ClipResults) -> None:
    """Run an interpreter and the watch over a clip, and add the outcome to ``results``."""
    interpreter, watch = Interpreter(clip.camera, clip.table_from_camera), OneHandWatch()
    edges: list[GripIntent] = []
    held: list[tuple[float, Vec3]] = []
    warned_s = None
    for hands in frames:
        interpreter.add_hands(hands)
        intent = interpreter.get_intent(hands.time_s)
        while intent is not None and intent.phase in (GripPhase.GRAB, GripPhase.RELEASE):
            edges.append(intent)
            intent = interpreter.get_intent(hands.time_s)
        holds = intent is not None and intent.phase is GripPhase.HOLD
        if intent is not None and holds:
            held.append((hands.time_s, intent.pose.position))
        if warned_s is None and watch.add_frame(hands.time_s, interpreter.list_views(), holds, NOWHERE).warns:
            warned_s = hands.time_s
    _judge(clip, edges, held, results)
    if clip.two_hands_s is not None:
        results.watch_s.append(None if warned_s is None else warned_s - clip.two_hands_s)


def _judge(
    clip: Clip, edges: Sequence[GripIntent], held: Sequence[tuple[float, Vec3]], results: ClipResults
) -> None:
    grabs = [edge for edge in edges if edge.phase is GripPhase.GRAB]
    if not clip.pinches:
        results.minutes += clip.seconds / 60.0
        results.false_grabs += len(grabs)
        results.false_at += [f"{clip.name} {grab.time_s:.2f} s" for grab in grabs]
        return
    for pinch in clip.pinches:
        end_s = math.inf if pinch.parted_s is None else pinch.parted_s
        own = [grab for grab in grabs if pinch.contact_s - EARLY_S <= grab.time_s < end_s]
        results.pinches += 1
        if not own:
            results.missed += 1
            continue
        results.dropped += sum(not _is_in(grab.time_s, clip.unsure_s) for grab in own[1:])
        results.grab_early_s.append(pinch.contact_s - own[0].time_s)
        if pinch.parted_s is not None and not _is_in(pinch.parted_s, clip.unsure_s):
            _judge_release(clip, pinch.parted_s, own[-1].time_s, edges, held, results)


def _judge_release(
    clip: Clip,
    parted_s: float,
    grabbed_s: float,
    edges: Sequence[GripIntent],
    held: Sequence[tuple[float, Vec3]],
    results: ClipResults,
) -> None:
    later = (e for e in edges if e.phase is GripPhase.RELEASE and e.time_s > grabbed_s)
    release = next((edge for edge in later if edge.time_s <= parted_s + LATE_S), None)
    if release is None:
        return
    results.release_late_s.append(release.time_s - parted_s)
    before = [place for time_s, place in held if time_s <= parted_s - BEFORE_S]
    if before:
        camera_from_table = pose_inverse(clip.table_from_camera)
        was, now = (pose_apply(camera_from_table, place) for place in (before[-1], release.pose.position))
        sight, offset = unit(was), np.subtract(now, was)
        along = float(offset @ sight)
        results.release_off_mm.append(1000.0 * float(np.linalg.norm(offset - along * sight)))
        results.release_off_depth_mm.append(1000.0 * abs(along))


def _is_in(time_s: float, stretches: Sequence[tuple[float, float]]) -> bool:
    return any(begin <= time_s <= end for begin, end in stretches)


def _load_clip(folder: Path, entry: dict[str, Any]) -> Clip:
    frames = tuple(load_clip_hands(folder / entry["file"]))
    width, height = frames[0].width, frames[0].height
    focal = USUAL_FOCAL * max(width, height)
    return Clip(
        name=entry["name"],
        frames=frames,
        camera=CameraModel(width, height, focal, focal, (width - 1) / 2.0, (height - 1) / 2.0),
        table_from_camera=make_table_seat(width, height).table_from_camera,
        pinches=tuple(Pinch(pinch["contact_s"], pinch["parted_s"]) for pinch in entry.get("pinches", ())),
        unsure_s=tuple((begin, end) for begin, end in entry.get("unsure_s", ())),
        two_hands_s=entry.get("two_hands_s"),
    )


#: Grip, from 0 to 1, at which the rendered thumb and index finger touch.
CONTACT_GRIP = 0.87
CYCLES = 5
#: Angles of the middle, ring and little finger, degrees: spread and three joints each, for an open and a closed hand.
OTHER_FINGERS: dict[str, tuple[tuple[float, ...], tuple[float, ...]] | None] = {
    "straight": None,
    "relaxed": (
        (-1, 20, 25, 12, 3, 22, 28, 14, 8, 25, 30, 15),
        (-1, 35, 40, 20, 3, 40, 45, 25, 8, 45, 45, 25),
    ),
    "curled": ((0, 70, 90, 50) * 3, (0, 70, 90, 50) * 3),
    "beside": ((0, 6, 9, 6, 2, 8, 10, 6, 3, 10, 12, 7), (-6, 44.6, 55.5, 24.7, 3, 50, 50, 30, 8, 55, 50, 30)),
}
_FIRST_OTHER, _LAST_OTHER = 9, 21


def load_rendered_clips(limit: int | None = None) -> list[Clip]:
    return [_load_rendered(seat, fingers) for seat in ROTATIONS for fingers in list(OTHER_FINGERS)[:limit]]


def _load_rendered(seat_name: str, fingers: str) -> Clip:
    seat = SEATS[seat_name](WIDTH, HEIGHT)
    name = f"pinches-{make_model_name()}-{seat_name}-{fingers}"
    plain = load_cached(name, lambda: _film_pinches(seat_name, fingers))
    grips = [float(frame["grip"]) for frame in plain]
    frames = tuple(hands_from_dict(frame["hands"]) for frame in plain)
    times = [frame.time_s for frame in frames]
    return Clip(
        name=f"{seat_name}, {fingers}",
        frames=frames,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        pinches=_find_pinches(times, grips),
    )


def _find_pinches(times: list[float], grips: list[float]) -> tuple[Pinch, ...]:
    pinches: list[Pinch] = []
    for k in range(1, len(grips)):
        if grips[k] >= CONTACT_GRIP > grips[k - 1]:
            pinches.append(Pinch(times[k], None))
        elif grips[k] < CONTACT_GRIP <= grips[k - 1] and pinches:
            pinches[-1] = Pinch(pinches[-1].contact_s, times[k])
    return tuple(pinches)


def render_frames(seat_name: str, fingers: str) -> Iterator[tuple[float, Image]]:
    seat = SEATS[seat_name](WIDTH, HEIGHT)
    script = _make_script(seat_name, fingers)
    with (
        mock.patch.object(anatomy, "find_grip_angles", lambda grip, shape: _angles(fingers, grip, shape)),
        closing(RenderedCamera(seat.camera, seat.table_from_camera, HANDS[0].make_look(0))) as camera,
    ):
        for index in range(int(script.duration_s * RATE_HZ)):
            state = replace(script.state(index / RATE_HZ), stretch=HANDS[0].stretch)
            yield state.grip, camera.render([state])


def _film_pinches(seat_name: str, fingers: str) -> list[Any]:
    with HandTracker() as tracker:
        return [
            {"grip": grip, "hands": hands_to_dict(tracker.track(picture, index / RATE_HZ, index))}
            for index, (grip, picture) in enumerate(render_frames(seat_name, fingers))
        ]


def _angles(fingers: str, grip: float, stretch: Vec3) -> Array:
    start, end = OPEN_ANGLES.copy(), find_grip_angles(1.0, stretch).copy()
    others = OTHER_FINGERS[fingers]
    if others is not None:
        start[_FIRST_OTHER:_LAST_OTHER], end[_FIRST_OTHER:_LAST_OTHER] = (np.radians(a) for a in others)
    return np.asarray(start + (end - start) * grip)


def _make_script(seat_name: str, fingers: str) -> HandScript:
    """Return a hand that pinches, carries and opens its fingers ``CYCLES`` times, at random places."""
    rng, hand = random.Random(f"{seat_name} {fingers}"), HANDS[0]
    keys: list[Keyframe] = []
    for _ in range(CYCLES):
        rotation = rotate(ROTATIONS[seat_name], (0.0, 1.0, 0.0), rng.uniform(-0.35, 0.35))
        least = 0.0 if seat_name == "mirror" else -0.3
        rotation = rotate(rotation, (0.0, 0.0, 1.0), rng.uniform(least, 0.3))
        rotation = rotate(rotation, (1.0, 0.0, 0.0), rng.uniform(-0.25, 0.25))
        start, left = _draw_place(rng), _draw_place(rng)
        for point, grip, seconds in (
            (start, 0.0, 0.5),
            (start, 1.0, 0.35),
            (start, 1.0, 0.3),
            (left, 1.0, 0.6),
            (left, 1.0, 0.2),
            (left, 0.0, 0.3),
        ):
            palm = place_palm(point, rotation, grip, hand_scale=hand.scale, stretch=hand.stretch)
            keys.append(Keyframe(palm, grip, seconds))
    return HandScript(keys, tremor=Tremor(seed=math.floor(rng.random() * 1000)))


def _draw_place(rng: random.Random) -> Vec3:
    return (rng.uniform(-0.03, 0.14), rng.uniform(-0.05, 0.05), rng.uniform(0.10, 0.20))


def find_cache_folder() -> Path | None:
    """Return the cache folder; None if it isn't writable."""
    folder = Path(platformdirs.user_cache_dir("armoon", appauthor=False))
    return folder if can_write(folder) else None
