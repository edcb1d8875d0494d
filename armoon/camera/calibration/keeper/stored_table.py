"""The four pointed corners of a table, kept for the next game with the same camera in the same place."""

from __future__ import annotations

import json
from pathlib import Path

from armoon.camera.calibration.profiles.profiles import slug, write_whole
from armoon.camera.calibration.sheet.four_points import Fault, PointedTable, pointed_table
from armoon.errors import CameraError
from armoon.geometry import CameraModel

_REMEDY = "Point at the table's corners again, or delete the file."


def table_path(folder: Path, camera: str, width: int, height: int) -> Path:
    """Where the table of ``camera`` at this picture size is kept."""
    return folder / f"table-{slug(camera)}-{width}x{height}.json"


def save_table(folder: Path, camera: str, model: CameraModel, table: PointedTable) -> Path:
    """Keep a pointed table. Returns its path; raises CameraError where it can't be written."""
    path = table_path(folder, camera, model.width, model.height)
    data = {"camera": camera, "near_side_m": table.near_side_m, "points_px": table.points_px}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, indent=2) + "\n")
    except OSError as error:
        raise CameraError(
            f"The table {path} can't be kept ({error.strerror}).",
            remedy="Make room on the disk, or give yourself the right to write there.",
        ) from error
    return path


def load_table(folder: Path, camera: str, model: CameraModel) -> PointedTable | None:
    """The table that was kept for this camera and picture size, or None. Raises CameraError for a broken file."""
    path = table_path(folder, camera, model.width, model.height)
    if not path.is_file():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        points = tuple((float(x), float(y)) for x, y in data["points_px"])
        table = pointed_table(model, points, float(data["near_side_m"]))
        if data["camera"] != camera:
            raise ValueError(f"of the camera {data['camera']}")
    except (OSError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise CameraError(
            f"The table {path} is broken ({type(error).__name__}: {error}).", remedy=_REMEDY
        ) from error
    if isinstance(table, Fault):
        raise CameraError(f"The table {path} doesn't fit this camera ({table.value}).", remedy=_REMEDY)
    return table
