"""Scripted scenes for the one-hand rule: one hand holds a ladder while other hands move.

Landmark positions are known exactly, and with them the times at which a second hand is in the zone.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from armoon.camera.profiles import SEATS
from armoon.geometry import mat_from_pose, pose_apply, pose_inverse, project_table_points, vec3
from armoon.hands.landmarks import Hands, make_hand, measure_palm
from armoon.hands.metric import NEAREST_M
from armoon.hands.one_hand_watch import BESIDE_PALMS, MIN_LANDMARKS, ZONE_TOP_M, classify_points_in_zone
from armoon.hands.tracker import HandTracker
from armoon.synthetic_camera.anatomy import (
    MIRROR_ROTATION,
    TABLE_ROTATION,
    HandState,
    Side,
    find_pinch_point,
    get_landmarks,
    mirror_hand,
    place_palm,
    rotate,
)
from armoon.synthetic_camera.look import SkinTone, StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.poses import Pose, Quat, Vec3
from benchmarks.hand_script import PIXELS, SCORE, WORLD_M, HandScript, Keyframe, Tremor

#: Minimum grip, 0 to 1, that counts as holding.
HOLDING_GRIP = 0.98
#: Rotation of a right hand by seat.
ROTATIONS: dict[str, Quat] = {"mirror": MIRROR_ROTATION, "table": TABLE_ROTATION}
#: Place of the playing hand outside the picture.
AWAY_PLACES: dict[str, Vec3] = {"table": (0.55, -0.15, 0.10), "mirror": (0.17, 0.0, -0.26)}
#: Places where the playing hand grabs the ladder, and where it holds the ladder over the structure.
TAKE: Vec3 = (0.155, 0.0, 0.12)
HELD: Vec3 = (0.04, 0.0, 0.22)
#: Place of the player's other hand out of view.
OTHER_AWAY: dict[str, Vec3] = {"table": (-0.75, -0.15, 0.02), "mirror": (0.30, 0.0, -0.30)}
#: Time from which the ladder is held over the structure and other hands appear.
HELD_FROM_S = 2.0

Spot = tuple[Vec3, float, float]
"""A grip point, the grip there, and the duration of the motion to it, seconds."""


@dataclass(frozen=True)
class OneHandScene:
    """Motion of every hand; the first hand plays."""

    name: str
    seat: str
    hands: tuple[HandScript, ...]
    duration_s: float

    def states(self, time_s: float) -> list[HandState]:
        return [make_script.state(time_s) for make_script in self.hands]

    def is_violated(self, time_s: float, hand_scale: float = 1.0, top_m: float = ZONE_TOP_M) -> bool:
        """Return whether a second hand really is in the zone while the first hand holds a ladder."""
        owner, *others = self.states(time_s)
        if owner.grip < HOLDING_GRIP:
            return False
        grip = find_pinch_point(owner, hand_scale)
        return any(
            len(classify_points_in_zone([vec3(p) for p in get_landmarks(other, hand_scale)], grip, top_m))
            >= MIN_LANDMARKS
            for other in others
        )


def find_violations(times_s: Sequence[float], violated: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """Return the start and end of each violation, seconds."""
    spans: list[tuple[float, float]] = []
    for k, now in enumerate(violated):
        if now and k > 0 and violated[k - 1]:
            spans[-1] = (spans[-1][0], times_s[k])
        elif now:
            spans.append((times_s[k], times_s[k]))
    return tuple(spans)


def make_script(spots: Sequence[Spot], seat: str, side: Side = "right", tremor_seed: int = 0) -> HandScript:
    """Return a hand of this side that moves from spot to spot, seen from this seat."""
    rotation = find_rotation(seat, side)
    keys = [
        Keyframe(place_palm(point, rotation, grip, side), grip, seconds) for point, grip, seconds in spots
    ]
    return HandScript(keys, side, Tremor(seed=tremor_seed))


def find_rotation(seat: str, side: Side) -> Quat:
    right = ROTATIONS[seat]
    return right if side == "right" else mirror_hand(HandState(Pose((0.0, 0.0, 0.0), right))).palm.rotation


#: Distances by which the second hand is farther from the camera than the holding one, metres.
DEPTHS_M = (-0.20, -0.15, -0.10, 0.0, 0.10, 0.15, 0.20)
#: Distance between the grips across the view, by seat, in metres at the holding hand's depth.
ASIDE_M = {"table": 0.12, "mirror": 0.07}
TURNED_ASIDE_M = {"table": 0.12, "mirror": 0.11}
#: Distance for crossed hands; they need more room because their thumbs point outwards.
CROSSED_ASIDE_M = {"table": 0.30, "mirror": 0.25}
COMES_S, STAYS_S = 0.5, 2.2


@dataclass(frozen=True)
class SecondHandPose:
    """Position of a second hand; rotations in degrees."""

    depth_m: float = 0.0
    turned: tuple[float, float] = (0.0, 0.0)
    """Rotations of the holding and the second hand about their fingers, to turn the palm edge on."""
    leaning: tuple[float, float] = (0.0, 0.0)
    """Rotations of both hands about the line of sight."""
    crossed: bool = False


#: Positions of the second hand by their names in the results.
WAYS: Mapping[str, SecondHandPose] = {
    **{f"{100.0 * depth_m:+.0f} cm": SecondHandPose(depth_m) for depth_m in DEPTHS_M},
    "crossed behind": SecondHandPose(0.06, leaning=(30.0, -30.0), crossed=True),
    "crossed before": SecondHandPose(-0.06, leaning=(30.0, -30.0), crossed=True),
    "turned palm": SecondHandPose(turned=(0.0, 65.0)),
    "both turned": SecondHandPose(-0.10, turned=(35.0, 65.0)),
}


def make_beside_scene(seat_name: str, name: str) -> OneHandScene:
    beside = WAYS[name]
    # Players see their left hand on the left, but in the mirror seat the camera sees it on the right.
    gaps_m = CROSSED_ASIDE_M if beside.crossed else TURNED_ASIDE_M if any(beside.turned) else ASIDE_M
    gap_m = gaps_m[seat_name]
    aside_m = gap_m if (seat_name == "mirror") is not beside.crossed else -gap_m
    middle = HELD
    if beside.crossed:
        middle = _shift_point(seat_name, HELD, -aside_m / 2.0, 0.0)
    other = _shift_point(seat_name, middle, aside_m, beside.depth_m)
    playing: list[Spot] = [
        (AWAY_PLACES[seat_name], 0.0, 0.1),
        (TAKE, 0.0, 0.7),
        (TAKE, 0.0, 0.2),
        (TAKE, 1.0, 0.3),
        (middle, 1.0, 0.7),
        (middle, 1.0, COMES_S + STAYS_S),
    ]
    away = OTHER_AWAY[seat_name]
    comes: list[Spot] = [(away, 0.0, HELD_FROM_S), (other, 0.3, COMES_S), (other, 0.3, STAYS_S)]
    hands = (_hand(playing, seat_name, "right", beside), _hand(comes, seat_name, "left", beside))
    return OneHandScene(f"beside, {name}", seat_name, hands, HELD_FROM_S + COMES_S + STAYS_S)


def find_arrival_s(scene: OneHandScene, times_s: tuple[float, ...], size: tuple[int, int]) -> float:
    """Return the time at which enough landmarks of the second hand are beside the holding hand; infinity: never."""
    seat = SEATS[scene.seat](*size)
    for time_s in times_s:
        owner, other = (
            project_table_points(seat.camera, seat.table_from_camera, get_landmarks(state))
            for state in scene.states(time_s)
        )
        reach_px = BESIDE_PALMS * measure_palm(owner.tolist())
        gaps = np.linalg.norm(other[:, None] - owner[None], axis=2).min(axis=1)
        if time_s >= HELD_FROM_S and (gaps <= reach_px).sum() >= MIN_LANDMARKS:
            return time_s
    return math.inf


def _shift_point(seat_name: str, point: Vec3, aside_m: float, farther_m: float) -> Vec3:
    """Return the point shifted right in the camera's picture and along its line of sight."""
    table_from_camera = SEATS[seat_name](640, 360).table_from_camera
    x, y, z = pose_apply(pose_inverse(table_from_camera), point)
    ratio = (z + farther_m) / z
    return pose_apply(table_from_camera, ((x + aside_m) * ratio, y * ratio, z * ratio))


