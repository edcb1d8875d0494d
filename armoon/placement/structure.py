"""Computes a structure's properties that don't depend on the next ladder, between turns if there is time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from armoon.geometry import Array, mat_from_quat, rise_deg
from armoon.placement.rehearsal import LadderContacts, Rehearsal
from armoon.placement.values import Load, ReleaseOutcome
from armoon.values.pieces import Base, Ladder, PieceId
from armoon.values.places import RISING_DEG, LadderPlace, PlaceKind
from armoon.values.poses import Pose
from armoon.world.bullet import STILL_FRICTION
from armoon.world.checks import StructurePoses
from armoon.world.exact import PlacedBoxes

IntArray = npt.NDArray[np.int64]

#: Difference in height, in metres, that makes a piece of wood e times as likely to be drawn.
HEIGHT_M = 0.016
#: Minimum firmness of a segment's half, so that even halves that bear nothing are tried occasionally.
MIN_FIRMNESS = 0.03
#: Depth below the top, in metres, beyond which firmness isn't computed, because ladders are hardly ever laid there.
WEIGHED_DEPTH_M = 0.09


class Wood:
    """All boxes of all ladders, n of them, as segments in the table frame (m)."""

    def __init__(self, ladders: Mapping[PieceId, Ladder], standing: StructurePoses) -> None:
        placed = [PlacedBoxes(ladders[name].boxes, pose) for name, pose, _ in standing]
        self.names = [name for name, _, _ in standing]
        self.owner: IntArray = np.repeat(np.arange(len(placed)), [len(boxes.centres) for boxes in placed])
        self.axes: Array = np.concatenate([boxes.axes for boxes in placed])
        self.halves: Array = np.concatenate([boxes.halves for boxes in placed])
        centres = np.concatenate([boxes.centres for boxes in placed])
        self.directions: Array = self.axes[:, :, 2]
        """Unit vectors along the wood (n, 3)."""
        self.span: Array = 2.0 * self.directions * self.halves[:, 2:]
        self.start: Array = centres - 0.5 * self.span
        self.upper: Array = np.maximum(self.start[:, 2], self.start[:, 2] + self.span[:, 2])
        """Height of the upper end of each axis (n,)."""
        self.top_m = float(max(boxes.corners()[:, :, 2].max() for boxes in placed))
        ends, directions, owners = [], [], []
        openings: list[Array] = []
        opening_owners: list[int] = []
        for index, (name, pose, _) in enumerate(standing):
            rotation, position = mat_from_quat(pose.rotation), np.asarray(pose.position)
            for rail in ladders[name].rails:
                line = np.asarray(rail) @ rotation.T + position
                for end, neighbour in ((line[0], line[1]), (line[-1], line[-2])):
                    ends.append(end)
                    directions.append((end - neighbour) / np.linalg.norm(end - neighbour))
                    owners.append(index)
            rungs = np.asarray(ladders[name].rungs).reshape(-1, 2, 3) @ rotation.T + position
            openings += [np.concatenate([low, high[::-1]]) for low, high in itertools.pairwise(rungs)]
            opening_owners += [index] * (len(rungs) - 1)
        self.ends: Array = np.array(ends).reshape(-1, 3)
        """Ends of the rails (e, 3), with their directions (e, 3) and the indices of their ladders (e,)."""
        self.end_directions: Array = np.array(directions).reshape(-1, 3)
        self.end_owner: IntArray = np.array(owners, np.int64)
        self.end_firmness: Array = np.ones(len(owners))
        """Firmness of the ends, from 0 to 1 (e,)."""
        self.openings: Array = np.array(openings).reshape(-1, 4, 3)
        """Corners of each opening in order, the ends of two successive rungs (o, 4, 3), and its ladder's index (o,)."""
        self.opening_owner: IntArray = np.array(opening_owners, np.int64)
        self._firmness = np.ones((len(self.owner), 2))

    def draw_points(self, rng: np.random.Generator, count: int) -> tuple[Array, IntArray]:
        """Draw random points (count, 3) on the wood, mostly high and firm ones, and their segments (count,)."""
        heights = self.start[:, 2] + 0.5 * self.span[:, 2]
        weight = (self.halves[:, 2] * np.exp((heights - heights.max()) / HEIGHT_M))[:, None] * self._firmness
        chosen, half = np.divmod(rng.choice(weight.size, count, p=weight.ravel() / weight.sum()), 2)
        along = 0.5 * (half[:, None] + rng.random((count, 1)))
        return self.start[chosen] + along * self.span[chosen], chosen

    def find_threading(self) -> npt.NDArray[np.bool_]:
        """Return whether the axis of each segment passes through each opening of another ladder (n, o)."""
        corners = self.openings
        normal = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        middle = corners.mean(axis=1)
        offset = ((self.start[:, None] - middle) * normal).sum(axis=-1)
        rate = self.span @ normal.T
        with np.errstate(divide="ignore", invalid="ignore"):
            share = -offset / rate
        through: npt.NDArray[np.bool_] = (share >= 0.0) & (share <= 1.0)
        through &= self.owner[:, None] != self.opening_owner
        i, o = np.nonzero(through)
        point = self.start[i] + share[i, o][:, None] * self.span[i]
        side = np.roll(corners, -1, axis=1)[o] - corners[o]
        turns = np.cross(side, point[:, None] - corners[o])
        feasible = (turns * normal[o][:, None]).sum(axis=-1) > 0.0
        through[i, o] = feasible.all(axis=1)
        return through

    def measure_gaps_m(self, points: Array) -> Array:
        """Return the distances (p, n) of points (p, 3) from the axis of each segment, in metres."""
        offset = points[:, None] - self.start
        along = np.clip((offset * self.span).sum(axis=-1) / (self.span**2).sum(axis=-1), 0.0, 1.0)
        return np.asarray(np.linalg.norm(offset - along[..., None] * self.span, axis=-1))

    def list_spots(self) -> tuple[IntArray, list[Load]]:
        high = np.flatnonzero(self.upper > self.top_m - WEIGHED_DEPTH_M)
        points = [(k, self.start[k] + share * self.span[k]) for k in high for share in (0.25, 0.75)]
        return high, [((self.names[self.owner[k]], point, 1.0),) for k, point in points]

    def set_firmness(self, segments: IntArray, firmness: Array) -> None:
        """Set the firmness (m, 2), from 0 to 1, of the halves of these segments."""
        self._firmness[segments] = np.maximum(MIN_FIRMNESS, firmness)


