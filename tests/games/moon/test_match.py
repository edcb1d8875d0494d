"""A match without camera and tracker: lost hands, second hands, parking, the lid and landings."""

from __future__ import annotations

import math
import os
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.app_kit import FRAME_S, FRAME_TICKS, HEIGHT, WIDTH, make_ideal_hands, setup_for
from support.log_kit import records_of

from armoon.camera.profiles import SEATS
from armoon.engine.events import NoticeShown, Output
from armoon.engine.logbook import LogWriter, encode_intake, intake_from_record
from armoon.engine.picture import find_hand_hint
from armoon.engine.setup import Intake
from armoon.games.library import verify_log
from armoon.games.moon.editions import Options, Phase
from armoon.games.moon.match import Lid
from armoon.games.moon.play import MoonGame
from armoon.games.moon.scene import compose_scene
from armoon.geometry import pose_apply, quat_rotate, table_axes_as_seen
from armoon.hands.landmarks import Hands
from armoon.hands.one_hand_watch import WatchLevel
from armoon.hands.tracked_hand import GripRefusal
from armoon.messages import text
from armoon.synthetic_camera.anatomy import TABLE_ROTATION
from armoon.values.acts import Act
from armoon.values.choices import AirRelease, OneHand
from armoon.values.paper import HELD_X_M, THUMB_X_M
from armoon.values.pieces import CARD_SOURCE, Base, Command, GripIntent, GripPhase, LadderSet, PieceStatus
from armoon.values.poses import Pose, Vec3
from armoon.world import process
from armoon.world.base import LID_X_M, LID_Y_M
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld, WorldFactory


class HeldLadder:
    """A match in which a hand has just taken its ladder."""

    def __init__(self, world: WorldFactory = LocalWorld, **setup: Any) -> None:
        self.match = setup_for(**setup).match(world=world)
        self.seat = SEATS[self.match.table.seat](WIDTH, HEIGHT)
        self.start = self.match.state
        self.outputs: list[Output] = [self.match.opening]
        self.frames = 0
        self.grip = Pose((LID_X_M, LID_Y_M, 0.12), TABLE_ROTATION)
        while self.match.facts.held is None:
            closure = 1.0 if self.match.state.phase is Phase.DRAW and self.frames > 30 else 0.0
            self.step(make_ideal_hands(self.seat, self.grip, closure, 0.0))
            assert self.frames < 200, "the hand never takes the ladder"
        self.piece = self.match.facts.held

    def step(
        self, hands: Hands | None, *commands: Command, ticks: int = FRAME_TICKS, times: int = 1
    ) -> Output:
        for _ in range(times):
            time_s = self.frames * FRAME_S
            self.frames += 1
            tracked = None if hands is None else replace(hands, time_s=time_s, frame_index=self.frames)
            self.outputs.append(self.match.advance(Intake(time_s, ticks, tracked, commands)))
        return self.outputs[-1]

    def pinch(self, *closings: tuple[float, int]) -> None:
        """Hold the hand still. ``closings``: how far it is closed, and for how many frames."""
        for closed, frames in closings:
            self.step(make_ideal_hands(self.seat, self.grip, closed, 0.0), times=frames)

    def list_records(self, kind: str = "") -> list[dict[str, Any]]:
        return [r for r in records_of(self.match, *self.outputs) if kind in ("", r["kind"])]

    def make_pinch(self) -> Hands:
        return make_ideal_hands(self.seat, self.grip, 1.0, 0.0)

    def make_open_hand(self) -> Hands:
        return make_ideal_hands(self.seat, self.grip, 0.0, 0.0)

    def close(self) -> None:
        self.match.close()


@pytest.fixture
def held(request: pytest.FixtureRequest) -> Any:
    table = HeldLadder(**getattr(request, "param", {}))
    yield table
    table.close()


def make_no_hands(held: HeldLadder) -> Hands:
    camera = held.seat.camera
    return Hands(0.0, 0, camera.width, camera.height, ())


def get_status(held: HeldLadder, piece: str) -> PieceStatus:
    return held.match.facts[piece].status


