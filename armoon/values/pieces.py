"""The pieces on the table: their shapes, facts about them, and the orders, grips and commands that move them."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from armoon.values.acts import Act
from armoon.values.poses import Pose, Quat, Vec3

#: Ladders are "L01" to "L30".
PieceId = str
BASE: PieceId = "base"
TABLE: PieceId = "table"


@dataclass(frozen=True)
class Box:
    """One convex part of a piece, in the piece's frame: a box with half extents along its own axes."""

    centre: Vec3
    rotation: Quat
    half_extents: Vec3
    role: str
    """``"rail"``, ``"rung"`` or ``"base"``."""


@dataclass(frozen=True)
class Ladder:
    """A rigid wooden ladder in its principal frame: centre of mass at the origin, diagonal inertia.

    z is along the ladder, x from rail to rail, y through its thickness.
    It has at most 16 boxes, because Bullet silently drops any others.
    """

    piece: PieceId
    straight: bool
    boxes: tuple[Box, ...]
    mass_kg: float
    inertia_kg_m2: Vec3
    length_m: float
    tone: float
    """Shade of the wood, 0 (dark) to 1 (light)."""
    rails: tuple[tuple[Vec3, ...], tuple[Vec3, ...]] = ((), ())
    """The two centre lines of the rails, foot to head, in the piece's frame."""
    rungs: tuple[tuple[Vec3, Vec3], ...] = ()
    """The two ends of every rung, lowest first, in the piece's frame."""


@dataclass(frozen=True)
class Base:
    """The base (cloud) on the table, in the table frame, with the slots of the starting ladders."""

    boxes: tuple[Box, ...]
    height_m: float
    slots: tuple[Pose, ...]
    """The pose of each starting ladder, in the order of the ladders."""
    lid_x_m: float = 0.17
    """x of the lid, where ladders are offered; negative for left-handed players."""


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
    """Presented in the lid; it touches nothing."""
    HELD = "held"
    FREE = "free"
    FIXED = "fixed"
    """A starting ladder in its slot."""


@dataclass(frozen=True)
class Contact:
    """Two pieces that touch (distance at most 0.05 mm) or nearly touch."""

    a: PieceId
    b: PieceId
    distance_m: float
    """Negative where they overlap."""
    point: Vec3
    """Midpoint of the two closest points, table frame."""
    normal: Vec3
    """Unit vector from b to a."""


@dataclass(frozen=True)
class PieceFacts:
    """One ladder at one tick."""

    piece: PieceId
    status: PieceStatus
    pose: Pose
    highest_m: float
    """Highest point of its boxes above the table, exact."""
    lowest_m: float
    speed_m_s: float
    """|v| + 0.05 m · |ω|, used to detect rest."""


@dataclass(frozen=True)
class Facts:
    """The world at one tick. ``contacts`` are debounced touches, each pair once (a < b)."""

    tick: int
    pieces: tuple[PieceFacts, ...]
    contacts: tuple[Contact, ...]
    held: PieceId | None
    held_frozen: bool
    """Whether the held ladder doesn't move because its hand is out of sight (ruling X2)."""
    grip_gap_m: float | None
    """Distance from the held ladder to the nearest other ladder, if within 30 mm."""
    at_rest: bool
    """Whether every free ladder has been still for long enough."""
    held_force_n: float = 0.0
    """Force of the held ladder on others, newtons."""
    held_is_parked: bool = False
    """Whether the held ladder is parked in the air."""

    def __getitem__(self, piece: PieceId) -> PieceFacts:
        for facts in self.pieces:
            if facts.piece == piece:
                return facts
        raise KeyError(piece)

    def touching(self, piece: PieceId) -> tuple[PieceId, ...]:
        return tuple(sorted(c.b if c.a == piece else c.a for c in self.contacts if piece in (c.a, c.b)))


@dataclass(frozen=True)
class Offer:
    """Present this ladder in the lid; it touches nothing until it is held."""

    piece: PieceId
    pose: Pose | None = None
    """Pose in the lid; None: upright, the default."""


@dataclass(frozen=True)
class Place:
    """Put this ladder at a pose, either ``fixed`` in its slot or free."""

    piece: PieceId
    pose: Pose
    fixed: bool


@dataclass(frozen=True)
class Remove:
    """Take this ladder off the table."""

    piece: PieceId


@dataclass(frozen=True)
class LockGrips:
    """Lock or unlock grips: locked grips take nothing and release a held ladder."""

    locked: bool


@dataclass(frozen=True)
class Guide:
    """Set a held ladder down at one of these places if it is released within reach.

    A ladder held by a slow hand or a resting mouse is pulled towards the place.
    """

    places: tuple[Pose, ...] = ()
    """Table frame, just above the first contact; empty: no guidance."""
    reach_m: float = 0.0
    reach_rad: float = 0.0
    sets_down: bool = False
    """Move the held ladder to the nearest place at once, for any grip and distance."""


Order = Offer | Place | Remove | LockGrips


#: Sources of grips: a bot, the simulated hand that carries a ladder to a chosen place, and a paper ladder.
BOT_SOURCE, CHOICE_SOURCE, CARD_SOURCE = "bot", "choice", "card"
#: Sources of simulated hands, which reach the structure in any view and intend every release.
SIMULATED = (BOT_SOURCE, CHOICE_SOURCE)
#: Sources of grips: the mouse, and keys and gamepads.
MOUSE_SOURCE, KEYS_SOURCE = "mouse", "keys"
#: Sources of exact grips, which aren't pulled towards a place.
EXACT_SOURCES = (*SIMULATED, KEYS_SOURCE)
#: Sources of grips with props: objects in a player's hand, to which the held ladder moves.
PROP_SOURCES = (CARD_SOURCE,)


class GripPhase(enum.Enum):
    """The phase of a grip. An edge (GRAB, RELEASE) is kept until a tick has consumed it."""

    HOVER = "hover"
    """The hand is open."""
    GRAB = "grab"
    """Edge: the fingers have just closed."""
    HOLD = "hold"
    """The fingers are closed."""
    RELEASE = "release"
    """Edge: the fingers have just opened; the pose is from before they opened."""
    LOST = "lost"
    """The hand is out of sight (ruling X2): a held object stays where it is."""


@dataclass(frozen=True)
class GripIntent:
    """One device's grip at one moment, table frame."""

    time_s: float
    source: str
    """``"hand:3"`` (identity, not left or right), ``"mouse"``, ``"keys"`` ..."""
    phase: GripPhase
    pose: Pose
    """The grip frame: origin between the finger tips; its rotation follows the palm."""
    view_axis: Vec3
    """Unit vector from the camera to the grip: the direction in which its position is least certain."""
    sigma_across_m: float = 0.0
    """Standard deviation across the view axis."""
    sigma_along_m: float = 0.0
    """Standard deviation along the view axis."""
    turned_rad: float = 0.0
    """The table's rotation below the hand (``engine.turntable``)."""
    closing: float = 0.0
    """0 open to 1 closed, for the picture."""


@dataclass(frozen=True)
class Command:
    """A request by a key, a button, a gesture or the demo."""

    kind: Act
    source: str = "keys"
    value: int = 0
    """The act's value (``ActRow.payload``)."""
