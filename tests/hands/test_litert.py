"""LiteRT with our own decoding finds the same hands in the same pictures as mediapipe."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from benchmarks.hand_clips import BLANKS, LOOKS, read_manifest, read_photo
from support.hands_kit import media_folder, play_film

from armoon.errors import TrackerError
from armoon.hands import litert_hand, model
from armoon.hands import tracker as library
from armoon.hands.landmarks import Image
from armoon.hands.tracker import WATCH_EVERY, HandTracker
from armoon.values.choices import TrackerName

#: Maximum distance between landmarks of both trackers (95th percentile), and minimum share of frames with equally many
#: hands.
SAME_P95_PX = 0.5
SAME_FOUND = 0.995


def test_our_copy_of_the_networks_is_mediapipes_own() -> None:
    mediapipes = tuple(model.read_checked_part(model.find_package_folder(), part) for part in model.PARTS)
    assert litert_hand.read_networks() == mediapipes


def test_a_damaged_copy_is_refused_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in model.PARTS:
        (tmp_path / Path(part.path).name).write_bytes(b"cut short")
    monkeypatch.setattr(litert_hand, "NETWORKS", tmp_path)
    with pytest.raises(TrackerError, match="damaged") as caught:
        HandTracker(TrackerName.LITERT)
    assert "Install armoon again" in caught.value.remedy


def test_a_system_without_litert_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ai_edge_litert.interpreter", None)
    monkeypatch.setattr(litert_hand, "find_spec", lambda name: None)
    with pytest.raises(TrackerError, match="LiteRT has no package for this system") as caught:
        HandTracker(TrackerName.LITERT)
    assert "\n" not in str(caught.value)
    assert "--tracker" in caught.value.remedy


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        ({"mediapipe", "ai_edge_litert"}, TrackerName.MEDIAPIPE),
        ({"mediapipe"}, TrackerName.MEDIAPIPE),
        ({"ai_edge_litert"}, TrackerName.LITERT),
    ],
)
def test_mediapipe_is_the_first_choice_and_litert_its_substitute(
    installed: set[str], chosen: TrackerName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "find_spec", lambda name: name if name in installed else None)
    assert library.resolve_tracker(TrackerName.AUTO) is chosen
    for explicit in (TrackerName.MEDIAPIPE, TrackerName.LITERT):
        assert library.resolve_tracker(explicit) is explicit


def check_same_hands(films: Iterable[Iterable[Image]]) -> None:
    """Track each film with both trackers, frame by frame, with blank frames before it so that it starts afresh."""
    frames = hands = same_count = index = 0
    apart_px: list[float] = []
    with HandTracker(TrackerName.MEDIAPIPE) as mediapipe, HandTracker(TrackerName.LITERT) as litert:
        for film in films:
            for number, frame in enumerate(film):
                for _ in range(BLANKS if number == 0 else 0):
                    index += 1
                    for tracker in (mediapipe, litert):
                        tracker.track(np.full_like(frame, 128), index / 30.0, index)
                index += 1
                expected, tracked = (
                    tracker.track(frame, index / 30.0, index).hands for tracker in (mediapipe, litert)
                )
                frames += 1
                if len(expected) != len(tracked):
                    continue
                same_count += 1
                for one, other in zip(expected, tracked, strict=True):
                    hands += 1
                    assert one.side == other.side
                    apart_px += np.linalg.norm(one.points - other.points, axis=1).tolist()
    assert hands > 0
    assert same_count >= SAME_FOUND * frames
    assert np.percentile(apart_px, 95) <= SAME_P95_PX


@pytest.mark.tracker
@pytest.mark.media
def test_photographs_and_clips_give_the_same_hands_as_mediapipe() -> None:
    folder = media_folder()
    entries = read_manifest(folder)
    photographs = [entry for entry in entries if entry["kind"] == "photo"][::60]
    counts = [LOOKS * (1 if entry["hands"] == 1 else WATCH_EVERY) for entry in photographs]
    films: list[Iterable[Image]] = [
        [read_photo(folder / entry["file"])] * count for entry, count in zip(photographs, counts, strict=True)
    ]
    films += [islice(play_film(entry["file"]), 10) for entry in entries if entry["kind"] == "video"]
    check_same_hands(films)
