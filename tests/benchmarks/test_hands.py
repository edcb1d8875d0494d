"""The hands benchmark judges a known pinch correctly, and its clips reach the targets for real hands."""

from __future__ import annotations

import itertools

import pytest
from benchmarks.hand_checks import list_taps, measure_rest, measure_taps
from benchmarks.hand_clips import Clip, ClipResults, Pinch, load_annotated_clips, read_clip
from benchmarks.hands import RATES, measure_clips
from support.every_case import every_case
from support.hands_kit import CAMERA, TABLE_FROM_CAMERA, frame_of, media_folder, stick_hand

RATE_HZ = 30.0
CONTACT_S, PARTED_S = 1.0, 2.0


def pinch_at(time_s: float) -> float:
    closed, parted = (time_s - CONTACT_S) / 0.2 + 1.0, (time_s - PARTED_S) / 0.2
    return min(1.0, max(0.0, closed)) - min(1.0, max(0.0, parted))


def make_clip(*pinches: Pinch) -> Clip:
    frames = tuple(frame_of(stick_hand(pinch=pinch_at(k / RATE_HZ)), time_s=k / RATE_HZ) for k in range(90))
    return Clip("sticks", frames, CAMERA, TABLE_FROM_CAMERA, pinches)


@pytest.mark.parametrize("rate_hz", [30.0, 15.0, 10.0])
def test_a_pinch_is_timed_from_its_contact_to_its_parting(rate_hz: float) -> None:
    results, clip = ClipResults(), make_clip(Pinch(CONTACT_S, PARTED_S))
    read_clip(clip, clip.thin(rate_hz, 0.0), results)
    assert (results.pinches, results.missed, results.dropped, results.false_grabs) == (1, 0, 0, 0)
    assert abs(results.grab_early_s[0]) <= 0.07 + 1.0 / rate_hz
    assert 0.0 < results.release_late_s[0] <= max(0.10, 2.0 / rate_hz) + 1e-6
    assert results.release_off_mm[0] < 1.0


def test_the_same_pinch_in_a_clip_without_pinches_is_a_false_grab() -> None:
    results, clip = ClipResults(), make_clip()
    read_clip(clip, clip.frames, results)
    assert results.false_grabs == 1
    assert results.minutes == pytest.approx(89 / RATE_HZ / 60.0)


def test_a_thinned_clip_has_the_same_rate_for_any_camera() -> None:
    clip = make_clip()
    for rate_hz in (10.0, 15.0):
        times = [hands.time_s for hands in clip.thin(rate_hz, 0.5)]
        assert len(times) == pytest.approx(3.0 * rate_hz, abs=2)
        assert min(b - a for a, b in itertools.pairwise(times)) > 0.5 / rate_hz


def test_recorded_noise_shakes_a_held_ladder_at_rest_by_at_most_three_millimetres() -> None:
    figures = measure_rest(range(4))
    assert figures["along_most_mm"] <= 3.0
    assert figures["across_most_mm"] <= 2.5


def test_a_short_pinch_leaves_the_ladder_in_place() -> None:
    figures = measure_taps(list_taps()[::7])
    assert figures["taken"] == figures["taps"] == 7, "each was a pinch within reach of the ladder"
    assert (figures["dropped"], figures["charged"]) == (0, 0)
    assert figures["moved_most_mm"] <= 3.0


@pytest.fixture
def filmed_clips() -> list[Clip]:
    return load_annotated_clips(media_folder())


@pytest.mark.media
@pytest.mark.tracker
@pytest.mark.slow
@every_case("rate", RATES)
def test_real_hands_reach_the_targets(rate: str, filmed_clips: list[Clip]) -> None:
    figures = measure_clips(filmed_clips, rate)
    assert figures["false_grabs_per_min"] <= 0.5
    assert figures["missed"] == 0.0
    assert figures["grab_earliest_s"] <= 0.0
    assert figures["release_late_s"] <= {"30": 0.10, "15": 0.13, "10": 0.17}[rate]
    assert figures["release_off_mm"] <= 2.0
    assert figures["watch_s"] <= {"30": 0.5, "15": 0.5, "10": 0.6}[rate]