@pytest.mark.parametrize("held", [{"grace_s": None}], indirect=True)
def test_without_a_grace_time_the_ladder_waits_forever(held: HeldLadder) -> None:
    held.step(make_no_hands(held), times=300)
    assert held.match.facts.held_frozen
    assert held.match.state.phase is Phase.HOLD


AT_STRUCTURE = Pose((-0.03, 0.0, 0.08), TABLE_ROTATION)


@pytest.mark.parametrize("held", [{"options": Options(one_hand=OneHand.MISTAKE)}], indirect=True)
def test_a_second_hand_at_the_structure_causes_a_warning_and_then_a_note(held: HeldLadder) -> None:
    first, second = held.make_pinch(), make_ideal_hands(held.seat, AT_STRUCTURE, 0.0, 0.0).hands[0]
    pair = replace(first, hands=(*first.hands, replace(second, side="left")))
    held.step(pair, times=11)
    game = MoonGame(held.match)
    levels = [held.match.watch.level]
    assert game.build_scene(1.0, "").hud.banner == ""
    held.step(pair, times=6)
    scene = game.build_scene(1.0, "")
    levels.append(held.match.watch.level)
    assert levels == [WatchLevel.NOTICED, WatchLevel.WARNING]
    assert not held.match.state.two_hands
    assert "hand" in scene.hud.banner
    assert [hand.is_unwanted for hand in scene.hands] == [False, True]
    held.step(pair, times=40)
    assert held.match.state.two_hands
    assert [r["level"] for r in held.list_records("watch")] == ["noticed", "warning", "fault"]
    assert [v["reason"] for v in held.list_records("verdict")] == ["two_hands_noted"]


@pytest.mark.parametrize("closed", [0.0, 1.0], ids=["a free hand", "one that closes"])
def test_with_a_paper_ladder_the_other_hand_is_the_second_hand(closed: float) -> None:
    """Open fingers don't matter: the hand with the paper may look open, and the other hand may close."""
    match = setup_for(options=Options(one_hand=OneHand.MISTAKE)).match(world=LocalWorld)
    seat = SEATS[match.table.seat](WIDTH, HEIGHT)
    lid = Pose((LID_X_M, LID_Y_M, 0.06))
    handle = pose_apply(lid, (THUMB_X_M - HELD_X_M, 0.0, 0.0))
    holds = make_ideal_hands(seat, Pose(handle, TABLE_ROTATION), 0.0, 0.0)
    other = make_ideal_hands(seat, AT_STRUCTURE, closed, 0.0).hands[0]
    levels = []
    for frame in range(160):
        time_s, drawn = frame * FRAME_S, match.state.phase is Phase.DRAW
        phase = GripPhase.HOLD if match.holding else GripPhase.GRAB if drawn else GripPhase.HOVER
        card = GripIntent(time_s, CARD_SOURCE, phase, lid, (0.0, 0.9, -0.43))
        second = (replace(other, side="left"),) if frame > 100 else ()
        tracked = replace(holds, time_s=time_s, frame_index=frame, hands=(*holds.hands, *second))
        match.advance(Intake(time_s, FRAME_TICKS, tracked, (), (card,)))
        if frame == 100:
            assert match.holding
            assert match.watch.level is WatchLevel.CLEAR, "a single hand isn't a second hand"
        levels.append(match.watch.level)
    assert levels[-1] is WatchLevel.FAULT
    assert match.state.two_hands
    assert match.watch.hands == (2,), "the hand with the paper isn't the second hand"
    match.close()


def test_a_moved_camera_moves_the_grip_and_is_logged(held: HeldLadder) -> None:
    hand = held.make_pinch()
    held.step(hand)
    before = held.match.hand_views[0].grip_point
    pose = held.match.table_from_camera
    x, y, z = pose.position
    moved = Pose((x + 0.05, y, z), pose.rotation)
    intake = Intake(held.frames * FRAME_S, FRAME_TICKS, None, table_from_camera=moved)
    assert intake_from_record(encode_intake(intake)) == intake
    held.match.advance(intake)
    held.frames += 1
    held.step(hand)
    after = held.match.hand_views[0].grip_point
    assert held.match.table_from_camera == moved
    assert after[0] - before[0] == pytest.approx(0.05, abs=0.005)


