"""Makers of figures: each proposes poses, drops the ladder for real, and keeps what passes its figure's check.

An instance is made by physics alone: the structure under it is a random table, the ladders are any of a random set, and
what is asked of the outcome is in ``figures_checks``. The recogniser has no part in it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from armoon.games.moon.figures.figure import FigureKind
from armoon.geometry import Array, mat_from_quat, quat_from_axis_angle, quat_from_matrix, unit, vec3
from armoon.values.pieces import BASE, TABLE, Ladder, PieceId
from armoon.values.poses import Pose
from armoon.world.base import CONFIGURATION_NAMES
from armoon.world.wood import RAIL_WIDTH_M, RUNG_WIDTH_M
from benchmarks.figure_parts import checks
from benchmarks.figure_parts.scene import Placement, Table
from benchmarks.structures.towers import above_something

#: Number of failed drops after which a table is left for another.
TRIES = 25
#: Number of ladder sets, used in turn.
SETS = 12
#: Maximum number of guesses at a pose that overlaps nothing.
GUESSES = 300
#: Ladders laid down first, where a figure needs something that lies.
MOST_LAID, LAYING_DROPS = 3, 25
#: A ladder is let go of this far above what it is meant to rest on.
GAP_M = 0.0004
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Instance:
    """A figure made by physics."""

    kind: FigureKind
    placements: tuple[Placement, ...]
    """The placements that make it, oldest first; the last completes the figure."""


def instances(kind: FigureKind, seed: int) -> Iterator[Instance]:
    """Endless instances of a figure, equal for equal seeds."""
    dice = random.Random(f"{kind.value} {seed}")
    sets = [dice.randrange(1000) for _ in range(SETS)]
    while True:
        table = _table(dice, sets)
        try:
            made = _MAKERS[kind](table, dice)
        finally:
            table.close()
        if made:
            yield Instance(kind, tuple(made))


def passes(instance: Instance) -> bool:
    """Whether all of an instance stands and passes the checks of its figure."""
    *before, last = instance.placements
    if any({BASE, TABLE} & set(one.facts.touching(one.placed)) for one in instance.placements):
        return False
    if instance.kind is FigureKind.BOLT:
        return checks.is_swing(before[-1]) and checks.is_bolt(before[-1], last)
    if instance.kind is FigureKind.SIN_OF_PRIDE:
        return len(before) == 2 and all(checks.is_crazy_diagonal(one) for one in instance.placements)
    return CHECKS[instance.kind](last)


def _table(dice: random.Random, sets: Sequence[int]) -> Table:
    first = dice.choice((0, 0, dice.randrange(3, 27)))
    return Table(dice.choice(sets), dice.choice(CONFIGURATION_NAMES), dice.choice((2, 2, 3)), first)


def _dropped(
    table: Table, piece: PieceId, pose: Pose, check: Callable[[Placement], bool]
) -> Placement | None:
    """Return the placement of a release, if it passes; else restore the table."""
    before = table.standing
    placement = table.let_go(piece, pose)
    if placement is None or check(placement):
        return placement
    table.take_back(before)
    return None


def _lay_some(table: Table, dice: random.Random, least: int = 0) -> bool:
    """Lay some ladders on the table as anybody would."""
    wanted = max(least, dice.choice((0, 0, 0, 1, 2, MOST_LAID)))
    for _ in range(LAYING_DROPS):
        if wanted == 0:
            return True
        piece = dice.choice(table.supply())
        wanted -= table.drop(piece, above_something(table.ladders, table.standing, piece, dice)) is not None
    return wanted == 0 or least == 0


def _over_a_head(table: Table, dice: random.Random, low_rungs: bool) -> tuple[PieceId, Pose]:
    """Return a ladder leaning over one rail's end of a standing one, a rung just inside that end."""
    name, post, _ = dice.choice([row for row in table.standing if row[2]])
    turn = mat_from_quat(post.rotation)
    side = dice.randrange(2)
    end = np.asarray(post.position) + turn @ table.ladders[name].rails[side][-1]
    inwards = turn[:, 0] * (1.0 if side == 0 else -1.0)
    piece = dice.choice(table.supply())
    ladder = table.ladders[piece]
    rung = dice.randrange(2) if low_rungs else dice.randrange(len(ladder.rungs))
    lean = math.radians(dice.uniform(2.0, 18.0) if low_rungs else dice.uniform(5.0, 50.0))
    yaw = mat_from_quat(quat_from_axis_angle(UP, dice.gauss(0.0, 0.25)))
    leans = yaw @ (unit([inwards[0], inwards[1], 0.0]) * dice.choice((-1.0, 1.0)))
    along = UP * math.cos(lean) + leans * math.sin(lean)
    if not low_rungs and dice.random() < 0.5:
        along = -along
    axes = _axes(np.cross(UP, leans) * dice.choice((-1.0, 1.0)), along)
    middle = np.mean(ladder.rungs[rung], axis=0) + np.array([dice.uniform(-0.006, 0.006), 0.0, 0.0])
    place = end + inwards * dice.uniform(0.0042, 0.009) + UP * 0.02
    return piece, _pose(place, middle, axes)