def _hand(spots: list[Spot], seat_name: str, side: Side, beside: SecondHandPose) -> HandScript:
    which = 0 if side == "right" else 1
    rotation = find_rotation(seat_name, side)
    sight = mat_from_pose(SEATS[seat_name](640, 360).table_from_camera)[:3, 2]
    fingers = mat_from_pose(place_palm((0.0, 0.0, 0.0), rotation, 0.0, side))[:3, 0]
    for axis, degrees in ((fingers, beside.turned[which]), (sight, beside.leaning[which])):
        x, y, z = axis.tolist()
        rotation = rotate(rotation, (x, y, z), math.radians(degrees))
    keys = [Keyframe(place_palm(spot, rotation, grip, side), grip, seconds) for spot, grip, seconds in spots]
    return HandScript(keys, side, Tremor(seed=which + 1))


CLIP_S = 20.0
#: Durations of the phases of a turn, seconds.
COME_S, AIM_S, PINCH_S, CARRY_S, OPEN_S, LEAVE_S = 0.8, 0.2, 0.3, 0.8, 0.3, 0.8
HOLD_S = (2.0, 4.5)
PAUSE_S = (0.8, 2.0)
#: Maximum time of a passing arm in the zone, seconds.
PASSING_S = 0.3
SKINS: tuple[SkinTone, ...] = ("light", "tan", "dark")
#: Sampling interval for measuring durations, seconds.
SAMPLE_S = 1.0 / 30.0

