"""A picture book that a game may bring: a page for each shape that can be made in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from armoon.games import game_names
from armoon.games.contract.kind import kind_of
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Vec3
from armoon.values.scene import ScenePiece


@dataclass(frozen=True)
class Leaf:
    """What stands on a page of the book."""

    ladders: LadderSet
    base: Base
    pieces: tuple[ScenePiece, ...]
    contacts: tuple[Vec3, ...] = ()
    """Where the pieces touch, table frame, metres."""


@runtime_checkable
class PictureBook(Protocol):
    """A kind of game that has a picture book."""

    @property
    def figures(self) -> tuple[str, ...]:
        """The pages in their order, by the names of their texts below ``figure``."""

    def leaf(self, number: int) -> Leaf:
        """Return what stands on a page; the first is 0."""


def picture_book() -> PictureBook:
    """Return the book of the first game that has one. Raises StopIteration where none has."""
    kinds = (kind_of(name) for name in game_names())
    return next(kind for kind in kinds if isinstance(kind, PictureBook))
