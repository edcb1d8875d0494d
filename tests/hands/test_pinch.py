"""The measure of a pinch on a stick hand, and how scripted measures close and open the grip at any frame rate."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands_kit import stick_hand

from armoon.hands.pinch import (
    CLOSE_AMBIGUOUS,
    CLOSE_IF_EQUAL,
    CLOSED_PICTURE,
    OPEN_BY_WORLD,
    PinchGrip,
    PinchMeasure,
    measure_pinch,
)

FRAME_S = 1.0 / 30.0
WIDE = PinchMeasure(1.0, 1.0, 1.8)
TIGHT = PinchMeasure(0.1, 0.2, 1.4)
HALF = PinchMeasure(0.5, 0.6, 1.5)
BETWEEN = PinchMeasure(0.45, 0.5, 1.5)
NARROW = PinchMeasure(0.3, 0.35, 1.5)


class Fingers:
    def __init__(self, *, trusted: bool = False, rate_hz: float = 30.0) -> None:
        self.detector = PinchGrip(trusted=trusted)
        self.frame_s = 1.0 / rate_hz
        self.frame = 0

    def show(self, *measures: PinchMeasure) -> list[bool]:
        changed = []
        for measure in measures:
            changed.append(self.detector.add_measure(self.frame * self.frame_s, measure))
            self.frame += 1
        return changed

    def close(self) -> Fingers:
        self.show(*[WIDE] * 5, *[TIGHT] * round(1.0 / self.frame_s))
        assert self.detector.is_closed
        return self


def test_a_trusted_hand_may_arrive_pinched() -> None:
    fingers = Fingers(trusted=True)
    assert any(fingers.show(*[TIGHT] * 5))
    assert not fingers.detector.was_open


def test_single_frames_change_nothing() -> None:
    assert not any(Fingers().close().show(*[WIDE, TIGHT] * 10))
    assert not any(Fingers().show(*[WIDE, WIDE, TIGHT] * 10))


@pytest.mark.parametrize("rate_hz", [10.0, 15.0, 30.0, 60.0])
def test_grabs_and_releases_come_as_quickly_at_every_frame_rate(rate_hz: float) -> None:
    """At 10 Hz a tenth of a second has one frame, at 60 Hz six."""
    fingers = Fingers(rate_hz=rate_hz)
    closed = fingers.show(*[WIDE] * 6, *[TIGHT] * 60)
    assert (closed.index(True) - 6) / rate_hz <= max(0.07, 1.0 / rate_hz)
    opened = fingers.show(*[WIDE] * 20)
    assert opened.index(True) / rate_hz <= max(0.05, 1.0 / rate_hz)


@pytest.mark.parametrize(("rate_hz", "frames", "half_frames"), [(30.0, 2, 9), (15.0, 1, 1), (10.0, 1, 1)])
def test_a_slow_camera_sees_a_wide_open_hand_in_its_first_frame(
    rate_hz: float, frames: int, half_frames: int
) -> None:
    fingers = Fingers(rate_hz=rate_hz).close()
    assert fingers.show(*[WIDE] * 3).index(True) == frames - 1
    fingers.close()
    assert fingers.show(*[HALF] * 10).index(True) == half_frames - 1
    for doubtful, frame in (
        (PinchMeasure(0.36, 0.6, 1.5), 1),
        (PinchMeasure(0.5, 0.43, 1.5), max(1, half_frames - 1)),
    ):
        fingers.close()
        assert fingers.show(*[doubtful] * 10).index(True) == frame, "a doubtful gap needs another frame"
    # Loosely closed fingers have to move further apart.
    loose = Fingers(rate_hz=rate_hz)
    loose.show(*[WIDE] * 5, *[PinchMeasure(0.2, 0.3, 1.5)] * round(rate_hz))
    assert loose.detector.is_closed
    assert loose.show(*[PinchMeasure(0.46, 0.6, 1.5)] * 3).index(True) == 1


@pytest.mark.parametrize("rate_hz", [10.0, 15.0, 30.0])
@pytest.mark.parametrize("seconds", [0.5, 1.0, 1.5])
@pytest.mark.parametrize("spans", [(0.08,), (0.08, 0.22), (0.12, 0.30, 0.30), (0.22,)])
def test_a_slow_fist_is_not_a_pinch(spans: tuple[float, ...], seconds: float, rate_hz: float) -> None:
    """The similarity of fingers is noisy, so a single frame, such as the newest, can't tell a fist from a pinch."""
    fingers = Fingers(rate_hz=rate_hz)
    fingers.show(*[WIDE] * 5)
    steps = np.arange(0.0, 1.0, 1.0 / (seconds * rate_hz))
    curling = [
        PinchMeasure(0.15, 0.25, 1.45 - 0.5 * part, 0.4, 0.5, finger_difference=apart)
        for part, apart in zip(steps, itertools.cycle(spans), strict=False)
    ]
    fist = PinchMeasure(0.2, 0.25, 0.93, 0.3, 0.4, finger_difference=0.05)
    assert not any(fingers.show(*curling, *[fist] * 20))


