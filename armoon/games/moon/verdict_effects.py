"""Effects shown after a verdict (fallen ladders, the flying tear, rings, dust, the moon's mood), and slips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.clock import TICK_S
from armoon.games.moon.editions import Reason, Verdict
from armoon.games.sketches import ease
from armoon.geometry import pose_apply, quat_inverse, quat_multiply, rotation_vector
from armoon.sound.cues import CueKind, SoundCue, build_impact_cue, select_loudest
from armoon.values.pieces import Base, Facts, LadderSet, PieceFacts, PieceId, PieceStatus
from armoon.values.places import Support
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Mood, ScenePiece, ScenePlayer, SceneRing, SlowFall, TearFlight
from armoon.world.bullet import STEPS_PER_TICK, Bullet
from armoon.world.ladders import list_standing
from armoon.world.physics import SolverSettings
from armoon.world.seating import fill_engine

#: Ticks for which fallen ladders keep their size, and for which they shrink afterwards.
SHOWN_TICKS, SHRINK_TICKS = 130, 24
#: Reasons of verdicts that only warn.
WARNINGS = (Reason.TWO_HANDS_WARNED, Reason.TWO_HANDS_NOTED, Reason.TIME_WARNED)


@dataclass(frozen=True)
class FallenLadder:
    """A ladder's state of motion when it left the game."""

    piece: PieceId
    pose: Pose
    velocity_m_s: Vec3
    spin_rad_s: Vec3
    """Angular velocity, table frame."""


def measure_fall(piece: PieceId, before: Pose, now: Pose) -> FallenLadder:
    """Return the ladder with the velocities that moved it between two poses in one tick."""
    vx, vy, vz = ((b - a) / TICK_S for a, b in zip(before.position, now.position, strict=True))
    x, y, z = rotation_vector(quat_multiply(now.rotation, quat_inverse(before.rotation)))
    return FallenLadder(piece, now, (vx, vy, vz), (x / TICK_S, y / TICK_S, z / TICK_S))


#: Physics of the heap; with longer steps thin ladders would pass through each other.
_SOLVING = SolverSettings(20, parts=2)
#: Maximum number of ticks simulated in one call.
_MAX_TICKS = 30
#: Maximum change of speed in a tick without a collision: 0.16 m/s by gravity, and some jitter.
_SILENT_M_S = 0.2


class FallenHeap:
    """Simulates the collisions of fallen ladders for pictures and sounds only; must be closed."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = {ladder.piece: ladder for ladder in ladders.ladders}
        self._base_boxes = base.boxes
        self._engine: Bullet | None = None
        self._lying: dict[PieceId, tuple[int, int]] = {}
        """For each ladder: its body, and the tick at which it left the game."""
        self._standing: dict[PieceId, tuple[int, Pose]] = {}
        self._sounds: dict[int, CueKind] = {}
        """For each body of table and base: the sound of hitting it."""
        self._knocks: list[SoundCue] = []
        self._tick = 0

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()

    def add_ladders(self, fallen: Sequence[FallenLadder], facts: Facts) -> None:
        if not fallen:
            return
        engine = self._engine = self._engine or Bullet(plain=True)
        if not self._lying:
            table, ground, _ = fill_engine(engine, self._base_boxes, self._ladders, ())
            self._sounds = dict.fromkeys(table.bodies, CueKind.THUD)
            self._sounds.update(dict.fromkeys(ground.bodies, CueKind.SOFT))
            engine.set_solver(_SOLVING)
            self._standing, self._tick = {}, facts.tick
        for ladder in fallen:
            body = engine.add_ladder(self._ladders[ladder.piece], ladder.pose, movable=True)
            engine.set_velocity(body, ladder.velocity_m_s, ladder.spin_rad_s)
            self._lying[ladder.piece] = body, facts.tick

    def simulate(self, facts: Facts) -> tuple[ScenePiece, ...]:
        """Simulate the fall up to the facts' tick; return the ladders to draw, without those in the game again."""
        ticks, self._tick = facts.tick - self._tick, facts.tick
        latest = max((tick for _, tick in self._lying.values()), default=-math.inf)
        if self._engine is None or not 0 <= facts.tick - latest < SHOWN_TICKS + SHRINK_TICKS:
            self._lying = {}
            return ()
        self._update_structure(self._engine, facts)
        for _ in range(min(ticks, _MAX_TICKS)):
            self._simulate_tick(self._engine)
        in_game = {piece.piece for piece in facts.pieces}
        visible = []
        for piece, (body, tick) in self._lying.items():
            size = 1.0 - ease(facts.tick - tick, SHOWN_TICKS, SHOWN_TICKS + SHRINK_TICKS)
            if piece not in in_game and size > 0.0:
                visible.append(ScenePiece(piece, self._engine.get_pose(body), "fault", size=size))
        return tuple(visible)

    def pop_knocks(self) -> list[SoundCue]:
        knocks, self._knocks = select_loudest(self._knocks), []
        return knocks

    def _simulate_tick(self, engine: Bullet) -> None:
        before = [engine.get_velocity(body)[0] for body, _ in self._lying.values()]
        for _ in range(STEPS_PER_TICK * _SOLVING.parts):
            engine.step()
        for velocity, (piece, (body, _)) in zip(before, self._lying.items(), strict=True):
            jolt_m_s = math.dist(velocity, engine.get_velocity(body)[0]) - _SILENT_M_S
            if jolt_m_s > 0.0:
                ladder, place = self._ladders[piece], engine.get_pose(body).position
                hardest = max(engine.get_contact_forces(body), key=lambda touch: touch.force_n, default=None)
                kind = CueKind.KNOCK if hardest is None else self._sounds.get(hardest.other, CueKind.KNOCK)
                self._knocks.append(build_impact_cue(kind, ladder.mass_kg * jolt_m_s, ladder.length_m, place))

    def _update_structure(self, engine: Bullet, facts: Facts) -> None:
        poses = {piece: pose for piece, pose, _ in list_standing(facts)}
        for piece in self._standing.keys() - poses.keys():
            engine.remove(self._standing.pop(piece)[0])
        for piece, pose in poses.items():
            body, former = self._standing.get(piece, (None, None))
            if body is None:
                body = engine.add_ladder(self._ladders[piece], pose, movable=False)
            elif pose != former:
                engine.set_pose(body, pose)
            self._standing[piece] = body, pose


