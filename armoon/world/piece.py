"""One ladder in a world: its status, its body in the engine, and its last reported pose."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.geometry import quat_angle, quat_inverse, quat_rotate
from armoon.values.pieces import Ladder, PieceFacts, PieceId, PieceStatus
from armoon.values.poses import Pose, Vec3
from armoon.world.bullet import ANGULAR_DAMPING, GRAVITY_M_S2, LINEAR_DAMPING, STEPS_TO_SLEEP, Bullet
from armoon.world.contact import Solid

#: Quiet is |v| + 0.05 m |ω| below this; after half a second touches no longer changed (docs/physics.md).
QUIET_M_S = 0.004
QUIET_ARM_M = 0.05
QUIET_TICKS = TICKS_PER_SECOND // 2

#: Trembling that goes no farther than this within a second, measured as speeds are, counts as still.
STAYS_M = 2e-4
STAYS_TICKS = TICKS_PER_SECOND

#: Then it sleeps, unless a ladder is wedged or pressed into another this deep: such a structure is firmed first.
DEEP_M = 6e-5
#: Least ticks for which contacts are solved with care, until overlaps have dissolved, which moves things a little ...
FIRM_TICKS = 6
#: ... and until it is quiet for this time ...
FIRM_QUIET_TICKS = 3
#: ... or, not quiet after the limit, something gave way, and the wait for quiet starts again.
MOST_FIRM_TICKS = 20

#: A ladder may swing freely for this long (the canonical Swing needs 6 s) ...
SWING_TICKS = 7 * TICKS_PER_SECOND
#: ... then it swings as in honey ...
HONEY_LINEAR_DAMPING = 1.0
HONEY_ANGULAR_DAMPING = 5.0
#: ... and if anything still moves after this long, it is stopped where it is.
STOP_TICKS = 12 * TICKS_PER_SECOND


def speed_m_s(velocity: tuple[Vec3, Vec3]) -> float:
    """Return the measure of rest, |v| + 0.05 m |ω|, of a linear and an angular velocity."""
    linear, angular = velocity
    return math.hypot(*linear) + QUIET_ARM_M * math.hypot(*angular)


class Calming(enum.Enum):
    """The measures taken on the free ladders so that unrest ends."""

    NOTHING = "nothing"
    HONEY = "honey"
    """Damped by the figures above."""
    STOP = "stop"
    """Put to sleep where they are."""
    FIRM = "firm"
    """Their contacts are solved with care."""
    SLEEP = "sleep"
    """Quiet, and firm if need be: put to sleep."""


class RestWatch:
    """Counts quiet ticks and restless ones."""

    def __init__(self) -> None:
        self._quiet = QUIET_TICKS
        self._restless = 0
        self._firming = 0
        self._firm_quiet = 0

    def disturb(self) -> None:
        """Restart quiet and the time to swing: a ladder was released, placed or taken away."""
        self._quiet = 0
        self._restless = 0
        self._firming = 0

    def observe(
        self,
        fastest_m_s: float,
        deepest_m: float = 0.0,
        *,
        hand_at_work: bool,
        loose: bool,
        stays: bool = False,
    ) -> Calming:
        """Take in the fastest free ladder's speed and the deepest overlap at this tick; return what to do.

        ``loose``: moved since put to sleep, no held ladder on it; ``stays``: what trembles has stayed in its place.
        While a hand is at work nothing is damped or stopped: it may go on pushing.
        """
        self._restless = 0 if hand_at_work or self.at_rest else self._restless + 1
        if self._firming and self._restless >= STOP_TICKS:
            self._firming = self._quiet = 0
        quiet = stays or fastest_m_s < QUIET_M_S
        if self._firming and loose:
            return self._go_on_firming(quiet)
        self._firming = 0
        self._quiet = QUIET_TICKS if stays else min(self._quiet + 1, QUIET_TICKS) if quiet else 0
        if self.at_rest:
            if not loose:
                return Calming.NOTHING
            if deepest_m <= DEEP_M:
                return Calming.SLEEP
            self._firming, self._firm_quiet = 1, 0
            return Calming.FIRM
        if self._restless >= STOP_TICKS:
            return Calming.STOP
        return Calming.HONEY if self._restless >= SWING_TICKS else Calming.NOTHING

    def _go_on_firming(self, quiet: bool) -> Calming:
        """Movement is no unrest now, for dissolving overlaps move things."""
        self._firming += 1
        self._firm_quiet = self._firm_quiet + 1 if quiet else 0
        if self._firming > FIRM_TICKS and self._firm_quiet >= FIRM_QUIET_TICKS:
            self._firming = 0
            return Calming.SLEEP
        if self._firming > MOST_FIRM_TICKS:
            self._firming = self._quiet = 0
            return Calming.NOTHING
        return Calming.FIRM

    @property
    def at_rest(self) -> bool:
        """Whether every free ladder has been quiet for half a second, and is firm."""
        return self._quiet >= QUIET_TICKS and not self._firming


class Piece:
    """One ladder in the world."""

    def __init__(self, ladder: Ladder, status: PieceStatus, pose: Pose, body: int | None) -> None:
        self.ladder = ladder
        self.status = status
        self.body = body
        bodies = () if body is None else (body,)
        self.solid = Solid(ladder.piece, ladder.boxes, bodies, rooted=status is PieceStatus.FIXED)
        self.solid.place(pose)
        self.speed_m_s = 0.0
        self.loose = status is PieceStatus.FREE
        """It is free, and moved since it was last sent to sleep."""
        self._facts: PieceFacts | None = None

    def lean(self, pose: Pose) -> None:
        self.speed_m_s = way_m(self.pose, pose) / TICK_S
        self.solid.place(pose)

    def come_out(self, body: int) -> None:
        pose = self.pose
        self.status, self.body, self.loose = PieceStatus.FREE, body, True
        self.solid = Solid(self.ladder.piece, self.ladder.boxes, (body,), rooted=False)
        self.solid.place(pose)

    @property
    def pose(self) -> Pose:
        return self.solid.pose

    def energy_j(self, engine: Bullet) -> float:
        """Its kinetic energy, and its potential one above the table."""
        assert self.body is not None
        linear, angular = engine.velocity(self.body)
        pose = engine.pose(self.body)
        spin = quat_rotate(quat_inverse(pose.rotation), angular)
        turning = math.fsum(
            inertia * rate * rate for inertia, rate in zip(self.ladder.inertia_kg_m2, spin, strict=True)
        )
        moving = self.ladder.mass_kg * math.fsum(rate * rate for rate in linear)
        return 0.5 * (moving + turning) + self.ladder.mass_kg * GRAVITY_M_S2 * pose.position[2]

    def facts(self) -> PieceFacts:
        """Return this tick's facts; the same value again while nothing changes."""
        known = self._facts
        if (
            known is None
            or self.solid.moved
            or known.status is not self.status
            or known.speed_m_s != self.speed_m_s
        ):
            self._facts = known = PieceFacts(
                self.ladder.piece,
                self.status,
                self.pose,
                self.solid.high[2],
                self.solid.low[2],
                self.speed_m_s,
            )
        return known


