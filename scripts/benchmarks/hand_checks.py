"""Measures whether taps grab a ladder, how still a held ladder is, and whether the watch warns of a second hand."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S, FixedStep
from armoon.geometry import vec3
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hands, hands_from_dict, hands_to_dict
from armoon.hands.one_hand_watch import ZONE_TOP_M, OneHandWatch
from armoon.synthetic_camera.anatomy import MIRROR_ROTATION, HandState, place_palm
from armoon.synthetic_camera.look import StageLook
from armoon.values.pieces import GripPhase
from armoon.values.poses import Vec3
from benchmarks.hand_clips import NOWHERE, Clip, load_cached, make_model_name
from benchmarks.hand_script import WEBCAM_NOISE, HandScript, Keyframe, SkeletonTracker, Tremor
from benchmarks.one_hand import (
    HEIGHT,
    ROTATIONS,
    WAYS,
    WIDTH,
    OneHandScene,
    film,
    find_arrival_s,
    make_beside_scene,
    make_fair_clip,
)
from benchmarks.placement_tables import PlacementTable

PLACES, RATES_HZ, NEARER_M = ("lid", "air"), (30.0, 15.0, 10.0), (0.0, 0.06, 0.08, 0.10)
#: Time to close or open the fingers, seconds.
CLOSING_S = 0.1
#: Time for which the fingers stay closed, seconds, by frame rate.
CLOSED_S = {30.0: 0.15, 15.0: 0.2, 10.0: 0.4}
#: Time for which the resting ladder is observed after the tap, seconds.
WATCHED_S = 0.6
#: Position above the base at which a carried ladder is held.
HELD_AT: Vec3 = (0.04, 0.0, 0.22)

Tap = tuple[str, str, float, float]
"""Seat, place, frame rate, and the hand's offset towards the camera in metres."""


def list_taps() -> list[Tap]:
    return list(itertools.product(ROTATIONS, PLACES, RATES_HZ, NEARER_M))


def measure_taps(taps: list[Tap]) -> dict[str, Any]:
    taken, dropped, charged, moved_mm = zip(
        *(try_tap(tap, seed) for seed, tap in enumerate(taps)), strict=True
    )
    return {
        "taps": len(taps),
        "taken": sum(taken),
        "dropped": sum(dropped),
        "charged": sum(charged),
        "moved_most_mm": max(moved_mm),
    }


def try_tap(tap: Tap, seed: int) -> tuple[bool, bool, bool, float]:
    """Return whether the ladder was grabbed, whether it fell, whether that cost a tear, and its maximum motion, mm."""
    seat_name, place, rate_hz, nearer_m = tap
    seat = SEATS[seat_name](WIDTH, HEIGHT)
    tracker = SkeletonTracker(seat, seed, rate_hz, 1.0, WEBCAM_NOISE)
    with contextlib.closing(PlacementTable(seed, seat)) as table:
        position = np.array(table.facts[table.piece].pose.position)
        eye = np.array(seat.table_from_camera.position)
        rotation = ROTATIONS[seat_name]

        def key(point: Any, grip: float, seconds: float) -> Keyframe:
            return Keyframe(place_palm(vec3(point), rotation), grip, seconds)

        def nearer(point: Any) -> Any:
            return point + (eye - point) / np.linalg.norm(eye - point) * nearer_m

        keys = [key(position, 0.0, 0.8)]
        if place == "air":
            keys += [
                key(position, 1.0, 0.3),
                key(position, 1.0, 0.3),
                key(HELD_AT, 1.0, 1.2),
                key(HELD_AT, 1.0, 0.5),
            ]
            keys += [key(HELD_AT, 0.0, 0.3), key(HELD_AT, 0.0, 0.5)]
            position = np.array(HELD_AT)
        keys += [key(nearer(position), 0.0, 0.8), key(nearer(position), 0.0, 0.7)]
        before_s = sum(key.duration_s for key in keys)
        keys += [key(nearer(position), 1.0, CLOSING_S), key(nearer(position), 1.0, CLOSED_S[rate_hz])]
        keys += [key(nearer(position), 0.0, CLOSING_S), key(nearer(position), 0.0, WATCHED_S)]
        script = HandScript(keys, tremor=Tremor(seed=seed))
        return _play_tap(table, tracker, script, before_s, rate_hz)