#: Ticks after the verdict at which the tear leaves the moon, arrives at its player, and the next turn begins.
TEAR_LEAVES_TICK, TEAR_LANDS_TICK, NEXT_TURN_TICK = 24, 60, 84
#: Ticks for which a success shows a ring; ticks at which its ladder starts and ends fading to its own colour.
RING_TICKS, FADE_START_TICK, FADE_END_TICK = 45, 60, 150
#: Ticks for which the moon shows an expression.
FACE_TICKS = 150
#: Final size of the ring, metres.
_RING_M = 0.11


@dataclass(frozen=True)
class LastVerdict:
    """The last verdict, its tick, and the ladders that fell."""

    verdict: Verdict
    tick: int
    fallen: tuple[FallenLadder, ...] = ()
    support: Support | None = None
    """Support of the placed ladder before it fell; None if unknown."""
    push: str = ""
    """How the placed ladder touched the one that fell, a message key below ``why.others``; empty if it didn't."""
    is_skipped: bool = False
    """Whether the next turn has begun, so only the card and its evidence are shown."""

    def get_age(self, tick: int) -> int:
        return NEXT_TURN_TICK if self.is_skipped else tick - self.tick

    @property
    def is_good(self) -> bool | None:
        """Whether the turn was a success; None for a fall charged to nobody, or a warning."""
        verdict = self.verdict
        return None if verdict.ok and (verdict.fallen or verdict.reason in WARNINGS) else verdict.ok

    @property
    def has_fallen(self) -> bool:
        return bool(self.fallen) and self.verdict.reason is not Reason.HELD_TOUCHED

    @property
    def costs_tear(self) -> bool:
        return self.verdict.tears > 0 and self.verdict.charged is not None


def find_tear_flight(last: LastVerdict, tick: int) -> TearFlight | None:
    ticks = last.get_age(tick)
    if not last.costs_tear or not TEAR_LEAVES_TICK <= ticks < TEAR_LANDS_TICK:
        return None
    assert last.verdict.charged is not None
    return TearFlight(last.verdict.charged, (ticks - TEAR_LEAVES_TICK) / (TEAR_LANDS_TICK - TEAR_LEAVES_TICK))


def count_tears_on_moon(last: LastVerdict | None, tick: int, tears_left: int) -> int:
    is_delayed = last is not None and last.costs_tear and last.get_age(tick) < TEAR_LEAVES_TICK
    return tears_left + last.verdict.tears if is_delayed and last is not None else tears_left


def delay_changes(players: tuple[ScenePlayer, ...], last: LastVerdict, tick: int) -> tuple[ScenePlayer, ...]:
    """Return the players as shown during a verdict: a tear counts once it lands, and then the next turn begins."""
    ticks, verdict = last.get_age(tick), last.verdict
    delayed = []
    for seat, player in enumerate(players):
        if last.costs_tear and seat == verdict.charged and ticks < TEAR_LANDS_TICK:
            player = replace(player, tears=max(0, player.tears - verdict.tears), eliminated=False)
        if ticks < NEXT_TURN_TICK:
            player = replace(player, on_turn=seat == verdict.player)
        delayed.append(player)
    return tuple(delayed)


