"""The setting of a trial: seat, player and number of standing ladders."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.camera.seat import SEATS, Seat
from armoon.values.choices import SeatName
from benchmarks.hand_script import Tremor
from benchmarks.placement_parts.people import ARM_DRIFT_HZ, NOVICE, PEOPLE

WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
#: Reads the true pose: a reference for tests, and no person.
EXACT = "exact"
#: Standard deviation of the hand's tremor along each axis, in metres, and its rotation per metre.
TREMOR_M, TREMOR_RAD_PER_M = 0.0004, 10.0


@dataclass(frozen=True)
class Setting:
    """What differs between the rows of the benchmark."""

    seat: SeatName = SeatName.TABLE
    player: str = NOVICE.name
    standing: int = 2
    tremor_m: float = TREMOR_M


def seat_at(setting: Setting) -> Seat:
    """Return the setting's seat."""
    return SEATS[setting.seat](WIDTH, HEIGHT)


def tremor_of(setting: Setting, seed: int) -> Tremor:
    """Return the involuntary motion of a trial's hand."""
    return Tremor(setting.tremor_m, TREMOR_RAD_PER_M * setting.tremor_m, seed)


def drift_of(setting: Setting, seed: int) -> Tremor:
    """Return the slow drift of a person's arm; none for the exact reference."""
    person = PEOPLE.get(setting.player)
    return Tremor(0.0 if person is None else person.arm_drift_m, 0.0, seed + 1, ((1.0, *ARM_DRIFT_HZ),))
