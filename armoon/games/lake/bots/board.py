"""The lake as the search bots see it: whole numbers instead of values, and no empty stars.

A stack is one number: a leading 1, then four bits for each pawn (two for its colour, two for its strength less
one), the top pawn in the lowest bits. A board is the list of its stacks clockwise: stars without pawns don't
count on the way (ruling L3), so nothing is lost by leaving them out.
"""

from __future__ import annotations

import itertools

from armoon.games.lake.rules.values import STRENGTHS, TOWER_FLOORS, Colour, Pawn, Stack

Board = list[int]

_BITS = 4
#: The least number of a stack of four.
TOWER = 1 << _BITS * TOWER_FLOORS
_COLOURS = tuple(Colour)


def stack_number(stack: Stack) -> int:
    """Return the number that stands for a stack."""
    number = 1
    for pawn in stack:
        number = number << _BITS | _COLOURS.index(pawn.colour) << 2 | pawn.strength - 1
    return number


def floors_of(number: int) -> int:
    """How many pawns a stack's number holds."""
    return (number.bit_length() - 1) // _BITS


def top_colour(number: int) -> Colour:
    """Return the colour on top of a stack's number."""
    return _COLOURS[number >> 2 & 3]


def points_of(number: int) -> int:
    """Floors times the strength on top (ruling L8)."""
    return floors_of(number) * ((number & 3) + 1)


def _mask(number: int) -> int:
    """One bit for each colour in the stack."""
    mask = 0
    while number > 1:
        mask |= 1 << (number >> 2 & 3)
        number >>= _BITS
    return mask


def _lifts(number: int) -> tuple[tuple[int, int, int, int], ...]:
    """Every way to lift upper floors: their colours, by how much they shift what is below, they, the rest.

    ``below << shift | lifted`` is the stack that they make; a rest of 1 is an empty star.
    """
    ways = []
    for floors in range(1, floors_of(number) + 1):
        shift = _BITS * floors
        lifted = number & (1 << shift) - 1
        ways.append((_mask(1 << shift | lifted), shift, lifted, number >> shift))
    return tuple(ways)


def _stacks() -> list[int]:
    """Every stack of one to three floors without a colour twice."""
    return [
        stack_number(tuple(map(Pawn, colours, strengths)))
        for floors in range(1, TOWER_FLOORS)
        for colours in itertools.permutations(Colour, floors)
        for strengths in itertools.product(STRENGTHS, repeat=floors)
    ]


#: Every stack that can stand on the board: its colours, its points, and how it can be lifted.
MASKS = {number: _mask(number) for number in _stacks()}
POINTS = {number: points_of(number) for number in MASKS}
LIFTS = {number: _lifts(number) for number in MASKS}
