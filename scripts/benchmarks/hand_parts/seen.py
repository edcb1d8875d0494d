"""What the tracker sees in the test media, kept in the user's cache so that it is looked at only once."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError
from armoon.hands.tracking.landmarks import Hands, hands_of, hands_to_dict
from armoon.hands.tracking.model import PARTS
from armoon.hands.tracking.tracker import WATCH_EVERY, HandTracker
from benchmarks.kept import cache_folder

Image = npt.NDArray[np.uint8]

#: Small photographs are enlarged and get room around them, as a hand before a webcam has.
SMALL_PX, ENLARGED_PX, ROOM_PX = 120, 300, 60
#: Blank pictures between two photographs, so that none helps the next, and looks at each.
BLANKS, LOOKS = 2, 2
#: Frame rate of a video whose own is missing or implausible.
USUAL_RATE_HZ = 10.0
#: Version of the processing of media; raise it when that changes.
KEPT_AS = 1


def media_folder() -> Path:
    """Return the folder of test media. Raises ArmoonError where there is none."""
    named = os.environ.get("ARMOON_MEDIA")
    folder = Path(named) if named else Path(__file__).resolve().parents[4] / "shared" / "media"
    if not (folder / "MANIFEST.json").is_file():
        raise ArmoonError(
            "The test photographs and recordings are not here.",
            remedy="Set ARMOON_MEDIA to the folder that has their MANIFEST.json.",
        )
    return folder


def manifest(folder: Path) -> list[dict[str, Any]]:
    """Everything that the folder says it has."""
    entries: list[dict[str, Any]] = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    return entries


def photo_hands(folder: Path, entries: Sequence[dict[str, Any]]) -> list[Hands]:
    """Return the hands in each photograph of the manifest."""
    return _kept([folder / entry["file"] for entry in entries], lambda: _look_at(folder, entries))


def clip_hands(path: Path) -> list[Hands]:
    """Return the hands in each frame of a video, or of a recording of landmarks (``.jsonl.gz``)."""
    if path.name.endswith(".jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return [hands_of(json.loads(line)) for line in lines]
    return _kept([path], lambda: _film(path))


def kept_as(name: str, make: Callable[[], list[Any]]) -> list[Any]:
    """Plain values that take long to make, from the cache if they were made before."""
    cache = cache_folder()
    kept = None if cache is None else cache / "landmarks" / f"{name}.json.gz"
    if kept is not None and kept.is_file():
        with gzip.open(kept, "rt", encoding="utf-8") as file:
            made: list[Any] = json.load(file)
        return made
    made = make()
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(kept, "wt", encoding="utf-8") as file:
            json.dump(made, file)
    return made


def model_name() -> str:
    """Tells the tracker's networks apart, and what is done with what they say."""
    return f"{KEPT_AS}-{'-'.join(part.sha256[:8] for part in PARTS)}"


def _kept(files: Sequence[Path], make: Callable[[], list[Hands]]) -> list[Hands]:
    digest = hashlib.sha256(model_name().encode())
    for path in files:
        digest.update(path.read_bytes())
    plain = kept_as(digest.hexdigest()[:24], lambda: [hands_to_dict(hands) for hands in make()])
    return [hands_of(one) for one in plain]


def _look_at(folder: Path, entries: Sequence[dict[str, Any]]) -> list[Hands]:
    found, index = [], 0
    with HandTracker() as tracker:
        for entry in entries:
            picture = photograph(folder / entry["file"])
            blank = np.full_like(picture, 128)
            looks = LOOKS if entry["hands"] == 1 else LOOKS * WATCH_EVERY
            for shown in (*[blank] * BLANKS, *[picture] * looks):
                index += 1
                hands = tracker.track(shown, index / 30.0, index)
            found.append(hands)
    return found


def photograph(path: Path) -> Image:
    """Return a photograph as a tracker is shown it. Raises ArmoonError where it can't be read."""
    image = cv2.imread(str(path))
    if image is None:
        raise ArmoonError(f"The photograph {path} can't be read.", remedy="Get the test media again.")
    if max(image.shape[:2]) <= SMALL_PX:
        image = cv2.resize(image, (ENLARGED_PX, ENLARGED_PX), interpolation=cv2.INTER_CUBIC)
        image = cv2.copyMakeBorder(image, ROOM_PX, ROOM_PX, ROOM_PX, ROOM_PX, cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(image, dtype=np.uint8)


def _film(path: Path) -> list[Hands]:
    capture = cv2.VideoCapture(str(path))
    said_hz = float(capture.get(cv2.CAP_PROP_FPS))
    rate_hz = said_hz if 5.0 <= said_hz <= 100.0 else USUAL_RATE_HZ
    found: list[Hands] = []
    with HandTracker() as tracker:
        while True:
            there, frame = capture.read()
            if not there:
                break
            picture = np.ascontiguousarray(frame, dtype=np.uint8)
            found.append(tracker.track(picture, len(found) / rate_hz, len(found)))
    capture.release()
    if not found:
        raise ArmoonError(f"The video {path} can't be read.", remedy="Get the test media again.")
    return found
