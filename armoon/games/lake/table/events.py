"""The events at the lake's table, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from armoon.games.lake.rules.moves import Move
from armoon.games.lake.rules.values import Half, Refusal
from armoon.values.poses import Vec3


@dataclass(frozen=True)
class Lifted:
    """A hand has taken the upper floors of a stack."""

    star: int
    floors: int


@dataclass(frozen=True)
class HalfLifted:
    """A hand has taken a half of the completed tower."""

    half: Half


@dataclass(frozen=True)
class Refused:
    """A grip or a command asked for what the rules don't allow."""

    refusal: Refusal
    star: int | None = None


@dataclass(frozen=True)
class FlewHome:
    """A held stack has gone back to its star."""

    star: int | None
    """None: to the tower."""
    floors: int
    let_go_at: Vec3
    refusal: Refusal | None = None
    """Why it may not be where it was let go."""
    lost: bool = False
    """The hand didn't let go: it has been out of sight for too long, or a command came first."""


@dataclass(frozen=True)
class Laid:
    """The pawns lie on the stars as the match begins with them."""


Happening = Lifted | HalfLifted | Refused | FlewHome
#: Every kind of happening.
HAPPENINGS: tuple[type[Happening], ...] = get_args(Happening)
#: Everything that a lake match tells: the moves, applied in their order, give the game again.
LakeEvent = Move | Happening | Laid
