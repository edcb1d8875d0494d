"""Replays of verdicts, falls in slow motion, and the camera that circles the winner's tower."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace

from armoon.geometry import pose_apply, pose_between, pose_looking_at
from armoon.messages import text
from armoon.sound.cues import CueKind, SoundCue
from armoon.values.page import Rect
from armoon.values.poses import IDENTITY_POSE, Vec3
from armoon.values.scene import CALM, FramedArea, Scene, SceneHud

#: Seconds that a replay shows before and after the verdict, and its playback speed.
BEFORE_S, AFTER_S, PACE = 1.3, 0.9, 0.35
#: Minimum time between two frames, in seconds or ticks; prevents a division by zero.
MIN_GAP = 1e-6


class VerdictReplay:
    """Replays the last verdict from the side, in slow motion."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, Scene]] = deque()
        self._verdict_s: float | None = None
        self._frames: list[tuple[float, Scene]] = []
        self._start_s: float | None = None

    @property
    def is_possible(self) -> bool:
        return bool(self._frames)

    def add_scene(self, now_s: float, scene: Scene) -> None:
        self._recent.append((now_s, scene))
        if self._verdict_s is not None and now_s <= self._verdict_s + AFTER_S:
            self._frames.append((now_s, scene))
        while self._recent[0][0] < now_s - BEFORE_S:
            self._recent.popleft()

    def mark_verdict(self, now_s: float) -> None:
        self._verdict_s, self._start_s, self._frames = now_s, None, list(self._recent)

    def forget_verdict(self) -> None:
        self._verdict_s, self._start_s, self._frames = None, None, []

    def start(self, now_s: float) -> None:
        self._start_s = now_s if self._frames else None

    def compose_scene(self, now_s: float) -> Scene | None:
        """Return the structure with the verdict's marks, seen from the side, while a replay is running."""
        if self._start_s is None:
            return None
        # A key can start the replay later than the time of the current frame.
        replay_time_s = self._frames[0][0] + max(0.0, now_s - self._start_s) * PACE
        later = [k for k, (time_s, _) in enumerate(self._frames) if time_s > replay_time_s]
        if not later:
            self._start_s = None
            return None
        (before_s, before), (after_s, after) = self._frames[later[0] - 1], self._frames[later[0]]
        fraction = (replay_time_s - before_s) / max(after_s - before_s, MIN_GAP)
        scene = interpolate_scenes(before, after, min(1.0, max(0.0, fraction)))
        hud = SceneHud(hint=text("again.slow"))  # without the score
        return replace(_remove_hands(scene), hud=hud, seen_from=SIDE)


#: Speed of the picture during a fall, number of ticks shown at that speed, and speed while catching up.
SLOW, SLOW_TICKS, CATCH_UP = 0.4, 45.0, 1.6
#: Sounds that are delayed with the picture.
_DELAYED_CUES = (CueKind.CLATTER, CueKind.TEAR, CueKind.KNOCK, CueKind.THUD, CueKind.SOFT)


def compute_shown_tick(ticks: float) -> float:
    """Return the tick of a fall that is shown ``ticks`` after the slip."""
    return min(ticks, SLOW * min(ticks, SLOW_TICKS) + CATCH_UP * max(0.0, ticks - SLOW_TICKS))


