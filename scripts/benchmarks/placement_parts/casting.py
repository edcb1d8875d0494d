"""The player of a trial."""

from __future__ import annotations

import numpy as np

from armoon.camera.seat import Seat
from armoon.games.moon.player.placer import Plan
from armoon.games.moon.presenters.scene import SHOWN_ABOVE_M
from armoon.players.demo import hand_habits
from armoon.values.pieces import BASE, TABLE, Ladder
from armoon.values.poses import Pose
from benchmarks.placement_parts.eye import ExactEye
from benchmarks.placement_parts.hand import PlacingHand
from benchmarks.placement_parts.people import PEOPLE, STEADY, PersonEye, manner_of
from benchmarks.placement_parts.setting import RATE_HZ, Setting
from benchmarks.placement_parts.sight import Faint, Surroundings
from benchmarks.placement_parts.stages import Stage
from benchmarks.placement_parts.table import PlacementTable


def player_of(stage: Stage, table: PlacementTable, plan: Plan, seed: int) -> PlacingHand:
    """Return the hand of a setting's player."""
    match = table.match
    person = PEOPLE.get(stage.setting.player)
    around = Surroundings(
        match.ladders,
        table.piece,
        hand_habits(stage.seat),
        match.tilted,
        lambda heeds: shown_by_ghost(table, heeds),
        STEADY if person is None else manner_of(person, seed),
        heeds=person is not None,
    )
    eye = eye_of(stage.setting, stage.seat, match.ladders[table.piece], plan.release, seed)
    return PlacingHand(around, plan, eye, eye.late_s, table.time_s)


def eye_of(setting: Setting, seat: Seat, ladder: Ladder, goal: Pose, seed: int) -> ExactEye | PersonEye:
    """Return the eye of a setting's player; ``goal`` in the table frame."""
    person = PEOPLE.get(setting.player)
    if person is None:
        return ExactEye()
    return PersonEye(person, seat, ladder, goal, 1.0 / RATE_HZ, np.random.default_rng([seed, 78]))


def shown_by_ghost(table: PlacementTable, heeds: bool) -> Faint:
    """Return the faint ladder as it is drawn; ``heeds``: with its colour, and where it would come to rest."""
    told = table.foretelling.see() if heeds else None
    if told is not None and told.rest is not None:
        return Faint(told.touched, told.fate)
    fate = None if told is None else told.fate
    landing = table.match.landing_under(table.facts[table.piece])
    if landing.fall_m < SHOWN_ABOVE_M:
        return Faint((), fate)
    return Faint(tuple(name for name in landing.touched if name not in (BASE, TABLE)), fate)
