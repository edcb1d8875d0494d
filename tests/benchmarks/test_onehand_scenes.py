"""The one-hand rule in scripted scenes: a second hand beside the holding one causes a warning, fair play doesn't."""

from __future__ import annotations

from itertools import cycle

import pytest
from benchmarks import one_hand
from benchmarks.hand_checks import measure_watch
from benchmarks.hand_clips import Clip

from armoon.camera.profiles import SEATS
from armoon.errors import DisplayError
from armoon.hands.landmarks import Hands
from armoon.synthetic_camera.look import StageLook

WHOLE = {"all": (1000.0, (0.0,))}
LOOK = StageLook(skin="tan")


def make_clip(
    scene: one_hand.OneHandScene, frames: tuple[Hands, ...], arrival_s: float | None = None
) -> Clip:
    seat = SEATS[scene.seat](one_hand.WIDTH, one_hand.HEIGHT)
    return Clip(scene.name, frames, seat.camera, seat.table_from_camera, two_hands_s=arrival_s)


def check_warning(scene: one_hand.OneHandScene, path: str, frames: tuple[Hands, ...]) -> None:
    times = tuple(hands.time_s for hands in frames)
    arrival_s = one_hand.find_arrival_s(scene, times, (one_hand.WIDTH, one_hand.HEIGHT))
    figures = measure_watch({path: [make_clip(scene, frames, arrival_s)]}, [], [], WHOLE)["ways"][path]["all"]
    assert figures["warned"] == 1.0
    assert figures["warned_s"] <= 0.6


@pytest.mark.parametrize(("way", "seat"), list(zip(one_hand.WAYS, cycle(SEATS), strict=False)))
def test_a_second_hand_causes_a_warning_at_every_depth_and_angle(way: str, seat: str) -> None:
    scene = one_hand.make_beside_scene(seat, way)
    check_warning(scene, way, one_hand.make_skeletons(scene, rate_hz=15.0, look=LOOK))


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_the_tracker_sees_two_hands_that_cross() -> None:
    scene = one_hand.make_beside_scene("mirror", "crossed before")
    try:
        frames = one_hand.film(scene, LOOK)
    except DisplayError as error:
        pytest.skip(str(error))
    check_warning(scene, "crossed before", frames)


@pytest.mark.parametrize(("seed", "rate_hz"), [(0, 15.0), (1, 10.0)])
def test_fair_play_causes_no_warning(seed: int, rate_hz: float) -> None:
    clip, look = one_hand.make_fair_clip(seed)
    assert one_hand.is_fair(clip, look.hand_scale)
    frames = one_hand.make_skeletons(clip, rate_hz=rate_hz, look=look)
    assert sum(bool(hands.hands) for hands in frames) > 0.5 * len(frames)
    assert measure_watch({}, [], [make_clip(clip, frames)], WHOLE)["false_alarms"] == {"all": 0}
