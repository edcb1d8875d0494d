"""The pieces on the table: ladders and the base as boxes; one description feeds physics and picture."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.acts import Act
from armoon.values.poses import Pose, Quat, Vec3

#: Ladders are "L01" to "L30"; the base and the table have names of their own.
PieceId = str
BASE: PieceId = "base"
TABLE: PieceId = "table"


@dataclass(frozen=True)
class Box:
    """One convex part of a piece, in the piece's own frame: a box with half extents along its own axes."""

    centre: Vec3
    rotation: Quat
    half_extents: Vec3
    role: str
    """``"rail"``, ``"rung"`` or ``"base"``."""


@dataclass(frozen=True)
class Ladder:
    """A rigid wooden ladder in its principal frame: centre of mass at the origin, inertia diagonal.

    z runs along the ladder, x across the rungs, y through its thickness.
    At most 16 boxes (Bullet silently drops more).
    """

    piece: PieceId
    straight: bool
    boxes: tuple[Box, ...]
    mass_kg: float
    inertia_kg_m2: Vec3
    length_m: float
    tone: float
    """0 (dark) to 1 (light): how this ladder's wood differs from its neighbours'."""
    rails: tuple[tuple[Vec3, ...], tuple[Vec3, ...]] = ((), ())
    """The two centre lines of the rails, foot to head, in the piece's frame."""
    rungs: tuple[tuple[Vec3, Vec3], ...] = ()
    """The two ends of every rung, lowest first, in the piece's frame."""


@dataclass(frozen=True)
class Base:
    """The cloud on the table, in the table frame, and where the starting ladders stand in it."""

    boxes: tuple[Box, ...]
    height_m: float
    slots: tuple[Pose, ...]
    """The pose of each starting ladder, in the order in which the starting ladders are given."""
    lid_x_m: float = 0.17
    """Where beside it the lid lies, in which ladders are offered: to the right, or for a left hand to the left."""


@dataclass(frozen=True)
class LadderSet:
    """The 30 ladders of one game: 3 straight, then 27 crooked, all different (ruling M1)."""

    seed: int
    ladders: tuple[Ladder, ...]

    def __getitem__(self, piece: PieceId) -> Ladder:
        for ladder in self.ladders:
            if ladder.piece == piece:
                return ladder
        raise KeyError(piece)


class PieceStatus(enum.Enum):
    """How a piece takes part in the world."""

    OFFERED = "offered"
    """Presented in the lid, to be taken; touches nothing."""
    HELD = "held"
    FREE = "free"
    FIXED = "fixed"
    """A starting ladder in its slot."""


@dataclass(frozen=True)
class Contact:
    """Two pieces whose exact closest distance is a touch (at most 0.05 mm) or near one."""

    a: PieceId
    b: PieceId
    distance_m: float
    """Negative where they overlap."""
    point: Vec3
    """The middle between the two closest points, table frame."""
    normal: Vec3
    """Unit vector from b to a."""


@dataclass(frozen=True)
class PieceFacts:
    """One ladder at one tick."""

    piece: PieceId
    status: PieceStatus
    pose: Pose
    highest_m: float
    """The exact highest point of its boxes above the table."""
    lowest_m: float
    speed_m_s: float
    """|v| + 0.05 m |ω|, the measure of rest."""


@dataclass(frozen=True)
class Facts:
    """The world at one tick. ``contacts`` holds touches only, debounced, each pair once, a < b."""

    tick: int
    pieces: tuple[PieceFacts, ...]
    contacts: tuple[Contact, ...]
    held: PieceId | None
    held_frozen: bool
    """The hand is lost and the held ladder waits for it (ruling X2)."""
    grip_gap_m: float | None
    """From the held ladder to the nearest other ladder, if within 30 mm."""
    at_rest: bool
    """Every free ladder has been quiet long enough."""
    held_force_n: float = 0.0
    """What the held ladder presses on others with, in newtons."""
    held_waits: bool = False
    """The held ladder hangs in the air where it was let go of, until a hand takes it again."""

    def __getitem__(self, piece: PieceId) -> PieceFacts:
        for facts in self.pieces:
            if facts.piece == piece:
                return facts
        raise KeyError(piece)

    def touching(self, piece: PieceId) -> tuple[PieceId, ...]:
        return tuple(sorted(c.b if c.a == piece else c.a for c in self.contacts if piece in (c.a, c.b)))


@dataclass(frozen=True)
class Offer:
    """Present this ladder in the lid, to be taken by a grip; it touches nothing until it is held."""

    piece: PieceId
    pose: Pose | None = None
    """Where the lid presents it; None: upright, as at first."""


@dataclass(frozen=True)
class Place:
    """Put this ladder there: ``fixed`` in its slot, or free."""

    piece: PieceId
    pose: Pose
    fixed: bool


@dataclass(frozen=True)
class Remove:
    """Take this ladder off the table."""

    piece: PieceId


@dataclass(frozen=True)
class LockGrips:
    """While locked, no grip takes anything; a held ladder is let go of."""

    locked: bool


@dataclass(frozen=True)
class Guide:
    """From now on a held ladder that is released within reach of one of these places is set down there.

    Held by a slow hand or a mouse at rest, it is drawn there.
    """

    places: tuple[Pose, ...] = ()
    """Table frame, just above the first contact; none: it is released where it is."""
    reach_m: float = 0.0
    reach_rad: float = 0.0
    sets_down: bool = False
    """What is held goes to the nearest one at once, whatever holds it, from farther off too."""


Order = Offer | Place | Remove | LockGrips


#: The source of a bot's grips.
BOT_SOURCE = "bot"
#: ... and of the house's hand that carries a ladder to the place that a player has chosen.
CHOICE_SOURCE = "choice"
#: The source of a paper ladder's grips.
CARD_SOURCE = "card"
#: Sources of simulated hands: they reach for the structure in any view, and mean every release.
CARRIED = (BOT_SOURCE, CHOICE_SOURCE)
#: The source of a mouse's grips, and that of keys and gamepads.
MOUSE_SOURCE, KEYS_SOURCE = "mouse", "keys"
#: Sources of grips that mean every step, so no place draws what they hold.
UNGUIDED = (*CARRIED, KEYS_SOURCE)


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