def way_m(before: Pose, now: Pose) -> float:
    return math.dist(before.position, now.position) + QUIET_ARM_M * quat_angle(before.rotation, now.rotation)


class Stillness:
    """Counts the ticks in which nothing goes farther than a limit from where it was."""

    def __init__(self, limit_m: float, ticks: int) -> None:
        self._limit_m, self._ticks = limit_m, ticks
        self._stood: Mapping[PieceId, Pose] = {}
        self._count = 0

    def observe(self, poses: Mapping[PieceId, Pose]) -> bool:
        """Take in the poses after a tick; return whether everything has stayed for long enough."""
        stood = self._stood
        self._count += 1
        if poses.keys() != stood.keys() or any(way_m(stood[k], poses[k]) > self._limit_m for k in poses):
            self._stood, self._count = poses, 0
        return self._count >= self._ticks


def read_all(engine: Bullet, pieces: Iterable[Piece], *, pushed: bool) -> float:
    """Read poses and speeds; return the fastest not in a hand, m/s. ``pushed``: sleepers may have been woken."""
    fastest = 0.0
    for piece in pieces:
        if piece.body is None:
            piece.solid.moved = False
        if piece.body is None or piece.status is PieceStatus.FIXED:
            piece.speed_m_s = piece.speed_m_s if piece.solid.moved else 0.0
            fastest = max(fastest, piece.speed_m_s)
            continue
        slow_before = piece.speed_m_s == 0.0 and not piece.solid.moved
        if slow_before and not pushed and piece.status is PieceStatus.FREE:
            continue  # it sleeps, and nothing can have woken it
        piece.speed_m_s = speed_m_s(engine.velocity(piece.body))
        if slow_before and piece.speed_m_s == 0.0:
            continue  # it sleeps: its pose needn't be read
        piece.solid.place(engine.pose(piece.body))
        if piece.status is PieceStatus.FREE:
            fastest = max(fastest, piece.speed_m_s)
            if piece.speed_m_s > 0.0 and not piece.loose:
                piece.loose = True
                engine.let_sleep(piece.body)
    return fastest


def calm(engine: Bullet, free: Iterable[Piece], before: Calming, calming: Calming) -> None:
    """Bring in or lift the damping of the free ladders, wake them to be firmed, or put them to sleep."""
    thick = (Calming.HONEY, Calming.STOP)
    honey = calming in thick
    stirred = honey is not (before in thick)
    for piece in free:
        assert piece.body is not None
        if calming in (Calming.STOP, Calming.SLEEP) and (piece.loose or calming is Calming.STOP):
            engine.send_to_sleep(piece.body)
            piece.loose = False
        elif calming is Calming.FIRM is not before and piece.loose:
            engine.wake(piece.body)
        if stirred:
            engine.set_damping(
                piece.body,
                HONEY_LINEAR_DAMPING if honey else LINEAR_DAMPING,
                HONEY_ANGULAR_DAMPING if honey else ANGULAR_DAMPING,
            )


def fall_asleep(engine: Bullet, free: Iterable[Piece]) -> None:
    """Make the steps that Bullet needs until bodies sent to sleep do so, and undo their motion."""
    for _ in range(STEPS_TO_SLEEP):
        engine.step()
    for piece in free:
        assert piece.body is not None
        engine.set_pose(piece.body, piece.pose)
        engine.send_to_sleep(piece.body)
