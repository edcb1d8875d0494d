"""Where in the window things of the picture are: for the guide's card, screen readers, and the numbers of places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np

from armoon.app.front import Front
from armoon.games.contract.kind import Viewed
from armoon.geometry import Array, pose_apply, project_table_points
from armoon.messages import text
from armoon.screen_reader.tree import Thing
from armoon.screens.events import GuideSubject, PlacesShown
from armoon.screens.pages.guide import overlap
from armoon.screens.state import PageName, Screens
from armoon.values.page import Rect
from armoon.values.pieces import LadderSet
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Ghost, Scene, ScenePiece
from armoon.values.table_places import taken
from armoon.world.layout import LID_HALF_WIDTH_M, LID_X_M, LID_Y_M

#: Margin around a region, in parts of the window.
MARGIN = 0.01
#: Places of the score and the die on the glass.
SCORE, DIE = Rect(0.0, 0.0, 0.17, 0.24), Rect(0.70, 0.0, 0.30, 0.13)
#: The hint and the strip of keys along the lower edge; the side of a number's plate, in parts of the height.
FOOT, NUMBER = Rect(0.0, 0.86, 1.0, 0.14), 0.042
#: The lid is this high where a ladder stands in it.
_LID_TOP_M = 0.15
#: Message keys of ladders by their look.
_WORDS = {"held": "held", "offered": "offered", "hover": "offered"}


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
    return (*places, *_bodies(viewed, scene, window_place).values())


def things_of(viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> tuple[Thing, ...]:
    """Return lid, base, ladders and a board's bodies in words, and where they are seen, in parts of the window."""
    words = {"lid": text("reader.lid"), "base": text("reader.base")}
    for piece in scene.pieces:
        key = _WORDS.get(piece.look, "ladder")
        words[piece.piece] = text(f"reader.{key}", number=int(piece.piece[1:]))
    things = [Thing(name, words[name], place) for name, place in _bodies(viewed, scene, window_place).items()]
    for body in () if scene.board is None else scene.board.bodies():
        things.append(Thing(body.name, body.words, _around(_seen(viewed, body.corners, window_place))))
    return tuple(things)


