"""The four corners of a table, stored for the next game with the same camera in the same place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from armoon.camera.calibration.profiles.profiles import slug
from armoon.camera.calibration.sheet.four_points import Fault, PointedTable, pointed_table
from armoon.codec import MalformedError, decode_json, encode_json
from armoon.codec.files import read_bytes
from armoon.codec.whole import write_whole
from armoon.errors import CameraError
from armoon.geometry import CameraModel
from armoon.values.poses import Vec2

_REMEDY = "Point at the table's corners again, or delete the file."


@dataclass(frozen=True)
class _StoredTable:
    """The file: all that a PointedTable is made of."""

    camera: str
    near_side_m: float
    points_px: tuple[Vec2, ...]


def table_path(folder: Path, camera: str, width: int, height: int) -> Path:
    """Where the table of ``camera`` at this picture size is kept."""
    return folder / f"table-{slug(camera)}-{width}x{height}.json"


def save_table(folder: Path, camera: str, model: CameraModel, table: PointedTable) -> Path:
    """Keep a pointed table. Returns its path; raises CameraError where it can't be written."""
    path = table_path(folder, camera, model.width, model.height)
    kept = _StoredTable(camera, table.near_side_m, table.points_px)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(path, encode_json(kept, indent=2) + b"\n")
    except OSError as error:
        raise CameraError(
            f"The table {path} can't be kept ({error.strerror}).",
            remedy="Make room on the disk, or give yourself the right to write there.",
        ) from error
    return path


def load_table(folder: Path, camera: str, model: CameraModel) -> PointedTable | None:
    """Return the table that was kept for this camera and picture size, or None.

    Raises CameraError for a broken file.
    """
    path = table_path(folder, camera, model.width, model.height)
    if not path.is_file():
        return None
    broken = f"The table {path} is broken"
    try:
        content = read_bytes(path)
    except (OSError, MalformedError) as error:
        raise CameraError(f"The table {path} can't be read.", remedy=_REMEDY) from error
    kept = decode_json(_StoredTable, content, broken, _REMEDY, error=CameraError)
    if kept.camera != camera:
        raise CameraError(f"{broken} (it is of the camera {kept.camera!r}).", remedy=_REMEDY)
    if not all(_pointable(model, point) for point in kept.points_px):
        raise CameraError(f"{broken} (a corner lies far outside the picture).", remedy=_REMEDY)
    table = pointed_table(model, kept.points_px, kept.near_side_m)
    if isinstance(table, Fault):
        raise CameraError(f"The table {path} doesn't fit this camera ({table.value}).", remedy=_REMEDY)
    return table


def _pointable(model: CameraModel, point_px: Vec2) -> bool:
    """Return whether a corner lies in the picture, or at most a picture's size outside, where a lens can bend it."""
    return all(
        -side <= value <= 2.0 * side
        for value, side in zip(point_px, (model.width, model.height), strict=True)
    )
