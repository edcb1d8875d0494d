"""Whether what is drawn lies on what the camera shows: the whole way from lens and table to drawn pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from armoon.camera.calibration.board.finder import BoardFinder
from armoon.camera.calibration.orientation import Orientation
from armoon.camera.calibration.plane_pose import table_from_sheet
from armoon.camera.calibration.unseen import Unseen
from armoon.camera.frame import Image
from armoon.errors import DisplayError
from armoon.geometry import (
    CameraModel,
    pose_compose,
    pose_looking_at,
    project_table_points,
    quat_from_axis_angle,
)
from armoon.values.pieces import Base, Box, Ladder, LadderSet
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.values.scene import Scene, SceneHud
from benchmarks.table_parts.rendered_sheet import SheetStage, board_sheet

DISTANCE_M = 0.60
UPRIGHT = Orientation()
#: Cameras on their side, on their head, and mirrored ones.
TURNED = (Orientation(1), Orientation(2), Orientation(3), Orientation(0, True), Orientation(1, True))


def seats_before(count: int) -> list[Pose]:
    """Cameras 0.6 m before the sheet, 30 to 65 degrees above the table."""
    random = np.random.default_rng(9)
    seats = []
    for around, above in zip(
        random.uniform(-0.6, 0.6, count), np.radians(np.linspace(30.0, 65.0, count)), strict=True
    ):
        eye = np.array(
            [math.sin(around) * math.cos(above), -math.cos(around) * math.cos(above), math.sin(above)]
        )
        seats.append(pose_looking_at(DISTANCE_M * eye, (0.0, 0.0, 0.0)))
    return seats


def registration_px(
    stage: SheetStage, finder: BoardFinder, found: CameraModel, orientation: Orientation = UPRIGHT
) -> float | None:
    """How far the board's corners in the drawn (undistorted) picture are from where points are drawn.

    The whole way: calibrated camera, picture turned upright, found table, feed undistorted by the renderer; the
    largest root mean square of three seats. ``orientation``: how the stage's camera hangs; ``found`` is its
    model as it sends its pictures, but for mirroring. None without OpenGL.
    """
    # A real camera's picture that a driver mirrors: its model is the mirrored one.
    sent = Orientation(0, orientation.mirrored).upright_camera(found)
    camera = orientation.upright_camera(sent)
    rolled = Pose((0.0, 0.0, 0.0), quat_from_axis_angle((0, 0, 1), orientation.quarter_turns * math.pi / 2.0))
    errors = []
    for seat in seats_before(3):
        image = stage.render(pose_compose(seat, rolled), [board_sheet(finder.board)])
        image = orientation.upright(np.ascontiguousarray(image[:, ::-1]) if orientation.mirrored else image)
        pose = finder.pose(camera, image)
        if isinstance(pose, Unseen):
            return None
        table_from_camera = table_from_sheet(pose.camera_from_sheet)
        drawn = _drawn(camera, table_from_camera, image)
        if drawn is None:
            return None
        sight = finder.find(drawn)
        if isinstance(sight, Unseen):
            return None
        # The stage's board lies with the top of its page away: its places are the table's.
        places = np.column_stack([sight.places, np.zeros(len(sight.places))])
        expected = project_table_points(camera, table_from_camera, places)
        errors.append(float(np.sqrt(np.mean(np.sum((sight.pixels - expected) ** 2, axis=1)))))
    return max(errors)


def registration_px_turned(
    stage: SheetStage, finder: BoardFinder, found: CameraModel, turned: Sequence[Orientation] = TURNED
) -> float | None:
    """Return the same for cameras that hang otherwise: the worst of them."""
    errors = [registration_px(stage, finder, found, orientation) for orientation in turned]
    return max((error for error in errors if error is not None), default=None) if all(errors) else None


def _drawn(camera: CameraModel, table_from_camera: Pose, image: Image) -> Image | None:
    """Return the picture as the game draws it, with nothing but the feed in view."""
    from armoon.gl.surface import HeadlessSurface

    try:
        surface = HeadlessSurface(camera.width, camera.height)
    except DisplayError:
        return None
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    # The renderer wants a base and a ladder: both stand behind the camera.
    box = Box((0.0, -5.0, 0.01), IDENTITY_QUAT, (0.01, 0.01, 0.01), "base")
    stick = Ladder("L01", True, (box,), 0.003, (1e-6, 1e-6, 1e-6), 0.1, 1.0)
    away = Pose((0.0, -5.0, 0.0))
    try:
        renderer = Renderer(
            LadderSet(0, (stick,)),
            Base((box,), 0.02, ()),
            camera,
            table_from_camera,
            False,
            camera.width,
            camera.height,
            lid=away,
            light=replace(LAMP, evening=0.0),
        )
        hud = SceneHud()
        renderer.draw(Scene(0, (), (), hud), image)
        return surface.read_bgr()
    finally:
        surface.close()
