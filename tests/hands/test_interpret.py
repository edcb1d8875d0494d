"""The grip that hands give: its edges, losses and identity, also in unusual streams of frames."""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from support import hands_kit
from support.hands_kit import InterpreterHarness as Table

from armoon.geometry import pose_apply, pose_inverse, vec3
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import INDEX_TIP, THUMB_TIP, Hand, hands_from_dict
from armoon.hands.metric import PoseSolver
from armoon.hands.tracked_hand import GripRefusal, MergedHands, drop_duplicates
from armoon.values.pieces import GripIntent
from armoon.values.pieces import GripPhase as Phase
from armoon.values.poses import Vec3

OPEN = hands_kit.stick_hand()
PINCHED = hands_kit.stick_hand(pinch=1.0)


@pytest.fixture
def table() -> Table:
    return Table()


def test_edges_are_queued_until_requested_and_returned_once() -> None:
    interpreter = Interpreter(hands_kit.CAMERA, hands_kit.TABLE_FROM_CAMERA)
    for frame, hand in enumerate([OPEN] * 4 + [PINCHED] * 4 + [OPEN] * 6):
        interpreter.add_hands(hands_kit.frame_of(hand, time_s=frame * hands_kit.FRAME_S))
    intents = [interpreter.get_intent(13 * hands_kit.FRAME_S) for _ in range(4)]
    assert [intent and intent.phase for intent in intents] == [
        Phase.GRAB,
        Phase.RELEASE,
        Phase.HOVER,
        Phase.HOVER,
    ]


def test_the_grip_lies_between_the_tips_at_the_hands_position() -> None:
    table = Table()
    intent = table.hold()
    joints = hands_kit.joints_in_camera(np.array([0.0, 0.06, 0.5]), hands_kit.FACING, 1.0)
    truth = pose_apply(hands_kit.TABLE_FROM_CAMERA, vec3((joints[4] + joints[8]) / 2.0))
    offset = np.array(intent.pose.position) - np.array(truth)
    along = float(offset @ np.array(intent.view_axis))
    assert np.linalg.norm(offset - along * np.array(intent.view_axis)) < 0.002
    assert abs(along) < 0.02
    assert 0.0 < intent.sigma_across_m < intent.sigma_along_m < 0.1


def test_closing_the_fingers_moves_the_aim_less_than_half_as_far_as_the_tips(table: Table) -> None:
    aim = table.show(OPEN, frames=20).pose.position
    for pinch in np.linspace(0.0, 1.0, 10):
        table.show(hands_kit.stick_hand(pinch=float(pinch)))
    closed = table.show(PINCHED, frames=20).pose.position
    palm = np.array([0.0, 0.06, 0.5])
    open_joints, shut_joints = (hands_kit.joints_in_camera(palm), hands_kit.joints_in_camera(palm, pinch=1.0))
    tips = np.linalg.norm((open_joints[[4, 8]] - shut_joints[[4, 8]]).mean(axis=0))
    camera_from_table = pose_inverse(hands_kit.TABLE_FROM_CAMERA)
    moved = np.array(pose_apply(camera_from_table, aim)) - np.array(pose_apply(camera_from_table, closed))
    assert np.linalg.norm(moved[:2]) < 0.5 * tips


def slide_tips(hand: Hand, metres: float) -> Hand:
    """Return a hand, half a metre away, with both tips shifted to the right."""
    points, world = list(hand.points_px), list(hand.world_m)
    for tip in (THUMB_TIP, INDEX_TIP):
        (u, v), (x, y, z) = points[tip], world[tip]
        points[tip] = (u + hands_kit.CAMERA.fx * metres / 0.5, v)
        world[tip] = (x + metres, y, z)
    return replace(hand, points_px=tuple(points), world_m=tuple(world))


def test_tips_that_slide_beside_a_still_palm_hardly_move_a_held_ladder(table: Table) -> None:
    """Opening tips slide by up to 16 mm in 4 frames before their gap grows."""
    before = table.hold()
    for k in range(1, 5):
        sliding = table.show(slide_tips(PINCHED, 0.004 * k))
    assert math.dist(before.pose.position, sliding.pose.position) < 0.003
    later = table.show(slide_tips(PINCHED, 0.016), frames=150)
    assert math.dist(before.pose.position, later.pose.position) > 0.010
    assert later.phase is Phase.HOLD