def _bodies(viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> dict[str, Rect]:
    """Return where lid, base and ladders are seen."""
    bodies: dict[str, Sequence[Vec3]] = (
        {} if viewed.ladders is None or not viewed.lid else {"lid": _lid(viewed)}
    )
    if viewed.base is not None:
        reach = max(abs(v) + max(box.half_extents) for box in viewed.base.boxes for v in box.centre[:2])
        bodies["base"] = _corners(0.0, 0.0, reach, viewed.base.height_m)
    for piece in scene.pieces if viewed.ladders is not None else ():
        assert viewed.ladders is not None
        bodies[piece.piece] = [point for rail in _rails(viewed.ladders, piece) for point in rail]
    return {name: _around(_seen(viewed, body, window_place)) for name, body in bodies.items()}


class Numbers:
    """The numbers of the places that are offered, in the picture beside each."""

    def __init__(self, front: Front) -> None:
        self._front = front
        self._seen: object = None

    def tell(self, viewed: Viewed | None, scene: Scene, window_place: Callable[[Vec2], Vec2]) -> None:
        """Tell the screens where they stand, once that changes."""
        ghosts = tuple(ghost for ghost in scene.ghosts if ghost.number)
        screens = self._front.screens
        seen: object = None
        if viewed is not None and ghosts:
            ends = (window_place((0.0, 0.0)), window_place((1.0, 1.0)))
            shown = tuple((ghost.number, ghost.pose) for ghost in ghosts)
            seen = (shown, ends, viewed.table_from_camera, screens.aspect, screens.preferences)
        if seen == self._seen:
            return
        self._seen = seen
        if viewed is None or not ghosts:
            self._front.tell(PlacesShown())
        else:
            self._front.tell(PlacesShown(numbers_of(viewed, scene, window_place, screens)))


def numbers_of(
    viewed: Viewed, scene: Scene, window_place: Callable[[Vec2], Vec2], screens: Screens
) -> tuple[tuple[str, Rect], ...]:
    """Return where the number of each place stands, by the place's name, in parts of the window.

    It stands near an end of the ladder that would lie there, in the window, off panels, lid, and all wood, and, where
    it can, nearer to that ladder than to any other that is offered.
    """
    assert viewed.ladders is not None
    wishes, aspect = screens.preferences, screens.aspect
    busy = [SCORE, DIE, FOOT, *taken(tall=screens.tall, text_scale=wishes.text_scale, chooses=True)]
    busy = [rect.mirrored for rect in busy] if wishes.left_handed else busy
    busy.append(_around(_seen(viewed, _lid(viewed), window_place)))
    ghosts = sorted((ghost for ghost in scene.ghosts if ghost.number), key=lambda ghost: ghost.number)
    bodies: list[ScenePiece | Ghost] = [*ghosts, *scene.pieces]
    parts = [
        [list(_seen(viewed, rail, window_place)) for rail in _rails(viewed.ladders, body)] for body in bodies
    ]
    lines = [[pair for rail in rails for pair in pairwise(rail)] for rails in parts]
    wood = _Wood(np.concatenate(lines) * (aspect, 1.0), list(accumulate(map(len, lines[:-1]), initial=0)))
    high = NUMBER * min(2.0, wishes.text_scale)
    places: list[Rect] = []
    for own, rails in enumerate(parts[: len(ghosts)]):
        near = _about(rails, aspect)
        away = wood.away(np.array(near) * (aspect, 1.0))
        covers = np.maximum(0.0, 1.0 - away.min(axis=1) / (0.72 * high))
        # Its plate covers wood up to about 0.3; a number nearer to another ladder costs as much.
        wrong = covers + 0.3 * (away[:, : len(ghosts)].min(axis=1) < away[:, own])
        rects = [Rect(x - 0.5 * high / aspect, y - 0.5 * high, high / aspect, high) for x, y in near]
        worse = [_in_the_way(rect, (*busy, *places)) for rect in rects]
        places.append(rects[int(np.argmin(wrong + worse))])
    shown = (
        rect.mirrored if wishes.left_handed else rect for rect in places
    )  # the page is mirrored after that
    return tuple((f"place {ghost.number}", rect) for ghost, rect in zip(ghosts, shown, strict=True))


def _about(rails: Sequence[Sequence[Vec2]], aspect: float) -> list[Vec2]:
    """Return places around the ends of a ladder's rails, the nearest first."""
    return [
        (x + away * math.cos(turn) / aspect, y + away * math.sin(turn))
        for away in (0.04, 0.06, 0.09, 0.13, 0.18)
        for rail in rails
        for x, y in (rail[0], rail[-1])
        for turn in (k * math.tau / 8 for k in range(8))
    ]


def _in_the_way(rect: Rect, busy: Sequence[Rect]) -> float:
    """Return 0 for a number that is in the window and on no panel, more than any other fault if it isn't."""
    if min(rect.x, rect.y, 1.0 - rect.x - rect.width, 1.0 - rect.y - rect.height) < 0.0:
        return 4.0
    return 2.0 if any(overlap(rect, other) > 0.0 for other in busy) else 0.0


class _Wood:
    """The rails of some ladders as straight pieces, (n, 2, 2), and where each ladder's begin."""

    def __init__(self, lines: Array, begins: list[int]) -> None:
        self._starts, self._ways, self._begins = lines[:, 0], lines[:, 1] - lines[:, 0], begins

    def away(self, points: Array) -> Array:
        """Return the distance of each of (m, 2) points to each ladder, (m, ladders)."""
        to = points[:, None] - self._starts
        long = np.maximum((self._ways * self._ways).sum(axis=1), 1e-12)
        along = np.clip((to * self._ways).sum(axis=2) / long, 0.0, 1.0)
        away = np.linalg.norm(to - along[:, :, None] * self._ways, axis=2)
        return np.asarray(np.minimum.reduceat(away, self._begins, axis=1))


def _lid(viewed: Viewed) -> list[Vec3]:
    lid_x_m = LID_X_M if viewed.base is None else viewed.base.lid_x_m
    return _corners(lid_x_m, LID_Y_M, LID_HALF_WIDTH_M, _LID_TOP_M)


def _rails(ladders: LadderSet, one: ScenePiece | Ghost) -> list[list[Vec3]]:
    return [[pose_apply(one.pose, point) for point in rail] for rail in ladders[one.piece].rails]


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
