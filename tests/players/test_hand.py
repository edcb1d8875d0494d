"""The simulated hand moves, finds places, and releases ladders depending on forecasts."""

from __future__ import annotations

import math
from collections import deque
from contextlib import closing

import pytest
from support.app_kit import FRAME_S, setup_for

from armoon.clock import TICK_S
from armoon.engine.setup import Intake
from armoon.games.moon import plan_search
from armoon.games.moon.match import ATTITUDES
from armoon.games.moon.plan_search import LadderLowering, NextStep, PlacementPlan, PlanSearch
from armoon.geometry import pose_compose, quat_from_axis_angle
from armoon.players.hand import Skill, SteeredHand, pose_distance
from armoon.values.pieces import Place
from armoon.values.poses import IDENTITY_QUAT, Pose, Vec3
from armoon.values.scene import Fate
from armoon.world.ladders import list_standing
from armoon.world.local import LocalWorld

START = Pose((0.2, 0.0, 0.2))


def test_an_empty_hand_slows_down_on_arrival_and_never_jumps() -> None:
    hand = SteeredHand(START, IDENTITY_QUAT)
    goal = Pose((-0.1, 0.1, 0.05), quat_from_axis_angle((1, 1, 0), 0.5))
    steps = []
    for _ in range(150):
        before = hand.pose.position
        arrived = hand.move_towards(goal, 0.4, FRAME_S)
        steps.append(math.dist(before, hand.pose.position))
        if arrived:
            break
    assert arrived
    assert max(steps) <= 0.4 * FRAME_S + 1e-12
    assert steps[-1] < 0.25 * max(steps)
    assert pose_distance(hand.pose, goal) < (0.004, math.radians(3.0))


@pytest.mark.parametrize("error", [(0.0, 0.0, 0.0), (0.03, -0.06, 0.02)])
@pytest.mark.parametrize("delay_frames", [0, 8])
def test_visual_corrections_converge_despite_tracker_error_and_delay(error: Vec3, delay_frames: int) -> None:
    hand = SteeredHand(START, IDENTITY_QUAT)
    wanted = Pose((0.0, 0.02, 0.15), quat_from_axis_angle((0, 1, 0), math.radians(15.0)))
    grip = Pose(error, quat_from_axis_angle((0, 0, 1), 0.03))
    poses = deque([pose_compose(hand.pose, grip)] * (delay_frames + 1), maxlen=delay_frames + 1)
    for _ in range(450):
        poses.append(pose_compose(hand.pose, grip))
        hand.nudge(poses[0], wanted, FRAME_S)
    metres, radians = pose_distance(poses[0], wanted)
    assert metres < 0.001
    assert radians < math.radians(1.0)


SKILL = Skill((0.0, 1.0, 0.0), 0.5, eye=(0.2, -0.6, 0.2))


def test_a_skilled_hand_moves_sideways_before_depth_and_stops_at_its_goal() -> None:
    """The simulated tracker halves motion in depth, reduces it further while the hand moves sideways, and lags."""
    hand = SteeredHand(START, IDENTITY_QUAT, SKILL)
    wanted = (0.0, -0.05, 0.2)
    x, y, z = START.position
    positions = deque([START.position] * 3, maxlen=3)
    farthest_y, deep_while_far = 0.0, 0.0
    for _ in range(120):
        before = hand.pose.position
        hand.nudge(Pose(positions[0]), Pose(wanted), FRAME_S, 0.3, 6.0)
        dx, dy, dz = (b - a for a, b in zip(before, hand.pose.position, strict=True))
        crossing = math.hypot(dx, dz) / FRAME_S / 0.03
        if x > 0.05:
            deep_while_far += abs(dy)
        x, y, z = x + dx, y + 0.5 * dy / (1.0 + crossing * crossing), z + dz
        positions.append((x, y, z))
        farthest_y = min(farthest_y, y)
    assert math.dist((x, y, z), wanted) < 0.001
    assert farthest_y > wanted[1] - 0.002
    assert deep_while_far < 0.03


# The search for places -------------------------------------------------------------------------------------


class PlannedMatch:
    """A match with its first ladder offered, and a search for a place."""

    def __init__(self) -> None:
        self.match = setup_for().match()
        while self.match.state.ladder is None:
            self.match.advance(Intake(self.match.facts.tick * TICK_S, 1, None))
        self.match.advance(Intake(self.match.facts.tick * TICK_S, 2, None))
        self.piece = self.match.state.ladder
        self.facts = self.match.facts
        self.search = PlanSearch(self.match.ladders, self.match.base, 3)

    def plan(self, die: str) -> PlacementPlan:
        while not self.search.has_given_up:
            plan = self.search.search_step(self.facts, self.piece, ATTITUDES, die)
            if plan is not None:
                return plan
        raise AssertionError(f"no place for {die}")

    def close(self) -> None:
        self.search.close()
        self.match.close()


