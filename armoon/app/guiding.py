"""The place in the window that the guided first game refers to, so that its card doesn't cover it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from armoon.app.front import Front
from armoon.games.contract.kind import Viewed
from armoon.geometry import pose_apply, project_table_points
from armoon.screens.events import GuideSubject
from armoon.screens.state import PageName
from armoon.values.page import Rect
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Scene
from armoon.world.layout import LID_HALF_WIDTH_M, LID_X_M, LID_Y_M

#: Around what is shown, in parts of the window.
MARGIN = 0.01
#: The score and the die, where the glass has them.
SCORE, DIE = Rect(0.0, 0.0, 0.17, 0.24), Rect(0.70, 0.0, 0.30, 0.13)
#: The lid is this high where a ladder stands in it.
_LID_TOP_M = 0.15


def tell_subject(
    front: Front, viewed: Viewed | None, scene: Scene, window_place: Callable[[Vec2], Vec2]
) -> None:
    """Move the guide's card away from its subject."""
    if viewed is not None and front.screens.page is PageName.GUIDE:
        left_handed = front.screens.preferences.left_handed
        front.tell(GuideSubject(subject_of(viewed, scene, window_place, left_handed=left_handed)))


def subject_of(
    viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2], *, left_handed: bool = False
) -> tuple[Rect, ...]:
    """Return the regions that matter (structure, held ladder, lid, base, score, die), in parts of the window.

    ``scene`` is as it is seen; ``window_place`` maps a place of the camera's picture to the window.
    ``left_handed``: the glass is mirrored.
    """
    places = [SCORE.mirrored, DIE.mirrored] if left_handed else [SCORE, DIE]
    lid_x_m = LID_X_M if viewed.base is None else viewed.base.lid_x_m
    bodies: list[Sequence[Vec3]] = [_corners(lid_x_m, LID_Y_M, LID_HALF_WIDTH_M, _LID_TOP_M)]
    if viewed.base is not None:
        reach = max(abs(v) + max(box.half_extents) for box in viewed.base.boxes for v in box.centre[:2])
        bodies.append(_corners(0.0, 0.0, reach, viewed.base.height_m))
    for piece in scene.pieces if viewed.ladders is not None else ():
        assert viewed.ladders is not None
        ladder = viewed.ladders[piece.piece]
        bodies.append([pose_apply(piece.pose, point) for rail in ladder.rails for point in rail])
    for body in bodies:
        places.append(_around(_seen(viewed, body, window_place)))
    return tuple(places)


def _corners(x: float, y: float, half: float, top: float) -> list[Vec3]:
    return [(x + dx * half, y + dy * half, z) for dx in (-1.0, 1.0) for dy in (-1.0, 1.0) for z in (0.0, top)]


def _seen(viewed: Viewed, points: Sequence[Vec3], window_place: Callable[[Vec2], Vec2]) -> Iterable[Vec2]:
    camera = viewed.camera
    for x, y in project_table_points(camera, viewed.table_from_camera, points):
        across = (float(x) + 0.5) / camera.width
        shown = 1.0 - across if viewed.mirrored else across
        yield window_place((shown, (float(y) + 0.5) / camera.height))


def _around(places: Iterable[Vec2]) -> Rect:
    xs, ys = zip(*places, strict=True)
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return Rect(left, top, max(xs) + MARGIN - left, max(ys) + MARGIN - top)