def _make_foot_hook(table: Table, dice: random.Random) -> list[Placement]:
    _lay_some(table, dice)
    for _ in range(TRIES):
        piece, start = _over_a_head(table, dice, low_rungs=False)
        start = Pose((start.position[0], start.position[1], start.position[2] + 0.12), start.rotation)
        made = table.lowered(piece, start)
        if made is not None and (placed := _dropped(table, piece, made, checks.is_foot_hook)):
            return [placed]
    return []


def _make_candle(table: Table, dice: random.Random) -> list[Placement]:
    _lay_some(table, dice)
    for _ in range(TRIES):
        if dice.random() < 0.5:
            piece, start = _over_a_head(table, dice, low_rungs=True)
        else:
            piece = dice.choice(table.supply())
            over = above_something(table.ladders, table.standing, piece, dice)
            name, post, _ = dice.choice(table.standing)
            yaw = quat_from_axis_angle(UP, dice.gauss(0.0, 0.05) + dice.choice((0.0, math.pi)))
            facing = mat_from_quat(yaw) @ mat_from_quat(post.rotation)[:, 0]
            rotation = quat_from_matrix(_axes(unit([facing[0], facing[1], 1e-9]), UP))
            heads = np.mean([_end(table.ladders[name], post, s) for s in (0, 1)], axis=0)
            x, y = (heads[0], heads[1]) if dice.random() < 0.6 else over.position[:2]
            start = Pose((float(x), float(y), over.position[2]), rotation)
        start = Pose((start.position[0], start.position[1], start.position[2] + 0.15), start.rotation)
        release = table.lowered(piece, start)
        if release is not None and (placed := _dropped(table, piece, release, checks.is_candle)):
            return [placed]
    return []


def _make_tightrope_walker(table: Table, dice: random.Random) -> list[Placement]:
    _lay_some(table, dice)
    for _ in range(TRIES):
        name, post, _ = dice.choice(table.standing)
        piece = dice.choice(table.supply())
        ends = [_end(table.ladders[name], post, side) for side in (0, 1)]
        aim = np.mean(ends, axis=0) + np.array([dice.gauss(0.0, 0.0007), dice.gauss(0.0, 0.0007), 0.0])
        across = mat_from_quat(
            quat_from_axis_angle(UP, dice.choice((dice.gauss(0.0, 0.2), dice.uniform(0.0, 6.3))))
        ) @ unit([*(ends[1] - ends[0])[:2], 1e-9])
        along = np.cross(UP, unit([*across[:2], 0.0])) * dice.choice((-1.0, 1.0))
        rotation = quat_from_matrix(_axes(unit([*across[:2], 0.0]), along))
        release = table.lowered(piece, Pose((float(aim[0]), float(aim[1]), float(aim[2]) + 0.05), rotation))
        if release is not None and (placed := _dropped(table, piece, release, checks.is_tightrope_walker)):
            return [placed]
    return []