def _play_tap(
    table: PlacementTable, tracker: SkeletonTracker, script: HandScript, before_s: float, rate_hz: float
) -> tuple[bool, bool, bool, float]:
    start_s = table.time_s
    steps = FixedStep(start_s)
    start, moved_m, taken = None, 0.0, False
    tears = table.match.state.tears
    for index in range(1, math.ceil(script.duration_s * rate_hz)):
        at_s = index / rate_hz
        hands = tracker.track(script.state(at_s), start_s + at_s, index)
        ticks = steps.advance(start_s + at_s)
        for k in range(ticks):
            table.tick(start_s + at_s - (ticks - 1 - k) * TICK_S, hands if k == 0 else None)
            positions = [piece.pose.position for piece in table.facts.pieces if piece.piece == table.piece]
            if at_s < before_s or not positions:
                continue
            start = start or positions[0]
            grip = table.match.grip
            taken = taken or (grip is not None and grip.phase is GripPhase.HOLD)
            moved_m = max(moved_m, math.dist(start, positions[0]))
    assert start is not None, "the ladder exists before the tap"
    charged = table.match.state.tears != tears
    return taken, table.match.offered is None, charged, 1000.0 * moved_m


#: Duration of holding a ladder still, and time after which its pinch can no longer be a tap, seconds.
RESTING_S, RESTS_FROM_S = 10.0, 1.3


def measure_rest(seeds: Sequence[int]) -> dict[str, float]:
    """Return how far noise moves a still ladder from its mean position in the mirror seat: median and maximum, mm."""
    seat = SEATS["mirror"](WIDTH, HEIGHT)
    along_mm, across_mm = [], []
    for seed in seeds:
        tracker = SkeletonTracker(seat, seed, RATES_HZ[0], 1.0, WEBCAM_NOISE)
        interpreter = Interpreter(seat.camera, seat.table_from_camera)
        places, view = [], np.zeros(3)
        for index in range(round(RESTING_S * RATES_HZ[0])):
            time_s = index / RATES_HZ[0]
            grip = min(1.0, max(0.0, (time_s - 0.5) / 0.3))
            palm = place_palm(HELD_AT, MIRROR_ROTATION, grip)
            interpreter.add_hands(tracker.track(HandState(palm, grip), time_s, index))
            intent = interpreter.get_intent(time_s)
            if intent is not None and intent.phase is GripPhase.HOLD and time_s >= RESTS_FROM_S:
                places.append(intent.pose.position)
                view = np.array(intent.view_axis)
        offsets = np.array(places) - np.mean(places, axis=0)
        along = offsets @ view
        along_mm.append(1000.0 * float(abs(along).max()))
        across_mm.append(1000.0 * float(np.linalg.norm(offsets - along[:, None] * view, axis=1).max()))
    return {
        "along_mm": statistics.median(along_mm),
        "along_most_mm": max(along_mm),
        "across_mm": statistics.median(across_mm),
        "across_most_mm": max(across_mm),
    }


#: Recordings of real people that show a single hand.
ONE_HAND = ("ali", "bhu", "cam0_test", "cam1_test", "asl_hand", "hl_test_video", "lujun1")
#: Seeds of the scenes of fair play, 20 s each.
FAIR_SEEDS = range(8)
SKIN = StageLook(skin="tan")


def film_beside_clips(limit: int | None = None) -> dict[str, list[Clip]]:
    return {name: [_film_beside(seat, name) for seat in SEATS] for name in list(WAYS)[:limit]}