MakeSpots = Callable[[random.Random, str, float], list[Spot]]
"""Makes random motion of another hand; given the seat, and the start of a pause without a held ladder."""


def make_fair_clip(seed: int) -> tuple[OneHandScene, StageLook]:
    dice = random.Random(seed)
    seat = ("table", "mirror")[seed % 2]
    look = StageLook(
        skin=dice.choice(SKINS),
        light_gain=dice.uniform(0.6, 1.4),
        hand_scale=dice.uniform(0.9, 1.1),
        seed=seed,
    )
    playing, free_from_s = _make_fair_play(dice, seat, seed)
    while True:
        spots = dice.choice(_ACTIONS)(dice, seat, free_from_s)
        others = (make_script(spots, seat, "left", tremor_seed=seed + 1),) if spots else ()
        scene = OneHandScene(f"fair {seed}", seat, (playing, *others), CLIP_S)
        if is_fair(scene, look.hand_scale):
            return scene, look


def is_fair(scene: OneHandScene, hand_scale: float) -> bool:
    """Return whether no violation in a scene lasts longer than ``PASSING_S``."""
    times = [k * SAMPLE_S for k in range(round(scene.duration_s / SAMPLE_S))]
    stretches = find_violations(times, [scene.is_violated(t, hand_scale) for t in times])
    return all(end - begin <= PASSING_S for begin, end in stretches)


def _make_fair_play(dice: random.Random, seat: str, seed: int) -> tuple[HandScript, float]:
    """Return the motion of consecutive turns, and the time of the first release."""
    spots: list[Spot] = [(AWAY_PLACES[seat], 0.0, 0.1)]
    spent_s, first_free_s = 0.1, 0.0
    while spent_s < CLIP_S:
        turn: list[Spot] = [(_vary(dice, TAKE, 0.01), 0.0, COME_S), (TAKE, 0.0, AIM_S), (TAKE, 1.0, PINCH_S)]
        held_s = dice.uniform(*HOLD_S)
        places = [
            (dice.uniform(-0.04, 0.08), dice.uniform(-0.04, 0.04), dice.uniform(0.15, 0.24)) for _ in range(2)
        ]
        turn += [(places[0], 1.0, CARRY_S), (places[1], 1.0, held_s), (places[1], 0.0, OPEN_S)]
        turn += [(AWAY_PLACES[seat], 0.0, LEAVE_S), (AWAY_PLACES[seat], 0.0, dice.uniform(*PAUSE_S))]
        first_free_s = first_free_s or spent_s + sum(seconds for _, _, seconds in turn[:6])
        spent_s += sum(seconds for _, _, seconds in turn)
        spots += turn
    return make_script(spots, seat, tremor_seed=seed), first_free_s