def _make_shameful_support(table: Table, dice: random.Random) -> list[Placement]:
    if not _lay_some(table, dice, least=1):
        return []
    for _ in range(TRIES):
        _, under, _ = dice.choice([row for row in table.standing if not row[2]])
        turn = mat_from_quat(under.rotation)
        up = turn[:, 1] * (1.0 if turn[2, 1] > 0.0 else -1.0)
        piece = dice.choice(table.supply())
        yaw = mat_from_quat(quat_from_axis_angle(up, dice.gauss(0.0, math.radians(4.0))))
        along = yaw @ turn[:, 2] * dice.choice((-1.0, 1.0))
        across = yaw @ turn[:, 0] * dice.choice((-1.0, 1.0))
        place = (
            np.asarray(under.position)
            + up * (0.0035 + GAP_M)
            + turn[:, 2] * dice.gauss(0.0, 0.006)
            + turn[:, 0] * dice.gauss(0.0, 0.003)
        )
        pose = Pose(vec3(place), quat_from_matrix(_axes(across, along)))
        if table.clear(piece, pose) and (placed := _dropped(table, piece, pose, checks.is_shameful_support)):
            return [placed]
    return []


def _make_swing(table: Table, dice: random.Random) -> list[Placement]:
    if not _lay_some(table, dice, least=1):
        return []
    for _ in range(TRIES):
        guess = _hanging(table, dice)
        if guess is not None and (placed := _dropped(table, *guess, checks.is_swing)):
            return [placed]
    return []


def _hanging(table: Table, dice: random.Random) -> tuple[PieceId, Pose] | None:
    """Return a short ladder whose outermost rung is just above the free end of a rail that is about level."""
    for _ in range(GUESSES):
        name, over, _ = dice.choice([row for row in table.standing if not row[2]])
        rail = (
            np.array(table.ladders[name].rails[dice.randrange(2)]) @ mat_from_quat(over.rotation).T
            + over.position
        )
        end, before = (rail[0], rail[1]) if dice.random() < 0.5 else (rail[-1], rail[-2])
        out = unit(end - before)
        if not -0.25 < out[2] < 0.6:
            continue
        piece = dice.choice(table.supply())
        ladder = table.ladders[piece]
        rung, sign = dice.choice(((0, -1.0), (len(ladder.rungs) - 1, 1.0)))
        yaw = mat_from_quat(quat_from_axis_angle(UP, dice.gauss(0.0, 0.3)))
        across = yaw @ unit([-out[1], out[0], 0.0]) * dice.choice((-1.0, 1.0))
        axes = _axes(across, UP * sign)
        middle = np.mean(ladder.rungs[rung], axis=0) + np.array([dice.uniform(-0.006, 0.006), 0.0, 0.0])
        place = end - out * dice.uniform(0.003, 0.012) + UP * (0.0042 + 0.003 * abs(out[2]))
        pose = _pose(place, middle, axes)
        if table.clear(piece, pose):
            return piece, pose
    return None


def _make_bolt(table: Table, dice: random.Random) -> list[Placement]:
    swung = _make_swing(table, dice)
    if not swung:
        return []
    swing = swung[0]
    hook = next(c.point for c in swing.facts.contacts if swing.placed in (c.a, c.b))
    for _ in range(3 * TRIES):
        piece = dice.choice(table.supply())
        turned = above_something(table.ladders, table.standing, piece, dice).rotation
        part = mat_from_quat(turned) @ [dice.uniform(-0.015, 0.015), 0.0, dice.uniform(-0.05, 0.05)]
        place = np.asarray(hook) - part + [dice.gauss(0.0, 0.008), dice.gauss(0.0, 0.008), 0.1]
        release = table.lowered(piece, Pose(vec3(place), turned))
        if release is not None:
            placed = _dropped(table, piece, release, lambda after: checks.is_bolt(swing, after))
            if placed is not None:
                return [swing, placed]
    return []


def _make_crazy_diagonal(table: Table, dice: random.Random) -> list[Placement]:
    for _ in range(TRIES):
        guess = _threaded(table, dice)
        if guess is not None and (placed := _dropped(table, *guess, checks.is_crazy_diagonal)):
            return [placed]
    return []