#: Minimum sine of the upward angle of a rail end over which a ladder can be hooked; maximum depth below the top of ends
#: that count as free, metres. A ladder is hooked over an end at that depth e times less often than over the top.
HOOK_SINE, HOOK_DEPTH_M = 0.5, 0.07
#: Minimum distance of other ladders' axes from a free end, because an opening has to fit around the end; metres.
HOOK_CLEARANCE_M = 0.009
#: Distance of a ladder's axis from a rung up to which it rests on the rung, metres.
RUNG_CONTACT_M = 0.007


def classify_place(wood: Wood, index: int, pose: Pose) -> PlaceKind:
    through = wood.find_threading()
    if through[wood.owner == index].any() or through[:, wood.opening_owner == index].any():
        return PlaceKind.HOOK
    return PlaceKind.LEAN if rise_deg(pose) >= RISING_DEG else PlaceKind.PLATE


def describe_place(
    ladders: Mapping[PieceId, Ladder],
    standing: StructurePoses,
    piece: PieceId,
    release: Pose,
    outcome: ReleaseOutcome,
) -> LadderPlace:
    """Return the place where a ladder came to rest on this structure, before any slips were tried."""
    rest, reach_m = outcome.pose, outcome.height_m - outcome.others_height_m
    wood = Wood(ladders, [*standing, (piece, rest, False)])
    own_ends = wood.ends[wood.end_owner == len(standing)]
    supports = np.array([point for _, point, _ in outcome.load]).reshape(-1, 3)
    spans = np.linalg.norm(own_ends[:, None] - supports, axis=-1)
    return LadderPlace(
        release,
        rest,
        outcome.touched,
        reach_m > 0.0,
        max(outcome.height_m, outcome.others_height_m),
        0.0,
        kind=classify_place(wood, len(standing), rest),
        reach_m=reach_m,
        rise_deg=rise_deg(rest),
        poise_m=float(spans.min(axis=1).max()) if spans.size else 0.0,
        ends=count_free_ends(wood),
        faces=count_open_faces(wood, ladders, [*standing, (piece, rest, False)]),
    )