def test_a_held_ladder_follows_the_palm_at_once(table: Table) -> None:
    before = table.hold()
    for k in range(1, 31):
        moving = hands_kit.stick_hand((0.005 * k, 0.06, 0.5), pinch=1.0)
        table.show(moving)
    moved = table.show(moving)
    assert math.dist(before.pose.position, moved.pose.position) == pytest.approx(0.15, abs=0.006)


def test_a_release_uses_the_pose_before_the_fingers_opened(table: Table) -> None:
    held = table.hold().pose.position
    for pinch in (0.9, 0.75, 0.6, 0.4, 0.2, 0.0):
        table.show(hands_kit.stick_hand((0.0, 0.06, 0.5), pinch=pinch))
    table.show(OPEN, frames=3)
    released = [intent for intent in table.intents if intent and intent.phase is Phase.RELEASE]
    assert len(released) == 1
    assert math.dist(released[0].pose.position, held) < 0.002


@pytest.mark.parametrize(
    ("held_frames", "over_lid", "apart_frames", "is_held"),
    [
        *((frames, lid, 4, True) for frames, lid in ((4, False), (4, True), (40, True))),
        *((frames, lid, 5, False) for frames, lid in ((4, False), (40, True))),
        (40, False, 2, False),
    ],
)
def test_a_brief_misreading_soon_after_a_grab_or_over_the_lid_keeps_the_hold(
    table: Table, held_frames: int, over_lid: bool, apart_frames: int, is_held: bool
) -> None:
    table.show(OPEN, frames=5)
    lid = table.intents[-1].pose.position
    table.interpreter.set_offered_point(lid)
    table.show(PINCHED, frames=4)
    table.interpreter.set_offered_point(None)
    place = (0.0, 0.06, 0.5) if over_lid else (-0.10, 0.06, 0.5)
    table.show(hands_kit.stick_hand(place, pinch=1.0), frames=held_frames)
    table.show(hands_kit.stick_hand(place), frames=apart_frames)
    table.show(hands_kit.stick_hand(place, pinch=1.0), frames=2)
    assert (Phase.RELEASE not in table.phases()) is is_held


def test_a_short_loss_is_bridged(table: Table) -> None:
    table.hold(frames=10)
    before = len(table.intents)
    table.show(frames=5)
    assert table.phases(before) == [Phase.HOLD]
    table.show(PINCHED, frames=5)
    table.show(OPEN, frames=5)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.RELEASE, Phase.HOVER]


def test_frames_with_the_other_label_neither_open_nor_move_the_grip(table: Table) -> None:
    held = table.hold(frames=10)
    flipped = replace(hands_kit.stick_hand((0.03, 0.06, 0.5)), side="left")
    for flips in (1, 3, 2, 5):
        table.show(flipped, frames=flips)
        table.show(PINCHED, frames=4)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD]
    assert math.dist(table.intents[-1].pose.position, held.pose.position) < 0.003
    table.show(OPEN, frames=5)
    assert Phase.RELEASE in table.phases()


def test_a_label_that_was_wrong_from_the_start_is_given_up(table: Table) -> None:
    table.show(*[replace(OPEN, side="left")], frames=20)
    table.show(PINCHED, frames=30)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD]


def test_a_grip_begins_at_the_depth_of_the_offered_ladder() -> None:
    offered = pose_apply(hands_kit.TABLE_FROM_CAMERA, (0.0, 0.0, 0.62))
    table = Table()
    table.interpreter.set_offered_point(offered)
    table.show(OPEN, frames=5)
    table.show(PINCHED, frames=5)
    in_camera = pose_apply(pose_inverse(hands_kit.TABLE_FROM_CAMERA), table.intents[-1].pose.position)
    assert in_camera[2] == pytest.approx(0.62, abs=0.005)
    table.interpreter.set_offered_point(None)
    table.show(hands_kit.stick_hand((0.05, 0.06, 0.5), pinch=1.0), frames=30)
    x, y, z = pose_apply(pose_inverse(hands_kit.TABLE_FROM_CAMERA), table.intents[-1].pose.position)
    joints = hands_kit.joints_in_camera(np.array((0.05, 0.06, 0.5)), pinch=1.0)
    tips = (joints[4] + joints[8]) / 2.0
    assert (x / z, y / z) == pytest.approx(tips[:2] / tips[2], abs=0.006), "it stays under the fingers"


