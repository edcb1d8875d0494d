"""The pinch: its measure on a stick hand, its guards on scripted measures (photographs: with the tracker)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hands_help import stick_hand

from armoon.hands.grips.pinch import (
    ARM_FRAMES,
    CLOSE_FRAMES,
    OPEN_FRAMES,
    PinchDetector,
    PinchMeasure,
    looks_pinched,
    measure_pinch,
)
from armoon.hands.tracking.landmarks import Hand

WIDE = PinchMeasure(1.0, 1.0, 1.8)
TIGHT = PinchMeasure(0.1, 0.2, 1.4)
BETWEEN = PinchMeasure(0.45, 0.5, 1.5)


def feed(detector: PinchDetector, *measures: PinchMeasure) -> list[bool]:
    return [detector.see(measure) for measure in measures]


def closed_detector(*measures: PinchMeasure) -> PinchDetector:
    detector = PinchDetector()
    feed(detector, *[WIDE] * ARM_FRAMES, *[TIGHT] * CLOSE_FRAMES, *measures)
    return detector


def test_open_then_closed_grabs_once() -> None:
    edges = feed(PinchDetector(), *[WIDE] * 5, *[TIGHT] * 10)
    assert edges.count(True) == 1
    assert edges.index(True) == 5 + CLOSE_FRAMES - 1


def test_a_hand_that_arrives_pinched_takes_nothing() -> None:
    detector = PinchDetector()
    assert not any(feed(detector, *[TIGHT] * 50))
    assert not any(feed(detector, *[BETWEEN] * 10, *[TIGHT] * 10)), "half open is not open"
    assert any(feed(detector, *[WIDE] * ARM_FRAMES, *[TIGHT] * CLOSE_FRAMES))


def test_a_trusted_hand_may_arrive_pinched() -> None:
    detector = PinchDetector(trusted=True)
    assert any(feed(detector, *[TIGHT] * CLOSE_FRAMES))
    assert not detector.seen_open


def test_single_frames_make_no_edge() -> None:
    detector = closed_detector()
    assert not any(feed(detector, *[WIDE, TIGHT] * 10))
    opened = PinchDetector()
    assert not any(feed(opened, *[WIDE, WIDE, TIGHT] * 10))


def test_between_the_thresholds_nothing_changes() -> None:
    loose = PinchMeasure(0.3, 0.4, 1.4)
    detector = PinchDetector()
    feed(detector, *[WIDE] * ARM_FRAMES, *[loose] * CLOSE_FRAMES)
    assert detector.closed
    assert not any(feed(detector, *[BETWEEN] * 30))
    assert not any(feed(PinchDetector(), *[WIDE] * ARM_FRAMES, *[BETWEEN] * 30))


def test_a_tight_pinch_lets_go_as_soon_as_the_gap_has_grown() -> None:
    assert any(feed(closed_detector(), *[BETWEEN] * OPEN_FRAMES)), "0.45 is far from 0.1"
    just_outside = PinchMeasure(0.36, 0.4, 1.4)
    assert not any(feed(closed_detector(), *[just_outside] * 10))


def test_the_world_alone_lets_go_a_frame_later() -> None:
    world_only = PinchMeasure(0.2, 0.9, 1.4)
    edges = feed(closed_detector(), *[world_only] * 6)
    assert edges.index(True) == OPEN_FRAMES


def test_a_turning_hand_whose_gap_grows_in_the_picture_alone_keeps_its_hold() -> None:
    turning = [PinchMeasure(0.05 + 0.004 * k, 0.35 - 0.001 * k, 1.3) for k in range(120)]
    assert turning[-1].picture_gap > 0.5, "beyond the absolute threshold"
    assert not any(feed(closed_detector(), *turning))


def test_a_gap_that_grows_in_both_is_about_to_open_before_it_is_open() -> None:
    detector = closed_detector()
    assert not detector.opening
    feed(detector, PinchMeasure(TIGHT.picture_gap + 0.12, TIGHT.world_gap + 0.05, 1.4))
    assert detector.closed
    assert detector.opening


def test_a_doubted_hand_closes_tighter_and_opens_further() -> None:
    """With a slack of 0.1 palm lengths a pinch is one below 0.30 in the picture, and ends beyond 0.60."""
    for gap, closes in ((0.34, False), (0.31, False), (0.29, True)):
        detector = PinchDetector()
        feed(detector, *[WIDE] * ARM_FRAMES)
        edges = [detector.see(PinchMeasure(gap, 0.4, 1.4), slack=0.1) for _ in range(10)]
        assert any(edges) == closes, gap
    for gap, opens in ((0.48, False), (0.55, True)):
        detector = closed_detector()
        edges = [detector.see(PinchMeasure(gap, 0.5, 1.5), slack=0.1) for _ in range(10)]
        assert any(edges) == opens, gap


def test_a_fist_is_no_pinch() -> None:
    assert not PinchMeasure(0.2, 0.3, 0.95).closed
    assert PinchMeasure(0.2, 0.3, 1.05).closed


def test_closing_runs_from_open_to_closed() -> None:
    closings = []
    for pinch in np.linspace(0.0, 1.0, 11):
        measure = measure_pinch(stick_hand(pinch=float(pinch)))
        assert measure is not None
        closings.append(measure.closing)
    assert closings == sorted(closings)
    assert closings[0] < 0.35
    assert closings[-1] > 0.9


@pytest.mark.parametrize("size", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("depth_m", [0.3, 0.8])
def test_the_measure_has_no_scale(size: float, depth_m: float) -> None:
    measure = measure_pinch(stick_hand((0.0, 0.0, depth_m * size), pinch=0.5, size=size))
    same = measure_pinch(stick_hand((0.0, 0.0, depth_m), pinch=0.5))
    assert measure is not None
    assert same is not None
    assert measure.picture_gap == pytest.approx(same.picture_gap, rel=1e-3)
    assert measure.world_gap == pytest.approx(same.world_gap, rel=1e-3)


def test_a_hand_without_size_has_no_pinch() -> None:
    nothing = Hand(((5.0, 5.0),) * 21, ((0.0, 0.0, 0.0),) * 21, "left", 1.0)
    assert measure_pinch(nothing) is None
    assert not looks_pinched(nothing)


GAPS = st.floats(0.0, 3.0)


@given(st.lists(st.builds(PinchMeasure, GAPS, GAPS, GAPS), max_size=60))
def test_edges_alternate_whatever_comes(measures: list[PinchMeasure]) -> None:
    detector = PinchDetector()
    closed = False
    for measure in measures:
        if detector.see(measure):
            closed = not closed
        assert detector.closed is closed
