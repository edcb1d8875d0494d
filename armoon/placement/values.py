"""The values passed between parts of the search."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.geometry import Array
from armoon.values.pieces import PieceId
from armoon.values.places import Lay
from armoon.values.poses import Pose

#: What a ladder would put on others: whom, where (3,), which share of its weight.
Load = tuple[tuple[PieceId, Array, float], ...]


@dataclass(frozen=True)
class Candidate:
    """A pose that may hold; nothing has been simulated yet."""

    family: str
    """``"plate"``, ``"hook"``, ``"lean"`` or ``"flat"``."""
    pose: Pose
    """Of a plate, where it would lie; of the others, over everything, to be lowered from there."""
    worth: float
    """For comparing candidates of one family."""
    load: Load = ()
    """What it would put on others, as far as that is known,"""
    unborne: float | None = None
    """and how much of it the structure doesn't bear, in weights of a ladder (``Bearing``)."""


@dataclass(frozen=True)
class Outcome:
    """What became of a ladder that was let go of."""

    held: bool
    """Whether everything came to rest, and nothing fell or went far."""
    touched: tuple[PieceId, ...]
    """The other ladders that it touches, sorted."""
    pose: Pose
    height_m: float
    """Its highest point,"""
    others_height_m: float
    """and that of all others."""
    turned_rad: float
    """How far it turned from where it was let go of."""
    load: Load
    """What it puts on others."""
    lay: Lay | None = None
    """How it lay before it fell; None where it stands."""