def test_similar_fingers_close_once_they_stay() -> None:
    alike = PinchMeasure(0.15, 0.25, 1.3, 0.4, finger_difference=0.05)
    edges = Fingers().show(*[WIDE] * 5, *[alike] * 20)
    assert (edges.index(True) - 5) * FRAME_S == pytest.approx(CLOSE_IF_EQUAL.seconds, abs=FRAME_S)


def test_between_the_thresholds_nothing_changes() -> None:
    loose = PinchMeasure(0.2, 0.3, 1.4)
    fingers = Fingers()
    fingers.show(*[WIDE] * 3, *[loose] * 5)
    assert fingers.detector.is_closed
    assert not any(fingers.show(*[PinchMeasure(0.27, 0.33, 1.4)] * 30))
    assert not any(Fingers().show(*[WIDE] * 3, *[BETWEEN] * 30))


def test_a_pinch_releases_as_soon_as_the_gap_has_grown() -> None:
    fingers = Fingers().close()
    assert any(fingers.show(*[PinchMeasure(0.27, 0.3, 1.4)] * 3)), "the gap was 0.1"
    fingers.close()
    assert not any(fingers.show(*[PinchMeasure(0.16, 0.24, 1.4)] * 10))


@pytest.mark.parametrize(
    ("held_frames", "apart", "frames", "is_held"),
    [
        *((10, apart, 4, True) for apart in (NARROW, WIDE)),
        *(
            (held, NARROW, frames, is_held)
            for held, frames, is_held in ((13, 4, True), (13, 5, False), (15, 2, True))
        ),
        *((15, WIDE, 2, False), (15, WIDE, 1, True), (18, NARROW, 2, False)),
    ],
)
def test_soon_after_a_grab_fingers_must_part_for_longer_or_wider_to_release(
    held_frames: int, apart: PinchMeasure, frames: int, is_held: bool
) -> None:
    fingers = Fingers()
    fingers.show(*[WIDE] * 5, *[TIGHT] * (3 + held_frames))
    assert fingers.detector.is_closed
    assert any(fingers.show(*[apart] * frames, *[TIGHT] * 2)) is not is_held


def test_fingers_in_front_of_a_lamp_read_as_open_from_one_frame_to_the_next_keep_the_hold() -> None:
    gaps = ((0.12, 0.24), (0.44, 0.51), (0.49, 0.55), (0.46, 0.54), (0.35, 0.45), (0.27, 0.36), (0.2, 0.31))
    assert not any(Fingers().close().show(*[PinchMeasure(*gap, 1.4) for gap in gaps], *[TIGHT] * 3))


def test_a_trembling_gap_has_to_grow_more() -> None:
    loose = PinchMeasure(0.27, 0.3, 1.4)
    fingers = Fingers()
    fingers.show(*[WIDE] * 5, *[TIGHT] * 5)
    fingers.show(*[PinchMeasure(0.05, 0.15, 1.4), PinchMeasure(0.18, 0.22, 1.4)] * 15)
    assert not any(fingers.show(loose, loose, loose))
    assert any(fingers.show(*[WIDE] * 3))


def test_world_landmarks_alone_release_later() -> None:
    edges = Fingers().close().show(*[PinchMeasure(0.1, 0.9, 1.4)] * 6)
    assert edges.index(True) == round(OPEN_BY_WORLD.seconds / FRAME_S)


def test_a_gap_that_grows_only_in_the_picture_as_a_hand_turns_keeps_the_hold() -> None:
    turning = [PinchMeasure(0.05 + 0.004 * k, 0.35 - 0.001 * k, 1.3) for k in range(120)]
    assert turning[-1].picture_gap > 0.5
    assert not any(Fingers().close().show(*turning))


def test_a_gap_that_grows_in_both_is_about_to_open_before_it_is_open() -> None:
    fingers = Fingers().close()
    assert not fingers.detector.is_opening
    fingers.show(PinchMeasure(TIGHT.picture_gap + 0.11, TIGHT.world_gap + 0.04, 1.4))
    assert fingers.detector.is_closed
    assert fingers.detector.is_opening