def measure_motion_along_m(halved_at_m_s: float) -> float:
    """Return how far a held grip moves away from the camera while the hand moves 25 cm sideways and 6 cm away."""
    table = Table(depth_gain=1.0, depth_halved_at_m_s=halved_at_m_s)
    table.hold(frames=5)
    start = pose_apply(pose_inverse(hands_kit.TABLE_FROM_CAMERA), table.intents[-1].pose.position)
    for k in range(1, 46):
        share = k / 45.0
        table.show(hands_kit.stick_hand((0.25 * share, 0.06, 0.5 + 0.06 * share), pinch=1.0))
    end = pose_apply(pose_inverse(hands_kit.TABLE_FROM_CAMERA), table.intents[-1].pose.position)
    return end[2] - start[2]


def test_depth_hardly_counts_while_the_hand_crosses_the_picture() -> None:
    full, reduced = measure_motion_along_m(10.0), measure_motion_along_m(0.03)
    assert full > 0.03
    assert abs(reduced) < 0.3 * full


def test_after_a_longer_loss_the_grip_is_lost_and_stays_in_place() -> None:
    table = Table()
    held = table.hold(frames=10)
    lost = table.show(frames=30)
    assert lost.phase is Phase.LOST
    assert lost.source == held.source
    assert math.dist(lost.pose.position, held.pose.position) < 0.002
    assert Phase.RELEASE not in table.phases()


def test_a_hand_that_returns_pinched_continues_its_grip(table: Table) -> None:
    table.hold(frames=10)
    table.show(frames=30)
    table.show(hands_kit.stick_hand((0.12, 0.06, 0.5), pinch=1.0), frames=10)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.LOST, Phase.HOLD]
    assert table.intents[-1].source == "hand:1"


def test_a_hand_that_returns_open_has_to_pinch_again(table: Table) -> None:
    table.hold(frames=10)
    table.show(frames=30)
    before = len(table.intents)
    table.show(OPEN, frames=20)
    assert table.phases(before) == [Phase.LOST]
    table.show(PINCHED, frames=5)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.LOST, Phase.GRAB, Phase.HOLD]
    assert table.intents[-1].source == "hand:1"


def test_a_stalled_tracker_is_a_loss(table: Table) -> None:
    table.hold(frames=5)
    intent = table.interpreter.get_intent(table.frame * hands_kit.FRAME_S + 2.0)
    assert intent is not None
    assert intent.phase is Phase.LOST


def test_the_game_may_end_the_grip_and_only_a_new_pinch_grabs(table: Table) -> None:
    table.hold(frames=5)
    assert table.interpreter.is_holding
    table.interpreter.end_grip()
    before = len(table.intents)
    table.show(PINCHED, frames=10)
    assert table.phases(before) == [Phase.HOVER]
    table.show(OPEN, frames=5)
    table.show(PINCHED, frames=5)
    assert table.phases()[-3:] == [Phase.HOVER, Phase.GRAB, Phase.HOLD]


def test_a_hand_that_arrives_pinched_does_not_grab(table: Table) -> None:
    table.show(PINCHED, frames=30)
    assert table.phases() == [Phase.HOVER]


def test_a_second_hand_cannot_take_over_while_the_first_holds(table: Table) -> None:
    away = (0.17, 0.06, 0.5)
    table.show(OPEN, hands_kit.stick_hand(away), frames=5)
    table.show(PINCHED, hands_kit.stick_hand(away), frames=5)
    table.show(PINCHED, hands_kit.stick_hand(away, pinch=1.0), frames=10)
    assert {i.source for i in table.intents if i} == {"hand:1"}
    views = table.interpreter.list_views()
    assert [view.is_owner for view in views] == [True, False]
    assert [view.is_closed for view in views] == [True, True]
    table.show(OPEN, hands_kit.stick_hand(away, pinch=1.0), frames=10)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD, Phase.RELEASE, Phase.HOVER]


def test_flipping_labels_and_order_change_no_identity(table: Table) -> None:
    outside = (0.17, 0.06, 0.5)
    table.show(OPEN, hands_kit.stick_hand(outside), frames=5)
    other = replace(hands_kit.stick_hand(outside), side="left")
    for frame in range(20):
        hands = [replace(PINCHED, side=("left", "right")[frame % 2]), other]
        table.show(*(hands if frame % 3 else hands[::-1]))
    assert [view.is_owner for view in table.interpreter.list_views()] == [True, False]
    assert table.intents[-1].source == "hand:1"
    assert table.intents[-1].phase is Phase.HOLD


