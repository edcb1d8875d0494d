"""The target of a hand or of the keys in a lake match, and the highlights that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.games.lake.rules.aids import Landing, landings, refusal_of_grab
from armoon.games.lake.rules.moves import Carry, Choose, Move, Split
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Colour, Half, Phase
from armoon.games.lake.table.aim import Floor
from armoon.games.lake.table.match import LakeMatch


@dataclass(frozen=True)
class Pointed:
    """The pieces to highlight."""

    floor: Floor | None = None
    """This floor and those above it."""
    colour: Colour | None = None
    """All domes of this colour, while colours are chosen."""
    allowed: bool = True
    """Whether the rules let the player on turn take it."""
    landings: tuple[Landing, ...] = ()
    """Where it, or what is held, may land."""
    half: Half | None = None
    """The half of the tower that is kept."""
    heir: int | None = None
    """Who gets the other one, by seat."""


def pointed_at(match: LakeMatch, keyed: Move | None) -> Pointed:
    """By what is held, else by an open hand, else by the keys."""
    state, carried = match.state, match.carried
    if carried is not None:
        if carried.star is None:
            heir = None if match.aimed is None else match.heirs[match.aimed]
            return Pointed(heir=heir)
        return Pointed(landings=landings(state, carried.star, carried.floors))
    if match.hover is not None:
        return _by_hand(state, match.hover)
    return Pointed() if keyed is None else _by_keys(state, keyed)


def _by_hand(state: State, floor: Floor) -> Pointed:
    stack = state.stars[floor.star]
    if state.phase is Phase.CHOOSE:
        colour = stack[floor.floor].colour
        return Pointed(floor, colour, colour in state.free_colours)
    floors = len(stack) - floor.floor
    allowed = refusal_of_grab(state, floor.star, floors) is None
    return Pointed(floor, None, allowed, landings(state, floor.star, floors))


def _by_keys(state: State, move: Move) -> Pointed:
    if isinstance(move, Choose):
        return Pointed(colour=move.colour)
    if isinstance(move, Split):
        return Pointed(half=move.keep, heir=move.heir)
    assert isinstance(move, Carry)  # keys point at nothing else
    found = tuple(it for it in landings(state, move.star, move.floors) if it.carry == move)
    return Pointed(Floor(move.star, len(state.stars[move.star]) - move.floors), landings=found)