def test_just_parted_fingers_have_to_part_further_before_the_next_grab() -> None:
    fingers = Fingers().close()
    parted = PinchMeasure(0.2, 0.29, 1.4)
    assert parted.is_closed()
    assert fingers.show(*[parted] * 30).count(True) == 1
    assert any(fingers.show(BETWEEN, *[TIGHT] * 4))


def test_tips_that_pass_each_other_grab_nothing() -> None:
    passing = [PinchMeasure(0.1, 0.2, 1.4, tips=(0.5, 0.5, 0.5 + 0.2 * k, 0.5)) for k in range(4)]
    assert not any(Fingers().show(*[WIDE] * 5, *passing, WIDE))


def test_an_uncertain_hand_has_to_close_tighter() -> None:
    """With a slack of 0.1 palm lengths, the picture gap of a pinch must be smaller by half as much."""
    limit = CLOSED_PICTURE - 0.05
    for gap, closes in ((limit + 0.01, False), (limit - 0.01, True)):
        fingers = Fingers()
        fingers.show(*[WIDE] * 5)
        measure = PinchMeasure(gap, gap, 1.4)
        changed = [fingers.detector.add_measure((5 + k) * FRAME_S, measure, slack=0.1) for k in range(15)]
        assert any(changed) == closes, gap


def test_a_ring_of_thumb_and_fingers_is_not_a_pinch() -> None:
    assert not PinchMeasure(0.1, 0.3, 1.2, joints_gap=0.5, facing=0.2).is_closed()
    assert PinchMeasure(0.1, 0.3, 1.2, joints_gap=0.4, facing=0.2).is_closed()
    assert PinchMeasure(0.1, 0.3, 1.2, joints_gap=0.5, facing=0.8).is_closed()


@pytest.mark.parametrize(
    ("rate_hz", "joints", "frames"),
    [
        *((30.0, joints, 1 + round(CLOSE_AMBIGUOUS.seconds / FRAME_S + 0.4)) for joints in (0.0, 0.45)),
        *((15.0, 0.40, 2), (15.0, 0.42, 3), (10.0, 0.40, 2), (10.0, 0.42, 3)),
    ],
)
def test_an_uncertain_pinch_has_to_last_unless_frames_are_slow_and_joints_near(
    rate_hz: float, joints: float, frames: int
) -> None:
    edge_on = PinchMeasure(0.1, 0.2, 1.4, joints_gap=joints, facing=0.2)
    edges = Fingers(rate_hz=rate_hz).show(*[WIDE] * 5, *[edge_on] * 10)
    assert edges.index(True) == 5 + frames - 1


def test_joints_have_to_be_near_in_every_frame_of_a_slow_pinch() -> None:
    far, near = (PinchMeasure(0.1, 0.2, 1.4, joints_gap=joints, facing=0.2) for joints in (0.45, 0.3))
    edges = Fingers(rate_hz=10.0).show(*[WIDE] * 5, far, *[near] * 4)
    assert edges.index(True) == 7


def test_the_displayed_closing_rises_as_a_hand_closes() -> None:
    closings = []
    for pinch in np.linspace(0.0, 1.0, 11):
        measure = measure_pinch(stick_hand(pinch=float(pinch)))
        assert measure is not None
        closings.append(measure.closing)
    assert closings == sorted(closings)
    assert measure is not None
    assert [replace(measure, picture_gap=gap).closing for gap in (0.0, 9.0)] == [1.0, 0.0]
    assert closings[0] < 0.35
    assert closings[-1] > 0.9


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("depth_m", [0.3, 0.8])
def test_the_measure_is_independent_of_scale(size: float, depth_m: float) -> None:
    measure = measure_pinch(stick_hand((0.0, 0.0, depth_m * size), pinch=0.5, size=size))
    same = measure_pinch(stick_hand((0.0, 0.0, depth_m), pinch=0.5))
    assert measure is not None
    assert same is not None
    assert measure.picture_gap == pytest.approx(same.picture_gap, rel=1e-3)
    assert measure.world_gap == pytest.approx(same.world_gap, rel=1e-3)


GAPS = st.floats(0.0, 3.0)


@given(st.lists(st.builds(PinchMeasure, GAPS, GAPS, GAPS), max_size=60))
def test_edges_alternate_in_any_stream(measures: list[PinchMeasure]) -> None:
    detector = PinchGrip()
    closed = False
    for frame, measure in enumerate(measures):
        if detector.add_measure(frame * FRAME_S, measure):
            closed = not closed
        assert detector.is_closed is closed