def _make_rest(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    edge: Vec3 = (-0.25, -0.12, 0.04) if seat == "table" else (-0.30, 0.0, 0.08)
    spots: list[Spot] = [(OTHER_AWAY[seat], 0.0, dice.uniform(0.5, 3.0))]
    for _ in range(8):
        spots.append((_vary(dice, edge, 0.03), dice.uniform(0.0, 0.6), dice.uniform(1.0, 2.5)))
    return spots


def _make_pass(dice: random.Random, y: float) -> list[Spot]:
    """Return an arm's motion to and fro across the table at depth ``y``, at random heights."""
    spots: list[Spot] = [((-0.8, y, 0.15), 0.0, dice.uniform(2.0, 4.0))]
    for k in range(5):
        x = 1.2 if k % 2 == 0 else -0.8
        height = dice.uniform(0.08, 0.30)
        spots += [
            ((x, y, height), 0.0, dice.uniform(0.9, 2.5)),
            ((x, y, height), 0.0, dice.uniform(0.5, 2.0)),
        ]
    return spots


def _make_reach(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    spots: list[Spot] = [((-0.80, 0.30, 0.12), 0.0, dice.uniform(0.5, 3.0))]
    for _ in range(8):
        place = _vary(dice, (-0.30, 0.26, 0.12), 0.05)
        spots.append((place, dice.uniform(0.0, 1.0), dice.uniform(0.8, 2.5)))
    return spots


def _make_brush(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    """Return quick motions into the zone and out again, as if brushing something away."""
    spots: list[Spot] = [((-0.6, -0.05, 0.10), 0.0, dice.uniform(2.0, 4.0))]
    for _ in range(4):
        spots += [
            ((-0.16, -0.03, 0.12), 0.0, 0.3),
            ((-0.6, -0.05, 0.10), 0.0, 0.3),
            ((-0.6, -0.05, 0.10), 0.0, dice.uniform(1.5, 3.0)),
        ]
    return spots


def _make_short_visit(dice: random.Random, seat: str, free_from_s: float) -> list[Spot]:
    return [
        ((-0.6, -0.05, 0.10), 0.0, free_from_s),
        ((-0.05, 0.0, 0.12), 0.0, 0.6),
        ((-0.6, -0.05, 0.10), 0.0, 0.6),
    ]


_ACTIONS: tuple[MakeSpots, ...] = (
    lambda dice, seat, free_from_s: [],
    _make_rest,
    lambda dice, seat, free_from_s: _make_pass(dice, dice.uniform(0.28, 0.45)),  # behind
    lambda dice, seat, free_from_s: _make_pass(dice, dice.uniform(-0.36, -0.26)),  # in front
    _make_reach,
    _make_brush,
    _make_short_visit,
)


def _vary(dice: random.Random, point: Vec3, reach_m: float) -> Vec3:
    x, y, z = point
    return (
        x + dice.uniform(-reach_m, reach_m),
        y + dice.uniform(-reach_m, reach_m),
        z + dice.uniform(-reach_m, reach_m) / 2.0,
    )


WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0


#: Minimum number of landmarks in the picture for a hand to count as visible.
MIN_IN_PICTURE = 12


def film(scene: OneHandScene, look: StageLook) -> tuple[Hands, ...]:
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    with (
        contextlib.closing(RenderedCamera(seat.camera, seat.table_from_camera, look)) as camera,
        HandTracker() as tracker,
    ):
        times = (index / RATE_HZ for index in range(math.floor(scene.duration_s * RATE_HZ)))
        return tuple(
            tracker.track(camera.render(scene.states(now_s)), now_s, index)
            for index, now_s in enumerate(times)
        )


def make_skeletons(scene: OneHandScene, *, rate_hz: float, look: StageLook) -> tuple[Hands, ...]:
    """Return the visible hands of a scene with noise, without rendering the scene."""
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    rng = np.random.default_rng(look.seed)
    camera_from_table = mat_from_pose(pose_inverse(seat.table_from_camera))
    frames = []
    for index in range(math.floor(scene.duration_s * rate_hz)):
        hands = []
        for state in scene.states(index / rate_hz):
            present = (
                get_landmarks(state, look.hand_scale) @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
            )
            if present[:, 2].min() < NEAREST_M:
                continue
            pixels = seat.camera.project(present)
            if ((pixels >= 0.0) & (pixels < (WIDTH, HEIGHT))).all(axis=1).sum() < MIN_IN_PICTURE:
                continue
            world = present - present.mean(axis=0) + rng.normal(0.0, WORLD_M, present.shape)
            pixels = pixels + rng.normal(0.0, PIXELS, pixels.shape)
            hands.append(make_hand(pixels.tolist(), world.tolist(), state.side, SCORE))
        frames.append(Hands(index / rate_hz, index, WIDTH, HEIGHT, tuple(hands)))
    return tuple(frames)
