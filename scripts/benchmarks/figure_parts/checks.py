"""Whether a placement is the figure that its maker meant: by pushing, weighing and shoving, never by the recogniser.

Each check reads the printed sentence in another way than ``armoon.games.moon.figures`` does, mostly as an experiment
in an engine of its own, in which all ladders but the one in question are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from armoon.geometry import Array, mat_from_quat, vec3
from armoon.values.pieces import Ladder, PieceId
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import GRAVITY_M_S2, STEPS_PER_SECOND, Bullet
from armoon.world.exact import highest_point, pieces_distance
from benchmarks.figure_parts.scene import Placement

#: A push turns the ladder this fast; a free Swing then swings by this much at least, and back, the one way,
#: and some way on the other side.
PUSH_RAD_S = 3.0
SWING_S = 1.5
LEAST_SWING, LEAST_BACK_SWING = math.radians(8.0), math.radians(3.0)
#: A Swing hangs at most this far from the end of a rail, about as far as the longest free end reaches.
END_M = 0.025
#: A Bolt leaves at most this share of the swinging.
BOLTED_SHARE = 0.5
#: Limits of the share of its weight on the rung (a wedged ladder presses with far more), and maximum share elsewhere.
RUNG_SHARE, WEDGED_SHARE, ELSEWHERE_SHARE = 0.75, 1.75, 0.5
#: Time before the weight on a rung is measured, and steps over which it is averaged.
SCALES_S, SCALES_STEPS = 0.3, 10
#: A Candle stands this straight and rises by this share of its length above the rest.
UPRIGHT = math.radians(20.0)
RISE_SHARE = 0.4
#: A nudge: height by which its energy could lift the ladder. A ladder that it turns by more than TOPPLED was balanced.
NUDGE_M = 0.0012
TOPPLED = math.radians(15.0)
LEVEL = math.radians(15.0)
#: A Shameful Support: this share of ten slices of the shorter ladder lies this near the other, in its plane and across,
#: and their long axes differ by no more than this.
ALIKE = math.radians(12.0)
SLICES, LYING_SHARE, NEAR_M = 10, 0.8, 0.006
#: A threaded ladder that is shoved this far aside, in steps, meets the other's wood in every direction.
#: The sine of the least slant that makes a diagonal, 12 degrees.
LEAST_SLANT = 0.2
RAIL_SAMPLES, THROUGH_M = 80, 0.004
SHOVE_M, SHOVE_STEP_M, MEETS_M = 0.045, 0.002, 0.0008


class Scales(Bullet):
    """An engine that also says what each contact carries."""

    def loads(self, body: int) -> list[tuple[Vec3, float]]:
        """Where a body is touched, and the upward force on it there in newtons, friction included.

        All contacts are asked for and each read as the engine keeps it, on its first body from its second: asked
        for those of one body, pybullet turns some rows round and forgets to turn their friction.
        """
        import pybullet  # only now: armoon.world.bullet has imported it first, without its greeting

        found = []
        for row in pybullet.getContactPoints(physicsClientId=self._client):
            if body in row[1:3]:
                lift = row[9] * row[7][2] + row[10] * row[11][2] + row[12] * row[13][2]
                found.append((row[5], lift if body == row[1] else -lift))
        return found


class Bench:
    """One ladder loose among fixed ones."""

    def __init__(self, placement: Placement, loose: Sequence[PieceId]) -> None:
        self.engine = Scales()
        self.bodies = {
            p.piece: self.engine.add_ladder(placement.ladders[p.piece], p.pose, movable=p.piece in loose)
            for p in placement.facts.pieces
        }
        for piece in loose:
            self.engine.keep_awake(self.bodies[piece])

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.engine.close()

    def pose(self, piece: PieceId) -> Pose:
        """Where a ladder is."""
        return self.engine.pose(self.bodies[piece])

    def run(self, seconds: float) -> None:
        """Let time pass."""
        for _ in range(int(seconds * STEPS_PER_SECOND)):
            self.engine.step()


def swing_amplitude(
    placement: Placement, piece: PieceId, loose: Sequence[PieceId] = (), way: float = 1.0
) -> float:
    """How far in radians a push about its rungs' direction swings a ladder; 0 if it doesn't come back or falls off.

    ``way`` -1 pushes it the other way.
    """
    over = [name for name in placement.facts.touching(piece) if name not in loose]
    if not over:
        return 0.0
    with Bench(placement, (piece, *loose)) as bench:
        body = bench.bodies[piece]
        closest = bench.engine.closest(body, bench.bodies[over[0]], 0.001)
        if closest is None:
            return 0.0
        start = bench.pose(piece)
        turn = mat_from_quat(start.rotation)
        axis = turn[:, 0] - turn[:, 0] @ [0.0, 0.0, 1.0] * np.array([0.0, 0.0, 1.0])
        spin = axis / np.linalg.norm(axis) * PUSH_RAD_S * way
        arm = np.asarray(start.position) - np.asarray(closest.on_a)
        bench.engine.set_velocity(body, vec3(np.cross(spin, arm)), vec3(spin))
        sideways = np.cross(axis / np.linalg.norm(axis), [0.0, 0.0, 1.0])
        rest = math.asin(float(turn[:, 2] @ sideways))
        angles = []
        for _ in range(int(SWING_S * STEPS_PER_SECOND)):
            bench.engine.step()
            along = mat_from_quat(bench.pose(piece).rotation)[:, 2]
            angles.append(math.asin(float(np.clip(along @ sideways, -1.0, 1.0))) - rest)
        held = bench.engine.closest(body, bench.bodies[over[0]], 0.001) is not None
        farthest = int(np.argmax(np.abs(angles)))
        back = abs(angles[-1]) < 0.9 * abs(angles[farthest]) or angles[-1] * angles[farthest] < 0.0
        return abs(angles[farthest]) if held and back else 0.0


def is_swing(placement: Placement) -> bool:
    """Return whether it touches one ladder near a rail's end, hangs, and swings back whichever way it is pushed."""
    piece, facts = placement.placed, placement.facts
    touched = facts.touching(piece)
    if len(touched) != 1:
        return False
    (point,) = (contact.point for contact in facts.contacts if piece in (contact.a, contact.b))
    over = facts[touched[0]].pose
    turn = mat_from_quat(over.rotation)
    ends = [
        turn @ np.asarray(rail[k]) + over.position
        for rail in placement.ladders[touched[0]].rails
        for k in (0, -1)
    ]
    near_end = min(float(np.linalg.norm(end - point)) for end in ends) <= END_M
    hangs = facts[piece].pose.position[2] < point[2] - 0.01
    if not (near_end and hangs):
        return False
    less, more = sorted(swing_amplitude(placement, piece, way=way) for way in (-1.0, 1.0))
    return more >= LEAST_SWING and less >= LEAST_BACK_SWING


