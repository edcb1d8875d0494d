"""Pinches of the rendered hand, whose contact and parting are known to the frame: other fingers as people hold them.

Few recordings of people show fingers that part. This hand closes and opens in both seats, turned and moved, with its
other fingers straight, relaxed, curled into the palm, and the middle one beside the index. Seven others, of other
people's shape, skin and dress, do so with straight fingers.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

from armoon.camera.seat import SEATS
from armoon.geometry import Array
from armoon.hands.tracking.landmarker import Image
from armoon.hands.tracking.landmarks import hands_of, hands_to_dict
from armoon.hands.tracking.tracker import HandTracker
from armoon.synthetic_camera import rendered_camera
from armoon.synthetic_camera.anatomy import OPEN_ANGLES, grip_angles, palm_for_grip
from armoon.synthetic_camera.holding import MIRROR_ROTATION, TABLE_ROTATION, rotated
from armoon.synthetic_camera.look import HANDS, HandKind
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.poses import Quat, Vec3
from benchmarks.hand_parts.clips import Clip, Pinch
from benchmarks.hand_parts.seen import kept_as, model_name
from benchmarks.hand_script import HandScript, Keyframe, Tremor

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
#: The flesh of thumb and index meets at this grip: the capsules of their end bones touch.
CONTACT_GRIP = 0.87
CYCLES, HAND_CYCLES = 5, 3
#: Degrees of spread and three joints for middle, ring and little finger: open, pinched.
OTHER_FINGERS: dict[str, tuple[tuple[float, ...], tuple[float, ...]] | None] = {
    "straight": None,
    "relaxed": (
        (-1, 20, 25, 12, 3, 22, 28, 14, 8, 25, 30, 15),
        (-1, 35, 40, 20, 3, 40, 45, 25, 8, 45, 45, 25),
    ),
    "curled": ((0, 70, 90, 50) * 3, (0, 70, 90, 50) * 3),
    "beside": (
        (0, 6, 9, 6, 2, 8, 10, 6, 3, 10, 12, 7),
        (-6, 44.6, 55.5, 24.7, 3, 50, 50, 30, 8, 55, 50, 30),
    ),
}
_FIRST_OTHER, _LAST_OTHER = 9, 21
ROTATIONS: dict[str, Quat] = {"mirror": MIRROR_ROTATION, "table": TABLE_ROTATION}


def rendered_clips() -> list[Clip]:
    """Each way to hold the other fingers, in each seat."""
    return [_clip(seat, fingers) for seat in ROTATIONS for fingers in OTHER_FINGERS]


def hand_clips() -> dict[str, list[Clip]]:
    """Return by hand, in each seat, a shorter clip with straight fingers."""
    return {hand.name: [_clip(seat, "straight", hand, HAND_CYCLES) for seat in ROTATIONS] for hand in HANDS}


def _clip(seat_name: str, fingers: str, hand: HandKind = HANDS[0], cycles: int = CYCLES) -> Clip:
    seat = SEATS[seat_name](WIDTH, HEIGHT)
    name = f"pinches-{model_name()}-{seat_name}-{fingers}"
    if cycles != CYCLES:
        name += "-" + hashlib.sha256(repr((hand, cycles)).encode()).hexdigest()[:12]
    plain = kept_as(name, lambda: _film(seat_name, fingers, hand, cycles))
    grips = [float(frame["grip"]) for frame in plain]
    frames = tuple(hands_of(frame["hands"]) for frame in plain)
    times = [frame.time_s for frame in frames]
    return Clip(
        name=f"{seat_name}, {fingers}, {hand.name}",
        frames=frames,
        camera=seat.camera,
        table_from_camera=seat.table_from_camera,
        pinches=_pinches(times, grips),
    )


def _pinches(times: list[float], grips: list[float]) -> tuple[Pinch, ...]:
    found: list[Pinch] = []
    for k in range(1, len(grips)):
        if grips[k] >= CONTACT_GRIP > grips[k - 1]:
            found.append(Pinch(times[k], None))
        elif grips[k] < CONTACT_GRIP <= grips[k - 1] and found:
            found[-1] = Pinch(found[-1].contact_s, times[k])
    return tuple(found)


def rendered_frames(
    seat_name: str, fingers: str, hand: HandKind = HANDS[0], cycles: int = CYCLES
) -> Iterator[tuple[float, Image]]:
    """Yield each frame's grip and picture."""
    seat = SEATS[seat_name](WIDTH, HEIGHT)
    script = _script(seat_name, fingers, hand, cycles)
    with (
        mock.patch.object(rendered_camera, "grip_angles", lambda grip, shape: _angles(fingers, grip, shape)),
        closing(RenderedCamera(seat.camera, seat.table_from_camera, hand.seen(0))) as camera,
    ):
        for index in range(int(script.duration_s * RATE_HZ)):
            state = replace(script.state(index / RATE_HZ), stretch=hand.stretch)
            yield state.grip, camera.render([state])


def _film(seat_name: str, fingers: str, hand: HandKind, cycles: int) -> list[Any]:
    with HandTracker() as tracker:
        return [
            {"grip": grip, "hands": hands_to_dict(tracker.track(picture, index / RATE_HZ, index))}
            for index, (grip, picture) in enumerate(rendered_frames(seat_name, fingers, hand, cycles))
        ]


def _angles(fingers: str, grip: float, stretch: Vec3) -> Array:
    start, end = OPEN_ANGLES.copy(), grip_angles(1.0, stretch).copy()
    others = OTHER_FINGERS[fingers]
    if others is not None:
        start[_FIRST_OTHER:_LAST_OTHER], end[_FIRST_OTHER:_LAST_OTHER] = (np.radians(one) for one in others)
    return np.asarray(start + (end - start) * grip)


def _script(seat_name: str, fingers: str, hand: HandKind, cycles: int) -> HandScript:
    """Comes to rest, closes in 0.35 s, carries, rests, opens in 0.3 s, some times."""
    dice = random.Random(f"{seat_name} {fingers}" if cycles == CYCLES else f"{seat_name} {hand.name}")
    keys: list[Keyframe] = []
    for _ in range(cycles):
        rotation = rotated(ROTATIONS[seat_name], (0.0, 1.0, 0.0), dice.uniform(-0.35, 0.35))
        least = 0.0 if seat_name == "mirror" else -0.3
        rotation = rotated(rotation, (0.0, 0.0, 1.0), dice.uniform(least, 0.3))
        rotation = rotated(rotation, (1.0, 0.0, 0.0), dice.uniform(-0.25, 0.25))
        taken, left = _place(dice), _place(dice)
        for point, grip, seconds in (
            (taken, 0.0, 0.5),
            (taken, 1.0, 0.35),
            (taken, 1.0, 0.3),
            (left, 1.0, 0.6),
            (left, 1.0, 0.2),
            (left, 0.0, 0.3),
        ):
            palm = palm_for_grip(point, rotation, grip, hand_scale=hand.scale, stretch=hand.stretch)
            keys.append(Keyframe(palm, grip, seconds))
    return HandScript(keys, tremor=Tremor(seed=math.floor(dice.random() * 1000)))


def _place(dice: random.Random) -> Vec3:
    return (dice.uniform(-0.03, 0.14), dice.uniform(-0.05, 0.05), dice.uniform(0.10, 0.20))