def build_rings(last: LastVerdict, facts: Facts) -> tuple[SceneRing, ...]:
    ticks, ladder = last.get_age(facts.tick), last.verdict.ladder
    if not last.is_good or ladder is None or ticks >= RING_TICKS:
        return ()
    places = [piece.pose.position for piece in facts.pieces if piece.piece == ladder]
    return tuple(SceneRing(place, _RING_M, ticks / RING_TICKS) for place in places)


def compute_glow(last: LastVerdict, tick: int) -> float:
    progress = (tick - last.tick - FADE_START_TICK) / (FADE_END_TICK - FADE_START_TICK)
    return 1.0 - min(1.0, max(0.0, progress))


def choose_mood(last: LastVerdict | None, tick: int, tears_left: int, *, won: bool, ended: bool) -> Mood:
    face = 0.0
    if last is not None and tick - last.tick <= FACE_TICKS:
        is_sad = last.is_good is False or bool(last.verdict.fallen)  # even if nobody is charged for a fall
        face = -1.0 if is_sad else float(last.is_good or 0.0)
    dark = 0.0 if tears_left > 1 or won else 0.5 if tears_left == 1 and not ended else 1.0
    return Mood(0.0 if won else face, dark, 1.0 if won else 0.0)


#: Dust: duration in ticks; width, distance from the fallen ladder's middle to both sides, and maximum height, metres.
DUST_TICKS, _DUST_M, _DUST_APART_M, _DUST_HIGH_M = 75, 0.05, 0.035, 0.015


def build_dust(last: LastVerdict, tick: int) -> tuple[SceneRing, ...]:
    progress = last.get_age(tick) / DUST_TICKS
    if progress >= 1.0 or not last.has_fallen:
        return ()
    ends = [
        pose_apply(fallen.pose, (0.0, 0.0, side * _DUST_APART_M))
        for fallen in last.fallen
        for side in (-1.0, 1.0)
    ]
    return tuple(SceneRing((x, y, min(z, _DUST_HIGH_M)), _DUST_M, progress, dust=True) for x, y, z in ends)


#: Minimum drop that counts as a slip, of a standing ladder and of a released one, which may still settle; metres.
SLIP_M, PLACED_SLIP_M = 0.015, 0.035
#: Ticks after a slip at which the camera is close to it, starts to move back, and has moved back.
NEAR_TICKS, BACK_START_TICK, BACK_TICKS = 22, 100, 135
#: Height of the point that the camera looks at, relative to the height of the slip.
_FOCUS_HEIGHT = 0.25


class SlipDetector:
    """Detects the first slip of each fall, for pictures only."""

    def __init__(self) -> None:
        self._rest: Facts | None = None
        """The facts when everything was last at rest."""
        self._release_positions: dict[PieceId, Vec3] = {}
        """Positions at which ladders were first seen free since then."""
        self._has_slipped = False
        self._last_fall: tuple[Vec3, int] | None = None

    def add_facts(self, before: Facts, facts: Facts) -> None:
        if facts.at_rest:
            self._has_slipped = False
            return
        if before.at_rest:
            self._rest, self._release_positions = before, {}
        if not self._has_slipped and facts.held is None:
            for piece in facts.pieces:
                if piece.status is PieceStatus.FREE:
                    self._check_piece(piece, facts.tick)

    def _check_piece(self, piece: PieceFacts, tick: int) -> None:
        before = () if self._rest is None else self._rest.pieces
        spots = [p.pose.position for p in before if (p.piece, p.status) == (piece.piece, piece.status)]
        min_drop_m = SLIP_M if spots else PLACED_SLIP_M
        place = spots[0] if spots else self._release_positions.setdefault(piece.piece, piece.pose.position)
        if place[2] - piece.pose.position[2] > min_drop_m:
            self._start_fall(place, tick)

    def add_verdict(self, last: LastVerdict) -> None:
        if last.has_fallen and not self._has_slipped:
            self._start_fall(last.fallen[0].pose.position, last.tick)

    def end_early(self, tick: int) -> None:
        if self._last_fall is not None:
            self._last_fall = self._last_fall[0], min(self._last_fall[1], tick - BACK_START_TICK)

    def find_fall(self, tick: float) -> SlowFall | None:
        ticks = BACK_TICKS if self._last_fall is None else max(0.0, tick - self._last_fall[1])
        if self._last_fall is None or ticks >= BACK_TICKS:
            return None
        near = ease(ticks, 0, NEAR_TICKS) * (1.0 - ease(ticks, BACK_START_TICK, BACK_TICKS))
        x, y, z = self._last_fall[0]
        return SlowFall((x, y, _FOCUS_HEIGHT * z), ticks, near)

    def _start_fall(self, place: Vec3, tick: int) -> None:
        self._last_fall, self._has_slipped = (place, tick), True
