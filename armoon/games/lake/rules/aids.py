"""Reading aids for the lake's table: what can be lifted, where it may land, and why it may not."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.lake.rules.moves import Carry
from armoon.games.lake.rules.ring import landing, lands_twice, refusal_of_carry, refusal_of_lift, way
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import STARS, Direction, Phase, Refusal


@dataclass(frozen=True)
class Landing:
    """A star that lifted floors may land on."""

    carry: Carry
    star: int
    way: tuple[int, ...]
    """The occupied stars that are counted, this star the last."""


def refusal_of_grab(state: State, star: int, floors: int) -> Refusal | None:
    """Why the player on turn may not lift these floors; None if they may, though perhaps nowhere to go."""
    if state.over:
        return Refusal.GAME_OVER
    if state.phase is not Phase.CARRY:
        return Refusal.WRONG_PHASE
    return refusal_of_lift(state.stars, state.movable_colours, star, floors)


def landings(state: State, star: int, floors: int) -> tuple[Landing, ...]:
    """Where these floors may land, clockwise first; both ways can lead to the same star."""
    if refusal_of_grab(state, star, floors) is not None:
        return ()
    found = []
    for direction in Direction:
        move = Carry(star, floors, direction)
        if refusal_of_carry(state.stars, state.movable_colours, move) is None:
            counted = way(state.stars, star, direction)[: state.stars[star][-1].strength]
            found.append(Landing(move, counted[-1], counted))
    return tuple(found)


def liftable(state: State) -> dict[int, tuple[int, ...]]:
    """Return, for every star with a legal carry, how many floors may be lifted there."""
    found = {
        star: tuple(floors for floors in range(1, len(stack) + 1) if landings(state, star, floors))
        for star, stack in enumerate(state.stars)
    }
    return {star: floors for star, floors in found.items() if floors}


def drop(state: State, star: int, floors: int, target: int) -> Carry | Refusal:
    """Return the carry that drops these floors on the target star, or why there is none."""
    refusal = refusal_of_grab(state, star, floors)
    if refusal is not None:
        return refusal
    if not 0 <= target < STARS:
        return Refusal.NO_SUCH_STAR
    if target == star:
        return Refusal.LEFT_HERE
    if not state.stars[target]:
        return Refusal.LANDS_ON_EMPTY
    if state.stars[star][-1].strength > len(way(state.stars, star, Direction.CLOCKWISE)):
        return Refusal.TOO_FEW_STARS
    for direction in Direction:
        if landing(state.stars, star, direction) == target:
            if lands_twice(state.stars[star][-floors:], state.stars[target]):
                return Refusal.COLOUR_TWICE
            return Carry(star, floors, direction)
    return Refusal.WRONG_DISTANCE
