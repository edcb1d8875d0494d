"""What players want, whatever device they say it with: a mouse grip and a hand grip are the same value."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.poses import Pose, Vec3

#: The source of a bot's grips.
BOT_SOURCE = "bot"
#: ... and of the house's hand that carries a ladder to the place that a player has chosen.
CHOICE_SOURCE = "choice"
#: These reach for what stands, however that is seen, and mean what they let go of.
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


class CommandKind(enum.Enum):
    """What can be asked of the table besides gripping."""

    ROLL = "roll"
    """With ``value`` 1, 2 or 3 the die is to show one, two or the moon: only in practice."""
    PAUSE = "pause"
    RESUME = "resume"
    GIVE_UP_LADDER = "give_up_ladder"
    PUT_BACK = "put_back"
    """The held ladder goes back into the lid, with no penalty."""
    CLUTCH = "clutch"
    """Park what is held where it hangs, to be taken again."""
    LADDER = "ladder"
    """Instead of what is offered another one of all that could be, ``value`` places further."""
    ATTITUDE = "attitude"
    """What is offered shows its next side, or one ``value`` further."""
    TILT = "tilt"
    """What is offered, or in a hand, is rotated: ``value`` ±1 in the picture, ±2 nodding, ±3 about the upright."""
    TURN = "turn"
    """The table turns on by ``value`` degrees, counter-clockwise as seen from above."""
    TURN_HOME = "turn_home"
    """The table turns to the front again."""
    SCORE = "score"
    """The team spends a tear to score (ruling C2)."""
    SHARE = "share"
    """The tied players share the victory instead of playing the final (ruling E4)."""
    PLACE_AGAIN = "place_again"
    """In practice: the ladder placed last is taken back and offered again, and the die stays as it is."""
    PUT_TURN_BACK = "put_turn_back"
    """The host puts ``value`` turns back (ruling X4)."""
    GIVE_TEAR_BACK = "give_tear_back"
    """The host gives the player in seat ``value`` a tear back (ruling X4)."""
    ADD_TEAR = "add_tear"
    """The host adds a tear to the player in seat ``value`` (ruling X4)."""
    HINT = "hint"
    """Where would the ladder hold?"""
    PLACE = "place"
    """A place was chosen of those that are offered, the best being ``value`` 1; 0 for none of them, but freely."""
    CHOOSE = "choose"
    """Move number ``value`` of those that the rules list for the player on turn."""


@dataclass(frozen=True)
class Command:
    """A wish from a key, a button, a gesture or the demo."""

    kind: CommandKind
    source: str = "keys"
    value: int = 0
    """A seat or a number of turns, where the kind asks for one."""