@pytest.mark.parametrize(("die", "counts"), [("ONE", {1}), ("TWO", {2}), ("MOON", {1, 2})])
def test_a_ladder_released_at_a_planned_place_stands(die: str, counts: set[int]) -> None:
    with closing(PlannedMatch()) as planned:
        plan = planned.plan(die)
        assert len(plan.touched) in counts

        world = LocalWorld(planned.match.ladders, planned.match.base)
        for piece, pose, fixed in list_standing(planned.facts):
            world.apply(Place(piece, pose, fixed))
        world.apply(Place(planned.piece, plan.release, fixed=False))
        # A ladder that swings is damped from 7 s on and stopped at 12 s (armoon.world.piece).
        for _ in range(round(13.0 / TICK_S)):
            facts = world.tick(None)
        world.close()
        assert facts.at_rest
        assert facts.touching(planned.piece) == plan.touched
        if die == "MOON":
            others = max(p.highest_m for p in facts.pieces if p.piece != planned.piece)
            assert facts[planned.piece].highest_m > others


PLACE = Pose((0.0, 0.0, 0.2))
OVER = Pose((0.0, 0.0, 0.2 + plan_search.HOVER_M))


def show_landing(
    lowering: LadderLowering, fate: Fate | None, held: Pose, speed_m_s: float = 0.0, guided: bool = False
) -> tuple[NextStep, int]:
    for frame in range(900):
        x, y, z = held.position
        pose = Pose((x + speed_m_s * frame * FRAME_S, y, z))
        lowering.update(pose, PLACE, fate, guided=guided, as_planned=False, is_touching=False, dt_s=FRAME_S)
        decided = lowering.decide_next(fate)
        if decided is not NextStep.GO_ON:
            return decided, frame
    return NextStep.GO_ON, 900


@pytest.mark.parametrize(
    ("fate", "elsewhere", "expected"),
    [
        (Fate.HOLDS, True, NextStep.LET_GO),
        (Fate.HOLDS, False, NextStep.LET_GO),
        (Fate.DOUBTFUL, True, NextStep.LOOK_ELSEWHERE),
        (Fate.DOUBTFUL, False, NextStep.LET_GO),
        (Fate.FAILS, True, NextStep.LOOK_ELSEWHERE),
        (Fate.FAILS, False, NextStep.PUT_ASIDE),
        (None, True, NextStep.LET_GO),
    ],
)
def test_the_forecast_decides_the_next_step(fate: Fate | None, elsewhere: bool, expected: NextStep) -> None:
    assert show_landing(LadderLowering(obeys_forecast=True, can_search=elsewhere), fate, OVER)[0] is expected


def test_a_late_hand_holds_still_for_its_forecast() -> None:
    """A hand that was moved all the time, and so got no forecast, once let go of a ladder that brought down four."""
    lowering, beside = LadderLowering(obeys_forecast=True, can_search=True), Pose((0.003, 0.0, 0.2))
    for frame in range(round(1.2 * plan_search.PATIENCE_S / FRAME_S)):
        wanted = lowering.update(
            beside, PLACE, None, guided=False, as_planned=False, is_touching=False, dt_s=FRAME_S
        )
        assert (wanted is None) is ((frame + 1) * FRAME_S > plan_search.PATIENCE_S)
        assert lowering.decide_next(None) is NextStep.GO_ON
    assert lowering.decide_next(Fate.FAILS) is NextStep.LOOK_ELSEWHERE


def test_a_guided_ladder_is_released_at_once_and_a_doubtful_one_after_a_pause() -> None:
    assert (
        show_landing(LadderLowering(obeys_forecast=True, can_search=True), Fate.HOLDS, OVER, guided=True)[1]
        == 0
    )
    frames = show_landing(LadderLowering(obeys_forecast=True, can_search=True), Fate.DOUBTFUL, OVER)[1]
    assert frames * FRAME_S > plan_search.FORECAST_S
    moving = show_landing(
        LadderLowering(obeys_forecast=True, can_search=True), Fate.DOUBTFUL, Pose((-0.06, 0.0, 0.2)), 0.02
    )[1]
    assert moving * FRAME_S > 2.0, "the forecast of a moving ladder counts only after a timeout"


def test_a_hand_that_cannot_get_nearer_releases_only_if_the_ladder_would_hold() -> None:
    beside = Pose((0.009, 0.0, 0.2))
    decided, frames = show_landing(LadderLowering(obeys_forecast=True, can_search=True), Fate.HOLDS, beside)
    assert decided is NextStep.LET_GO
    assert 0.5 < frames * FRAME_S < 0.8, "after the hand has been still for a moment"
    assert (
        show_landing(LadderLowering(obeys_forecast=True, can_search=True), Fate.FAILS, beside)[0]
        is NextStep.LOOK_ELSEWHERE
    )
    assert (
        show_landing(LadderLowering(obeys_forecast=True, can_search=False), Fate.FAILS, beside)[0]
        is NextStep.PUT_ASIDE
    )
