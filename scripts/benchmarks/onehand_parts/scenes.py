"""Scripted scenes for the one-hand rule: a hand that holds a ladder, and what other hands do meanwhile.

A scene knows its truth: where every landmark really is, and so when a second hand really is in the zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armoon.geometry import vec3
from armoon.hands.watch.onehand import WatchSettings, Zone
from armoon.synthetic_camera.anatomy import HandState, Side, landmarks, mirrored, palm_for_grip, pinch_point
from armoon.synthetic_camera.holding import MIRROR_ROTATION, TABLE_ROTATION
from armoon.values.poses import Pose, Quat, Vec3
from benchmarks.hand_script import HandScript, Keyframe, Tremor

#: Length of a violation from which it has to be caught.
MUST_CATCH_S = 0.6
#: Grip from which the script's hand counts as holding.
HOLDING_GRIP = 0.98
#: How a right hand is held in each seat.
ROTATIONS: dict[str, Quat] = {"table": TABLE_ROTATION, "mirror": MIRROR_ROTATION}
#: Where the playing hand waits out of the picture.
AWAY: dict[str, Vec3] = {"table": (0.55, -0.15, 0.10), "mirror": (0.17, 0.0, -0.26)}
#: Where it takes the ladder, and where it holds it over the structure.
TAKE: Vec3 = (0.155, 0.0, 0.12)
HELD: Vec3 = (0.04, 0.0, 0.22)
#: Where the player's other hand is when it isn't seen.
OTHER_AWAY: dict[str, Vec3] = {"table": (-0.75, -0.15, 0.02), "mirror": (0.30, 0.0, -0.30)}
#: When the ladder is held over the structure: from here on other hands come.
HELD_FROM_S = 2.0

Spot = tuple[Vec3, float, float]
"""A grip point, the grip there, and the seconds of the way to it."""


@dataclass(frozen=True)
class OneHandScene:
    """What every hand does; the first one plays."""

    name: str
    seat: str
    hands: tuple[HandScript, ...]
    duration_s: float
    seen_twice: bool = False
    """The tracker's hands are told twice, the second a little aside, as a faulty detection would be."""

    def states(self, time_s: float) -> list[HandState]:
        """Every hand at a time."""
        return [script.state(time_s) for script in self.hands]

    def is_violated(self, time_s: float, hand_scale: float = 1.0, zone: Zone | None = None) -> bool:
        """Whether the truth is a second hand in the zone while the first one holds."""
        zone = zone or Zone()
        owner, *others = self.states(time_s)
        if owner.grip < HOLDING_GRIP:
            return False
        grip = pinch_point(owner, hand_scale)
        return any(
            len(zone.places([vec3(p) for p in landmarks(other, hand_scale)], grip))
            >= WatchSettings().landmarks
            for other in others
        )


