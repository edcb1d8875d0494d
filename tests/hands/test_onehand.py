"""The one-hand rule: fair play is never reported; a second hand causes a warning, then a fault."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armoon.hands.landmarks import MIDDLE_KNUCKLE, WRIST, measure_palm
from armoon.hands.one_hand_watch import CLEAR, STAYS_S, OneHandWatch, WatchReport
from armoon.hands.one_hand_watch import WatchLevel as Level
from armoon.hands.tracked_hand import HandView
from armoon.values.poses import Vec3

FRAME_S = 1.0 / 30.0


def make_view(identity: int, place: Vec3, *, is_owner: bool = False, shift_px: float = 0.0) -> HandView:
    """Return a hand above a point of the table, seen straight from the front at 1000 px per metre."""
    points = tuple((place[0] + 0.004 * (k % 5), place[1], place[2] + 0.006 * (k // 4)) for k in range(21))
    pixels = tuple((1000.0 * x + shift_px, -1000.0 * z) for x, _, z in points)
    return HandView(identity, "right", pixels, (0.5,) * 21, points, place, 1.0, is_owner, is_owner, 0.02)


OWNER = make_view(1, (0.05, 0.0, 0.15), is_owner=True)
INTRUDER = make_view(2, (-0.08, 0.0, 0.12))
AT_THE_EDGE = make_view(2, (-0.35, -0.1, 0.02))
BEHIND = make_view(2, (-0.02, 0.35, 0.15))


class WatchScene:
    def __init__(self) -> None:
        self.watch = OneHandWatch()
        self.time_s = 0.0
        self.reports: list[WatchReport] = []

    def show(self, *views: HandView, seconds: float, held: bool = True) -> list[WatchReport]:
        reports = []
        for _ in range(round(seconds / FRAME_S)):
            self.time_s += FRAME_S
            reports.append(self.watch.add_frame(self.time_s, views, held))
        self.reports += reports
        return reports

    def level(self) -> Level:
        return self.reports[-1].level

    def levels(self) -> list[Level]:
        return [
            r.level for k, r in enumerate(self.reports) if k == 0 or r.level is not self.reports[k - 1].level
        ]


@pytest.fixture
def scene() -> WatchScene:
    return WatchScene()


def test_a_passing_hand_causes_no_warning(scene: WatchScene) -> None:
    for _ in range(5):
        scene.show(OWNER, INTRUDER, seconds=0.3)
        scene.show(OWNER, seconds=0.5)
    assert set(scene.levels()) <= {Level.CLEAR, Level.NOTICED}
    assert scene.reports[-1] == CLEAR


def test_a_lingering_hand_causes_a_warning_in_time_and_then_a_fault(scene: WatchScene) -> None:
    scene.show(OWNER, seconds=1.0)
    start_s = scene.time_s
    scene.show(OWNER, INTRUDER, seconds=2.0)
    assert scene.levels() == list(Level)
    times = [start_s - 1.0 + FRAME_S * (k + 1) for k in range(len(scene.reports))]
    warned = next(t for t, r in zip(times, scene.reports, strict=True) if r.level is Level.WARNING)
    assert warned - start_s <= 0.5
    assert next(r for r in scene.reports if r.level is Level.WARNING).hands == (2,)


def test_returning_after_a_warning_is_a_fault(scene: WatchScene) -> None:
    scene.show(OWNER, INTRUDER, seconds=0.6)
    scene.show(OWNER, seconds=1.0)
    assert scene.level() is Level.CLEAR
    assert scene.reports[-1].warnings == 1
    scene.show(OWNER, INTRUDER, seconds=0.6)
    assert scene.level() is Level.FAULT


def test_the_held_ladder_has_a_zone_of_its_own(scene: WatchScene) -> None:
    lifted, helping = make_view(1, (0.2, 0.0, 0.45), is_owner=True), make_view(2, (0.15, 0.0, 0.40))
    scene.show(lifted, helping, seconds=0.6)
    assert scene.level() is Level.WARNING
    assert scene.reports[-1].near[0].at_ladder


def test_the_report_gives_the_reason() -> None:
    scene = WatchScene()
    report = scene.show(OWNER, INTRUDER, seconds=0.6)[-1]
    plain, since_s = report.to_dict(), pytest.approx(FRAME_S)
    assert plain == {"level": "warning", "since_s": since_s, "warnings": 1, "near": [[2, "structure", 21]]}
    assert json.loads(json.dumps(plain)) == plain


def test_the_referee_receives_faults_or_only_warnings_by_setting(scene: WatchScene) -> None:
    reports = scene.show(OWNER, INTRUDER, seconds=2.0)
    by_level = {report.level: report for report in reports}
    received = {
        level: [report.is_for_referee(warn_only=warn_only) for warn_only in (False, True)]
        for level, report in by_level.items()
    }
    assert received == {
        Level.NOTICED: [False, False],
        Level.WARNING: [False, True],
        Level.FAULT: [True, True],
    }
    assert [level for level in by_level if by_level[level].warns] == [Level.WARNING, Level.FAULT]


def test_one_hand_seen_twice_is_not_a_second_hand(scene: WatchScene) -> None:
    scene.show(OWNER, make_view(2, (0.05, 0.01, 0.15), shift_px=5.0), seconds=5.0)
    assert scene.levels() == [Level.CLEAR]


def test_a_stall_of_the_tracker_does_not_count_as_lingering() -> None:
    scene = WatchScene()
    scene.show(OWNER, INTRUDER, seconds=0.1)
    scene.time_s += 5.0
    scene.show(OWNER, INTRUDER, seconds=0.1)
    assert scene.levels() == [Level.NOTICED]


@given(
    st.lists(
        st.tuples(
            st.floats(), st.sets(st.sampled_from([OWNER, INTRUDER, AT_THE_EDGE, BEHIND])), st.booleans()
        )
    )
)
def test_no_stream_raises_an_error_or_causes_a_fault_without_a_warning(
    stream: list[tuple[float, set[HandView], bool]],
) -> None:
    watch = OneHandWatch()
    warned = False
    for time_s, views, held in stream:
        report = watch.add_frame(time_s, sorted(views, key=lambda v: (v.identity, v.grip_point)), held)
        if report.level is Level.FAULT:
            assert warned
            assert report.warnings >= 1
        warned = held and (warned or report.level is Level.WARNING)
        if report.since_s is not None:
            assert not math.isnan(report.since_s)


def hand_beside(make_view: HandView, palms: float, depth_m: float) -> HandView:
    """Return another hand, shifted right in the picture by this many palm lengths, at its own depth."""
    palm_px = math.dist(make_view.points_px[0], make_view.points_px[9])
    moved = tuple((x + palms * palm_px, y) for x, y in make_view.points_px)
    away = ((9.0, 9.0, 9.0),) * len(moved)
    return replace(
        make_view, identity=2, is_owner=False, points_px=moved, points_table=away, hand_depth_m=depth_m
    )


@pytest.mark.parametrize(
    ("palms", "depth_m", "has_warning"),
    [(0.9, 0.5, True), (0.9, 0.9, False), (0.9, 0.22, False), (4.0, 0.5, False)],
)
def test_a_hand_beside_the_holding_one_at_a_similar_depth_causes_a_warning(
    palms: float, depth_m: float, has_warning: bool
) -> None:
    owner = replace(OWNER, hand_depth_m=0.5)
    reports = WatchScene().show(owner, hand_beside(owner, palms, depth_m), seconds=0.6)
    assert any(report.warns for report in reports) is has_warning
    assert all(hand.at_ladder for report in reports for hand in report.near)


HELD = replace(OWNER, hand_depth_m=0.6)


def shift_hand(hand: HandView, palms: float, size: float = 1.0) -> HandView:
    """Return a hand shifted to the right by palm lengths of the holding hand, and scaled about its own wrist."""
    palm_px = measure_palm(HELD.points_px)
    x, y = hand.points_px[WRIST]
    points = tuple((x + (a - x) * size + palms * palm_px, y + (b - y) * size) for a, b in hand.points_px)
    return replace(hand, points_px=points)


def test_a_false_detection_is_not_a_second_hand() -> None:
    other = hand_beside(HELD, 0.9, 0.6)
    flickering, jumping, swelling, shrinking = WatchScene(), WatchScene(), WatchScene(), WatchScene()
    for k in range(60):
        # Each of these identities is present for two frames.
        flickering.show(HELD, replace(other, identity=2 + k // 2), seconds=FRAME_S)
        jumping.show(HELD, shift_hand(other, 0.6 if k // 3 % 2 else 0.0), seconds=FRAME_S)
        swelling.show(HELD, shift_hand(other, 0.0, 1.8 if k // 3 % 2 else 1.0), seconds=FRAME_S)
    for size in (1.7**3, 1.7**2, 1.7, 1.0):
        shrinking.show(HELD, shift_hand(other, 0.0, size), seconds=0.14)
    for scene in (flickering, jumping, swelling, shrinking):
        assert scene.levels() == [Level.CLEAR]


def put_on_forearm(owner: HandView, palms: float, turned: float) -> HandView:
    """Return a hand this far behind the owner's wrist, rotated about its own wrist in the picture."""
    (x, y), (a, b) = owner.points_px[WRIST], owner.points_px[MIDDLE_KNUCKLE]
    cos, sin = math.cos(turned), math.sin(turned)
    points = tuple(
        (
            x + palms * (x - a) + cos * (p - x) - sin * (q - y),
            y + palms * (y - b) + sin * (p - x) + cos * (q - y),
        )
        for p, q in owner.points_px
    )
    return replace(hand_beside(owner, 0.0, 0.6), points_px=points)