def film_fair_clips(limit: int | None = None) -> list[Clip]:
    clips = []
    for seed in FAIR_SEEDS[:limit]:
        scene, look = make_fair_clip(seed)
        clips.append(_make_clip(scene, _film_clip(f"fair-{seed}", scene, look)))
    return clips


def measure_watch(
    beside: Mapping[str, Sequence[Clip]],
    alone: Sequence[Clip],
    fair: Sequence[Clip],
    rates: Mapping[str, tuple[float, tuple[float, ...]]],
) -> dict[str, Any]:
    """Return the warnings by violation and rate, and the false alarms in ``alone`` and ``fair`` by rate."""
    paths = {
        name: {rate: _measure_delays(clips, rate_hz, parts) for rate, (rate_hz, parts) in rates.items()}
        for name, clips in beside.items()
    }
    false = {}
    for rate, (rate_hz, parts) in rates.items():
        alarms = [list_warnings_s(clip, clip.thin(rate_hz, parts[0]), as_if_held=True) for clip in alone]
        alarms += [list_warnings_s(clip, clip.thin(rate_hz, parts[0]), as_if_held=False) for clip in fair]
        false[rate] = sum(map(len, alarms))
    minutes = sum(clip.seconds for clip in (*alone, *fair)) / 60.0
    return {"ways": paths, "false_alarms": false, "minutes": minutes}


def list_warnings_s(clip: Clip, frames: Sequence[Hands], *, as_if_held: bool) -> list[float]:
    """Return the start of each warning; ``as_if_held``: treat the hand seen longest as holding a ladder."""
    interpreter, watch = Interpreter(clip.camera, clip.table_from_camera), OneHandWatch()
    times_s, warns = [], False
    for hands in frames:
        interpreter.add_hands(hands)
        interpreter.get_intent(hands.time_s)
        views, top_m = interpreter.list_views(), ZONE_TOP_M
        if as_if_held:
            # A clip shows no structure, so its zone is empty; the scenes of fair play test the zone.
            views, top_m = tuple(replace(view, is_owner=view is views[0]) for view in views), NOWHERE
        before, warns = (
            warns,
            watch.add_frame(hands.time_s, views, as_if_held or interpreter.is_holding, top_m).warns,
        )
        if warns and not before:
            times_s.append(hands.time_s)
    return times_s


def _measure_delays(clips: Sequence[Clip], rate_hz: float, parts: Sequence[float]) -> dict[str, float | None]:
    """Return the share of clips with a warning, and delays after the second hand appears, seconds."""
    delays, count = [], 0
    for clip in clips:
        assert clip.two_hands_s is not None
        for part in parts:
            count += 1
            alarms = list_warnings_s(clip, clip.thin(rate_hz, part), as_if_held=True)
            delays += [alarm - clip.two_hands_s for alarm in alarms[:1]]
    return {
        "warned": len(delays) / count,
        "warned_s": statistics.median(delays) if delays else None,
        "warned_latest_s": max(delays, default=None),
    }


def _film_beside(seat: str, name: str) -> Clip:
    scene = make_beside_scene(seat, name)
    frames = _film_clip(f"beside-{seat}-{name}", scene, SKIN)
    times = tuple(hands.time_s for hands in frames)
    return replace(_make_clip(scene, frames), two_hands_s=find_arrival_s(scene, times, (WIDTH, HEIGHT)))


def _film_clip(name: str, scene: OneHandScene, look: StageLook) -> tuple[Hands, ...]:
    states = [scene.states(step / 3.0) for step in range(math.ceil(3.0 * scene.duration_s))]
    digest = hashlib.sha256(repr((states, look)).encode()).hexdigest()[:12]
    plain = load_cached(
        f"{name}-{digest}-{make_model_name()}", lambda: [hands_to_dict(hands) for hands in film(scene, look)]
    )
    return tuple(hands_from_dict(record) for record in plain)


def _make_clip(scene: OneHandScene, frames: tuple[Hands, ...]) -> Clip:
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    return Clip(scene.name, frames, seat.camera, seat.table_from_camera)
