"""Chooses a tier for this machine by timing a few pictures of a full table at the start of a game."""

from __future__ import annotations

import math
import statistics
import string
import time
from dataclasses import replace

import numpy as np

from armoon.geometry import quat_from_axis_angle
from armoon.gl import get_context
from armoon.values.pieces import LadderSet
from armoon.values.poses import Pose
from armoon.values.scene import DieFace, Scene, SceneHud, ScenePiece, ScenePlayer
from armoon.view.scene.camera_picture import Frame
from armoon.view.scene.renderer import Renderer
from armoon.view.scene.tiers import find_best_tier

#: Number of pictures drawn in each tier; the first one, which compiles and allocates, isn't measured.
_PICTURE_COUNT = 4
#: Number of ladders in the measured picture, as late in a game.
_LADDER_COUNT = 16
_HUD = SceneHud(tears_left=4, die=DieFace.TWO_LADDERS)

#: The usual letters in the usual sizes of the head-up display.
_COMMON_LETTERS = string.ascii_lowercase + " éèê:·0123456789"
_ALL_LETTERS_HUD = SceneHud(
    "armoon",
    tuple(ScenePlayer(string.ascii_letters[k : k + 13], k // 13, k == 0) for k in range(0, 52, 13)),
    4,
    DieFace.TWO_LADDERS,
    string.ascii_uppercase[:8] + _COMMON_LETTERS[:20],
    string.ascii_uppercase + _COMMON_LETTERS,
    string.ascii_uppercase[:8] + _COMMON_LETTERS[:20],
    None,
    "0123456789 " + string.ascii_lowercase[:8],
    "0123456789.,cm",
    keys=string.ascii_uppercase + _COMMON_LETTERS,
)


def choose_tier(renderer: Renderer, budget_ms: float) -> str:
    """Set the best tier within ``budget_ms`` and return its name."""
    chosen = renderer.set_tier(find_best_tier(lambda tier: measure_tier_ms(renderer, tier), budget_ms))
    renderer.free_surfaces(kept=chosen)
    warm_up(renderer)
    return chosen


def warm_up(renderer: Renderer) -> None:
    """Draw a full table and all usual letters once, because drivers finish compiling at the first draw."""
    table = replace(make_full_table(renderer.ladders), board=renderer.example_board, hud=_ALL_LETTERS_HUD)
    renderer.draw_scene(table, _make_grey_frame(renderer))
    get_context().finish()
    renderer.set_viewpoint(None)


def measure_tier_ms(renderer: Renderer, tier: str) -> float | None:
    """Return the median time of a full table's picture in this tier, in ms; None if it can't be drawn here."""
    if renderer.set_tier(tier) != tier:
        return None
    scene, frame = make_full_table(renderer.ladders), _make_grey_frame(renderer)
    times_ms = []
    for _ in range(_PICTURE_COUNT):
        start = time.perf_counter()
        renderer.draw_scene(scene, frame)
        get_context().finish()
        times_ms.append(1000.0 * (time.perf_counter() - start))
    return statistics.median(times_ms[1:])


def _make_grey_frame(renderer: Renderer) -> Frame:
    return np.full((renderer.height, renderer.width, 3), 96, dtype=np.uint8)


def make_full_table(ladders: LadderSet | None) -> Scene:
    """Return a scene with as many ladders over the base as late in a game."""
    pieces = []
    for i, ladder in enumerate(() if ladders is None else ladders.ladders[:_LADDER_COUNT]):
        angle = i * 2.4
        position = (0.05 * math.cos(angle), 0.05 * math.sin(angle), 0.06 + 0.012 * i)
        pieces.append(ScenePiece(ladder.piece, Pose(position, quat_from_axis_angle((0.3, 1.0, 0.2), angle))))
    return Scene(0, tuple(pieces), (), _HUD, structure_top_m=0.25)
