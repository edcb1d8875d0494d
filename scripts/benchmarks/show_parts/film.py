"""The README's film: twelve seconds of a kept game, drawn by the program itself, with the rendered hand before it.

A turn that honours its die, from the roll to the verdict; the worst fall, and the moon that cries for it; and what was
built, for the winner.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from armoon.app.films.filming import Logged
from armoon.app.pictures import NEAREST, make_renderer
from armoon.camera.frame import unseen
from armoon.clock import TICKS_PER_SECOND
from armoon.engine.logbook import LogReader
from armoon.geometry import pose_apply, pose_compose, quat_rotate
from armoon.gl.surface import HeadlessSurface
from armoon.sinks.moment import Picture
from armoon.synthetic_camera.anatomy import HandState
from armoon.synthetic_camera.look import StageLook
from armoon.values.choices import FramingName
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneHud

#: Size and length of the film, pictures a second, and how closely they are kept, 0 to 100.
FILM_SIZE, FILM_S, RATE_HZ, QUALITY = (800, 450), 12.0, 15.0, 92
#: Maximum size of the file.
MOST_BYTES = 5_000_000
#: Pictures a second of the demo, one for each of its hands.
HAND_HZ = 30.0
#: From when to when before it is let go of a carried ladder is near its place, seconds.
EARLIEST_S, LATEST_S = 2.2, 0.4
#: How far below the tower's top the middle of a ladder may be that is seen over it, metres.
BELOW_TOP_M = 0.015
#: How much earlier drawing begins, in seconds and pictures a second: framing and moon follow what is drawn.
WARM_S, WARM_HZ = 2.0, 5.0


@dataclass(frozen=True)
class Cut:
    """A part of the game, and how many times as fast it is shown."""

    start_s: float
    end_s: float
    pace: float = 1.0

    @property
    def times(self) -> list[float]:
        """Times of its pictures."""
        step_s = self.pace / RATE_HZ
        return [self.start_s + k * step_s for k in range(int((self.end_s - self.start_s) / step_s))]


def cuts_of(records: Sequence[dict[str, Any]]) -> list[Cut]:
    """Return what of a logged game is shown: the best turn before the worst fall, that fall, and the winner."""
    fall = worst_fall(records)
    if not fall:
        return []
    fell_s = _seconds(fall[0])
    verdicts = [record for record in records if record["kind"] == "verdict"]
    good = [verdict for verdict in verdicts if verdict["ok"] and verdict["tick"] < fall[0]["tick"]]
    cuts = []
    if good:
        shown = max(good, key=lambda verdict: (verdict["height_m"] or 0.0, verdict["tick"]))
        before = [record for record in records if record.get("tick", math.inf) <= shown["tick"]]
        rolled, taken, let_go = (_last(before, move) for move in ("roll", "take", "let_go"))
        cuts = [
            Cut(rolled - 0.3, rolled + 1.5, 1.2),
            Cut(taken - 0.8, taken + 0.7),
            Cut(let_go - 1.9, _seconds(shown) + 0.9, 1.2),
        ]
    ended_s = max(record.get("tick", 0) for record in records) / TICKS_PER_SECOND
    told = merged([*cuts, Cut(fell_s - 1.0, min(fell_s + 2.8, ended_s))])
    # The winner's feast comes after the log's end.
    left_s = FILM_S - sum(len(cut.times) for cut in told) / RATE_HZ
    return [*told, Cut(ended_s, ended_s + left_s)]


def worst_fall(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the verdicts of the turn in which most ladders fell, as many as bring one down; none if none fell."""
    turns: dict[int, list[dict[str, Any]]] = {}
    for record in records:
        if record["kind"] == "verdict" and record["fallen"]:
            turns.setdefault(record["turn"], []).append(record)
    return max(turns.values(), key=fallen, default=[])


def fallen(verdicts: Sequence[dict[str, Any]]) -> int:
    """Return how many ladders fell by these verdicts."""
    return sum(len(verdict["fallen"]) for verdict in verdicts)


def merged(cuts: Sequence[Cut]) -> list[Cut]:
    """In order, and what would be shown twice once."""
    whole: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: cut.start_s):
        start_s = max(cut.start_s, whole[-1].end_s if whole else 0.0)
        if start_s < cut.end_s:
            whole.append(replace(cut, start_s=start_s))
    return whole


def carried_s(log: Path) -> float:
    """Return when a ladder that will count is carried over a high tower with its broad side to the camera."""
    records = list(LogReader(log).records)
    placed = [record for record in records if record["kind"] == "verdict" and record["ok"]]
    let_go_s = [
        _last([one for one in records if one.get("tick", math.inf) <= record["tick"]], "let_go")
        for record in placed
    ]
    best, best_s = 0.0, 0.0
    logged = Logged(log)
    try:
        eye = pose_apply(logged.viewed.table_from_camera, (0.0, 0.0, 0.0))
        for shot in logged.shots():
            if any(-EARLIEST_S < shot.time_s - s < -LATEST_S for s in let_go_s):
                worth = shot.scene.structure_top_m * _broad(shot.scene, eye)
                best, best_s = max((best, best_s), (worth, shot.time_s))
    finally:
        logged.close()
    return best_s


