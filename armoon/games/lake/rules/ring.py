"""Ways round the lake: where a lifted stack lands, and whether it may (rulings L3 to L5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from armoon.games.lake.rules.moves import Carry
from armoon.games.lake.rules.values import STARS, Colour, Direction, Refusal, Stack

Stars = tuple[Stack, ...]


def way(stars: Stars, star: int, direction: Direction) -> tuple[int, ...]:
    """Return the stars that are counted on the way from a star: the other occupied ones, in order (rulings L3, L4)."""
    others = ((star + step * direction.value) % STARS for step in range(1, STARS))
    return tuple(other for other in others if stars[other])


def landing(stars: Stars, star: int, direction: Direction) -> int | None:
    """Where the top pawn of a star leads to, however many floors are lifted; None where the way ends (L4)."""
    counted = 0
    for step in range(1, STARS):
        other = (star + step * direction.value) % STARS
        if stars[other]:
            counted += 1
            if counted == stars[star][-1].strength:
                return other
    return None


def lands_twice(lifted: Stack, below: Stack) -> bool:
    """Whether the stack would hold a colour twice (ruling L5)."""
    there = [pawn.colour for pawn in below]
    return any(pawn.colour in there for pawn in lifted)


def refusal_of_lift(stars: Stars, movable: Collection[Colour], star: int, floors: int) -> Refusal | None:
    """Why these floors can't be lifted; None if they can."""
    if not 0 <= star < STARS:
        return Refusal.NO_SUCH_STAR
    stack = stars[star]
    if not stack:
        return Refusal.EMPTY_STAR
    if stack[-1].colour not in movable:
        return Refusal.NOT_YOURS
    if not 1 <= floors <= len(stack):
        return Refusal.NO_SUCH_FLOOR
    return None


def refusal_of_carry(stars: Stars, movable: Collection[Colour], move: Carry) -> Refusal | None:
    """Why this carry is illegal; None if it is legal."""
    refusal = refusal_of_lift(stars, movable, move.star, move.floors)
    if refusal is not None:
        return refusal
    target = landing(stars, move.star, move.direction)
    if target is None:
        return Refusal.TOO_FEW_STARS
    return Refusal.COLOUR_TWICE if lands_twice(stars[move.star][-move.floors :], stars[target]) else None


def carries(stars: Stars, movable: Collection[Colour]) -> Iterator[Carry]:
    """Every legal carry, by star, direction and floors.

    How many floors are lifted doesn't change where they land; each further one only brings in a colour more.
    """
    occupied = [star for star, stack in enumerate(stars) if stack]
    count = len(occupied)
    for place, star in enumerate(occupied):
        stack = stars[star]
        top = stack[-1]
        if top.colour not in movable or top.strength >= count:
            continue
        for direction in Direction:
            there = [p.colour for p in stars[occupied[(place + top.strength * direction.value) % count]]]
            for floors, pawn in enumerate(reversed(stack), start=1):
                if pawn.colour in there:
                    break
                yield Carry(star, floors, direction)
