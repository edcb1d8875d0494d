"""Finds the table by the best reference in view: the printed board, or else a blank sheet of paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.camera.calibration.board.finder import BoardFinder
from armoon.camera.calibration.plane_pose import PlanePose, table_from_sheet
from armoon.camera.calibration.sheet.pose import pose_and_focal, sheet_pose, sheet_pose_and_focal
from armoon.camera.calibration.unseen import Reason, Unseen
from armoon.camera.frame import Image
from armoon.geometry import CameraModel
from armoon.values.poses import Pose

BOARD = "board"


@dataclass(frozen=True)
class Located:
    """Where the table is, by what, and how sure."""

    table_from_camera: Pose
    """The table's origin is the sheet's centre; y points away along the nearest of its edges."""
    camera: CameraModel
    """The given camera; if it was not calibrated, with the focal length that the board or sheet showed."""
    method: str
    """``"board"``, or the paper's name."""
    pose: PlanePose


def locate_table(
    camera: CameraModel,
    image: Image,
    finder: BoardFinder | None,
    papers: Sequence[str] = ("a4", "letter"),
    calibrated: bool = True,
) -> Located | Unseen:
    """Return the table in ``image`` by the board if it is in view, else by a blank sheet, else why not.

    ``calibrated``: whether ``camera`` was measured; otherwise the focal length that board or sheet shows counts more.
    A board that is in view but can't be trusted (two of them, bent, mirrored) is reported, not passed over.
    """
    no_board = Unseen(Reason.ABSENT)
    if finder is not None:
        board = _by_board(camera, image, finder, calibrated)
        if isinstance(board, Located):
            return board
        no_board = board
        if board.reason in (Reason.TWO, Reason.NOT_FLAT, Reason.MIRRORED, Reason.WRONG_BOARD):
            return board
    find = sheet_pose if calibrated else sheet_pose_and_focal
    sheet = find(camera, image, papers)
    if isinstance(sheet, Unseen):
        # With some of a board's markers in view its own reason helps more than a blank sheet's.
        return no_board if no_board.reason is Reason.COVERED else sheet
    return Located(table_from_sheet(sheet.pose.camera_from_sheet), sheet.camera, sheet.paper, sheet.pose)


def _by_board(camera: CameraModel, image: Image, finder: BoardFinder, calibrated: bool) -> Located | Unseen:
    sight = finder.find(image)
    if isinstance(sight, Unseen):
        return sight
    if not calibrated:
        guess = pose_and_focal(camera, sight.places, sight.pixels)
        camera = camera if guess is None else guess[1]
    pose = finder.pose_of(camera, sight)
    if isinstance(pose, Unseen):
        return pose
    if not calibrated and guess is not None:
        pose = replace(pose, error_mm=max(pose.error_mm, guess[0].error_mm))
    return Located(table_from_sheet(pose.camera_from_sheet), camera, BOARD, pose)