def _broad(scene: Scene, eye: Vec3) -> float:
    """Return how much of the broad side of a ladder held over the tower is seen from ``eye``, 0 to 1."""
    for piece in scene.pieces:
        if piece.look == "held" and piece.pose.position[2] > scene.structure_top_m - BELOW_TOP_M:
            pose = pose_compose(scene.home_from_table, piece.pose)
            away = tuple(there - here for there, here in zip(eye, pose.position, strict=True))
            normal = quat_rotate(pose.rotation, (0.0, 1.0, 0.0))
            return abs(sum(n * a for n, a in zip(normal, away, strict=True))) / math.hypot(*away)
    return 0.0


class Stage:
    """A logged game's moments as pictures; close it by the stack."""

    def __init__(
        self, log: Path, hands: Sequence[HandState], tier: str, stack: ExitStack, *, glass: bool = True
    ) -> None:
        """``hands`` of the demo are shown before its rendered camera; without them, what a game without one shows.

        ``glass``: with the game's panels.
        """
        self._glass = glass
        self._logged = Logged(log, slows=True)
        stack.callback(self._logged.close)
        viewed = self._logged.viewed
        camera = viewed.camera
        self._surface = HeadlessSurface(camera.width, camera.height)
        stack.callback(self._surface.close)
        self._surface.make_current()
        self._renderer = make_renderer(viewed, camera.width, camera.height)
        self._renderer.set_tier(tier)
        self._renderer.framing.nearest = NEAREST[FramingName.NEAR]
        self._renderer.helps = replace(self._renderer.helps, inset=glass)
        self._unseen = unseen(camera.width, camera.height)
        self._hands = hands
        self._camera = None
        if hands:
            from armoon.synthetic_camera.rendered_camera import RenderedCamera

            # A webcam's noise costs most of a film's bytes, and shows nothing.
            self._camera = RenderedCamera(camera, viewed.table_from_camera, StageLook(noise_sigma=0.0))
            stack.callback(self._camera.close)

    def pictures(self, times: Sequence[float], warm: Sequence[float] = ()) -> Iterator[Picture]:
        """Yield the pictures (h, w, 3), BGR, of these times in seconds; what is ``warm`` is drawn, and not shown."""
        wanted = sorted([(at_s, True) for at_s in times] + [(at_s, False) for at_s in warm])
        for shot in self._logged.shots():
            drawn: Picture | None = None
            while wanted and wanted[0][0] <= shot.time_s:
                drawn = self._draw(shot.scene, shot.time_s) if drawn is None else drawn
                if wanted.pop(0)[1]:
                    yield drawn
            if not wanted:
                return

    def _draw(self, scene: Scene, time_s: float) -> Picture:
        """Return a scene's picture, before the hand of this time if the camera sees it."""
        image = self._unseen
        if self._camera is None:
            scene = replace(scene, hands=())
        elif scene.seen_from is None:
            number = min(len(self._hands) - 1, round(time_s * HAND_HZ))
            image = self._camera.render([self._hands[number]])
        self._surface.make_current()
        scene = scene if self._glass else replace(scene, hud=SceneHud())
        self._renderer.draw(scene, image)
        return self._surface.read_bgr()


def film(log: Path, hands: Sequence[HandState], out: Path) -> None:
    """Draw a kept game's film; a quality that makes it too large gives way."""
    with ExitStack() as stack:
        stage = Stage(log, hands, "low", stack)
        cuts = cuts_of(list(LogReader(log).records))
        times = [at_s for cut in cuts for at_s in cut.times]
        warm = [cut.start_s - k / WARM_HZ for cut in cuts for k in range(1, int(WARM_S * WARM_HZ))]
        shown = [_small(picture) for picture in stage.pictures(times, warm)]
    for quality in range(QUALITY, 10, -8):
        write_film(out, shown, quality)
        if out.stat().st_size <= MOST_BYTES:
            return


def write_film(path: Path, shown: Sequence[Picture], quality: int = QUALITY) -> None:
    """Write pictures (h, w, 3), BGR, as a WebP that loops for ever."""
    film = cv2.Animation()
    film.frames = list(shown)
    film.durations = [round(1000.0 / RATE_HZ)] * len(shown)
    film.loop_count = 0
    cv2.imwriteanimation(str(path), film, [cv2.IMWRITE_WEBP_QUALITY, quality])


def _small(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, FILM_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def _seconds(record: dict[str, Any]) -> float:
    return float(record["tick"]) / TICKS_PER_SECOND


def _last(records: Sequence[dict[str, Any]], move: str) -> float:
    """Return the time of the last such move, in seconds; infinite without one."""
    return max((_seconds(record) for record in records if record.get("move") == move), default=math.inf)