def is_bolt(before: Placement, after: Placement) -> bool:
    """Return whether a push moves the Swing of ``before`` much less with the third ladder there."""
    hung = before.placed
    touched = after.facts.touching(after.placed)
    if hung not in touched or len(touched) < 2:
        return False
    free = swing_amplitude(before, hung)
    return swing_amplitude(after, hung, (after.placed,)) <= BOLTED_SHARE * free


def is_candle(placement: Placement) -> bool:
    """Return whether the line from between its feet to between its heads is upright, and it towers above the rest."""
    ladder, pose = placement.ladders[placement.placed], placement.facts[placement.placed].pose
    foot, head = (np.mean([rail[k] for rail in ladder.rails], axis=0) for k in (0, -1))
    way = mat_from_quat(pose.rotation) @ (head - foot)
    lean = math.acos(min(1.0, abs(float(way[2])) / float(np.linalg.norm(way))))
    own = highest_point(ladder.boxes, pose)
    rest = max(
        highest_point(placement.ladders[p.piece].boxes, p.pose)
        for p in placement.facts.pieces
        if p.piece != placement.placed
    )
    return lean <= UPRIGHT and own - rest >= RISE_SHARE * ladder.length_m


def is_foot_hook(placement: Placement) -> bool:
    """Return whether it touches one ladder, with nearly all its weight on one of its rungs."""
    piece = placement.placed
    if len(placement.facts.touching(piece)) != 1 or is_candle(placement) or is_swing(placement):
        return False
    share, elsewhere = rung_share(placement)
    return RUNG_SHARE <= share <= WEDGED_SHARE and elsewhere <= ELSEWHERE_SHARE


