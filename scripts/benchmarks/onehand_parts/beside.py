"""A second hand that stays beside the holding one in the picture, at other depths and angles than its own.

One camera hardly tells which of two hands is nearer, so the watch has to warn of every one that stays there. The
second hand comes to the same place of the picture, a hand's breadth aside, whatever its depth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armoon.camera.seat import SEATS
from armoon.geometry import mat_from_pose, pose_apply, pose_inverse, project_table_points
from armoon.hands.tracking.landmarks import palm_size
from armoon.hands.watch.beside import BESIDE_PALMS
from armoon.hands.watch.onehand import WatchSettings
from armoon.synthetic_camera.anatomy import Side, landmarks, palm_for_grip
from armoon.synthetic_camera.holding import rotated
from armoon.values.poses import Vec3
from benchmarks.hand_script import HandScript, Keyframe, Tremor
from benchmarks.onehand_parts.scenes import (
    AWAY,
    HELD,
    HELD_FROM_S,
    OTHER_AWAY,
    TAKE,
    OneHandScene,
    Spot,
    rotation_of,
)

#: How much farther from the camera the second hand is than the holding one, metres.
DEPTHS_M = (-0.20, -0.15, -0.10, 0.0, 0.10, 0.15, 0.20)
#: Grip to grip across the view, as metres at the holding hand's own depth: thumbs are between the hands of people who
#: face the camera, and outside of crossed ones.
ASIDE_M = {"table": 0.12, "mirror": 0.07}
TURNED_ASIDE_M = {"table": 0.12, "mirror": 0.11}
CROSSED_ASIDE_M = {"table": 0.30, "mirror": 0.25}
COMES_S, STAYS_S = 0.5, 2.2


@dataclass(frozen=True)
class Beside:
    """How a second hand is there; turns in degrees."""

    depth_m: float = 0.0
    turned: tuple[float, float] = (0.0, 0.0)
    """The holding hand's and the second one's about its own fingers: the palm is then seen edge on."""
    leaning: tuple[float, float] = (0.0, 0.0)
    """The same about the line of sight."""
    crossed: bool = False
    """Each hand is where the other one would be."""


#: By the name in the figures: every depth, and the angles at about the same depth.
WAYS: Mapping[str, Beside] = {
    **{f"{100.0 * depth_m:+.0f} cm": Beside(depth_m) for depth_m in DEPTHS_M},
    "crossed behind": Beside(0.06, leaning=(30.0, -30.0), crossed=True),
    "crossed before": Beside(-0.06, leaning=(30.0, -30.0), crossed=True),
    "turned palm": Beside(turned=(0.0, 65.0)),
    "both turned": Beside(-0.10, turned=(35.0, 65.0)),
}


def beside_scene(seat_name: str, name: str) -> OneHandScene:
    """Return the scene of this seat and one of the ``WAYS``."""
    way = WAYS[name]
    # The player's left hand is on the picture's left as the player sees it, which a mirror's camera does not.
    gaps_m = CROSSED_ASIDE_M if way.crossed else TURNED_ASIDE_M if any(way.turned) else ASIDE_M
    gap_m = gaps_m[seat_name]
    aside_m = gap_m if (seat_name == "mirror") is not way.crossed else -gap_m
    middle = HELD
    if way.crossed:
        middle = _seen_from(seat_name, HELD, -aside_m / 2.0, 0.0)
    other = _seen_from(seat_name, middle, aside_m, way.depth_m)
    playing: list[Spot] = [
        (AWAY[seat_name], 0.0, 0.1),
        (TAKE, 0.0, 0.7),
        (TAKE, 0.0, 0.2),
        (TAKE, 1.0, 0.3),
        (middle, 1.0, 0.7),
        (middle, 1.0, COMES_S + STAYS_S),
    ]
    away = OTHER_AWAY[seat_name]
    comes: list[Spot] = [(away, 0.0, HELD_FROM_S), (other, 0.3, COMES_S), (other, 0.3, STAYS_S)]
    hands = (_hand(playing, seat_name, "right", way), _hand(comes, seat_name, "left", way))
    return OneHandScene(f"beside, {name}", seat_name, hands, HELD_FROM_S + COMES_S + STAYS_S)


def came_s(scene: OneHandScene, times_s: tuple[float, ...], size: tuple[int, int]) -> float:
    """Return from when on the second hand is beside the holding one in the picture; infinite if it never is.

    By the truth, and as the watch has it: so many landmarks within a hand's breadth.
    """
    seat = SEATS[scene.seat](*size)
    for time_s in times_s:
        owner, other = (
            project_table_points(seat.camera, seat.table_from_camera, landmarks(state))
            for state in scene.states(time_s)
        )
        reach_px = BESIDE_PALMS * palm_size(owner.tolist())
        gaps = np.linalg.norm(other[:, None] - owner[None], axis=2).min(axis=1)
        if time_s >= HELD_FROM_S and (gaps <= reach_px).sum() >= WatchSettings().landmarks:
            return time_s
    return math.inf


def _seen_from(seat_name: str, point: Vec3, aside_m: float, farther_m: float) -> Vec3:
    """Return the point so far to the right in the camera's picture, moved along its line of sight."""
    table_from_camera = SEATS[seat_name](640, 360).table_from_camera
    x, y, z = pose_apply(pose_inverse(table_from_camera), point)
    part = (z + farther_m) / z
    return pose_apply(table_from_camera, ((x + aside_m) * part, y * part, z * part))


def _hand(spots: list[Spot], seat_name: str, side: Side, way: Beside) -> HandScript:
    which = 0 if side == "right" else 1
    rotation = rotation_of(seat_name, side)
    sight = mat_from_pose(SEATS[seat_name](640, 360).table_from_camera)[:3, 2]
    fingers = mat_from_pose(palm_for_grip((0.0, 0.0, 0.0), rotation, 0.0, side))[:3, 0]
    for axis, degrees in ((fingers, way.turned[which]), (sight, way.leaning[which])):
        x, y, z = axis.tolist()
        rotation = rotated(rotation, (x, y, z), math.radians(degrees))
    keys = [Keyframe(palm_for_grip(at, rotation, grip, side), grip, seconds) for at, grip, seconds in spots]
    return HandScript(keys, side, Tremor(seed=which + 1))
