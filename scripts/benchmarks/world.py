"""Measures the cost of structures of 2 to 28 ladders, and how still they stand.

Rows are measured one after another, each in its own process: memory is the process's peak, and time is processor time,
on which other work on the machine has little effect.
"""

from __future__ import annotations

import itertools
import math
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.table import Table

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.values.pieces import GripIntent, Offer, PieceId
from armoon.values.poses import Pose
from armoon.world.exact import find_distance_m
from armoon.world.piece import QUIET_TICKS
from benchmarks import Save
from benchmarks.hand_script import SimulatedHand
from benchmarks.towers import SIZES, Structure, build_world, load_tower
from benchmarks.world_pushes import SAME_M, SAME_RAD, measure_compliance
from benchmarks.world_releases import measure_releases

#: Time for settling after the build, and for falling asleep, seconds.
SETTLE_S = 6.0
#: Time after settling over which the drift is measured, seconds.
DRIFT_S = 60.0
#: Time over which the drift is measured with sleeping forbidden, shorter because that is slow, seconds.
DRIFT_AWAKE_S = 10.0
#: Number of timed slices, and ticks per slice; the fastest slice counts, because interruptions only add time.
SLICES, SLICE_TICKS = 6, 30
#: Height of the hovering ladder above the tower, in metres.
HOVER_M = 0.014
#: Distance between the middles of two pieces beyond which they can't touch, in metres.
REACH_M = 0.16
#: Number of ladders released over the tower of 12.
RELEASES = 60
#: Number of feet that are pushed onto rungs.
PUSHES = 200
#: Interval at which a tower is woken, because it would fall asleep after half a second at rest.
WAKE_TICKS = QUIET_TICKS // 2
#: Width of the printed table without a terminal, in columns.
TABLE_COLUMNS = 140
#: Targets with 28 ladders on one core, at rest and awake, in multiples of real time.
TARGET_REST, TARGET_AWAKE = 20.0, 2.0


@dataclass(frozen=True)
class Row:
    ladders: int
    drift_mm: float
    """Maximum motion of a ladder's middle in DRIFT_S at rest, sleeping allowed."""
    drift_awake_mm: float
    """The same with sleeping forbidden, in DRIFT_AWAKE_S."""
    penetration_mm: float
    """The deepest overlap of two pieces at the end of the drift measurement."""
    ms_rest: float
    """Cost of a tick at rest, sleeping allowed, with a held ladder hovering above."""
    ms_awake: float
    realtime_rest: float
    realtime_awake: float
    memory_mib: float
    contacts: int
    """Pairs of pieces that touch, at most 0.05 mm apart."""
    stands: bool
    """Whether nothing moved by more than a rung's width."""


def run(save: Save) -> None:
    console = Console(width=None if sys.stdout.isatty() else TABLE_COLUMNS)
    rows = []
    for size in SIZES:
        console.print(f"{size} ladders ...")
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
            rows.append(pool.submit(measure, size).result())
    console.print(_make_table(rows))
    _print_summary(console, rows)
    released = measure_releases(RELEASES)
    console.print(_make_row("Releases over a tower of 12: deepest overlap, rise of energy in %", released))
    pushed = measure_compliance(PUSHES)
    same = f"{1000.0 * SAME_M:.0f} mm, {math.degrees(SAME_RAD):.0f}°"
    title = f"Feet pushed onto rungs, then released; poses within {same} count as the same"
    console.print(_make_row(title, pushed))
    save(
        {
            "settle_s": SETTLE_S,
            "drift_s": DRIFT_S,
            "drift_awake_s": DRIFT_AWAKE_S,
            "towers": [asdict(row) for row in rows],
            "awake_28": rows[-1].realtime_awake,
            "releases": released,
            "compliance": pushed,
        }
    )


class Tower:
    """A tower in the game's own world, and the facts of its last tick."""

    def __init__(self, structure: Structure, *, sleeping: bool) -> None:
        self.world = build_world(structure)
        self._sleeping = sleeping
        self._ticks = 0
        self._names = {name for name, _, _ in structure.standing}
        self.spare = next(p.piece for p in structure.ladders.ladders if p.piece not in self._names)

    def tick(self, grip: GripIntent | None = None) -> None:
        if not self._sleeping and self._ticks % WAKE_TICKS == 0:
            self.world.disturb()
        self._ticks += 1
        self.facts = self.world.tick(grip)

    def poses(self) -> dict[PieceId, Pose]:
        return {name: pose for name, pose in self.world.poses().items() if name in self._names}