@pytest.mark.parametrize(("turned", "has_warning"), [(0.0, False), (0.5, False), (-0.5, False), (1.5, True)])
def test_the_holding_hands_forearm_is_not_a_second_hand_but_a_hand_across_it_is(
    turned: float, has_warning: bool
) -> None:
    scene = WatchScene()
    scene.show(HELD, put_on_forearm(HELD, 0.9, turned), seconds=2.0)
    assert (Level.WARNING in scene.levels()) is has_warning


@pytest.mark.parametrize("palms_s", [6.0, 12.0])
def test_an_arm_that_passes_at_another_depth_is_fair(scene: WatchScene, palms_s: float) -> None:
    for _ in range(3):
        for k in range(round(12.0 / palms_s / FRAME_S)):
            scene.show(
                HELD, shift_hand(hand_beside(HELD, -6.0, 0.45), palms_s * k * FRAME_S), seconds=FRAME_S
            )
    assert scene.levels() == [Level.CLEAR]


def test_a_hand_that_helps_to_carry_moves_with_the_holding_one(scene: WatchScene) -> None:
    for k in range(round(0.5 / FRAME_S)):
        held, helping = (
            shift_hand(hand, 12.0 * k * FRAME_S) for hand in (HELD, hand_beside(HELD, 0.9, 0.45))
        )
        scene.show(held, helping, seconds=FRAME_S)
    assert scene.level() is Level.WARNING
    assert scene.reports[round(STAYS_S / FRAME_S) - 2].level is Level.CLEAR, (
        "it has to stay for a while first"
    )


