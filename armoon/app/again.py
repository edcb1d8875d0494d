"""Replays: the last seconds of a game, falls in slow motion, and the circling camera after a won game."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from armoon.camera.sources import is_blank
from armoon.geometry import pose_apply, pose_between, pose_looking_at
from armoon.messages import text
from armoon.sinks.sink import Picture
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.page import Rect
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import CALM, FramedArea, Scene, SceneHud, ScenePiece

#: Length of the "Replay" buffer, in seconds.
AGAIN_S = 3.0
#: Maximum width of its pictures, in pixels; colours have half the resolution, so 90 pictures take 31 MB.
AGAIN_WIDTH_PX = 640
#: Seconds of the replay before and after a verdict, and its slow-down factor.
BEFORE_S, AFTER_S, PACE = 1.3, 0.9, 0.35
#: Tolerance of times, in seconds, for rounding errors.
SAME_TIME_S = 1e-6


class ReplayBuffer:
    """Keeps the last seconds' pictures, and replays them in slow motion."""

    def __init__(self) -> None:
        self._past: deque[tuple[float, Scene, npt.NDArray[np.uint8]]] = deque()
        self._again: deque[tuple[float, Scene, npt.NDArray[np.uint8]]] = deque()
        self._behind_s = 0.0
        self._seen: Picture | None = None
        self._small: npt.NDArray[np.uint8] = np.empty((0, 0), np.uint8)
        self._shown = (self._small, self._small)
        self._verdict_s: float | None = None
        self._of_verdict: list[tuple[float, Scene]] = []
        self._slow_since_s: float | None = None

    @property
    def can_replay_verdict(self) -> bool:
        return bool(self._of_verdict)

    def mark_verdict(self, now_s: float) -> None:
        self._verdict_s, self._slow_since_s = now_s, None
        self._of_verdict = [(time_s, scene) for time_s, scene, _ in self._past if time_s >= now_s - BEFORE_S]

    def forget_verdict(self) -> None:
        self._verdict_s, self._slow_since_s = None, None
        self._of_verdict = []

    def replay_verdict(self, now_s: float) -> None:
        self._slow_since_s = now_s if self._of_verdict else None

    def verdict_scene(self, now_s: float) -> Scene | None:
        if self._slow_since_s is None:
            return None
        then_s = self._of_verdict[0][0] + (now_s - self._slow_since_s) * PACE
        later = [k for k, (time_s, _) in enumerate(self._of_verdict) if time_s > then_s]
        if not later:
            self._slow_since_s = None
            return None
        k = max(1, later[0])
        (before_s, before), (after_s, after) = self._of_verdict[k - 1], self._of_verdict[k]
        part = (then_s - before_s) / max(after_s - before_s, SAME_TIME_S)
        return from_side(scene_between(before, after, min(1.0, max(0.0, part))))

    def add_picture(self, now_s: float, scene: Scene, image: Picture) -> None:
        if image is not self._seen:
            # The loop runs faster than the camera, and without a camera there is only one picture.
            self._seen, self._small = image, _compress(image)
        self._past.append((now_s, scene, self._small))
        if self._verdict_s is not None and now_s <= self._verdict_s + AFTER_S:
            self._of_verdict.append((now_s, scene))
        while self._past[0][0] < now_s - AGAIN_S:
            self._past.popleft()

    def start_replay(self, now_s: float) -> None:
        self._again = deque(self._past)
        self._behind_s = now_s - self._again[0][0] if self._again else 0.0

    def replayed_picture(self, now_s: float) -> tuple[Scene, Picture] | None:
        then_s = now_s - self._behind_s + SAME_TIME_S
        if self._again and self._again[-1][0] + 2.0 * SAME_TIME_S < then_s:
            self._again.clear()
        while len(self._again) > 1 and self._again[1][0] <= then_s:
            self._again.popleft()
        if not self._again:
            return None
        _, scene, kept = self._again[0]
        if kept is not self._shown[0]:
            shown = kept if is_blank(kept) else cv2.cvtColor(kept, cv2.COLOR_YUV2BGR_I420)
            self._shown = (kept, np.asarray(shown, np.uint8))
        return scene, self._shown[1]


#: Speed of the picture during a fall, number of ticks shown at that speed, and speed while catching up.
SLOW, SLOW_TICKS, CATCH_UP = 0.4, 45.0, 1.6
#: Sounds that are delayed together with the picture.
_LATE = (CueKind.CLATTER, CueKind.TEAR, CueKind.KNOCK, CueKind.THUD, CueKind.SOFT)


