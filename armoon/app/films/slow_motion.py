"""The last verdict in slow motion: the game's own poses, seen from the side that shows depth."""

from __future__ import annotations

from dataclasses import replace

from armoon.geometry import pose_between, pose_looking_at
from armoon.messages import text
from armoon.values.poses import Pose
from armoon.values.scene import Scene, SceneHud, ScenePiece

#: From the left, away from the lid, a little in front of the structure.
SIDE = pose_looking_at((-0.50, -0.17, 0.17), (0.0, 0.0, 0.09))


def aside(scene: Scene) -> Scene:
    """Return the structure and what it is judged by, seen from the side, without hands and score."""
    return replace(
        scene, hands=(), drop_line=None, hud=SceneHud(hint=text("again.slow")), seen_from=SIDE, ghosts=()
    )


def between(before: Scene, after: Scene, part: float) -> Scene:
    """Return the scene a part of the way from one to the next.

    Ladders that are in both move, all else is the first's.
    """
    there = {piece.piece: piece.pose for piece in after.pieces}
    pieces = tuple(_moved(piece, there.get(piece.piece), part) for piece in before.pieces)
    tick = before.tick + round(part * max(0, after.tick - before.tick))
    return replace(before, tick=tick, pieces=pieces)


def _moved(piece: ScenePiece, to: Pose | None, part: float) -> ScenePiece:
    if to is None or to == piece.pose:
        return piece
    return replace(piece, pose=pose_between(piece.pose, to, part))