def rung_share(placement: Placement) -> tuple[float, float]:
    """Return the greatest share of the placed ladder's weight on any one of its rungs, and all other upward force."""
    ladder = placement.ladders[placement.placed]
    centres, halves = (
        np.array([getattr(box, k) for box in ladder.boxes]) for k in ("centre", "half_extents")
    )
    axes = np.array([mat_from_quat(box.rotation) for box in ladder.boxes])
    rungs = np.array([box.role == "rung" for box in ladder.boxes])
    with Bench(placement, (placement.placed,)) as bench:
        bench.run(SCALES_S)
        loads = np.zeros(len(rungs))
        whole = upward = 0.0
        for _ in range(SCALES_STEPS):
            bench.run(1.0 / STEPS_PER_SECOND)
            pose = bench.pose(placement.placed)
            for point, newtons in bench.engine.loads(bench.bodies[placement.placed]):
                whole += newtons
                upward += max(0.0, newtons)
                local = mat_from_quat(pose.rotation).T @ (np.asarray(point) - pose.position)
                outside = np.abs(np.einsum("nij,ni->nj", axes, local - centres)) - halves
                loads[np.argmin(np.linalg.norm(np.maximum(outside, 0.0), axis=1))] += newtons
    most = float(loads[rungs].max())
    return (most / whole, (upward - most) / whole) if whole > 0.0 else (0.0, 0.0)


def is_crazy_diagonal(placement: Placement) -> bool:
    """Shoved any way in the other's plane it meets wood, and it crosses that plane between two rungs."""
    piece, facts = placement.placed, placement.facts
    for name in facts.touching(piece):
        turn = mat_from_quat(facts[name].pose.rotation)
        ways = (turn[:, 0], -turn[:, 0], turn[:, 2], -turn[:, 2])
        if (
            _slants(facts[piece].pose, facts[name].pose)
            and crosses_one_opening(
                placement.ladders[piece], facts[piece].pose, placement.ladders[name], facts[name].pose
            )
            and all(_meets(placement, name, way) for way in ways)
        ):
            return True
    return False


def _slants(pose: Pose, where: Pose) -> bool:
    """Whether a ladder goes up or down, or its rungs stand obliquely in the other's plane."""
    own, turn = mat_from_quat(pose.rotation), mat_from_quat(where.rotation)
    rises = LEAST_SLANT < abs(float(own[2, 2])) < math.cos(math.asin(LEAST_SLANT))
    width = own[:, 0] @ turn
    oblique = min(abs(float(width[0])), abs(float(width[2]))) / math.hypot(width[0], width[2])
    return rises or oblique > LEAST_SLANT


def crosses_one_opening(ladder: Ladder, pose: Pose, other: Ladder, where: Pose) -> bool:
    """Whether both its rails cross another's plane between the same two rungs, with something left on either side."""
    own, turn = mat_from_quat(pose.rotation), mat_from_quat(where.rotation)
    points = []
    for rail in ladder.rails:
        heights = np.linspace(rail[0][2], rail[-1][2], RAIL_SAMPLES)
        bends = np.interp(heights, [p[2] for p in rail], [p[0] for p in rail])
        line = np.column_stack([bends, np.zeros(RAIL_SAMPLES), heights]) @ own.T
        seen = (line + pose.position - np.asarray(where.position)) @ turn
        if seen[0, 1] * seen[-1, 1] >= 0.0 or min(abs(seen[0, 1]), abs(seen[-1, 1])) < THROUGH_M:
            return False
        points.append(seen[int(np.argmin(np.abs(seen[:, 1])))])
    return _within_one_opening(other, np.array(points))