def shown_fall_ticks(ticks: float) -> float:
    """Return the tick of a fall that is shown ``ticks`` after its slip."""
    return min(ticks, SLOW * min(ticks, SLOW_TICKS) + CATCH_UP * max(0.0, ticks - SLOW_TICKS))


class SlowMotion:
    """Shows falls slowly while the game continues: only the picture lags behind."""

    def __init__(self) -> None:
        self._since: deque[tuple[float, Scene]] = deque()
        self._unheard: list[tuple[float, SoundCue]] = []
        self._ticks = 0.0

    def delayed_scene(self, scene: Scene) -> Scene:
        """Return the delayed scene during a fall; the scene itself if nothing falls or a ladder is held."""
        slip = scene.slip
        if slip is None or scene.held:
            self._since.clear()
            self._ticks = 0.0
            return scene
        if self._since and slip.ticks < self._since[-1][0]:
            self._since.clear()
        if not self._since or slip.ticks > self._since[-1][0]:
            self._since.append((slip.ticks, scene))
        self._ticks = slip.ticks
        then = shown_fall_ticks(slip.ticks)
        if then >= slip.ticks:
            return scene
        while len(self._since) > 2 and self._since[1][0] <= then:
            self._since.popleft()
        (before_ticks, before), (after_ticks, after) = (
            self._since[0],
            self._since[min(1, len(self._since) - 1)],
        )
        part = (then - before_ticks) / max(after_ticks - before_ticks, SAME_TIME_S)
        seen = scene_between(before, after, min(1.0, max(0.0, part)))
        hud = replace(seen.hud, banner=scene.hud.banner, keys=scene.hud.keys)
        return replace(seen, hands=scene.hands, prop=scene.prop, slip=slip, hud=hud, die=scene.die)

    def delayed_cues(self, cues: tuple[SoundCue, ...]) -> tuple[SoundCue, ...]:
        """Return the sounds that are due; those of a fall and its tear are delayed as much as the picture."""
        seen = shown_fall_ticks(self._ticks)
        late = [cue for cue in cues if self._ticks and cue.kind in _LATE]
        unheard = [*self._unheard, *((self._ticks, cue) for cue in late)]
        self._unheard = [one for one in unheard if self._ticks and one[0] > seen]
        due = (cue for ticks, cue in unheard if not self._ticks or ticks <= seen)
        return (*(cue for cue in cues if cue not in late), *due)


def _compress(image: Picture) -> npt.NDArray[np.uint8]:
    """Return a picture as YUV 4:2:0 (half the bytes), without an odd last row or column; unchanged without camera."""
    if is_blank(image):
        return image
    height, width = image.shape[:2]
    if width > AGAIN_WIDTH_PX:
        height, width = AGAIN_WIDTH_PX * height // width, AGAIN_WIDTH_PX
        image = np.asarray(cv2.resize(image, (width, height)), np.uint8)
    return np.asarray(cv2.cvtColor(image[: height & ~1, : width & ~1], cv2.COLOR_BGR2YUV_I420), np.uint8)


#: The circling camera's distance from the structure's middle, and its growth with the height; height of the point that
#: it looks at, as a part and an offset. Under a winner's name the structure is lower in the picture.
_FREE, _UNDER = (0.34, 1.0, 0.52, 0.02), (0.38, 1.4, 0.66, 0.03)
#: View from the left, away from the lid, slightly in front of the structure.
SIDE = pose_looking_at((-0.50, -0.17, 0.17), (0.0, 0.0, 0.09))


def from_side(scene: Scene) -> Scene:
    """Return the structure and its verdict's marks, seen from the side, without hands and score."""
    return replace(
        scene,
        hands=(),
        prop=None,
        drop_line=None,
        place_line=None,
        hud=SceneHud(hint=text("again.slow")),
        seen_from=SIDE,
        ghosts=(),
    )


#: Radius of a game's own board, and half a ladder's length, in metres.
BOARD_M, LADDER_M = 0.27, 0.10


def from_around(
    scene: Scene, angle_rad: float, rise: float, half_rad: float | None = None, *, under: bool = False
) -> Scene:
    """Return the structure seen from an angle around it, measured from the table's right; ``rise``: 0 low, 1 high.

    ``half_rad``: half of the camera's smaller field of view, in which everything must fit; None: it is wide enough.
    ``under``: leave room for large text above.
    """
    top_m = max(0.12, scene.structure_top_m)
    near_m, farther, part, higher_m = _UNDER if under else _FREE
    away_m = near_m + farther * top_m
    if half_rad is not None:
        standing = [piece for piece in scene.pieces if piece.look != "offered"]
        reach_m = max((math.hypot(*piece.pose.position[:2]) + LADDER_M for piece in standing), default=0.0)
        away_m = max(away_m, max(reach_m, BOARD_M if scene.board else 0.0) / math.sin(half_rad))
    height_m = 0.10 + top_m * (0.5 + 0.5 * rise)
    eye = (away_m * math.cos(angle_rad), away_m * math.sin(angle_rad), height_m)
    return replace(
        scene,
        hands=(),
        prop=None,
        drop_line=None,
        place_line=None,
        ghosts=(),
        seen_from=pose_looking_at(eye, (0.0, 0.0, part * top_m + higher_m)),
        framed=None,
        home_from_table=Pose((0.0, 0.0, 0.0)),
        mood=CALM,
    )


