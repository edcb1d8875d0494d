"""Films of trials that failed: the game's own picture, with the goal and with the fingers as they were read."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2

from armoon.app.films.filming import FILM_HZ, SAME_S, Drawn, Logged
from armoon.errors import SettingsError
from armoon.games.contract.kind import Viewed
from armoon.geometry import pose_compose
from armoon.hands.tracking.landmarks import INDEX_TIP, THUMB_TIP
from armoon.party.recorder import Recorder
from armoon.values.intents import GripIntent, GripPhase
from armoon.values.scene import Ghost, Scene, SceneHand
from benchmarks.placement_parts.cases import Case

SIZE = (960, 540)
#: Of the fingers: a ring where they are read as closed, and a line between their tips where they aren't. BGR.
CLOSED, OPEN = (120, 255, 120), (60, 160, 255)
#: Thumb and index finger, from the wrist.
FINGERS = ((0, 1, 2, 3, THUMB_TIP), (0, 5, 6, 7, INDEX_TIP))


def film_failure(log: Path, case: Case, out: Path) -> None:
    """Draw a trial's log again. Raises LogError, ArmoonError for a disk, DisplayError."""
    with ExitStack() as stack:
        logged = Logged(log)
        stack.callback(logged.close)
        drawn = Drawn(SIZE, "lite", logged.viewed, stack)
        recorder = stack.enter_context(Recorder(out, *SIZE, FILM_HZ))
        pictures, start_s = 0, None
        for shot in logged.shots():
            start_s = shot.time_s if start_s is None else start_s
            if shot.time_s + SAME_S < start_s + pictures / FILM_HZ:
                continue
            picture = drawn.picture(with_goal(shot.scene, case)).copy()
            mark_fingers(picture, shot.scene.hands, logged.game.match.grip, logged.viewed)
            recorder.write(picture, pictures / FILM_HZ)
            pictures += 1
    logged.check()


def with_goal(scene: Scene, case: Case) -> Scene:
    """Return a scene without hands, for there is no picture under it, and with the ladder's goal."""
    assert case.release is not None
    there = pose_compose(scene.home_from_table, case.release)
    goal = Ghost(case.state().supply[0], there, label="goal")
    return replace(scene, hands=(), ghosts=(goal, *scene.ghosts))


def mark_fingers(picture: Any, hands: Iterable[SceneHand], grip: GripIntent | None, viewed: Viewed) -> None:
    """Draw thumb and index finger as the tracker read them, and whether the grip is closed, into (h, w, 3)."""
    height, width = picture.shape[:2]
    camera = viewed.camera
    closed = grip is not None and grip.phase in (GripPhase.GRAB, GripPhase.HOLD)
    colour = CLOSED if closed else OPEN
    for hand in hands:
        places = [
            (round(x / camera.width * width), round(y / camera.height * height)) for x, y in hand.points_px
        ]
        if viewed.mirrored:
            places = [(width - 1 - x, y) for x, y in places]
        for finger in FINGERS:
            for a, b in pairwise(finger):
                cv2.line(picture, places[a], places[b], colour, 1, cv2.LINE_AA)
        thumb, index = places[THUMB_TIP], places[INDEX_TIP]
        if closed:
            middle = ((thumb[0] + index[0]) // 2, (thumb[1] + index[1]) // 2)
            cv2.circle(picture, middle, 10, colour, 2, cv2.LINE_AA)
        else:
            cv2.line(picture, thumb, index, colour, 2, cv2.LINE_AA)


def case_of(log: Path, cases: Iterable[Case]) -> Case:
    """Return the case that a log's name names by its goal's seed. SettingsError where there is none."""
    named = set(log.stem.split("-"))
    for case in cases:
        if str(case.seed) in named:
            return case
    raise SettingsError(
        f"{log.name} names no goal of these tables.", remedy="Leave logs their names, as they were written."
    )