def count_free_ends(wood: Wood) -> int:
    high = wood.ends[:, 2] > wood.top_m - HOOK_DEPTH_M
    up = np.flatnonzero((wood.end_directions[:, 2] > HOOK_SINE) & high)
    gaps = wood.measure_gaps_m(wood.ends[up])
    gaps[wood.end_owner[up, None] == wood.owner] = np.inf
    return int((gaps > HOOK_CLEARANCE_M).all(axis=1).sum())


def count_open_faces(wood: Wood, ladders: Mapping[PieceId, Ladder], standing: StructurePoses) -> int:
    """Count rising ladders without another ladder at a rung of their upper half."""
    count = 0
    for index, (name, pose, _) in enumerate(standing):
        if rise_deg(pose) < RISING_DEG:
            continue
        rotation, position = mat_from_quat(pose.rotation), np.asarray(pose.position)
        rungs = np.asarray(ladders[name].rungs).mean(axis=1) @ rotation.T + position
        upper = rungs[rungs[:, 2] > position[2]]
        others = wood.owner != index
        count += bool(len(upper)) and bool((wood.measure_gaps_m(upper)[:, others] > RUNG_CONTACT_M).all())
    return count


#: Lever arm that converts torques into forces, in metres: about half a ladder's length.
ARM_M = 0.05
#: Penalty parameter and over-relaxation of the alternating direction method (ADMM).
PENALTY, OVER_RELAXATION = 0.05, 1.6
#: Iterations for the weight of the structure itself, and further ones for an additional load.
WEIGHT_STEPS, LOAD_STEPS = 400, 120


