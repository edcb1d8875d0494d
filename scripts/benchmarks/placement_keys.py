"""A person who carries the ladder by keys: with the game's own choices, and by what is drawn.

Nobody holds a hand before the camera. The ladder is carried freely and steered one way until a press stops it; no
offered place is taken, for a goal is one place, and the game offers others.
"""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine.intake import Intake
from armoon.games.moon.choosing.chooser import FREE_M_S, FREE_RAD_S, Chooser
from armoon.games.moon.table.match import LID_TILT_RAD
from armoon.geometry import (
    Array,
    pose_compose,
    quat_inverse,
    quat_multiply,
    quat_rotate,
    rotation_vector,
    table_axes_as_seen,
    vec3,
)
from armoon.placement.values import Answer
from armoon.players.hand import pose_distance
from armoon.values.acts import MOVES, TILTS, Act
from armoon.values.pieces import Command
from armoon.values.scene import Fate
from benchmarks.placement_hand import GIVE_UP_S, presses_at_lid, standing_m
from benchmarks.placement_people import PEOPLE, manner_of, turned
from benchmarks.placement_tables import Case, PlacementTable
from benchmarks.placement_trial import (
    RATE_HZ,
    SETTLE_PATIENCE_S,
    TRIAL_PATIENCE_S,
    Outcome,
    Setting,
    eye_of,
    seat_at,
    shown_by_ghost,
)

