"""The referee's orders to the world: the one edge that leads back, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.values.pieces import PieceId
from armoon.values.poses import Pose


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


Order = Offer | Place | Remove | LockGrips