#: Radius of the base; half a ladder's maximum length; number of the outline's corners; its distance from the edges of
#: its room, in parts of the window.
_FOOT_M, _HALF_M, _CORNERS, _EDGE = 0.085, 0.066, 24, 0.012


def stand_alone(scene: Scene, angle_rad: float, room: Rect) -> Scene:
    """Return the structure alone, seen from an angle around it, as large as fits into this part of the window."""
    standing = tuple(piece for piece in scene.pieces if piece.look != "offered")
    points = [pose_apply(piece.pose, (0.0, 0.0, z)) for piece in standing for z in (-_HALF_M, _HALF_M)]
    foot_m, x, y = _FOOT_M, 0.0, 0.0
    if scene.board is not None:
        points = [corner for body in scene.board.bodies() for corner in body.corners]
        foot_m, (x, y) = 0.0, ((min(ends) + max(ends)) / 2.0 for ends in list(zip(*points, strict=True))[:2])
    reach_m = max([math.dist((x, y), point[:2]) for point in points], default=0.0)
    top_m = max([scene.structure_top_m, *(z for _, _, z in points)])
    away_m, high_m = 0.30 + 1.2 * max(reach_m, top_m), 0.10 + 0.9 * max(reach_m, top_m)

    def at(radius_m: float, turn: float, z: float) -> Vec3:
        return x + radius_m * math.cos(angle_rad + turn), y + radius_m * math.sin(angle_rad + turn), z

    inner = Rect(room.x + _EDGE, room.y + _EDGE, room.width - 2.0 * _EDGE, room.height - 2.0 * _EDGE)
    turns = [k * math.tau / _CORNERS for k in range(_CORNERS)]
    ends = ((max(reach_m, foot_m), 0.0), (reach_m, top_m))
    outline = tuple(at(radius_m, turn, z) for radius_m, z in ends for turn in turns)
    return replace(
        from_around(scene, angle_rad, 0.0),
        pieces=standing,
        mood=scene.mood,
        seen_from=pose_looking_at(at(away_m, 0.0, high_m), (x, y, top_m / 2.0)),
        framed=FramedArea((x, y, 0.0), outline, inner),
        die=None,
        height_lines=(),
        contact_points=(),
    )


#: Ticks after a won game's end at which the circling starts and ends; ticks of a full circle.
FEAST_FROM, FEAST_TICKS, _ROUND_TICKS = 75, 315, 900
#: Maximum angle from the picture's middle to the edge of a board, which is wider than a tower.
_BOARD_RAD = math.radians(26.0)


def circle_winner(scene: Scene, ticks: float) -> Scene:
    """Return the rotating tower with its winner, ``ticks`` after the end; the scene itself before FEAST_FROM."""
    passed = ticks - FEAST_FROM
    if passed < 0.0 or not scene.hud.feast:
        return scene
    angle_rad = -math.tau * (passed / _ROUND_TICKS + 0.25)
    if scene.board:
        seen = from_around(scene, angle_rad, 1.0, _BOARD_RAD)
    else:
        seen = from_around(scene, angle_rad, 0.5, under=True)
    glass = SceneHud(title=scene.hud.title, feast=scene.hud.feast)
    return replace(seen, mood=scene.mood, hud=glass, die=None, height_lines=(), contact_points=())


def scene_between(before: Scene, after: Scene, part: float) -> Scene:
    """Interpolate between two scenes: ladders in both move, everything else is the first scene's."""
    there = {piece.piece: piece.pose for piece in after.pieces}
    pieces = tuple(_moved_piece(piece, there.get(piece.piece), part) for piece in before.pieces)
    tick = before.tick + round(part * max(0, after.tick - before.tick))
    return replace(before, tick=tick, pieces=pieces)


def _moved_piece(piece: ScenePiece, to: Pose | None, part: float) -> ScenePiece:
    if to is None or to == piece.pose:
        return piece
    return replace(piece, pose=pose_between(piece.pose, to, part))
