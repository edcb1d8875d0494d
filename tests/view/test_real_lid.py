"""A real lid in the camera's picture hides the wood behind it, and the wood in front of the lid hides the lid."""

from __future__ import annotations

import numpy as np
import pytest
from support import table_pictures

from armoon.geometry import Array, project_table_points
from armoon.gl import HeadlessSurface, read_bgr
from armoon.values.poses import Pose
from armoon.values.scene import Scene
from armoon.view.scene.light import LAMP

pytestmark = pytest.mark.gl
SURFACE = (table_pictures.WIDTH, table_pictures.HEIGHT, table_pictures.RENDERERS)
IN_FRONT = Pose((0.0, -0.16, 0.0))
BEHIND = Pose((0.0, 0.16, 0.0))


def test_a_real_lid_hides_wood_behind_it_but_not_in_front(surface: HeadlessSurface) -> None:
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    renderer = Renderer(
        table_pictures.TOWER.ladders,
        table_pictures.TOWER.base,
        table_pictures.CAMERA,
        table_pictures.TABLE_FROM_CAMERA,
        False,
        table_pictures.WIDTH,
        table_pictures.HEIGHT,
        light=LAMP,
        upright=(Pose((-0.165, 0.0, 0.0)), 0.20),
    )
    table_pictures.RENDERERS["with a lid"] = renderer

    def draw_scene(shown: Scene) -> Array:
        renderer.draw_scene(shown, table_pictures.FRAME)
        return np.asarray(read_bgr(table_pictures.WIDTH, table_pictures.HEIGHT), dtype=np.float64)

    shown = table_pictures.scene()
    assert shown.pieces == table_pictures.STANDING
    usual = draw_scene(shown)
    renderer.set_lid(BEHIND, 0.20)
    behind = draw_scene(shown)
    renderer.set_lid(IN_FRONT, 0.20)
    in_front = draw_scene(shown)
    points = [(x, -0.16, z) for x in (-0.03, 0.0, 0.03) for z in (0.08, 0.12, 0.16)]
    pixels = np.rint(
        project_table_points(table_pictures.CAMERA, table_pictures.TABLE_FROM_CAMERA, points)
    ).astype(int)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    inside = (slice(low[1], high[1]), slice(low[0], high[0]))
    changed = np.abs(in_front - behind).max(axis=2) > 12
    assert changed[inside].sum() > 50, "the lid hides the tower"
    assert (
        np.abs(in_front[inside] - table_pictures.FRAME[inside]).max(axis=2).mean()
        < np.abs(behind[inside] - table_pictures.FRAME[inside]).max(axis=2).mean()
    )
    # The virtual lid isn't drawn once the camera sees a real one.
    drawn_lid = np.rint(
        project_table_points(table_pictures.CAMERA, table_pictures.TABLE_FROM_CAMERA, [(-0.165, -0.02, 0.1)])
    ).astype(int)[0]
    assert np.abs(usual - behind).max(axis=2)[drawn_lid[1], drawn_lid[0]] > 12
