"""Players' intents, independent of the device: a mouse grip and a hand grip are the same value."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.acts import Act
from armoon.values.poses import Pose, Vec3

#: The source of a bot's grips.
BOT_SOURCE = "bot"
#: ... and of the house's hand that carries a ladder to the place that a player has chosen.
CHOICE_SOURCE = "choice"
#: The source of a paper ladder's grips.
CARD_SOURCE = "card"
#: Sources of simulated hands: they reach for the structure in any view, and mean every release.
CARRIED = (BOT_SOURCE, CHOICE_SOURCE)


class GripPhase(enum.Enum):
    """Where a grip stands. An edge (GRAB, RELEASE) survives until a tick has consumed it."""

    HOVER = "hover"
    """An open hand: shown, but it takes nothing."""
    GRAB = "grab"
    """The edge: fingers have just closed."""
    HOLD = "hold"
    """Fingers are closed."""
    RELEASE = "release"
    """The edge: fingers have just opened; the pose is the one from before they did."""
    LOST = "lost"
    """The device no longer sees the hand (ruling X2): whatever is held stays where it is."""


@dataclass(frozen=True)
class GripIntent:
    """One device's grip at one moment, in the table frame."""

    time_s: float
    source: str
    """``"hand:3"`` (identity, not left or right), ``"mouse"``, ``"keys"`` ..."""
    phase: GripPhase
    pose: Pose
    """The grip frame: origin between the finger tips; its rotation follows the palm."""
    view_axis: Vec3
    """Unit vector from the eye (camera) to the grip: the direction in which its place is least certain."""
    sigma_across_m: float = 0.0
    """One standard deviation across the view axis."""
    sigma_along_m: float = 0.0
    """One standard deviation along the view axis."""
    turned_rad: float = 0.0
    """How far the table was turned below the hand (``engine.turntable``)."""
    closing: float = 0.0
    """0 wide open to 1 closed, for the picture."""


@dataclass(frozen=True)
class Command:
    """A wish from a key, a button, a gesture or the demo."""

    kind: Act
    source: str = "keys"
    value: int = 0
    """What the act carries (``Row.payload``)."""