@pytest.fixture
def slow_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "SLOW_S", -1.0)


def place_ladder(held: HeldLadder) -> None:
    with closing(held):
        move_hand(held, (LID_X_M - 0.15, LID_Y_M, 0.196), 19)
        held.pinch((0.0, 90))
        held.outputs.append(held.match.finish())


@pytest.mark.usefixtures("slow_world")
def test_slow_ticks_that_end_in_the_next_frame_give_the_same_game() -> None:
    at_once, overlapping = HeldLadder(), HeldLadder(world=ProcessWorld)
    running = []
    overlapping.match.overlaps = True
    place_ladder(at_once)
    frame = overlapping.match.advance

    def advance(intake: Intake) -> Output:
        output = frame(intake)
        running.append(overlapping.match.is_tick_running)
        return output

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlapping.match, "advance", advance)
        place_ladder(overlapping)
    assert all(running)
    assert {"verdict", "end"} <= {record["kind"] for record in at_once.list_records()}
    assert overlapping.list_records() == at_once.list_records()
    assert overlapping.match.tick == at_once.match.tick
    assert not overlapping.match.is_tick_running


@pytest.mark.usefixtures("slow_world")
@pytest.mark.parametrize("overlaps", [False, True])
def test_a_killed_world_is_replaced_reported_and_replayed(overlaps: bool, tmp_path: Path) -> None:
    worlds: list[ProcessWorld] = []

    def make_world(ladders: LadderSet, base: Base) -> ProcessWorld:
        worlds.append(ProcessWorld(ladders, base))
        return worlds[0]

    path = tmp_path / "killed.jsonl"
    log = LogWriter(path)
    held = HeldLadder(world=make_world)
    try:
        held.match.overlaps = overlaps
        move_hand(held, (LID_X_M - 0.076, LID_Y_M, 0.196), 19)
        assert held.match.is_tick_running is overlaps
        os.kill(worlds[0].pid, signal.SIGKILL)
        held.grip = Pose((LID_X_M, LID_Y_M, 0.12), TABLE_ROTATION)
        held.pinch((0.0, 30))
        held.outputs.append(held.match.finish())
        notices = [notice.key for output in held.outputs for notice in output.events_of(NoticeShown)]
        assert notices == ["notice.world_replaced"]
        assert get_status(held, held.piece) is PieceStatus.OFFERED
        assert held.match.state.phase is Phase.DRAW
        assert held.match.state.tears == (0, 0)
        for record in held.list_records():
            log.write_record(record)
    finally:
        log.close()
        held.close()
    verification = verify_log(path)
    assert verification.difference == ""
    assert verification.damage == ""
    assert verification.ticks == held.match.tick


with_parking = pytest.mark.parametrize("held", [{"air": AirRelease.WAITS}], indirect=True)


def move_hand(held: HeldLadder, to: Vec3, frames: int) -> None:
    start = held.grip.position
    for k in range(1, frames + 1):
        x, y, z = (a + (b - a) * k / frames for a, b in zip(start, to, strict=True))
        held.grip = Pose((x, y, z), held.grip.rotation)
        held.step(held.make_pinch())


@with_parking
def test_a_pinch_beside_a_parked_ladder_does_not_take_it(held: HeldLadder) -> None:
    move_hand(held, (0.0, 0.0, 0.30), 40)
    held.step(held.make_open_hand(), times=20)
    held.grip = Pose((-0.20, 0.0, 0.10), held.grip.rotation)
    held.pinch((0.0, 20), (1.0, 15))
    assert held.match.is_parked


@pytest.mark.parametrize("held", [{"air": AirRelease.WAITS}, {"air": AirRelease.FALLS}], indirect=True)
def test_opening_near_the_table_releases_the_ladder(held: HeldLadder) -> None:
    low_m = held.match.facts[held.piece].lowest_m
    x, y, z = held.grip.position
    move_hand(held, (x, y - 0.12, z), 30)
    move_hand(held, (x, y - 0.12, z - low_m + 0.010), 30)
    held.step(held.make_open_hand(), times=20)
    assert not held.match.is_parked
    assert held.match.state.phase is not Phase.HOLD


