"""A sheet that shows all ladders of a set side by side, each with its name and length."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import DisplayError
from armoon.geometry import CameraModel, pose_looking_at, project_table_points
from armoon.gl import HeadlessSurface
from armoon.values.pieces import Ladder, LadderSet
from armoon.values.poses import Pose
from armoon.values.scene import Scene, SceneHud, ScenePiece
from armoon.view.scene.light import LAMP

if TYPE_CHECKING:
    from armoon.view.lettering import TextLine

WIDTH_PX, HEIGHT_PX = 1600, 1440
COLUMNS, ROWS = 10, 3
#: Room for the longest and widest ladder, a gap and a line of text.
CELL_WIDTH_M, CELL_HEIGHT_M = 0.052, 0.156
#: From this far the outermost ladder is seen at less than 7 degrees: the sheet looks flat.
DISTANCE_M = 2.5
#: The sheet hangs this high, so that table, base and lid stay out of the picture.
MIDDLE_Z_M = 2.0
#: The name stands this far below the middle of its ladder.
NAME_BELOW_M = 0.076
#: Parchment, blue first.
PAPER_BGR = (214, 230, 238)
INK = (60, 45, 35, 255)
TEXT_PX = 17.0

#: The game's lamp without the evening that it lays over the picture.
_DAYLIGHT = replace(LAMP, evening=0.0)
_EMPTY_HUD = SceneHud()


def draw_sheet(ladders: LadderSet) -> npt.NDArray[np.uint8]:
    """Return the sheet as a picture (HEIGHT_PX, WIDTH_PX, 3), BGR.

    Raises DisplayError without OpenGL, or ValueError for more ladders than the sheet has room for.
    """
    if len(ladders.ladders) > COLUMNS * ROWS:
        raise ValueError(f"the sheet has room for {COLUMNS * ROWS} ladders, not {len(ladders.ladders)}")
    focal = HEIGHT_PX * DISTANCE_M / (ROWS * CELL_HEIGHT_M)
    camera = CameraModel(WIDTH_PX, HEIGHT_PX, focal, focal, (WIDTH_PX - 1) / 2.0, (HEIGHT_PX - 1) / 2.0)
    seat = pose_looking_at((0.0, -DISTANCE_M, MIDDLE_Z_M), (0.0, 0.0, MIDDLE_Z_M))
    surface = HeadlessSurface(WIDTH_PX, HEIGHT_PX)
    # Only now: pyglet opens the display when what draws is imported.
    from armoon.view.lettering import Lettering
    from armoon.view.scene.renderer import Renderer

    try:
        renderer = Renderer(
            ladders, None, camera, seat, False, WIDTH_PX, HEIGHT_PX, lid=None, light=_DAYLIGHT
        )
        poses = [_place(k, ladder) for k, ladder in enumerate(ladders.ladders)]
        pieces = [ScenePiece(ladder.piece, pose) for ladder, pose in zip(ladders.ladders, poses, strict=True)]
        paper = np.empty((HEIGHT_PX, WIDTH_PX, 3), np.uint8)
        paper[:] = PAPER_BGR
        renderer.draw(Scene(0, tuple(pieces), (), _EMPTY_HUD), paper)
        names = Lettering()
        names.resize(WIDTH_PX, HEIGHT_PX)
        names.show({ladder.piece: _name(k, ladder, camera, seat) for k, ladder in enumerate(ladders.ladders)})
        names.draw()
        return surface.read_bgr()
    finally:
        surface.close()


def write_png(picture_bgr: npt.NDArray[np.uint8], path: Path) -> None:
    """Write a picture (h, w, 3) as a PNG file; DisplayError if the file can't be written."""
    height, width = picture_bgr.shape[:2]
    rgb = np.ascontiguousarray(picture_bgr[:, :, ::-1])
    image = pyglet.image.ImageData(width, height, "RGB", rgb.tobytes(), pitch=-3 * width)
    try:
        with path.open("wb") as file:
            image.save(path.with_suffix(".png").name, file=file)
    except OSError as error:
        raise DisplayError(
            f"The picture {path} can't be written ({error.strerror}).",
            remedy="Choose a folder that can be written to.",
        ) from error


def _middle(k: int) -> tuple[float, float]:
    """Return the middle (x, z) of the k-th cell, rows from the top."""
    row, column = divmod(k, COLUMNS)
    x = (column - (COLUMNS - 1) / 2.0) * CELL_WIDTH_M
    return x, MIDDLE_Z_M + ((ROWS - 1) / 2.0 - row) * CELL_HEIGHT_M


def _place(k: int, ladder: Ladder) -> Pose:
    """Upright in its cell, the middle of its outline (not of its mass) in the middle."""
    points = np.array([point for rail in ladder.rails for point in rail])
    x, z = _middle(k)
    low, high = points.min(axis=0), points.max(axis=0)
    return Pose((x - float(low[0] + high[0]) / 2.0, 0.0, z - float(low[2] + high[2]) / 2.0))


def _name(k: int, ladder: Ladder, camera: CameraModel, seat: Pose) -> TextLine:
    from armoon.view.lettering import TextLine

    x, z = _middle(k)
    ((right, down),) = project_table_points(camera, seat, [(x, 0.0, z - NAME_BELOW_M + 0.004)])
    label = f"{ladder.piece}  {1000.0 * ladder.length_m:.0f} mm"
    return TextLine(label, float(right), HEIGHT_PX - float(down), TEXT_PX, INK, anchor="center")