def test_views_are_the_hands_of_the_newest_frame(table: Table) -> None:
    table.show(OPEN, hands_kit.stick_hand((0.17, 0.06, 0.5)), frames=10)
    views = table.interpreter.list_views()
    assert [view.identity for view in views] == [1, 2]
    assert views[0].points_px == OPEN.points_px
    depths = hands_kit.joints_in_camera(np.array([0.0, 0.06, 0.5]))[:, 2]
    assert np.abs(np.array(views[0].depths_m) - depths).max() < 0.03
    assert len(views[0].points_table) == 21
    table.show(frames=1)
    assert table.interpreter.list_views() == ()


def test_repeated_or_late_frames_change_nothing(table: Table) -> None:
    table.hold(frames=5)
    time_s = table.frame * hands_kit.FRAME_S
    expected = table.interpreter.get_intent(time_s)
    for back_s in (0.0, 0.1, 0.5):
        table.interpreter.add_hands(
            hands_kit.frame_of(hands_kit.stick_hand((0.2, 0.0, 0.5)), time_s=time_s - back_s)
        )
        assert table.interpreter.get_intent(time_s) == expected


def test_a_restarted_source_is_followed_again(table: Table) -> None:
    table.show(OPEN, frames=100)
    table.show(PINCHED, frames=5)
    table.frame, before = 0, len(table.intents)
    table.show(OPEN, frames=5)
    assert table.phases(before) == [Phase.LOST]
    table.show(PINCHED, frames=5)
    assert table.intents[-1].phase is Phase.HOLD


def test_a_hand_too_near_for_a_pose_keeps_identity_and_grip_and_is_reported(table: Table) -> None:
    held = table.hold(frames=10)
    near = hands_kit.stick_hand((0.0, 0.01, 0.095), pinch=1.0)
    assert PoseSolver(hands_kit.CAMERA, hands_kit.PALM_M).solve_pose(near) is None
    for share in np.linspace(1.0, 0.0, 25):
        table.show(hands_kit.stick_hand((0.0, 0.01 + 0.05 * share, 0.14 + 0.36 * share), pinch=1.0))
    table.show(near, frames=40)
    assert table.phases() == [Phase.HOVER, Phase.GRAB, Phase.HOLD]
    assert table.intents[-1].source == held.source
    assert table.interpreter.tracks.is_too_near
    opened = hands_kit.stick_hand((0.0, 0.01, 0.085))
    assert PoseSolver(hands_kit.CAMERA, hands_kit.PALM_M).solve_pose(opened) is None
    table.show(opened, frames=5)
    assert Phase.RELEASE in table.phases()
    table.show(OPEN, frames=2)
    assert not table.interpreter.tracks.is_too_near


def test_a_hand_lost_by_coming_too_near_is_reported_for_a_while(table: Table) -> None:
    table.show(OPEN, frames=5)
    table.show(hands_kit.stick_hand((0.0, 0.01, 0.14)), frames=5)
    assert not table.interpreter.tracks.is_too_near, "it may only be passing"
    table.show(hands_kit.stick_hand((0.0, 0.01, 0.14)), frames=15)
    assert table.interpreter.tracks.is_too_near
    table.show(frames=30)
    assert table.interpreter.tracks.is_too_near
    table.show(frames=60)
    assert not table.interpreter.tracks.is_too_near


BESIDE = hands_kit.stick_hand((0.08, 0.06, 0.5))
#: Pairs of hands between which the tracker alternates if two hands are laid together.
MERGED_HANDS = {
    "two places": (OPEN, BESIDE),
    "a flipping label": (OPEN, replace(hands_kit.stick_hand((0.03, 0.06, 0.5)), side="left")),
    "two sizes": (OPEN, hands_kit.stick_hand((0.0, 0.06, 0.28))),
}


@pytest.mark.parametrize("what", MERGED_HANDS)
def test_two_hands_taken_for_one_are_reported_until_they_are_apart(what: str) -> None:
    table, (one, other) = Table(), MERGED_HANDS[what]
    for _ in range(8):
        table.show(one, frames=2 if what != "two places" else 1)
        table.show(other)
    assert table.interpreter.tracks.has_merged
    table.show(one, frames=100)
    assert not table.interpreter.tracks.has_merged
    table.show(one, BESIDE, frames=30)
    assert not table.interpreter.tracks.has_merged