@pytest.mark.parametrize("held", [{"air": AirRelease.WAITS}], indirect=True)
def test_a_ladder_that_touches_another_is_released_instead_of_parked(held: HeldLadder) -> None:
    move_hand(held, (0.13, -0.10, 0.26), 30)
    held.step(held.make_pinch(), times=20)
    match = held.match
    grip = match.grip
    assert grip is not None
    assert match.is_over_nothing(grip)
    match.facts = replace(match.facts, grip_gap_m=0.001)
    assert match.is_over_nothing(grip), "it is near, but doesn't touch"
    match.facts = replace(match.facts, grip_gap_m=0.0001)
    assert not match.is_over_nothing(grip)


# Return after a loss ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [8, 40], ids=["barely lost", "lost"])
@pytest.mark.parametrize("is_fast", [False, True])
def test_a_hand_that_returns_elsewhere_continues_without_dragging_the_ladder(
    held: HeldLadder, lost: int, is_fast: bool
) -> None:
    start: Vec3 = (LID_X_M, LID_Y_M, 0.30)
    move_hand(held, start, 30)
    held.step(held.make_pinch(), times=15)
    if is_fast:
        move_hand(held, (start[0] - 0.06, start[1], start[2]), 4)
    held.step(make_no_hands(held), times=lost)
    lost_at = held.match.facts[held.piece].pose.position
    x, y, z = held.grip.position
    held.grip = Pose((x - 0.08, y, z), held.grip.rotation)
    max_drag_m = 0.0
    for _ in range(20):
        held.step(held.make_pinch())
        max_drag_m = max(max_drag_m, math.dist(held.match.facts[held.piece].pose.position, lost_at))
    assert held.match.facts.held == held.piece
    assert max_drag_m <= 0.003
    move_hand(held, (x - 0.08, y, z + 0.03), 15)
    held.step(held.make_pinch(), times=15)
    drift = [b - a for a, b in zip(lost_at, held.match.facts[held.piece].pose.position, strict=True)]
    assert (drift[0], drift[2]) == pytest.approx((0.0, 0.03), abs=0.004), (
        "in depth it follows only half as far"
    )


# The lid's attitudes, and where a ladder would land ----------------------------------------------------------


def get_long_axis(held: HeldLadder, piece: str) -> Vec3:
    return quat_rotate(held.match.facts[piece].pose.rotation, (0.0, 0.0, 1.0))


def put_back_in_lid(held: HeldLadder) -> str:
    held.step(held.make_pinch(), times=30)
    held.step(held.make_pinch(), Command(Act.PUT_BACK))
    held.step(held.make_open_hand(), times=15)
    assert get_status(held, held.piece) is PieceStatus.OFFERED
    return held.piece


@with_parking
def test_the_offered_ladder_shows_its_sides_and_keeps_the_last_when_taken(held: HeldLadder) -> None:
    piece = put_back_in_lid(held)
    axes = [get_long_axis(held, piece)]
    sides = len(held.match.lid.sides)
    for _ in range(sides):
        held.step(held.make_open_hand(), Command(Act.TIP))
        held.step(held.make_open_hand())
        axes.append(get_long_axis(held, piece))
    assert abs(axes[0][2]) == pytest.approx(1.0)
    assert [abs(axis[2]) for axis in axes[1:3]] == pytest.approx([0.0, 0.0], abs=1e-9), "on its side, flat"
    assert abs(axes[3][2]) == pytest.approx(1.0), "edge on"
    assert axes[4] == pytest.approx((0.0, math.sqrt(0.5), math.sqrt(0.5))), "leaning away"
    assert axes[5] == pytest.approx((0.0, 0.0, -1.0)), "upside down"
    assert axes[sides] == pytest.approx(axes[0])
    assert "·" not in compose_scene(held.match, 1.0, None).hud.hint, "upright it needs no name"
    held.step(held.make_open_hand(), Command(Act.TIP, value=2))
    assert compose_scene(held.match, 1.0, None).hud.hint.endswith("· flat")
    held.pinch((0.0, 10), (1.0, 15))
    assert held.match.facts.held == piece
    assert abs(get_long_axis(held, piece)[2]) < 0.1, "flat, as it was taken"


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("degrees", [30, 60])
def test_the_lid_shows_ladders_that_lean_to_each_side_of_the_picture(seat: str, degrees: int) -> None:
    seen_from = SEATS[seat](640, 360)
    lid = Lid(LID_X_M, mirrored=seen_from.mirrored)
    right, away = table_axes_as_seen(seen_from.table_from_camera, seen_from.mirrored)
    directions = {"right": right, "left": (-right[0], 0.0), "away": away, "towards": (0.0, -away[1])}
    for name, (x, y) in directions.items():
        axis = quat_rotate(lid.sides[f"{name}_{degrees}"], (0.0, 0.0, 1.0))
        far, up = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        assert axis == pytest.approx((far * x, far * y, up), abs=1e-9), name