#: Seconds for a key press of the exact reference.
PRESS_S = 0.25
#: Near enough: across, and rotated. What is missing is measured in these.
NEAR_M, NEAR_RAD = 0.0015, np.radians(2.0)
#: So long a colour is waited for, and so far beside it is tried where that one isn't green.
LOOKS_S, ASIDE_M = 3.0, 0.004
ELSEWHERE = ((0.0, 1.0), (0.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (0.0, 0.0))
STILL: Array = np.zeros(6)
STEPS = (Act.LEFT, Act.RIGHT, Act.NEAR, Act.AWAY, *TILTS)


class NoSearch:
    """Offers no places."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: Answer(done=True)


class PressingPlayer:
    """Looks, presses a key, waits, and stops; call ``frames`` and send it nothing."""

    def __init__(self, setting: Setting, table: PlacementTable, case: Case) -> None:
        self._table, self._plan, self._match = table, case.plan, table.match
        person = PEOPLE.get(setting.player)
        self._manner = None if person is None else manner_of(person, case.seed)
        ladder = self._match.ladders[table.piece]
        self._eye = eye_of(setting, seat_at(setting), ladder, case.plan.release, case.seed)
        self._dice = random.Random(case.seed)
        self._aside: Array = np.zeros(3)
        """By how much it is tried beside its place, metres, at home."""
        ways = table_axes_as_seen(self._match.table_from_camera, self._match.table.mirrored)
        self._right, self._away = (np.array([*way, 0.0]) for way in ways)
        self._looks = False
        self.chooser = Chooser(self._match, on_time=True, search=NoSearch())  # type: ignore[arg-type]
        self.tries, self.let_go = 1, False

    def close(self) -> None:
        """End what the game's choices began."""
        self.chooser.close()

    def frames(self) -> Iterator[tuple[Command, ...]]:
        """One frame after another, until it has let go: what is pressed in it."""
        judged, table = self._plan.release.rotation, self._table
        if self._manner is not None:
            judged = turned(judged, self._manner.lid_misread)
        home = self._match.home_from_table()
        began_s = table.time_s
        for wish in presses_at_lid(home, judged, self._match.tilted, LID_TILT_RAD):
            yield from self._wait(self._press_s)
            yield (wish,)
        yield from self._until("free")
        yield from self._choose("free")
        yield from self._until("let_go")
        self._eye.begin(table.facts[table.piece].pose)
        self._looks = True
        yield from self._wait(self._eye.late_s)
        while table.time_s - began_s < GIVE_UP_S:
            missing = self._look()
            act = max(STEPS, key=lambda act: float(missing @ self._way(act)))
            if float(missing @ self._way(act)) > 1.0:
                yield from self._step(act)
            elif (yield from self._is_green()):
                break
            else:
                across, deep = ELSEWHERE[(self.tries - 1) % len(ELSEWHERE)]
                self._aside = ASIDE_M * (across * self._right + deep * self._away)
                self.tries += 1
        self.let_go = True
        yield from self._choose("let_go")

    def _step(self, act: Act) -> Iterator[tuple[Command, ...]]:
        """Start a movement, now and then the opposite one, and stop it once nothing is missing that way."""
        wrong = 0.0 if self._manner is None else self._manner.wrong_keys
        if self._dice.random() < wrong:
            act = min(STEPS, key=lambda one: float(self._way(one) @ self._way(act)))
        way = self._way(act)
        moved = way * (FREE_RAD_S if act in TILTS else FREE_M_S) / RATE_HZ
        yield from self._choose(act.word)
        while float(self._look(moved) @ way) > 0.0:
            yield ()
        self.chooser.choose("stop")
        yield from self._wait(self._eye.late_s)

    def _is_green(self) -> Generator[tuple[Command, ...], None, bool]:
        """Wait for the faint ladder's colour; return whether it is what is wanted, or there is none."""
        for _ in range(round(LOOKS_S * RATE_HZ)):
            ghost = shown_by_ghost(self._table, True)
            if ghost.fate is not None:
                yield from self._wait(self._eye.late_s)
                return ghost.fate is Fate.HOLDS and set(ghost.touched) == set(self._plan.touched)
            yield from self._wait(1.0 / RATE_HZ)
        return True

    def _choose(self, name: str) -> Iterator[tuple[Command, ...]]:
        yield from self._wait(self._press_s)
        yield self.chooser.choose(name)

    def _until(self, name: str) -> Iterator[tuple[Command, ...]]:
        while not any(one.name == name for one in self.chooser.choices()):
            yield ()

    @property
    def _press_s(self) -> float:
        return PRESS_S if self._manner is None or self._manner.key_s is None else self._manner.key_s

    def _wait(self, seconds: float) -> Iterator[tuple[Command, ...]]:
        for _ in range(round(seconds * RATE_HZ)):
            if self._looks:
                self._look()
            yield ()

    def _look(self, moved: Array = STILL) -> Array:
        """Return what is seen missing at home, (6,), in ``NEAR_M`` and ``NEAR_RAD``; heights don't matter: it falls.

        ``moved``: by how much it goes in this frame, metres and radians, as its player knows.
        """
        home = self._match.home_from_table()
        seen = self._eye.look(self._table.facts[self._table.piece].pose, home, standing_m(self._table.facts))
        back = quat_inverse(home.rotation)
        self._eye.felt(quat_rotate(back, vec3(moved[:3])), quat_rotate(back, vec3(moved[3:])))
        here, there = pose_compose(home, seen.pose), pose_compose(home, self._plan.release)
        turn = rotation_vector(quat_multiply(there.rotation, quat_inverse(here.rotation)))
        shift = (np.array(there.position) + self._aside - np.array(here.position)) * [1.0, 1.0, 0.0]
        return np.array([*(shift / NEAR_M), *(np.array(turn) / NEAR_RAD)])

    def _way(self, act: Act) -> Array:
        """Return the unit vector (6,), at home, of what an act does."""
        if act in TILTS:
            axis = rotation_vector(self._match.tilted(TILTS[act], 1.0))
            return np.array([0.0, 0.0, 0.0, *axis])
        across, deep, _ = MOVES[act]
        return np.array([*(across * self._right + deep * self._away), 0.0, 0.0, 0.0])


def run_pressed(setting: Setting, case: Case) -> Outcome:
    """Play one trial by keys."""
    outcome = Outcome(case.seed, case.plan.touched)
    table = PlacementTable(case.seed, seat_at(setting), case)
    with contextlib.closing(table), contextlib.closing(PressingPlayer(setting, table, case)) as player:
        frames, began_s, grabbed_s, over_s = player.frames(), table.time_s, 0.0, math.inf
        last_s = began_s + TRIAL_PATIENCE_S
        while table.verdict is None and table.time_s < min(last_s, over_s):
            commands = next(frames, ())
            for tick in range(TICKS_PER_SECOND // round(RATE_HZ)):
                time_s, before = table.time_s + TICK_S, table.facts
                intake = Intake(time_s, 1, None, commands if tick == 0 else ())
                intake = player.chooser.play(intake, wanted=True)
                table.tick(time_s, None, intake.commands, intake.grips)
                if table.facts.held is not None and before.held is None:
                    outcome.grabs, outcome.grabbed, grabbed_s = outcome.grabs + 1, True, time_s
                elif table.facts.held is None and before.held is not None:
                    outcome.releases, outcome.dropped = outcome.releases + 1, not player.let_go
                    outcome.seconds, over_s = time_s - grabbed_s, time_s + SETTLE_PATIENCE_S
                    missed = pose_distance(before[table.piece].pose, case.plan.release)
                    outcome.release_error_m, outcome.release_error_rad = missed
        outcome.tries = player.tries
        outcome.conclude(table.verdict)
    return outcome
