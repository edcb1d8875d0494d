"""Hands by LiteRT: the same networks as mediapipe's, decoded by ourselves, and the same hands in the same pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.hand_clips import (
    BLANKS,
    LOOKS,
    OTHER_FINGERS,
    ROTATIONS,
    manifest,
    photograph,
    rendered_frames,
)
from support.hands_help import media_folder

from armoon.errors import TrackerError
from armoon.hands import litert_hand, model
from armoon.hands import tracker as library
from armoon.hands.landmarks import Image
from armoon.hands.litert_hand import (
    PALM_MIDDLE_KNUCKLE,
    PALM_UPRIGHT,
    PALM_WRIST,
    POINTS,
    SIDE,
    Square,
    anchors,
    around_landmarks,
    around_palm,
    likeliest_palm,
)
from armoon.hands.tracker import WATCH_EVERY, HandTracker
from armoon.values.choices import TrackerName

#: The second tracker is the first one's equal up to this.
SAME_P95_PX = 0.5
SAME_FOUND = 0.995


def test_our_copy_of_the_networks_is_mediapipes_own() -> None:
    mediapipes = tuple(model.checked_part(model.package_folder(), part) for part in model.PARTS)
    assert litert_hand.own_parts() == mediapipes


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
    ("there", "taken"),
    [
        ({"mediapipe", "ai_edge_litert"}, TrackerName.MEDIAPIPE),
        ({"mediapipe"}, TrackerName.MEDIAPIPE),
        ({"ai_edge_litert"}, TrackerName.LITERT),
    ],
)
def test_mediapipe_is_the_first_and_litert_stands_in(
    there: set[str], taken: TrackerName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "find_spec", lambda name: name if name in there else None)
    assert library.chosen(TrackerName.AUTO) is taken
    assert {library.chosen(one) for one in (TrackerName.MEDIAPIPE, TrackerName.LITERT)} == {
        TrackerName.MEDIAPIPE,
        TrackerName.LITERT,
    }


def output(
    *palms: tuple[int, float, tuple[float, float]],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the palm network's numbers for boxes of 40 px: an anchor, a logit, and how far off the anchor, px."""
    numbers, logits = np.zeros((2016, 2 * POINTS + 4), np.float32), np.full(2016, -1000.0, np.float32)
    for anchor, logit, (x, y) in palms:
        logits[anchor] = logit
        numbers[anchor] = [x, y, 40.0, 40.0] + [x, y] * POINTS
        numbers[anchor, 4 + 2 * PALM_WRIST + 1] += 20.0
        numbers[anchor, 4 + 2 * PALM_MIDDLE_KNUCKLE + 1] -= 20.0
    return numbers, logits


def test_anchors_lie_two_by_two_on_a_fine_grid_and_six_by_six_on_a_coarse_one() -> None:
    places = anchors() * SIDE
    assert places.shape == (2016, 2)
    assert places[[0, 1, 2, 48, 1151]].tolist() == [[4, 4], [4, 4], [12, 4], [4, 12], [188, 188]]
    assert places[[1152, 1157, 1158, 2015]].tolist() == [[8, 8], [8, 8], [24, 8], [184, 184]]


def test_the_likeliest_palm_is_the_mean_of_the_boxes_on_it_weighted_by_how_likely_they_are() -> None:
    # Two boxes on one palm, 4 px apart; a third one far away is less likely, a fourth too unlikely to count.
    palm = likeliest_palm(
        *output((0, 2.0, (60, 60)), (2, 0.0, (56, 60)), (1152, 1.0, (120, 120)), (4, -2.0, (0, 0))), 0.3
    )
    assert palm is not None
    first, second = 1.0 / (1.0 + math.exp(-2.0)), 0.5
    x = (64.0 * first + 68.0 * second) / (first + second)
    assert np.array(palm.box) * SIDE == pytest.approx([x - 20, 44, x + 20, 84], abs=1e-3)
    assert np.array(palm.wrist) * SIDE == pytest.approx([x, 84], abs=1e-3)
    assert np.array(palm.middle_knuckle) * SIDE == pytest.approx([x, 44], abs=1e-3)


@pytest.mark.parametrize("logit", [-1000.0, -0.9, math.nan, -math.inf])
def test_what_is_not_likely_enough_is_no_palm(logit: float) -> None:
    assert likeliest_palm(*output((7, logit, (0, 0))), 0.3) is None


def test_a_palm_without_area_is_none() -> None:
    numbers, logits = output((7, 5.0, (0, 0)))
    numbers[7, 2:4] = 0.0
    assert likeliest_palm(numbers, logits, 0.3) is None