@with_parking
def test_a_tap_at_the_offered_ladder_shows_its_next_side(held: HeldLadder) -> None:
    piece = put_back_in_lid(held)
    held.pinch((0.0, 10), (1.0, 7), (0.0, 12))
    assert get_status(held, piece) is PieceStatus.OFFERED
    assert abs(get_long_axis(held, piece)[2]) < 1e-6, "on its side"
    assert held.match.state.tears == (0, 0)


@with_parking
def test_keys_rotate_a_held_ladder_by_small_steps(held: HeldLadder) -> None:
    move_hand(held, (0.0, 0.0, 0.32), 40)
    before = get_long_axis(held, held.piece)
    for _ in range(5):
        held.step(held.make_pinch(), Command(Act.TILT, value=2))
    held.step(held.make_pinch(), times=20)
    cosine = sum(a * b for a, b in zip(before, get_long_axis(held, held.piece), strict=True))
    assert math.degrees(math.acos(cosine)) == pytest.approx(15.0, abs=2.0)


@with_parking
def test_the_ghost_is_straight_below_the_held_ladder(held: HeldLadder) -> None:
    move_hand(held, (0.0, 0.0, 0.30), 40)
    (ghost,) = compose_scene(held.match, 1.0, None).ghosts
    above = held.match.facts[held.piece]
    assert ghost.is_landing
    assert ghost.pose.position[:2] == above.pose.position[:2]
    fall_m = above.pose.position[2] - ghost.pose.position[2]
    assert 0.0 < fall_m <= above.lowest_m
    assert ghost.points
    move_hand(held, (-0.22, 0.0, 0.30), 40)
    (ghost,) = compose_scene(held.match, 1.0, None).ghosts
    assert not ghost.touched, "only the table is below"
    assert ghost.fate is None, "without a forecast"


@with_parking
def test_a_closing_hand_that_takes_nothing_shows_the_reason(held: HeldLadder) -> None:
    put_back_in_lid(held)
    x, y, z = held.grip.position
    held.grip = Pose((x - 0.09, y, z), held.grip.rotation)
    held.pinch((0.0, 10), (1.0, 12))
    assert held.match.facts.held is None
    assert [view.refusal for view in held.match.hand_views] == [GripRefusal.TOO_FAR], "9 cm beside the ladder"
    held.step(held.make_open_hand(), times=15)
    assert [view.refusal for view in held.match.hand_views] == [None]


@pytest.mark.parametrize(("rate_hz", "is_expected"), [(30.0, False), (15.0, False), (10.0, True)])
def test_with_a_slow_camera_the_hint_asks_for_a_longer_pinch(rate_hz: float, is_expected: bool) -> None:
    match = setup_for().match()
    seat = SEATS[match.table.seat](WIDTH, HEIGHT)
    grip = Pose((LID_X_M, LID_Y_M, 0.12), TABLE_ROTATION)
    hints = []
    for frame in range(24):
        hands = make_ideal_hands(seat, grip, 0.0 if frame < 20 else 0.6, frame / rate_hz)
        match.advance(Intake(frame / rate_hz, round(60.0 / rate_hz), hands, ()))
        hints.append(find_hand_hint(match))
    assert set(hints[:20]) == {""}
    assert set(hints[20:]) == {text("watch.slow_camera") if is_expected else ""}
    match.close()
