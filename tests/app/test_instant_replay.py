"""Replays of verdicts, falls in slow motion, and the camera that circles the winner's tower."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from armoon.app.instant_replay import (
    AFTER_S,
    BEFORE_S,
    FINALE_FROM_TICKS,
    FINALE_TICKS,
    PACE,
    SIDE,
    SLOW,
    SlowMotion,
    VerdictReplay,
    circle_winner,
    compute_shown_tick,
)
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.poses import Pose
from armoon.values.scene import Mood, Scene, SceneHud, ScenePiece, SlowFall

RATE_HZ = 30.0


def make_scene(tick: int) -> Scene:
    return Scene(tick, (), (), SceneHud())


def test_a_verdict_is_replayed_slowly_from_the_side_without_a_jump() -> None:
    replay = VerdictReplay()
    assert not replay.is_possible
    for k in range(round(4.0 * RATE_HZ) + 1):
        piece = ScenePiece("L01", Pose((0.0, 0.0, 1.0 - 0.1 * k / RATE_HZ)))
        replay.add_scene(k / RATE_HZ, Scene(2 * k, (piece,), (), SceneHud()))
    replay.mark_verdict(4.0)
    for k in range(1, 40):
        replay.add_scene(4.0 + k / RATE_HZ, make_scene(240 + 2 * k))
    assert replay.compose_scene(9.0) is None, "a replay runs although nobody requested one"
    replay.start(9.0)
    scenes: list[Scene] = []
    while (slow := replay.compose_scene(9.0 + len(scenes) / 60.0)) is not None:
        scenes.append(slow)
    assert len(scenes) == pytest.approx((BEFORE_S + AFTER_S) / PACE * 60.0, abs=8)
    assert {scene.seen_from for scene in scenes} == {SIDE}
    assert all(scene.hands == () and scene.hud.hint for scene in scenes)
    heights = [scene.pieces[0].pose.position[2] for scene in scenes if scene.pieces]
    assert heights == sorted(heights, reverse=True)
    assert max(a - b for a, b in itertools.pairwise(heights)) < 0.002
    assert replay.compose_scene(100.0) is None, "the replay doesn't end"
    replay.start(9.0)
    replay.forget_verdict()
    assert replay.compose_scene(9.1) is None
    assert not replay.is_possible
    replay.add_scene(20.0, make_scene(0))
    replay.mark_verdict(20.0)
    replay.start(20.01)
    assert replay.compose_scene(20.0) is None, "a single picture is replayed"


def make_falling_scene(ticks: float, *, banner: str = "", held: bool = False) -> Scene:
    pieces = (ScenePiece("L07", Pose((0.0, 0.0, 0.2 - 0.001 * ticks))),)
    drop = ((0.0, 0.0, 0.1), (0.0, 0.0, 0.0)) if held else None
    fall = SlowFall((0.0, 0.0, 0.05), ticks, 1.0)
    return Scene(round(100 + ticks), pieces, (), SceneHud(banner=banner), slow_fall=fall, drop_line=drop)


def find_shown_tick(scene: Scene) -> float:
    """Return the tick of a scene of ``make_falling_scene``, in which the ladder falls by 1 mm per tick."""
    return 1000.0 * (0.2 - scene.pieces[0].pose.position[2])


@pytest.mark.parametrize("step", [1.0, 1.25, 2.0, 4.0])
def test_a_fall_is_shown_slowly_and_then_catches_up(step: float) -> None:
    slow = SlowMotion()
    ticks = [step * k for k in range(round(120 / step))]
    shown = [find_shown_tick(slow.delay_scene(make_falling_scene(tick))) for tick in ticks]
    assert shown == pytest.approx([compute_shown_tick(tick) for tick in ticks], abs=1e-6)
    assert shown == sorted(shown)
    assert shown[round(40 / step)] == pytest.approx(SLOW * 40.0, abs=SLOW * step)
    assert shown[-1] == pytest.approx(ticks[-1]), "the picture doesn't catch up with the game"


def test_slow_motion_does_not_delay_questions_or_messages() -> None:
    slow = SlowMotion()
    for ticks in range(30):
        slow.delay_scene(make_falling_scene(ticks))
    assert slow.delay_scene(make_falling_scene(30, banner="Paused")).hud.banner == "Paused"
    assert find_shown_tick(slow.delay_scene(make_falling_scene(31, held=True))) == pytest.approx(31.0), (
        "a held ladder is shown late"
    )
    assert slow.delay_scene(make_scene(200)) == make_scene(200)


def test_a_fall_is_heard_when_it_is_shown() -> None:
    slow, clatter, warning = SlowMotion(), SoundCue(CueKind.CLATTER), SoundCue(CueKind.WARNING)
    slow.delay_scene(make_falling_scene(0))
    slow.delay_scene(make_falling_scene(20))
    assert slow.delay_cues((clatter, warning)) == (warning,)
    heard_at = []
    for ticks in range(21, 120):
        slow.delay_scene(make_falling_scene(ticks))
        heard_at += [ticks for _ in slow.delay_cues(())]
    assert heard_at == [min(t for t in range(21, 120) if compute_shown_tick(t) >= 20.0)]
    slow.delay_scene(make_scene(300))
    assert slow.delay_cues((clatter,)) == (clatter,)


def test_the_camera_circles_the_structure_for_the_winner() -> None:
    over = replace(
        make_scene(500),
        structure_top_m=0.25,
        mood=Mood(1.0, 0.0, 1.0),
        hud=SceneHud("The Heron", winner_text="Ann wins"),
    )
    assert circle_winner(over, FINALE_FROM_TICKS - 1) == over, "the last verdict disappears too early"
    orbit = [circle_winner(over, ticks) for ticks in range(FINALE_FROM_TICKS, FINALE_TICKS + 1)]
    eyes = [scene.seen_from.position for scene in orbit if scene.seen_from is not None]
    assert len(eyes) == len(orbit)
    assert eyes[0][0] == pytest.approx(0.0, abs=1e-9), "the circle doesn't start at the players' side"
    angles = np.unwrap([math.atan2(y, x) for x, y, _ in eyes])
    assert abs(angles[-1] - angles[0]) > 1.5
    assert np.ptp(np.diff(angles)) < 1e-9, "the angle changes unevenly"
    assert np.ptp([math.hypot(x, y) for x, y, _ in eyes]) < 1e-9
    assert {(s.hud, s.mood) for s in orbit} == {(SceneHud("The Heron", winner_text="Ann wins"), over.mood)}
    lost = replace(over, hud=SceneHud("The Heron"))
    assert circle_winner(lost, FINALE_TICKS) == lost
