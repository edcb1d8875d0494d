"""How a held ladder moves with the hand: depth, noise, gain, fine mode, parking and the speed limit."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands_kit import (
    CAMERA,
    FRAME_S,
    PALM_M,
    TABLE_FROM_CAMERA,
    TICK_S,
    InterpreterHarness,
    fist_hand,
    stick_hand,
)

from armoon.geometry import Array, pose_apply, pose_inverse, quat_angle, quat_from_axis_angle, quat_multiply
from armoon.hands.grip_path import HeldPath
from armoon.hands.grip_settings import PUSH_PLAY_M, GripSettings, apply_depth_help
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hand, Hands, make_hand
from armoon.values.choices import DepthHelp
from armoon.values.pieces import GripIntent
from armoon.values.pieces import GripPhase as Phase
from armoon.values.poses import Vec3

HERE = (0.0, 0.06, 0.5)


class Table(InterpreterHarness):
    def carry(self, start: Vec3, motion: Vec3, frames: int) -> GripIntent:
        for k in range(1, frames + 1):
            x, y, z = (a + b * k / frames for a, b in zip(start, motion, strict=True))
            self.show(stick_hand((x, y, z), pinch=1.0))
        return self.show(stick_hand((x, y, z), pinch=1.0), frames=30)


def in_camera(intent: GripIntent) -> Array:
    return np.array(pose_apply(pose_inverse(TABLE_FROM_CAMERA), intent.pose.position))


# Depth ------------------------------------------------------------------------------------------------------


def measure_push(depth_help: DepthHelp) -> tuple[float, float]:
    """Return how far a held ladder moves along the view when the hand is pushed by 1 cm, and by 10 cm in total."""
    table = Table()
    options = replace(apply_depth_help(GripSettings(palm_m=PALM_M), depth_help), depth_halved_at_m_s=10.0)
    table.interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, options)
    start = in_camera(table.hold())
    x, y, z = HERE
    near = in_camera(table.carry(HERE, (0.0, 0.0, 0.01), 30))
    table.carry((x, y, z + 0.01), (0.0, 0.0, 0.09), 90)
    far = in_camera(table.show(stick_hand((x, y, z + 0.1), pinch=1.0), frames=60))
    return near[2] - start[2], far[2] - start[2]


def test_a_locked_depth_stays_and_a_clear_push_moves_it() -> None:
    """With PUSH a ladder moves less far than with SHARE, but at most by the dead travel."""
    assert measure_push(DepthHelp.LOCK) == pytest.approx((0.0, 0.0), abs=1e-9)
    near_m, far_m = measure_push(DepthHelp.PUSH)
    _, shared_m = measure_push(DepthHelp.SHARE)
    assert near_m == pytest.approx(0.0, abs=0.0005)
    assert 0.0 < shared_m - far_m < PUSH_PLAY_M + 0.001
    assert far_m > 0.03


# Short pinches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate_hz", "closed_frames"), [(30.0, 4), (30.0, 6), (30.0, 8), (15.0, 5), (10.0, 4)]
)
@pytest.mark.parametrize("nearer_m", [0.0, 0.08])
def test_a_tap_grabs_and_releases_in_place_at_any_distance_of_the_hand(
    rate_hz: float, closed_frames: int, nearer_m: float
) -> None:
    table = Table(frame_s=1.0 / rate_hz)
    x, y, z = HERE
    table.show(stick_hand(HERE), frames=5)
    offered = table.intents[-1].pose.position
    near = (x * (z - nearer_m) / z, y * (z - nearer_m) / z, z - nearer_m)
    table.interpreter.set_offered_point(offered)
    for pinch in (*[0.0] * 30, 0.5, *[1.0] * closed_frames, 0.5, *[0.0] * 10):
        table.show(stick_hand(near, pinch=pinch))
    grab = next(intent for intent in table.intents if intent.phase is Phase.GRAB)
    held = [intent for intent in table.intents if intent.phase in (Phase.GRAB, Phase.HOLD, Phase.RELEASE)]
    assert held[-1].phase is Phase.RELEASE
    assert max(math.dist(grab.pose.position, grip.pose.position) for grip in held) <= 0.003
    assert in_camera(grab)[2] == pytest.approx(pose_apply(pose_inverse(TABLE_FROM_CAMERA), offered)[2])


def test_fingers_that_slip_late_in_a_tap_do_not_move_the_ladder() -> None:
    table = Table(frame_s=0.1)
    x, y, z = HERE
    table.show(stick_hand(HERE), frames=5)
    table.show(stick_hand(HERE, pinch=1.0), frames=5)
    table.show(stick_hand((x + 0.004, y, z), pinch=1.0))
    table.show(stick_hand(HERE), frames=5)
    held = [intent for intent in table.intents if intent.phase in (Phase.GRAB, Phase.HOLD, Phase.RELEASE)]
    assert held[-1].phase is Phase.RELEASE
    assert max(math.dist(held[0].pose.position, grip.pose.position) for grip in held) <= 0.001


def test_a_ladder_carried_off_at_once_is_under_the_fingers_after_three_centimetres() -> None:
    table = Table(depth_gain=0.0)
    table.show(stick_hand(HERE), frames=5)
    table.show(stick_hand(HERE, pinch=1.0), frames=3)
    start = in_camera(next(intent for intent in table.intents if intent.phase is Phase.GRAB))
    x, y, z = HERE
    steps = [in_camera(table.show(stick_hand((x + 0.005 * k, y, z), pinch=1.0)))[0] for k in range(1, 25)]
    assert max(np.diff(steps)) <= 1.5 * 0.005, "it must catch up gently"
    later = table.show(stick_hand((x + 0.12, y, z), pinch=1.0), frames=20)
    assert in_camera(later)[0] - start[0] == pytest.approx(0.12, abs=0.003)


# Noise ------------------------------------------------------------------------------------------------------


def trembling_hand(
    rng: np.random.Generator, times: float = 1.0, *, pinch: float = 1.0, place: Vec3 = HERE
) -> Hand:
    """Return a hand seen by a typical webcam: noise of 0.8 pixels and 3 mm in the world landmarks, or a multiple."""
    hand = stick_hand(place, pinch=pinch, noise_px=0.8 * times, rng=rng)
    world = np.array(hand.world_m) + rng.normal(0.0, 0.003 * times, (21, 3))
    return make_hand(hand.points_px, world.tolist(), hand.side, hand.score)


#: Seeds for which a held ladder would shake by more than 2 mm if motion along the view were averaged over a few frames.
SHAKING_SEEDS = (1, 4, 18, 23, 24, 32, 40)


@pytest.mark.parametrize("seed", [0, *SHAKING_SEEDS])
def test_a_webcams_noise_shakes_a_held_ladder_by_at_most_two_millimetres(seed: int) -> None:
    rng, table = np.random.default_rng(seed), Table()
    for pinch in (*[0.0] * 5, 0.25, 0.5, 0.75, *[1.0] * 180):
        table.show(trembling_hand(rng, pinch=pinch))
    held = np.array([intent.pose.position for intent in table.intents if intent.time_s > 0.8])
    assert np.linalg.norm(held - held.mean(axis=0), axis=1).max() <= 0.002


def test_noise_shortens_an_early_push_by_at_most_the_dead_travel() -> None:
    rng, table = np.random.default_rng(1), Table()
    x, y, z = HERE
    for k in range(90):
        place = (x, y, z - 0.05 * min(max(0.0, (k - 20) / 15.0), 1.0))
        table.show(trembling_hand(rng, pinch=float(k >= 5), place=place))
    grab = next(intent for intent in table.intents if intent.phase is Phase.GRAB)
    assert in_camera(grab)[2] - in_camera(table.intents[-1])[2] > 0.012


@pytest.mark.parametrize("seed", range(6))
def test_ten_frames_of_triple_noise_never_release(seed: int) -> None:
    rng, table = np.random.default_rng(seed), Table()
    table.show(stick_hand(HERE), frames=5)
    for frame in range(90):
        table.show(trembling_hand(rng, 3.0 if 60 <= frame < 70 else 1.0))
    phases = [intent.phase for intent in table.intents]
    assert Phase.RELEASE not in phases
    assert phases.count(Phase.GRAB) == 1


# Gain -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", [0.5, 1.5])
def test_a_gain_scales_the_motion_since_the_grab(gain: float) -> None:
    table = Table(gain=gain, depth_gain=0.0)
    start = in_camera(table.hold())
    motion = in_camera(table.carry(HERE, (0.05, -0.03, 0.0), 30)) - start
    plain = Table(depth_gain=0.0)
    expected = in_camera(plain.hold())
    expected = in_camera(plain.carry(HERE, (0.05, -0.03, 0.0), 30)) - expected
    assert motion[:2] == pytest.approx(gain * expected[:2], abs=0.001)
    assert math.dist(start, in_camera(table.intents[10])) < 0.03, "the grab itself is under the fingers"


# Fine mode --------------------------------------------------------------------------------------------------

FINE = GripSettings(fine_gain=0.5)


def follow_hand(held_path: HeldPath, places: Array) -> Array:
    """Return the ladder's positions (n, 2) for the hand's, at 30 Hz."""
    positions = []
    last = places[0]
    for place in places:
        speed = float(np.hypot(*(place - last))) / FRAME_S
        held_path.move_with_hand(place, 0.5, speed)
        positions.append(held_path.compute_held_position(place))
        last = place
    return np.array(positions)


def straight_path(length_m: float, speed_m_s: float) -> Array:
    steps = max(2, round(length_m / speed_m_s / FRAME_S))
    return np.column_stack([np.linspace(0.0, length_m, steps), np.zeros(steps)])


def test_a_slow_hand_moves_a_ladder_half_as_far() -> None:
    held_path = HeldPath(FINE, (0.0, 0.0), 0.5, 0.5)
    followed = follow_hand(held_path, straight_path(0.02, 0.015))
    assert followed[-1][0] == pytest.approx(0.01, abs=0.001)


def test_the_fine_modes_offset_is_bounded_and_a_fast_motion_removes_it() -> None:
    held_path = HeldPath(FINE, (0.0, 0.0), 0.5, 0.5)
    slow = straight_path(0.15, 0.015)
    assert slow[-1][0] - follow_hand(held_path, slow)[-1][0] == pytest.approx(FINE.max_fine_m, abs=1e-9)
    fast = slow[-1] + straight_path(0.15, 0.4)
    assert follow_hand(held_path, fast)[-1][0] == pytest.approx(fast[-1][0], abs=0.001)


@given(st.lists(st.tuples(st.floats(-0.03, 0.03), st.floats(-0.03, 0.03)), min_size=2, max_size=60))
def test_the_fine_mode_neither_jumps_nor_moves_for_a_still_hand(steps: list[tuple[float, float]]) -> None:
    held_path = HeldPath(FINE, (0.0, 0.0), 0.5, 0.5)
    places = np.cumsum(np.array(steps), axis=0)
    followed = follow_hand(held_path, np.repeat(places, 2, axis=0))
    moved = np.linalg.norm(np.diff(followed, axis=0), axis=1)
    hand = np.linalg.norm(np.diff(np.repeat(places, 2, axis=0), axis=0), axis=1)
    assert (moved <= 1.31 * hand + 1e-9).all()
    assert np.linalg.norm(followed - np.repeat(places, 2, axis=0), axis=1).max() <= FINE.max_fine_m + 1e-9


def test_prediction_uses_the_fine_mode_too() -> None:
    table = Table(fine_gain=0.5, depth_gain=0.0)
    table.hold()
    before = len(table.intents)
    table.carry(HERE, (0.02, 0.0, 0.0), 60)
    x = [in_camera(intent)[0] for intent in table.intents[before + 20 : before + 110]]
    steps = np.diff(x)
    assert steps.min() > -0.0002, "frames and predictions must not alternate"


# Parking -------------------------------------------------------------------------------------------------------


def test_the_next_pinch_takes_a_parked_ladder_from_its_place() -> None:
    table = Table(depth_gain=0.0)
    table.hold()
    held = table.carry(HERE, (0.08, 0.0, 0.0), 20)
    assert table.interpreter.park(table.frame * FRAME_S)
    assert table.interpreter.is_parked
    parked = table.intents[-1].pose
    back = (-0.05, 0.06, 0.5)
    for x in np.linspace(0.08, -0.05, 20):
        intent = table.show(stick_hand((float(x), 0.06, 0.5)))
        assert intent.phase is Phase.HOLD
        assert math.dist(intent.pose.position, parked.position) < 0.001
    table.show(stick_hand(back, pinch=1.0), frames=10)
    assert not table.interpreter.is_parked
    grab = table.intents[-1]
    assert math.dist(grab.pose.position, held.pose.position) < 0.004
    assert quat_angle(grab.pose.rotation, held.pose.rotation) < math.radians(2.0)
    moved = table.carry(back, (0.06, 0.0, 0.0), 20)
    assert math.dist(moved.pose.position, grab.pose.position) == pytest.approx(0.06, abs=0.01)
    table.show(stick_hand((0.01, 0.06, 0.5)), frames=10)
    phases = [i.phase for i in table.intents]
    assert phases.count(Phase.GRAB) == phases.count(Phase.RELEASE) == 1
    released = next(i for i in table.intents if i.phase is Phase.RELEASE)
    assert math.dist(released.pose.position, moved.pose.position) < 0.004


def test_parking_again_with_a_closed_hand_resumes_the_grip() -> None:
    table = Table(depth_gain=0.0)
    table.hold()
    table.interpreter.park(table.frame * FRAME_S)
    carried = table.carry(HERE, (0.06, 0.0, 0.0), 20)
    assert table.interpreter.park(table.frame * FRAME_S)
    intents = table.show(stick_hand((0.06, 0.06, 0.5), pinch=1.0), frames=5)
    assert math.dist(carried.pose.position, intents.pose.position) < 0.003


def test_a_parked_ladder_survives_a_loss_and_is_taken_by_the_returning_hand() -> None:
    table = Table(depth_gain=0.0)
    held = table.hold()
    table.interpreter.park(table.frame * FRAME_S)
    table.show(stick_hand(), frames=10)
    assert table.show(frames=30).phase is Phase.LOST
    table.show(stick_hand((0.12, 0.06, 0.5)), frames=10)
    intents = table.show(stick_hand((0.12, 0.06, 0.5), pinch=1.0), frames=10)
    assert intents.phase is Phase.HOLD
    assert math.dist(intents.pose.position, held.pose.position) < 0.004


def test_the_game_may_end_a_parked_grip() -> None:
    table = Table()
    table.hold()
    table.interpreter.park(table.frame * FRAME_S)
    table.interpreter.end_grip()
    assert not table.interpreter.is_parked
    assert table.show(stick_hand(pinch=1.0), frames=5).phase is Phase.HOVER


# Speed limit --------------------------------------------------------------------------------------------------


def test_a_doubtful_frame_does_not_pull_a_carried_ladder_back() -> None:
    table = Table(depth_gain=0.0)
    table.hold((-0.1, 0.06, 0.5))
    before = len(table.intents)
    for k in range(40):
        doubtful = 0.75 if k % 8 == 4 else 1.0
        table.show(stick_hand((-0.1 + 0.008 * k, 0.06, 0.5), pinch=doubtful))
    x = [in_camera(intent)[0] for intent in table.intents[before:]]
    assert {i.phase for i in table.intents[before:]} == {Phase.HOLD}
    assert np.diff(x).min() > -0.012


NUMBERS = st.one_of(st.floats(), st.floats(0.0, 640.0))
OPTIONS = st.builds(
    GripSettings,
    grip=st.sampled_from(["pinch", "fist", "dwell"]),
    dwell_s=st.sampled_from([0.0, 0.1, 1.0]),
    gain=st.sampled_from([1.0, 3.0, 0.0]),
    fine_gain=st.sampled_from([1.0, 0.5, 0.0]),
    depth_gain=st.sampled_from([0.0, 0.5, 2.0]),
)


@st.composite
def any_hand(draw: st.DrawFn) -> Hand:
    x, y, z = draw(st.floats(-0.3, 0.3)), draw(st.floats(-0.1, 0.15)), draw(st.floats(0.15, 1.5))
    turn = quat_multiply(quat_from_axis_angle((0, 0, 1), draw(st.floats(-3.0, 3.0))), (1.0, 0.0, 0.0, 0.0))
    kind = draw(st.sampled_from(["open", "pinch", "fist", "broken", "short"]))
    if kind == "fist":
        return fist_hand((x, y, z), turn)
    hand = stick_hand((x, y, z), turn, pinch=float(kind == "pinch"))
    if kind == "short":
        return replace(hand, points_px=hand.points_px[: draw(st.integers(0, 20))])
    if kind != "broken":
        return hand
    k, bad = draw(st.integers(0, 20)), (draw(NUMBERS), draw(NUMBERS))
    return replace(hand, points_px=(*hand.points_px[:k], bad, *hand.points_px[k + 1 :]))


STEPS = st.sampled_from([FRAME_S, FRAME_S, FRAME_S, 0.0, -0.5, -5.0, 0.3, math.nan])
LENSES = st.sampled_from([0.0, 0.1, -1.0, 3.0])


@settings(max_examples=40)
@given(
    OPTIONS,
    LENSES,
    st.lists(st.tuples(STEPS, st.lists(any_hand(), max_size=4), st.booleans(), st.booleans()), max_size=25),
)
def test_no_stream_moves_a_held_grip_faster_than_its_limit(
    options: GripSettings, lens: float, stream: list[tuple[float, list[Hand], bool, bool]]
) -> None:
    camera = replace(CAMERA, distortion=(lens, 0.0, 0.0, 0.0, 0.0))
    interpreter = Interpreter(camera, TABLE_FROM_CAMERA, options)
    hold = [[stick_hand()], [stick_hand()], [stick_hand()], *[[stick_hand(pinch=1.0)]] * 3]
    frames = [(FRAME_S, hands, False, False) for hands in hold] + stream
    time_s, intents = 0.0, []
    for index, (step_s, hands, parks, offer) in enumerate(frames):
        stamp_s = time_s + step_s
        with np.errstate(all="ignore"):
            interpreter.set_offered_point((0.0, 0.0, 0.1) if offer else None)
            interpreter.add_hands(Hands(stamp_s, index, 640, 480, tuple(hands)))
            if parks:
                interpreter.park(time_s)
            for ahead_s in (0.0, TICK_S):
                intents.append(interpreter.get_intent(time_s + ahead_s))
            interpreter.list_views()
        time_s += FRAME_S
    for before, now in itertools.pairwise(intents):
        if now is None:
            continue
        assert all(math.isfinite(v) for v in (*now.pose.position, *now.pose.rotation))
        assert 0.0 <= now.closing <= 1.0
        assert math.isclose(math.hypot(*now.view_axis), 1.0, rel_tol=1e-6)
        assert 0.0 < now.sigma_across_m < math.inf
        # A lost hand's ladder stays in place in any state of its grip, and is held again when a hand returns.
        if (
            before is not None
            and before.phase in (Phase.GRAB, Phase.HOLD)
            and now.phase in (Phase.HOLD, Phase.LOST)
        ):
            step_s = max(0.0, now.time_s - before.time_s)
            moved = math.dist(before.pose.position, now.pose.position)
            assert moved <= options.max_speed_m_s * step_s + 1e-6
            turned = quat_angle(before.pose.rotation, now.pose.rotation)
            assert turned <= options.max_turn_rad_s * step_s + 1e-5