def violations(times_s: Sequence[float], violated: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    """Begin and end of every unbroken stretch of violation."""
    found: list[tuple[float, float]] = []
    for k, now in enumerate(violated):
        if now and k > 0 and violated[k - 1]:
            found[-1] = (found[-1][0], times_s[k])
        elif now:
            found.append((times_s[k], times_s[k]))
    return tuple(found)


def script(spots: Sequence[Spot], seat: str, side: Side = "right", tremor_seed: int = 0) -> HandScript:
    """Return a hand that goes from spot to spot, held as a hand of that side is in this seat."""
    rotation = rotation_of(seat, side)
    keys = [
        Keyframe(palm_for_grip(point, rotation, grip, side), grip, seconds) for point, grip, seconds in spots
    ]
    return HandScript(keys, side, Tremor(seed=tremor_seed))


def rotation_of(seat: str, side: Side) -> Quat:
    """How a hand of this side is held in this seat."""
    right = ROTATIONS[seat]
    return right if side == "right" else mirrored(HandState(Pose((0.0, 0.0, 0.0), right))).palm.rotation


def scenes(seat: str) -> tuple[OneHandScene, ...]:
    """Every scripted scene of a seat, the fair ones first."""
    away = OTHER_AWAY[seat]
    wait: Spot = (away, 0.0, HELD_FROM_S)
    behind = ((-0.60, 0.34, 0.16), (0.60, 0.34, 0.16))
    before = ((-0.45, -0.30, 0.17), (0.45, -0.30, 0.17))
    crossing = ((-0.45, -0.25, 0.27), (1.20, -0.25, 0.27))
    edge: Vec3 = (-0.22, 0.10, 0.05) if seat == "table" else (0.30, 0.0, 0.08)
    across: Vec3 = (-0.24, 0.24, 0.12)
    beyond: Vec3 = (-0.80, 0.30, 0.12)
    inside: Vec3 = (-0.07, 0.0, 0.11)
    ladder: Vec3 = (-0.045, 0.0, 0.20)
    if seat == "mirror":
        # Who faces the camera has the left hand on the picture's right.
        inside, ladder = (0.08, 0.0, 0.12), (0.12, 0.0, 0.20)
    fair = {
        "alone": (),
        "passing behind": ((behind[0], 0.0, HELD_FROM_S), (behind[1], 0.0, 1.6)),
        "passing before": ((before[0], 0.0, HELD_FROM_S), (before[1], 0.0, 1.0)),
        "crossing before the playing hand": ((crossing[0], 0.0, HELD_FROM_S), (crossing[1], 0.0, 1.4)),
        "resting at the edge": (wait, (edge, 0.0, 0.7), (edge, 0.3, 2.0)),
        "passing through": (wait, (inside, 0.0, 0.35), (away, 0.0, 0.35)),
    }
    made = [
        OneHandScene(name, seat, (_playing(seat), *_other(spots, seat, "left")), 5.6)
        for name, spots in fair.items()
    ]
    # A hand behind the structure belongs to whom sits there.
    stranger = _other(((beyond, 0.0, HELD_FROM_S), (across, 0.0, 0.8), (across, 0.5, 1.5)), seat, "left")
    made.append(OneHandScene("another player's hand", seat, (_playing(seat), *stranger), 5.6))
    made.append(OneHandScene("seen twice", seat, (_playing(seat),), 5.6, seen_twice=True))
    for stay_s in (0.3, 0.6, 2.5):
        reach = (wait, (inside, 0.0, 0.6), (inside, 0.0, stay_s), (away, 0.0, 0.6))
        hands = (_playing(seat, holds_s=3.5), *_other(reach, seat, "left"))
        made.append(OneHandScene(f"reaching in, {stay_s} s", seat, hands, 6.6))
    both = (wait, (ladder, 0.0, 0.6), (ladder, 1.0, 0.3), (ladder, 1.0, 2.0), (away, 0.0, 0.6))
    hands = (_playing(seat, holds_s=3.5), *_other(both, seat, "left"))
    made.append(OneHandScene("two hands holding", seat, hands, 6.6))
    over = (wait, (ladder, 0.0, 0.6), (ladder, 1.0, 0.3), (ladder, 1.0, 0.6), (inside, 1.0, 2.0))
    hands = (_playing(seat, holds_s=1.4), *_other(over, seat, "left"))
    made.append(OneHandScene("hand-over", seat, hands, 6.6))
    return tuple(made)


def _playing(seat: str, holds_s: float = 2.6) -> HandScript:
    """Comes, takes a ladder, holds it over the structure for ``holds_s`` from HELD_FROM_S on, and leaves."""
    x, y, z = HELD
    spots: list[Spot] = [
        (AWAY[seat], 0.0, 0.1),
        (TAKE, 0.0, 0.7),
        (TAKE, 0.0, 0.2),
        (TAKE, 1.0, 0.3),
        (HELD, 1.0, 0.7),
        ((x - 0.01, y + 0.01, z - 0.02), 1.0, holds_s),
        ((x - 0.01, y + 0.01, z - 0.02), 0.0, 0.3),
        (AWAY[seat], 0.0, 0.8),
    ]
    return script(spots, seat, tremor_seed=1)


def _other(spots: Sequence[Spot], seat: str, side: Side) -> tuple[HandScript, ...]:
    return (script(spots, seat, side, tremor_seed=2),) if spots else ()
