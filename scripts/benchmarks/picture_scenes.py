"""Scenes whose pictures are timed: towers of ladders, a hand over them, and a ladder in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armoon.camera.seat import Seat
from armoon.geometry import CameraModel, pose_apply, pose_inverse, project_table_points
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import DieFace, Scene, SceneHand, SceneHud, ScenePiece, ScenePlayer
from benchmarks.structures.structure import Structure
from benchmarks.structures.towers import SIZES as TOWERS
from benchmarks.structures.towers import load_tower

#: Where the hand's fingers meet, and how far it moves from picture to picture, metres.
_GRIP: Vec3 = (0.07, -0.03, 0.21)
_STEP_M, _STEPS = 0.002, 8
_HUD = SceneHud(
    "armoon",
    (ScenePlayer("Lune", 1, False), ScenePlayer("Basile", 0, True), ScenePlayer("Ada", 2, False)),
    4,
    DieFace.TWO_LADDERS,
    "Touch exactly two ladders",
    "Open your fingers to let go",
    "Touching 1 of 2",
    None,
    "16 ladders left",
    "21.4 cm",
)


def scene_of(count: int) -> tuple[Structure, Scene]:
    """Return a tower of this many ladders, or the largest kept one with the rest lying beside it."""
    kept = max(size for size in TOWERS if size <= count)
    tower = load_tower(kept)
    there = {piece for piece, _, _ in tower.standing}
    standing = [ScenePiece(piece, pose) for piece, pose, _ in tower.standing]
    spare = [ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in there]
    for i, piece in enumerate(spare[: count - kept]):
        # Flat on the table: the ladder's length along x.
        place = Pose((-0.16, -0.12 + 0.045 * i, 0.004), (0.5, 0.5, 0.5, 0.5))
        standing.append(ScenePiece(piece, place))
    return tower, Scene(0, tuple(standing), (), _HUD, structure_top_m=0.2)


def with_hand(tower: Structure, scene: Scene, seat: Seat, *, carries: bool) -> list[Scene]:
    """Pictures of a hand that moves over the scene; it ``carries`` a further ladder."""
    there = {piece.piece for piece in scene.pieces}
    spare = next(ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in there)
    scenes = []
    for step in range(_STEPS):
        grip = (_GRIP[0] + _STEP_M * step, _GRIP[1], _GRIP[2])
        seen = replace(scene, hands=(reaching_hand(seat.camera, seat.table_from_camera, grip),))
        if carries:
            held = ScenePiece(spare, Pose(grip, (0.27, 0.65, 0.27, 0.65)), "held")
            low = (grip[0], grip[1], 0.16)
            seen = replace(seen, pieces=(*scene.pieces, held), drop_line=(low, (low[0], low[1], 0.0)))
        scenes.append(seen)
    return scenes


def reaching_hand(camera: CameraModel, table_from_camera: Pose, grip: Vec3) -> SceneHand:
    """Return a hand that reaches from the right to a place of the table frame."""
    wrist = np.add(grip, (0.115, -0.015, 0.02))
    places = [wrist]
    for finger in range(5):
        tip = np.add(grip, (0.0, 0.010 * max(finger - 1, 0), -0.006 * finger + 0.01))
        side = np.array([0.0, 0.016 * (finger - 2), 0.030 - 0.012 * finger])
        places += [wrist + (tip - wrist) * part + side * (1.0 - part) for part in (0.35, 0.60, 0.82, 1.0)]
    points = project_table_points(camera, table_from_camera, np.array(places))
    to_camera = pose_inverse(table_from_camera)
    depths = tuple(pose_apply(to_camera, (float(x), float(y), float(z)))[2] for x, y, z in places)
    pixels = tuple((float(x), float(y)) for x, y in points)
    return SceneHand(pixels, depths, grip, 0.9, 0.015)