class StaticBalance:
    """Estimates whether contact forces can balance a structure with additional loads."""

    def __init__(
        self, ladders: Mapping[PieceId, Ladder], standing: StructurePoses, contacts: Sequence[LadderContacts]
    ) -> None:
        free = [(name, pose) for name, pose, fixed in standing if not fixed]
        self._row = {name: 6 * index for index, (name, _) in enumerate(free)}
        self._centre = {name: np.asarray(pose.position) for name, pose in free}
        mass = float(np.mean([ladders[name].mass_kg for name, _, _ in standing]))
        owners = [(m.a, m.b) for m in contacts for _ in m.points]
        points = np.concatenate([m.points for m in contacts]) if contacts else np.zeros((0, 3))
        self._normals = np.concatenate([m.normals for m in contacts]) if contacts else np.zeros((0, 3))
        self._effect = np.zeros((6 * len(free), 3 * len(points)))
        for column, (pair, point) in enumerate(zip(owners, points, strict=True)):
            for name, sign in zip(pair, (1.0, -1.0), strict=True):
                if name in self._row:
                    rows = slice(self._row[name], self._row[name] + 6)
                    self._effect[rows, 3 * column : 3 * column + 3] = sign * self._make_wrench(name, point)
        self._weights = np.zeros(6 * len(free))
        for name, row in self._row.items():
            self._weights[row + 2] = -ladders[name].mass_kg / mass
        system = self._effect @ self._effect.T + PENALTY * np.eye(6 * len(free))
        self._inverse = np.linalg.inv(system)
        self._start = np.zeros((self._effect.shape[1], 1))
        self._solver_error = 0.0
        """Unbalanced force without a load. The structure stands, so this is a solver error; ``weigh`` subtracts it."""
        if free:
            self._start = self._solve(self._weights[:, None], WEIGHT_STEPS)[1]
            self._solver_error = float(self._solve(self._weights[:, None], LOAD_STEPS)[0][0])

    def weigh(self, loads: Sequence[Load]) -> Array:
        """Return each load's addition (n,) to the worst ladder's unbalanced force, in weights of a ladder."""
        if not self._row or not loads:
            return np.zeros(len(loads))
        table = np.repeat(self._weights[:, None], len(loads), axis=1)
        for column, load in enumerate(loads):
            for name, point, share in load:
                if name in self._row:
                    row = self._row[name]
                    table[row : row + 6, column] -= share * self._make_wrench(name, point)[:, 2]
        return np.maximum(0.0, self._solve(table, LOAD_STEPS)[0] - self._solver_error)

    def _make_wrench(self, name: PieceId, point: Array) -> Array:
        """Return the wrench (6, 3) of a unit force at a point (3,) on a ladder."""
        x, y, z = (point - self._centre[name]) / ARM_M
        return np.vstack([np.eye(3), [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]])

    def _solve(self, loads: Array, steps: int) -> tuple[Array, Array]:
        """Return the worst ladder's unbalanced force (c,) under loads (6 n, c), and the contact forces (3 p, c)."""
        effect, count = self._effect, loads.shape[1]
        feasible = np.repeat(self._start, count // self._start.shape[1], axis=1)
        multipliers = np.zeros_like(feasible)
        gradient = effect.T @ loads
        for _ in range(steps):
            target = PENALTY * (feasible - multipliers) - gradient
            forces = (target - effect.T @ (self._inverse @ (effect @ target))) / PENALTY
            forces = OVER_RELAXATION * forces + (1.0 - OVER_RELAXATION) * feasible
            feasible = self._project_onto_cones(forces + multipliers)
            multipliers += forces - feasible
        residual = (effect @ feasible + loads).reshape(-1, 6, count)
        return np.sqrt((residual**2).sum(axis=1)).max(axis=0), feasible

    def _project_onto_cones(self, forces: Array) -> Array:
        v = forces.reshape(-1, 3, forces.shape[1])
        normal = self._normals[:, :, None]
        normal_n = (v * normal).sum(axis=1)
        tangential = v - normal_n[:, None] * normal
        friction_n = np.sqrt((tangential**2).sum(axis=1))
        on_cone = (normal_n + STILL_FRICTION * friction_n) / (1.0 + STILL_FRICTION**2)
        direction = normal + STILL_FRICTION * tangential / np.maximum(friction_n, 1e-12)[:, None]
        inside, away = (friction_n <= STILL_FRICTION * normal_n, STILL_FRICTION * friction_n <= -normal_n)
        nearest = np.where(away[:, None], 0.0, on_cone[:, None] * direction)
        return np.asarray(np.where(inside[:, None], v, nearest).reshape(forces.shape))


#: Unbalanced force, in weights of a ladder, that halves a candidate's worth.
SAG = 0.01
#: Unbalanced force that reduces a rail end's firmness by a factor of e; minimum firmness: hooked ladders mostly rest
#: on other wood, too.
END_SAG, MIN_END = 0.08, 0.05


class StructureModel:
    """A structure with its wood, its balance, and four engines to drop ladders in; must be closed."""

    def __init__(self, ladders: Mapping[PieceId, Ladder], base: Base, standing: StructurePoses) -> None:
        self.asked, self.ladders = tuple(standing), ladders
        self.free = Rehearsal(ladders, base, standing)
        # Use the poses at rest in the free rehearsal, which decides whether a place is good.
        settled = self.free.standing
        self.frozen = Rehearsal(ladders, base, settled, frozen=True)
        self.local = Rehearsal(ladders, base, settled, loose=frozenset())
        """Only the touched ladders move."""
        self.in_game = Rehearsal(ladders, base, settled, as_in_game=True)
        """Confirms good places: in a plain engine, one in twenty holds that doesn't in the game."""
        self.wood = Wood(ladders, settled)
        self.balance = StaticBalance(ladders, settled, self.free.find_contacts())
        segments, spots = self.wood.list_spots()
        self.wood.set_firmness(segments, np.exp(-self.balance.weigh(spots).reshape(-1, 2) / SAG))
        ends = zip(self.wood.end_owner, self.wood.ends, strict=True)
        unbalanced = self.balance.weigh([((self.wood.names[owner], end, 1.0),) for owner, end in ends])
        self.wood.end_firmness = np.maximum(MIN_END, np.exp(-unbalanced / END_SAG))

    def close(self) -> None:
        for rehearsal in (self.free, self.frozen, self.local, self.in_game):
            rehearsal.close()