def measure(size: int, drift_s: float = DRIFT_S) -> Row:
    structure = load_tower(size)
    awake = Tower(structure, sleeping=False)
    drift_awake_mm, _ = _measure_drift(awake, min(drift_s, DRIFT_AWAKE_S))
    ms_awake = _measure_ms(awake.tick)
    asleep = Tower(structure, sleeping=True)
    drift_mm, poses = _measure_drift(asleep, drift_s)
    distances = _measure_gaps(structure, poses)
    ms_rest = _measure_ms(_hold_above(asleep))
    starts = {name: pose for name, pose, _ in structure.standing}
    return Row(
        ladders=size,
        drift_mm=drift_mm,
        drift_awake_mm=drift_awake_mm,
        penetration_mm=1000.0 * max(0.0, -min(distances, default=0.0)),
        ms_rest=ms_rest,
        ms_awake=ms_awake,
        realtime_rest=1000.0 * TICK_S / ms_rest,
        realtime_awake=1000.0 * TICK_S / ms_awake,
        memory_mib=_read_peak_mib(),
        contacts=sum(distance <= 5e-5 for distance in distances),
        stands=_find_shift_mm(starts, poses) < 3.0,
    )


def _measure_drift(engine: Tower, drift_s: float) -> tuple[float, dict[PieceId, Pose]]:
    """Return the drift, mm, and the final poses."""
    for _ in range(int(SETTLE_S * TICKS_PER_SECOND)):
        engine.tick()
    before = engine.poses()
    for _ in range(int(drift_s * TICKS_PER_SECOND)):
        engine.tick()
    after = engine.poses()
    return _find_shift_mm(before, after), after


def _find_shift_mm(before: dict[PieceId, Pose], after: dict[PieceId, Pose]) -> float:
    return 1000.0 * max(math.dist(pose.position, after[name].position) for name, pose in before.items())


def _measure_gaps(structure: Structure, poses: dict[PieceId, Pose]) -> list[float]:
    """Return the exact distances in metres of all pairs that nearly touch, except pairs of starting ladders."""
    near = 1e-4
    distances_m = []
    fixed = {name for name, _, is_fixed in structure.standing if is_fixed}
    for a, b in itertools.combinations(sorted(poses), 2):
        if math.dist(poses[a].position, poses[b].position) < REACH_M and not {a, b} <= fixed:
            boxes_a, boxes_b = structure.ladders[a].boxes, structure.ladders[b].boxes
            distance = find_distance_m(boxes_a, poses[a], boxes_b, poses[b], near)
            if distance < near:
                distances_m.append(distance)
    return distances_m


def _hold_above(engine: Tower) -> Callable[[], None]:
    """Take a ladder from the lid and hold it over the tower; return a function that plays another tick."""
    world, piece = engine.world, engine.spare
    world.apply(Offer(piece))
    x, y, z = world.poses()[piece].position
    hand = SimulatedHand(engine.tick, (x, y, z), source="bench")
    hand.grab()
    top = max(piece.highest_m for piece in engine.facts.pieces)
    hand.move_by((0.0, 0.0, top + 0.2 - z), 60)
    hand.move_by((-x, -y, 0.0), 60)
    sink = engine.facts[piece].lowest_m - top - HOVER_M
    hand.move_by((0.0, 0.0, -sink), 60)
    hand.hold(60)
    return lambda: hand.hold(1)


def _measure_ms(tick: Callable[[], None]) -> float:
    slices_s = []
    for _ in range(SLICES):
        began_s = time.process_time()
        for _ in range(SLICE_TICKS):
            tick()
        slices_s.append(time.process_time() - began_s)
    return 1000.0 * min(slices_s) / SLICE_TICKS


def _read_peak_mib() -> float:
    """Return this process's peak memory; Linux counts in KiB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024.0**2 if sys.platform == "darwin" else 1024.0)


def _make_table(rows: list[Row]) -> Table:
    table = Table(
        *("ladders", "drift mm", "awake", "overlap mm", "stands"),
        *("rest ms", "x", "awake ms", "x", "MiB", "touches"),
        title=f"Towers: {DRIFT_S:.0f} s after rest; ms of one core per 1/60 s, x is real time",
    )
    for row in rows:
        table.add_row(
            *(str(row.ladders), f"{row.drift_mm:.3f}", f"{row.drift_awake_mm:.3f}"),
            *(f"{row.penetration_mm:.3f}", "yes" if row.stands else "NO"),
            *(f"{row.ms_rest:.2f}", f"{row.realtime_rest:.0f}", f"{row.ms_awake:.2f}"),
            *(f"{row.realtime_awake:.1f}", f"{row.memory_mib:.0f}", str(row.contacts)),
        )
    return table


def _make_row(title: str, figures: Mapping[str, float]) -> Table:
    table = Table(*(name.replace("_", " ") for name in figures), title=title)
    table.add_row(*(f"{value:g}" if isinstance(value, int) else f"{value:.3f}" for value in figures.values()))
    return table


def _print_summary(console: Console, rows: list[Row]) -> None:
    most = rows[-1]
    console.print(
        f"With {most.ladders} ladders armoon runs at {most.realtime_rest:.0f} times real time at rest"
        f" (target: {TARGET_REST:.0f}) and {most.realtime_awake:.2f} awake (target: {TARGET_AWAKE})."
    )
    costs = ", ".join(f"{row.ms_awake / max(1, row.contacts):.2f}" for row in rows)
    console.print(f"Awake ms per touching pair, by size: {costs}.")
