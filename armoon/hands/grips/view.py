"""A hand as the newest frame shows it, and why a closed one holds nothing."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.hands.tracking.landmarks import Side
from armoon.values.poses import Vec2, Vec3


class Refusal(enum.Enum):
    """Why a hand that has closed takes nothing."""

    OTHER_HAND = "other_hand"
    """Its player prefers the other one, which is in view as well."""
    NOTHING = "nothing"
    """There is nothing that it may take: another player's turn, or no ladder in the lid."""
    TOO_FAR = "too_far"
    """What it might take stands elsewhere in the picture."""


@dataclass(frozen=True)
class HandView:
    """A hand as it was seen in the newest frame, for the picture and the one-hand watch."""

    identity: int
    side: Side
    points_px: tuple[Vec2, ...]
    """21 landmarks in camera pixels."""
    depths_m: tuple[float, ...]
    """Distance of each landmark from the camera along its optical axis."""
    points_table: tuple[Vec3, ...]
    """The landmarks in the table frame."""
    grip_point: Vec3
    """In the table frame."""
    closing: float
    """0 wide open to 1 closed."""
    pinched: bool
    owner: bool
    """Whether this is the hand that holds."""
    sigma_along_m: float
    """One standard deviation of the grip's depth."""
    own_depth_m: float | None = None
    """The hand's own distance along the optical axis, whatever depth the thing that it holds is shown at; None where
    it isn't known."""
    refused: Refusal | None = None
    """Why it has taken nothing, as long as it stays closed."""