class SlowMotion:
    """Shows falls in slow motion: picture and sounds lag behind the game, which continues at its own speed."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, Scene]] = deque()
        self._delayed_cues: list[tuple[float, SoundCue]] = []
        self._ticks = 0.0

    def delay_scene(self, scene: Scene) -> Scene:
        """Return the delayed scene during a fall; the scene itself if nothing falls or a ladder is held."""
        fall = scene.slow_fall
        if fall is None or scene.held:
            self._frames.clear()
            self._ticks = 0.0
            return scene
        if self._frames and fall.ticks < self._frames[-1][0]:
            self._frames.clear()
        if not self._frames or fall.ticks > self._frames[-1][0]:
            self._frames.append((fall.ticks, scene))
        self._ticks = fall.ticks
        shown_ticks = compute_shown_tick(fall.ticks)
        if shown_ticks >= fall.ticks:
            return scene
        while len(self._frames) > 2 and self._frames[1][0] <= shown_ticks:
            self._frames.popleft()
        (before_ticks, before), (after_ticks, after) = (
            self._frames[0],
            self._frames[min(1, len(self._frames) - 1)],
        )
        fraction = (shown_ticks - before_ticks) / max(after_ticks - before_ticks, MIN_GAP)
        delayed = interpolate_scenes(before, after, min(1.0, max(0.0, fraction)))
        hud = replace(delayed.hud, banner=scene.hud.banner, keys=scene.hud.keys)
        return replace(delayed, hands=scene.hands, prop=scene.prop, slow_fall=fall, hud=hud, die=scene.die)

    def delay_cues(self, cues: tuple[SoundCue, ...]) -> tuple[SoundCue, ...]:
        """Return the sounds that are due; those of a fall and its tear are delayed as long as the picture."""
        shown_ticks = compute_shown_tick(self._ticks)
        delayed = [cue for cue in cues if self._ticks and cue.kind in _DELAYED_CUES]
        pending = [*self._delayed_cues, *((self._ticks, cue) for cue in delayed)]
        self._delayed_cues = [cue for cue in pending if self._ticks and cue[0] > shown_ticks]
        due = (cue for ticks, cue in pending if not self._ticks or ticks <= shown_ticks)
        return (*(cue for cue in cues if cue not in delayed), *due)


#: Orbits (a, b, c, d) of the camera around a structure of height h, in metres: the camera's distance is a + b * h,
#: and it aims at the height c * h + d. The second orbit leaves room for the winner's name above.
_ORBIT, _ORBIT_BELOW_TEXT = (0.34, 1.0, 0.52, 0.02), (0.38, 1.4, 0.66, 0.03)
#: Camera pose to the left of the structure, opposite the lid, and slightly in front of it.
SIDE = pose_looking_at((-0.50, -0.17, 0.17), (0.0, 0.0, 0.09))


def _remove_hands(scene: Scene) -> Scene:
    """Return the scene without hands and without the help lines of a held ladder."""
    return replace(scene, hands=(), prop=None, drop_line=None, place_line=None, ghosts=())


#: Radius of a game's own board, and half of a ladder's length, in metres.
BOARD_M, HALF_LADDER_M = 0.27, 0.075
#: Margin around the structure, in metres, because its near side looks larger than its middle.
SIDE_MARGIN_M = 0.025


def view_from_around(
    scene: Scene, angle_rad: float, rise: float, half_rad: float | None = None, *, below_text: bool = False
) -> Scene:
    """Return the structure seen from an angle around it, measured from the table's right; ``rise``: 0 low, 1 high.

    ``half_rad``: half of the field of view across the picture's shorter side, if everything must fit into the picture.
    ``below_text``: leave room for large text above.
    """
    top_m = max(0.12, scene.structure_top_m)
    near_m, per_height, look_share, look_offset_m = _ORBIT_BELOW_TEXT if below_text else _ORBIT
    distance_m = near_m + per_height * top_m
    if half_rad is not None:
        standing = [piece for piece in scene.pieces if piece.look != "offered"]
        reach_m = max(
            (math.hypot(*piece.pose.position[:2]) + HALF_LADDER_M + SIDE_MARGIN_M for piece in standing),
            default=0.0,
        )
        distance_m = max(distance_m, max(reach_m, BOARD_M if scene.board else 0.0) / math.sin(half_rad))
    height_m = 0.10 + top_m * (0.5 + 0.5 * rise)
    eye = (distance_m * math.cos(angle_rad), distance_m * math.sin(angle_rad), height_m)
    return replace(
        _remove_hands(scene),
        seen_from=pose_looking_at(eye, (0.0, 0.0, look_share * top_m + look_offset_m)),
        framed=None,
        home_from_table=IDENTITY_POSE,
        mood=CALM,
    )


#: Radius of the base, in metres; corners of the outline; margin around the outline, as a fraction of the window.
_BASE_M, _CORNERS, _MARGIN = 0.085, 24, 0.012


def frame_structure(scene: Scene, angle_rad: float, area: Rect) -> Scene:
    """Return the structure alone, seen from an angle around it, as large as possible in this area of the window."""
    standing = tuple(piece for piece in scene.pieces if piece.look != "offered")
    points = [
        pose_apply(piece.pose, (0.0, 0.0, z)) for piece in standing for z in (-HALF_LADDER_M, HALF_LADDER_M)
    ]
    base_m, x, y = _BASE_M, 0.0, 0.0
    if scene.board is not None:
        points = [corner for body in scene.board.list_bodies() for corner in body.corners]
        base_m, (x, y) = 0.0, ((min(ends) + max(ends)) / 2.0 for ends in list(zip(*points, strict=True))[:2])
    reach_m = max([math.dist((x, y), point[:2]) for point in points], default=0.0)
    top_m = max([scene.structure_top_m, *(z for _, _, z in points)])
    eye_away_m, eye_height_m = 0.30 + 1.2 * max(reach_m, top_m), 0.10 + 0.9 * max(reach_m, top_m)

    def point_at(radius_m: float, turn: float, z: float) -> Vec3:
        return x + radius_m * math.cos(angle_rad + turn), y + radius_m * math.sin(angle_rad + turn), z

    inner = Rect(area.x + _MARGIN, area.y + _MARGIN, area.width - 2.0 * _MARGIN, area.height - 2.0 * _MARGIN)
    turns = [k * math.tau / _CORNERS for k in range(_CORNERS)]
    ends = ((max(reach_m, base_m), 0.0), (reach_m, top_m))
    outline = tuple(point_at(radius_m, turn, z) for radius_m, z in ends for turn in turns)
    return replace(
        _remove_hands(scene),
        pieces=standing,
        home_from_table=IDENTITY_POSE,
        seen_from=pose_looking_at(point_at(eye_away_m, 0.0, eye_height_m), (x, y, top_m / 2.0)),
        framed=FramedArea((x, y, 0.0), outline, inner),
        die=None,
        height_lines=(),
        contact_points=(),
    )


#: Ticks from the end of a won game until circling starts and until it ends; ticks of a full circle.
FINALE_FROM_TICKS, FINALE_TICKS, _ROUND_TICKS = 75, 315, 900
#: Maximum angle from the middle of the picture to the edge of a board, which is wider than a tower.
_BOARD_RAD = math.radians(26.0)


def circle_winner(scene: Scene, ticks: float) -> Scene:
    """Return the winner's tower, ``ticks`` after the end, from a circling camera; before it starts, the same scene."""
    elapsed_ticks = ticks - FINALE_FROM_TICKS
    if elapsed_ticks < 0.0 or not scene.hud.winner_text:
        return scene
    angle_rad = -math.tau * (elapsed_ticks / _ROUND_TICKS + 0.25)
    if scene.board:
        orbit = view_from_around(scene, angle_rad, 1.0, _BOARD_RAD)
    else:
        orbit = view_from_around(scene, angle_rad, 0.5, below_text=True)
    hud = SceneHud(title=scene.hud.title, winner_text=scene.hud.winner_text)
    return replace(orbit, mood=scene.mood, hud=hud, die=None, height_lines=(), contact_points=())


def interpolate_scenes(before: Scene, after: Scene, fraction: float) -> Scene:
    """Interpolate the ladders that are in both scenes; everything else comes from ``before``."""
    later_poses = {piece.piece: piece.pose for piece in after.pieces}
    pieces = tuple(
        replace(piece, pose=pose_between(piece.pose, later_poses[piece.piece], fraction))
        if later_poses.get(piece.piece, piece.pose) != piece.pose
        else piece
        for piece in before.pieces
    )
    tick = before.tick + round(fraction * max(0, after.tick - before.tick))
    return replace(before, tick=tick, pieces=pieces)