def test_a_palms_square_reaches_to_the_fingers_and_is_turned_as_mediapipe_turns_it() -> None:
    palm = likeliest_palm(*output((0, 9.0, (92, 92))), 0.3)
    assert palm is not None
    square = around_palm(palm, 640, 480)
    assert [square.width * 640, square.height * 480] == pytest.approx([2.6 * 40 * 640 / 192] * 2)
    assert math.remainder(square.angle - (PALM_UPRIGHT - math.pi / 2), 2 * math.pi) == pytest.approx(
        0.0, abs=1e-5
    )
    along = np.array([math.sin(square.angle), -math.cos(square.angle)]) * 20 * 640 / 192
    assert [square.x * 640, square.y * 480] == pytest.approx(np.array([320, 240]) + along)


def test_landmarks_square_turns_and_moves_and_grows_with_the_hand() -> None:
    sides = np.array([640, 480])
    hand = np.random.default_rng(1).uniform(0, 100, (21, 2))
    one = around_landmarks((hand / sides).astype(np.float32), 640, 480)
    turn = np.array([[math.cos(0.7), -math.sin(0.7)], [math.sin(0.7), math.cos(0.7)]])
    other = around_landmarks(((3.0 * hand @ turn.T + [50, -20]) / sides).astype(np.float32), 640, 480)
    assert [other.width, other.height] == pytest.approx([3.0 * one.width, 3.0 * one.height])
    assert one.width * 640 == pytest.approx(one.height * 480)
    assert math.remainder(other.angle - one.angle - 0.7, 2 * math.pi) == pytest.approx(0.0, abs=1e-6)
    middle_px = 3.0 * turn @ [one.x * 640, one.y * 480] + [50, -20]
    assert [other.x * 640, other.y * 480] == pytest.approx(middle_px, rel=1e-5)


def test_points_of_a_square_come_back_to_where_they_were_cut_out() -> None:
    picture = np.zeros((100, 120, 3), np.uint8)
    picture[30:33, 70:73] = 255
    square = Square(*np.array([66 / 120, 36 / 100, 40 / 120, 40 / 100, 0.5], np.float32))
    cut = square.cut(picture, 80)[0, :, :, 0]
    assert cut.shape == (80, 80)
    assert cut.max() == pytest.approx(1.0)
    ys, xs = np.nonzero(cut > 0.5)
    (found,) = square.to_picture(np.array([[xs.mean(), ys.mean()]], np.float32) / 80)
    # OpenCV counts from the middle of the first pixel.
    assert found * [120, 100] == pytest.approx([71, 31], abs=0.3)


@pytest.mark.parametrize(("name", "pythons"), [("cosf", math.cos), ("no such function", math.cos)])
def test_single_floats_functions_are_the_c_librarys_or_at_most_a_bit_off(
    name: str, pythons: Callable[[float], float]
) -> None:
    function = litert_hand._of_c(name, pythons)
    numbers = np.random.default_rng(2).uniform(-3.0, 3.0, 1000).astype(np.float32)
    truth = np.cos(numbers.astype(np.float64)).astype(np.float32)
    found = np.array([function(number) for number in numbers])
    assert found.dtype == np.float32
    assert (np.abs(found - truth) <= np.spacing(np.abs(truth))).all()


def check_same_hands(films: Iterable[Iterable[Image]]) -> None:
    """Show each film to both trackers, frame by frame, with blank frames before it so that none helps the next."""
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
                expected, found = (
                    tracker.track(frame, index / 30.0, index).hands for tracker in (mediapipe, litert)
                )
                frames += 1
                if len(expected) != len(found):
                    continue
                same_count += 1
                for one, other in zip(expected, found, strict=True):
                    hands += 1
                    assert one.side == other.side
                    apart_px += np.linalg.norm(one.points - other.points, axis=1).tolist()
    assert hands > 0
    assert same_count >= SAME_FOUND * frames
    assert np.percentile(apart_px, 95) <= SAME_P95_PX


def video_frames(path: Path, count: int) -> Iterator[Image]:
    capture = cv2.VideoCapture(str(path))
    for _ in range(count):
        there, frame = capture.read()
        if not there:
            break
        yield np.ascontiguousarray(frame, dtype=np.uint8)
    capture.release()


@pytest.mark.tracker
@pytest.mark.media
def test_photographs_and_clips_give_the_hands_that_mediapipe_sees() -> None:
    folder = media_folder()
    entries = manifest(folder)
    photographs = [entry for entry in entries if entry["kind"] == "photo"][::60]
    looks = [LOOKS * (1 if entry["hands"] == 1 else WATCH_EVERY) for entry in photographs]
    check_same_hands(
        [
            *(
                [photograph(folder / entry["file"])] * count
                for entry, count in zip(photographs, looks, strict=True)
            ),
            *(video_frames(folder / entry["file"], 10) for entry in entries if entry["kind"] == "video"),
        ]
    )


@pytest.mark.tracker
@pytest.mark.gl
@pytest.mark.slow
def test_rendered_hands_are_those_that_mediapipe_sees() -> None:
    check_same_hands(
        [picture for _, picture in islice(rendered_frames(seat, fingers), 20)]
        for seat, fingers in product(ROTATIONS, OTHER_FINGERS)
    )
