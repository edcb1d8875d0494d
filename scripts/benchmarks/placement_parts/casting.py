"""Who plays a trial: a person, an eye, chance, or a program that was entered."""

from __future__ import annotations

import random

import numpy as np

from armoon.games.moon.player.placer import Plan
from armoon.games.moon.presenters.scene import SHOWN_ABOVE_M
from armoon.games.moon.table.lid import ATTITUDES
from armoon.players.demo import hand_habits
from armoon.values.facts import PieceStatus
from armoon.values.pieces import BASE, TABLE
from armoon.values.poses import Pose
from armoon.world.landing import Ground
from benchmarks.placement_parts.cases import GAP_M
from benchmarks.placement_parts.entries import EnteredPlayer, Program
from benchmarks.placement_parts.eye import ExactEye, ScreenEye
from benchmarks.placement_parts.hand import PlacingHand
from benchmarks.placement_parts.people import PEOPLE, STEADY, PersonEye, manner_of
from benchmarks.placement_parts.setting import CHANCE, SCREEN
from benchmarks.placement_parts.sight import Faint, Surroundings
from benchmarks.placement_parts.stages import Stage
from benchmarks.placement_parts.table import PlacementTable

#: Half a ladder's length, to either side of a ladder's middle.
CHANCE_M = 0.055
#: Higher than any tower.
ABOVE_M = 0.6


def player_of(stage: Stage, table: PlacementTable, plan: Plan, seed: int) -> PlacingHand:
    """Return the hand of a setting's player."""
    setting, match, habits = stage.setting, table.match, hand_habits(stage.seat)
    person = PEOPLE.get(setting.eye)
    manner = STEADY if person is None else manner_of(person, seed)
    around = Surroundings(
        match.ladders,
        table.piece,
        habits,
        match.tilted,
        lambda heeds: shown_by_ghost(table, heeds),
        setting.without,
        manner,
        heeds=person is not None and setting.without != "ghost",
    )
    ladder, dt_s = match.ladders[table.piece], 1.0 / setting.rate_hz
    eye: ExactEye | ScreenEye | PersonEye = ExactEye()
    if setting.eye == CHANCE:
        plan = by_chance(table, random.Random(f"chance {seed}"))
    if setting.eye == SCREEN:
        rng = np.random.default_rng([seed, 77])
        eye = ScreenEye(stage.seat, ladder, plan.release, setting.without, dt_s, rng)
    elif person is not None:
        rng = np.random.default_rng([seed, 78])
        eye = PersonEye(person, stage.seat, ladder, plan.release, setting.without, dt_s, rng)
    return PlacingHand(around, plan, eye, eye.late_s, table.time_s)


def by_chance(table: PlacementTable, dice: random.Random) -> Plan:
    """Return where somebody lets go who aims at nothing: where any side of the ladder meets what stands, from above."""
    ladders, piece = table.match.ladders, table.piece
    standing = [p for p in table.facts.pieces if p.status in (PieceStatus.FREE, PieceStatus.FIXED)]
    ground = Ground([(p.piece, ladders[p.piece].boxes, p.pose) for p in standing])
    while True:
        x, y, _ = dice.choice(standing).pose.position
        x, y = (middle + dice.uniform(-CHANCE_M, CHANCE_M) for middle in (x, y))
        rotation = dice.choice(ATTITUDES)
        landing = ground.under(ladders[piece], Pose((x, y, ABOVE_M), rotation))
        if any(name not in (BASE, TABLE) for name in landing.touched):
            touched = tuple(sorted(name for name in landing.touched if name not in (BASE, TABLE)))
            return Plan(Pose((x, y, ABOVE_M - landing.fall_m + GAP_M), rotation), touched)


def entered_player(program: Program, stage: Stage, table: PlacementTable, plan: Plan) -> EnteredPlayer:
    """Return the hand that a program moves."""
    ladders, habits = table.match.ladders, hand_habits(stage.seat)
    return EnteredPlayer(
        program,
        stage.seat,
        ladders,
        table.piece,
        plan.release,
        plan.touched,
        habits,
        lambda: shown_by_ghost(table, True),
    )


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