def _threaded(table: Table, dice: random.Random) -> tuple[PieceId, Pose] | None:
    """Return a ladder put slanting through an opening, its width along the opening's height or diagonal."""
    for _ in range(GUESSES):
        under, post, _ = dice.choice(table.standing)
        ladder = table.ladders[under]
        low = dice.randrange(len(ladder.rungs) - 1)
        corners = np.array([*ladder.rungs[low], *ladder.rungs[low + 1]])
        tall = float(corners[2:, 2].mean() - corners[:2, 2].mean()) - RUNG_WIDTH_M
        wide = float(np.ptp(corners[:, 0])) - RAIL_WIDTH_M
        piece = dice.choice(table.supply())
        tilt = math.radians(dice.uniform(20.0, 90.0)) * dice.choice((-1.0, 1.0))
        whole = (
            2.0 * max(abs(point[0]) for rail in table.ladders[piece].rails for point in rail) + RAIL_WIDTH_M
        )
        if whole * abs(math.sin(tilt)) > tall or whole * math.cos(tilt) > wide:
            continue
        turn = mat_from_quat(post.rotation)
        slope, aside = math.radians(dice.uniform(-55.0, 55.0)), math.radians(dice.gauss(0.0, 20.0))
        sideways = turn[:, 2] * math.cos(aside) + turn[:, 0] * math.sin(aside)
        along = turn[:, 1] * math.cos(slope) + sideways * math.sin(slope)
        width = turn[:, 0] * math.cos(tilt) + turn[:, 2] * math.sin(tilt)
        axes = _axes(width, along * dice.choice((-1.0, 1.0)))
        place = np.asarray(post.position) + turn @ (
            corners.mean(axis=0) + np.array([dice.gauss(0.0, 0.004), 0.0, dice.gauss(0.0, 0.004)])
        )
        pose = _pose(place, np.array([0.0, 0.0, dice.gauss(0.0, 0.02)]), axes)
        meant = checks.crosses_one_opening(table.ladders[piece], pose, ladder, post)
        if meant and table.clear(piece, pose):
            return piece, pose
    return None


def _make_sin_of_pride(table: Table, dice: random.Random) -> list[Placement]:
    row: list[Placement] = []
    while len(row) < 3:
        made = _make_crazy_diagonal(table, dice)
        if not made:
            return []
        row += made
    return row


#: What tells a figure of a single placement.
CHECKS: dict[FigureKind, Callable[[Placement], bool]] = {
    FigureKind.FOOT_HOOK: checks.is_foot_hook,
    FigureKind.CRAZY_DIAGONAL: checks.is_crazy_diagonal,
    FigureKind.SWING: checks.is_swing,
    FigureKind.CANDLE: checks.is_candle,
    FigureKind.TIGHTROPE_WALKER: checks.is_tightrope_walker,
    FigureKind.SHAMEFUL_SUPPORT: checks.is_shameful_support,
}

_MAKERS: dict[FigureKind, Callable[[Table, random.Random], list[Placement]]] = {
    FigureKind.FOOT_HOOK: _make_foot_hook,
    FigureKind.CRAZY_DIAGONAL: _make_crazy_diagonal,
    FigureKind.SWING: _make_swing,
    FigureKind.SIN_OF_PRIDE: _make_sin_of_pride,
    FigureKind.BOLT: _make_bolt,
    FigureKind.CANDLE: _make_candle,
    FigureKind.TIGHTROPE_WALKER: _make_tightrope_walker,
    FigureKind.SHAMEFUL_SUPPORT: _make_shameful_support,
}


def _axes(across: Array, along: Array) -> Array:
    """Return the rotation (3, 3) of a ladder with its long axis ``along``, its rungs nearly ``across``."""
    z = unit(along)
    x = unit(across - (across @ z) * z)
    return np.column_stack([x, np.cross(z, x), z])


def _pose(place: Array, point: Array, axes: Array) -> Pose:
    """Return the pose that brings a point of the ladder to a place."""
    return Pose(vec3(place - axes @ point), quat_from_matrix(axes))


def _end(ladder: Ladder, pose: Pose, side: int) -> Array:
    """Return the higher end of a rail."""
    ends = [mat_from_quat(pose.rotation) @ np.asarray(ladder.rails[side][k]) + pose.position for k in (0, -1)]
    return np.asarray(max(ends, key=lambda end: float(end[2])))