@pytest.mark.parametrize("rate_hz", [60.0, 30.0, 15.0, 10.0])
def test_slow_frames_delay_no_warning_and_cause_none_for_a_passing_arm(rate_hz: float) -> None:
    watch, arrival_s, warned_s = OneHandWatch(), 1.0 + 1e-4, math.inf
    for frame in range(1, math.ceil(2.0 * rate_hz)):
        time_s = frame / rate_hz
        views = (OWNER, INTRUDER) if time_s >= arrival_s else (OWNER,)
        if watch.add_frame(time_s, views, True).warns:
            warned_s = min(warned_s, time_s)
    assert 0.4 - 1.0 / rate_hz <= warned_s - arrival_s <= 0.45
    passing = OneHandWatch()
    for frame in range(math.ceil(10.0 * rate_hz)):
        time_s = frame / rate_hz
        views = (OWNER, INTRUDER) if time_s % 1.0 < 0.29 else (OWNER,)
        assert not passing.add_frame(time_s, views, True).warns


@pytest.mark.parametrize("rate_hz", [30.0, 15.0, 10.0])
def test_a_hand_present_before_the_grab_causes_a_warning_as_soon(rate_hz: float) -> None:
    watch, grab_s = OneHandWatch(), 1.0
    times = [frame / rate_hz for frame in range(round(2.0 * rate_hz))]
    warned_s = next(t for t in times if watch.add_frame(t, (OWNER, INTRUDER), t >= grab_s).warns)
    assert 0.4 - 1.0 / rate_hz - 1e-6 <= warned_s - grab_s <= 0.4
