"""What is varied from trial to trial of the placement benchmark."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from armoon.camera.seat import SEATS, Seat
from armoon.geometry import vec3
from armoon.synthetic_camera.look import HandKind, SkinTone
from armoon.values.choices import Steadiness
from armoon.values.poses import Pose
from benchmarks.hand_script import SHAKING_BANDS, Tremor
from benchmarks.placement_parts.eye import view_of
from benchmarks.placement_parts.people import ARM_DRIFT_HZ, PEOPLE

WIDTH, HEIGHT = 640, 360
#: The player's eye, and what reads its hand.
SCREEN, EXACT, CHANCE = "screen", "exact", "chance"
REAL, SKELETON = "real", "skeleton"
#: Or no hand at all: by keys, or by one switch.
KEYS, SWITCH = "keys", "switch"
EYES, TRACKERS = (*PEOPLE, SCREEN, EXACT, CHANCE), (REAL, SKELETON, KEYS, SWITCH)
#: What can be missing, one at a time: the lazy Susan, what waits in the air, the faint ladder where it would land, the
#: side view, the drop line's foot, tilting by keys.
HELPS = ("susan", "air", "ghost", "inset", "drop_line", "tilt")
#: A tremor's turns: radians for every metre of its shifts.
TREMOR_RAD_PER_M = 10.0


@dataclass(frozen=True)
class Setting:
    """What is varied from trial to trial; the defaults are the middle one."""

    seat: str = "table"
    eye: str = SCREEN
    standing: int = 2
    """How many ladders stand."""
    without: str = ""
    """The one help that isn't there."""
    tracker: str = REAL
    hand_scale: float | None = None
    """1 is a hand of 187 mm; the tracker is told nothing about it. None: as the table's own hand is, likewise below."""
    skin: SkinTone | None = None
    light_gain: float | None = None
    distance: float = 1.0
    """The camera's distance from the table's middle, times the seat's own."""
    rate_hz: float = 30.0
    tremor_m: float = 0.0004
    """Standard deviation along each axis."""
    shaking_m: float = 0.0
    """A hand that shakes 4 to 12 times a second goes so far to either side along each axis; it has no other tremor."""
    steadiness: Steadiness = Steadiness.OFF
    """What is set for who plays."""


def seat_at(setting: Setting) -> Seat:
    """Return the setting's seat with its camera moved along its own view."""
    seat = SEATS[setting.seat](WIDTH, HEIGHT)
    pose = seat.table_from_camera
    back_m = (setting.distance - 1.0) * math.hypot(pose.position[0], pose.position[1])
    position = np.array(pose.position) - back_m * view_of(seat)
    return replace(seat, table_from_camera=Pose(vec3(position), pose.rotation))


def hand_of(setting: Setting, hand: HandKind) -> HandKind:
    """Return a table's hand with what the setting changes of it."""
    changes = {"skin": setting.skin, "light_gain": setting.light_gain}
    look = replace(hand.look, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]
    return replace(hand, look=look, scale=setting.hand_scale or hand.scale)


def tremor_of(setting: Setting, seed: int) -> Tremor:
    """Return the unwilled motion of a trial's hand."""
    if setting.shaking_m > 0.0:
        # A sine's standard deviation; the grip itself is shaken, and not turned.
        return Tremor(setting.shaking_m / math.sqrt(2.0), 0.0, seed, SHAKING_BANDS)
    return Tremor(setting.tremor_m, TREMOR_RAD_PER_M * setting.tremor_m, seed)


def drift_of(setting: Setting, seed: int) -> Tremor:
    """Return the slow drift of a person's arm; none of the other eyes' hands."""
    person = PEOPLE.get(setting.eye)
    drift_m = 0.0 if person is None else person.arm_drift_m
    return Tremor(drift_m, 0.0, seed + 1, ((1.0, *ARM_DRIFT_HZ),))