@pytest.mark.parametrize("y_m", [-0.16, 0.06], ids=["over the picture's edge", "in place"])
def test_a_hand_whose_label_flips_is_not_taken_for_two(y_m: float) -> None:
    table, hand = Table(), hands_kit.stick_hand((0.0, y_m, 0.5))
    assert (min(y for _, y in hand.points_px) < 0.0) is (y_m < 0.0)
    for _ in range(8):
        table.show(hand)
        table.show(replace(hand, side="left"))
        assert not table.interpreter.tracks.has_merged


@pytest.mark.parametrize("clip", ["ali", "bhu", "lujun1", "chess2", "hand1", "hand3", "wjy"])
def test_no_recorded_hand_is_taken_for_two(clip: str) -> None:
    merged = MergedHands()
    with gzip.open(
        hands_kit.media_folder() / "landmarks" / f"{clip}.jsonl.gz", "rt", encoding="utf-8"
    ) as file:
        frames = [hands_from_dict(json.loads(line)) for line in file]
    assert len(frames) > 40
    assert not any(merged.add_hands(drop_duplicates(frame.hands), frame.time_s) for frame in frames)


@pytest.mark.parametrize(
    ("offered", "refused"),
    [(None, GripRefusal.NOTHING), ((0.4, 0.0, 0.6), GripRefusal.TOO_FAR), ((0.05, 0.06, 0.6), None)],
)
def test_a_hand_that_closes_without_result_shows_the_reason_until_it_opens(
    offered: Vec3 | None, refused: GripRefusal | None
) -> None:
    table = Table()
    table.interpreter.set_offered_point(
        None if offered is None else pose_apply(hands_kit.TABLE_FROM_CAMERA, offered)
    )
    table.show(OPEN, frames=5)
    assert table.interpreter.list_views()[0].refusal is None
    table.show(PINCHED, frames=10)
    assert table.interpreter.list_views()[0].refusal is refused
    table.show(OPEN, frames=5)
    assert table.interpreter.list_views()[0].refusal is None


@pytest.mark.parametrize(("gain", "part"), [(1.0, 1.0), (0.3, 0.3), (0.0, 0.0)])
def test_a_holding_hands_depth_counts_by_its_gain(gain: float, part: float) -> None:
    table = Table(depth_gain=gain, depth_halved_at_m_s=10.0)
    table.show(hands_kit.stick_hand((0.0, 0.0, 0.5)), frames=5)
    start = table.show(hands_kit.stick_hand((0.0, 0.0, 0.5), pinch=1.0), frames=60)
    video = [hands_kit.stick_hand((0.0, 0.0, 0.5 + 0.002 * k), pinch=1.0) for k in range(50)]
    for hand in video:
        table.show(hand)
    end = table.show(video[-1], frames=60)
    moved = np.array(end.pose.position) - np.array(start.pose.position)
    assert float(moved @ np.array(start.view_axis)) == pytest.approx(0.098 * part, abs=0.01)
    assert end.phase is Phase.HOLD


@pytest.mark.parametrize("rate_hz", [10.0, 15.0, 30.0, 60.0])
def test_grab_and_release_work_at_any_frame_rate(rate_hz: float) -> None:
    interpreter = Interpreter(hands_kit.CAMERA, hands_kit.TABLE_FROM_CAMERA)
    phases: list[Phase] = []
    held: GripIntent | None = None
    released: GripIntent | None = None
    for frame in range(int(rate_hz * 3)):
        time_s = frame / rate_hz
        pinch = min(1.0, max(0.0, (time_s - 0.5) / 0.2)) - min(1.0, max(0.0, (time_s - 2.0) / 0.2))
        interpreter.add_hands(hands_kit.frame_of(hands_kit.stick_hand(pinch=pinch), time_s=time_s))
        intent = interpreter.get_intent(time_s)
        assert intent is not None
        phases.append(intent.phase)
        released = intent if intent.phase is Phase.RELEASE else released
        held = intent if intent.phase is Phase.HOLD and time_s < 1.9 else held
    assert held is not None
    assert released is not None
    assert released.time_s <= 2.0 + 0.1 + max(0.1, 1.0 / rate_hz)
    assert math.dist(released.pose.position, held.pose.position) < 0.002
    assert phases.count(Phase.GRAB) == phases.count(Phase.RELEASE) == 1
