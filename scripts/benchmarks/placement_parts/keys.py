"""The keys that the benchmark's player presses, one at a time and sometimes the wrong one."""

from __future__ import annotations

import math
import random
from collections import deque
from dataclasses import replace

import numpy as np

from armoon.engine.match import FINE_TILT_RAD, TILT_RAD
from armoon.geometry import quat_angle, rotation_vector, vec3
from armoon.values.acts import Act
from armoon.values.facts import Facts
from armoon.values.intents import Command
from armoon.values.poses import Quat, Vec3
from benchmarks.placement_parts.sight import Sight, Surroundings
from benchmarks.placement_parts.skill import fine_press

#: Keys are pressed so far apart; a table that turns by a quarter is waited for.
PRESS_S, TURNS_S, FOLLOWS_S = 0.25, 1.2, 0.6
#: Who can't tell attitudes better than this doesn't tilt.
TOLD_RAD = math.radians(1.5)


class Keys:
    """What is still to be pressed."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._wishes: deque[Command] = deque()
        self._again_s = -math.inf
        self._tilt: Vec3 = (0.0, 0.0, 0.0)
        self._dice = random.Random(around.manner.seed)

    def ask(self, *wishes: Command) -> None:
        """Press these after the others."""
        self._wishes.extend(wishes)

    @property
    def waiting(self) -> bool:
        """Whether something is still to be pressed."""
        return bool(self._wishes)

    def over(self, time_s: float) -> bool:
        """Whether all is pressed, and done."""
        return not self._wishes and time_s > self._again_s

    def press(self, time_s: float, carries: bool) -> tuple[Command, ...]:
        """Return the key pressed in this frame, if any; ``carries``: a ladder is in the hand."""
        if not self._wishes or time_s < self._again_s:
            return ()
        wish, manner = self._wishes.popleft(), self._around.manner
        waits_s = TURNS_S if wish.kind is Act.TURN else manner.key_s or PRESS_S
        if wish.kind is Act.TILT and self._dice.random() < manner.wrong_keys:
            # The key beside it tilts the other way; that is seen, and made good by two presses.
            self._wishes.extendleft((wish, wish))
            wish = replace(wish, value=-wish.value)
            if carries:
                self._tilt = vec3(-np.array(self._tilt))
        # What is in the hand follows a press only bit by bit: who presses sooner overshoots.
        self._again_s = time_s + (FOLLOWS_S if carries and wish.kind is Act.TILT else waits_s)
        return (wish,)

    def taken_tilt(self) -> Vec3:
        """Return by how much a press tilts the held ladder, once."""
        tilt, self._tilt = self._tilt, (0.0, 0.0, 0.0)
        return tilt

    def tilt_held(self, facts: Facts, sight: Sight, wanted: Quat) -> None:
        """Ask for the tilt that the hand can't do, once the eye is sure enough of it."""
        around = self._around
        if self._wishes:
            return
        step_rad = FINE_TILT_RAD if facts.grip_gap_m is not None else TILT_RAD
        seen, doubt_rad = sight.seen.pose.rotation, sight.seen.rotated_sigma_rad
        # A person doesn't become surer by waiting, and presses for what can be told.
        told = around.manner.key_s is not None and quat_angle(seen, wanted) > doubt_rad
        if doubt_rad > max(step_rad, TOLD_RAD) and not told:
            return
        view = np.array(around.habits.view_axis)
        way = fine_press(sight.home, seen, wanted, view, around.tilted, step_rad)
        if way is not None and step_rad >= FINE_TILT_RAD:
            self._wishes.append(Command(Act.TILT, value=way))
            self._tilt = rotation_vector(around.tilted(way, step_rad))