def _within_one_opening(ladder: Ladder, points: Array) -> bool:
    """Whether points (n, 3) of a ladder's frame lie between its rails, between the same two rungs.

    A rung between them would link the two ladders like a chain's: no hand can bring that about.
    """
    above = []
    for x, _, z in points:
        left, right = (
            float(np.interp(z, [p[2] for p in rail], [p[0] for p in rail])) for rail in ladder.rails
        )
        if not left < x < right:
            return False
        above.append(sum(z > float(np.interp(x, [a[0], b[0]], [a[2], b[2]])) for a, b in ladder.rungs))
    return len(set(above)) == 1 and 0 < above[0] < len(ladder.rungs)


def _meets(placement: Placement, name: PieceId, direction: Array) -> bool:
    """Whether shoving the placed ladder in a direction brings it into the other's wood."""
    mine, pose = placement.ladders[placement.placed], placement.facts[placement.placed].pose
    other = placement.ladders[name]
    for way in np.arange(SHOVE_STEP_M, SHOVE_M, SHOVE_STEP_M):
        shoved = Pose(vec3(np.asarray(pose.position) + direction * way), pose.rotation)
        if pieces_distance(mine.boxes, shoved, other.boxes, placement.facts[name].pose) < -MEETS_M:
            return True
    return False


def is_tightrope_walker(placement: Placement) -> bool:
    """Level, its weight above all that it touches, and a small nudge is enough to topple it."""
    piece, facts = placement.placed, placement.facts
    start = facts[piece].pose
    turn = mat_from_quat(start.rotation)
    touched = [contact.point[2] for contact in facts.contacts if piece in (contact.a, contact.b)]
    if abs(turn[2, 2]) > math.sin(LEVEL) or start.position[2] < max(touched) - 0.002:
        return False
    ladder = placement.ladders[piece]
    for k in (0, 2):
        radius = math.sqrt(ladder.inertia_kg_m2[k] / ladder.mass_kg)
        spin = turn[:, k] * math.sqrt(2.0 * GRAVITY_M_S2 * NUDGE_M) / radius
        for sign in (-1.0, 1.0):
            with Bench(placement, (piece,)) as bench:
                bench.engine.set_velocity(bench.bodies[piece], (0.0, 0.0, 0.0), vec3(spin * sign))
                bench.run(SWING_S)
                end = mat_from_quat(bench.pose(piece).rotation)
            if math.acos(float(np.clip((np.trace(turn.T @ end) - 1.0) / 2.0, -1.0, 1.0))) > TOPPLED:
                return True
    return False


def is_shameful_support(placement: Placement) -> bool:
    """Cut into slices, nearly all of the shorter one's length lies on the other's wood."""
    piece = placement.placed
    ladder, pose = placement.ladders[piece], placement.facts[piece].pose
    for name in placement.facts.touching(piece):
        other, where = placement.ladders[name], placement.facts[name].pose
        turn = mat_from_quat(where.rotation)
        if abs(turn[:, 2] @ mat_from_quat(pose.rotation)[:, 2]) < math.cos(ALIKE):
            continue
        lengths = [
            (min(p[2] for r in one.rails for p in r), max(p[2] for r in one.rails for p in r))
            for one in (ladder, other)
        ]
        shares = np.linspace(*lengths[0], SLICES)
        lying = 0
        for z in shares:
            points = [
                mat_from_quat(pose.rotation)
                @ [np.interp(z, [p[2] for p in rail], [p[0] for p in rail]), 0.0, z]
                for rail in ladder.rails
            ]
            x, y, along = ((np.mean(points, axis=0) + pose.position) - np.asarray(where.position)) @ turn
            inside = lengths[1][0] <= along <= lengths[1][1]
            lying += bool(inside and abs(y) <= NEAR_M and abs(x) <= 2.5 * NEAR_M)
        shorter = min(b - a for a, b in lengths) / (lengths[0][1] - lengths[0][0])
        if lying >= LYING_SHARE * shorter * SLICES:
            return True
    return False
