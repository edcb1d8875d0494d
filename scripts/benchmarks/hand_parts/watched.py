"""The watch over a second hand: rendered hands beside each other, by depth and angle, and clips without a reason.

All of them go through the real tracker. The landmarks are kept, so only the first run films.
"""

from __future__ import annotations

import hashlib
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from armoon.camera.seat import SEATS
from armoon.hands.grips.interpret import Interpreter
from armoon.hands.grips.reading import PINCH, Reading
from armoon.hands.tracking.landmarks import Hands, hands_of, hands_to_dict
from armoon.hands.watch.onehand import OneHandWatch, Zone
from armoon.synthetic_camera.look import StageLook
from benchmarks.hand_parts.clips import NOWHERE, Clip
from benchmarks.hand_parts.seen import kept_as, model_name
from benchmarks.onehand_parts.beside import WAYS, beside_scene, came_s
from benchmarks.onehand_parts.fair_play import fair_clip
from benchmarks.onehand_parts.scenes import OneHandScene
from benchmarks.onehand_parts.stage import HEIGHT, WIDTH, film

#: Recordings of real people that show a single hand.
ONE_HAND = ("ali", "bhu", "cam0_test", "cam1_test", "asl_hand", "hl_test_video", "lujun1")
#: Fair play of 20 s each: with the clips above and the rendered pinches more than five minutes.
FAIR_SEEDS = range(8)
SKIN = StageLook(skin="tan")


def beside_clips() -> dict[str, list[Clip]]:
    """Return by way how a second hand comes beside the holding one, a clip in each seat."""
    return {name: [_beside(seat, name) for seat in SEATS] for name in WAYS}


def fair_clips() -> list[Clip]:
    """Return clips in which other hands do nothing wrong."""
    made = []
    for seed in FAIR_SEEDS:
        scene, look = fair_clip(seed)
        made.append(_clip(scene, _filmed(f"fair-{seed}", scene, look)))
    return made


def watch_figures(
    beside: Mapping[str, Sequence[Clip]],
    alone: Sequence[Clip],
    fair: Sequence[Clip],
    rates: Mapping[str, tuple[float, tuple[float, ...]]],
) -> dict[str, Any]:
    """Return by way and rate whether and when the watch warned, and by rate its false alarms.

    The hand that is known longest counts as holding, in every frame; in ``fair`` play hands hold as they do.
    """
    ways = {
        name: {rate: _delays(clips, rate_hz, parts) for rate, (rate_hz, parts) in rates.items()}
        for name, clips in beside.items()
    }
    false = {}
    for rate, (rate_hz, parts) in rates.items():
        alarms = [warned_s(clip, clip.thinned(rate_hz, parts[0]), as_if_held=True) for clip in alone]
        alarms += [warned_s(clip, clip.thinned(rate_hz, parts[0]), as_if_held=False) for clip in fair]
        false[rate] = sum(map(len, alarms))
    minutes = sum(clip.seconds for clip in (*alone, *fair)) / 60.0
    return {"ways": ways, "false_alarms": false, "minutes": minutes}


def warned_s(
    clip: Clip, frames: Sequence[Hands], *, as_if_held: bool, reading: Reading = PINCH
) -> list[float]:
    """Return when the watch begins to warn; ``as_if_held``: as if the hand that is known longest held all the time."""
    interpreter, watch = Interpreter(clip.camera, clip.table_from_camera), OneHandWatch(reading)
    found, warns = [], False
    for hands in frames:
        interpreter.see(hands)
        interpreter.intent(hands.time_s)
        views, zone = interpreter.views(), Zone()
        if as_if_held:
            # The zone at the structure says nothing of a clip without one, and is measured elsewhere.
            views, zone = tuple(replace(view, owner=view is views[0]) for view in views), NOWHERE
        before, warns = warns, watch.see(hands.time_s, views, as_if_held or interpreter.holding, zone).warns
        if warns and not before:
            found.append(hands.time_s)
    return found


def _delays(clips: Sequence[Clip], rate_hz: float, parts: Sequence[float]) -> dict[str, float | None]:
    """How many clips the watch warns in, and how many seconds after the second hand came."""
    delays, shown = [], 0
    for clip in clips:
        assert clip.two_hands_s is not None
        for part in parts:
            shown += 1
            alarms = warned_s(clip, clip.thinned(rate_hz, part), as_if_held=True)
            delays += [alarm - clip.two_hands_s for alarm in alarms[:1]]
    return {
        "warned": len(delays) / shown,
        "warned_s": statistics.median(delays) if delays else None,
        "warned_latest_s": max(delays, default=None),
    }


def _beside(seat: str, name: str) -> Clip:
    scene = beside_scene(seat, name)
    frames = _filmed(f"beside-{seat}-{name}", scene, SKIN)
    times = tuple(hands.time_s for hands in frames)
    return replace(_clip(scene, frames), two_hands_s=came_s(scene, times, (WIDTH, HEIGHT)))


def _filmed(name: str, scene: OneHandScene, look: StageLook) -> tuple[Hands, ...]:
    states = [scene.states(step / 3.0) for step in range(math.ceil(3.0 * scene.duration_s))]
    digest = hashlib.sha256(repr((states, look)).encode()).hexdigest()[:12]
    plain = kept_as(
        f"{name}-{digest}-{model_name()}",
        lambda: [hands_to_dict(hands) for hands in film(scene, look=look).hands],
    )
    return tuple(hands_of(one) for one in plain)


def _clip(scene: OneHandScene, frames: tuple[Hands, ...]) -> Clip:
    seat = SEATS[scene.seat](WIDTH, HEIGHT)
    return Clip(scene.name, frames, seat.camera, seat.table_from_camera)
