"""The selection of moments for clips, and the pace of time in a clip."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from armoon import broadcast
from armoon.app import replay
from armoon.app.instant_replay import HALF_LADDER_M, view_from_around
from armoon.app.waiting import make_title_scene
from armoon.geometry import CameraModel, project_table_points
from armoon.values.poses import Pose
from armoon.values.scene import BoardScene, ScenePiece
from armoon.world.ladders import make_ladder_set

SEATS = tuple(broadcast.Seat(name, "", 0, out=False, note=broadcast.NO_WORDS) for name in ("Ann", "Ben"))
WORDS = broadcast.Words("said", "dit")


def make_verdict(
    turn: int, *, ok: bool = True, die: str = "ladder", margin_m: float | None = None
) -> broadcast.FeedVerdict:
    return broadcast.FeedVerdict(turn, turn % 2, ok, WORDS, die=die, margin_m=margin_m)


def make_game(*more: tuple[float, broadcast.Happening]) -> tuple[tuple[float, broadcast.Happening], ...]:
    return ((0.0, broadcast.FeedBegan("a", WORDS, WORDS, "side", SEATS, ())), *more)


def test_a_game_without_verdicts_selects_the_moves_with_the_most_effects() -> None:
    moved = [broadcast.Words(" · ".join(("lands",) * count), "") for count in (1, 3, 2)]
    events = make_game(
        *((10.0 * n, broadcast.FeedVerdict(n, n % 2, None, words)) for n, words in enumerate(moved, 1)),
        (40.0, broadcast.FeedVerdict(4, 0, None, WORDS, "taken back")),
    )
    clips = replay.plan_clips(events, "en")
    assert [(clip.kind, clip.time_s) for clip in clips] == [("move", 20.0), ("move", 30.0), ("move", 10.0)]
    assert [clip.title for clip in clips] == ["Ann", "Ben", "Ben"]


def test_each_kind_is_found_and_the_best_come_first() -> None:
    events = make_game(
        (10.0, make_verdict(1)),
        (20.0, make_verdict(2, die="crescent", margin_m=0.05)),
        (30.0, make_verdict(3, die="crescent", margin_m=0.002)),
        (40.0, broadcast.FeedFall(4, 0, ("L01", "L02", "L03"))),
        (40.0, make_verdict(4, ok=False)),
        (50.0, make_verdict(5)),
        (50.0, broadcast.FeedFigures(5, 1, "L09", (broadcast.Words("bridge", "pont"),))),
        (60.0, broadcast.FeedResult((0,), broadcast.Words("Ann wins", "Ann gagne"), WORDS, (0, 1))),
    )
    clips = replay.plan_clips(events, "fr")
    assert [clip.kind for clip in clips] == ["fall", "result", "narrow", "figure", "crescent"]
    assert [clip.title for clip in clips] == ["Ann", "Ann gagne", "Ben", "Ben", "Ann"]
    assert clips[3].words == "pont"
    assert replay.plan_clips(events, "en")[3].words == "bridge"


@pytest.mark.parametrize("time_s", [60.0, 2.0, 0.5])
def test_time_slows_around_the_moment_and_never_runs_backwards(time_s: float) -> None:
    clip = replay.ClipPlan("fall", time_s, 1.0, "", "", is_good=None)
    times = [clip.game_time_s(step / 100.0) for step in range(round(100 * clip.length_s) + 1)]
    assert times[0] == max(0.0, time_s - replay.BEFORE_S)
    assert times[-1] == pytest.approx(time_s + replay.AFTER_S, abs=0.02)
    assert all(0.0 <= b - a <= 0.0101 for a, b in itertools.pairwise(times))
    at_moment = clip.game_time_s(clip.moment_film_s)
    assert at_moment == pytest.approx(time_s)
    assert clip.game_time_s(clip.moment_film_s + 0.1) - at_moment == pytest.approx(0.1 * replay.SLOW)
    for step in range(round(10 * clip.length_s)):  # sound and picture stay together
        assert clip.film_time_s(clip.game_time_s(step / 10.0)) == pytest.approx(step / 10.0)
    if time_s > replay.BEFORE_S:
        assert 8.0 < clip.length_s < 12.0


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1080), (1080, 1920)])
@pytest.mark.parametrize("board", [False, True])
def test_a_clip_of_any_shape_crops_no_standing_ladder(size: tuple[int, int], board: bool) -> None:
    slot_m = 0.0 if board else 0.15
    pieces = tuple(ScenePiece(f"L{n}", Pose((x, 0.0, 0.1))) for n, x in enumerate((-slot_m, 0.0, slot_m)))
    scene = replace(make_title_scene(0.0, ""), pieces=pieces, board=BoardScene() if board else None)
    reach_m = 0.265 if board else slot_m + HALF_LADDER_M
    ends = [(reach_m * math.cos(turn), reach_m * math.sin(turn), 0.0) for turn in np.linspace(0.0, 6.2, 16)]
    camera = CameraModel.from_field_of_view(*size, replay.compute_field_rad(size))
    for share in (0.0, 0.5, 1.0):
        angle_rad = -math.pi / 2.0 + replay.ROUND_RAD * (share - 0.5)
        seen_from = view_from_around(scene, angle_rad, share, replay.FIELD_RAD / 2.0).seen_from
        assert seen_from is not None
        pixels = project_table_points(camera, seen_from, ends)
        assert (pixels >= 0.0).all(), (share, pixels)
        assert (pixels <= size).all(), (share, pixels)


def test_the_cameras_allow_for_the_longest_ladder() -> None:
    ladders = itertools.chain.from_iterable(make_ladder_set(seed).ladders for seed in range(40))
    longest_m = max(math.hypot(*point) for ladder in ladders for rail in ladder.rails for point in rail)
    assert 0.95 * HALF_LADDER_M < longest_m <= HALF_LADDER_M
