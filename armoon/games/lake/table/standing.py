"""What a hand or the keys point at in a lake match, and the domes as they are seen: standing, held and in the air."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armoon.games.lake.rules.aids import Landing, landings, liftable, refusal_of_grab
from armoon.games.lake.rules.moves import Carry, Choose, Move, Split
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Colour, Half, Phase, Stack
from armoon.games.lake.table.aim import Floor
from armoon.games.lake.table.flights import InTower, OnStar, Owned
from armoon.games.lake.table.layout import (
    HALF_FLOORS,
    HELD_SCALE,
    SIGN_SCALE,
    held_place,
    sign_place,
    stack_top,
    tower_floor,
)
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.scene import FLOOR_M, SceneDome
from armoon.values.poses import Vec3


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
    """Return the star pointed at by what is held, else by the keys, else by an open hand."""
    state, carried = match.state, match.carried
    if carried is not None:
        if carried.star is None:
            heir = None if match.aimed is None else match.heirs[match.aimed]
            return Pointed(heir=heir)
        return Pointed(landings=landings(state, carried.star, carried.floors))
    if keyed is not None:
        return _by_keys(state, keyed)
    return Pointed() if match.hover is None else _by_hand(state, match.hover)


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


def stacked(stack: Stack, foot: Vec3, look: str, scale: float = 1.0) -> Iterable[SceneDome]:
    """Return a stack in the air or in somebody's hands, from its lowest rim up."""
    x, y, z = foot
    for floor, pawn in enumerate(stack):
        place = (x, y, z + floor * FLOOR_M * scale)
        yield SceneDome(place, pawn.colour.value, pawn.strength, floor=floor, look=look, scale=scale)


def standing_domes(match: LakeMatch, pointed: Pointed) -> tuple[SceneDome, ...]:
    """All that stand where the rules say, and what the players hold."""
    return (*_on_stars(match, pointed), *_held(match), *_signs(match, pointed))


def moving_domes(match: LakeMatch, fraction: float, pointed: Pointed) -> tuple[SceneDome, ...]:
    """Return the held or flying domes and the hovering tower, ``fraction`` of the way to this tick."""
    domes = list(_tower(match, pointed))
    for flight in match.flights:
        foot, scale, seen = flight.at(match.tick, fraction)
        domes += stacked(flight.stack[:seen], foot, "plain", scale)
    carried = match.carried
    if carried is not None:
        domes += stacked(carried.stack, carried_foot(match, fraction), "held")
    return tuple(domes)


def carried_foot(match: LakeMatch, fraction: float) -> Vec3:
    """Where what is held hangs, ``fraction`` of the way from the last tick to this one."""
    now, before = match.carried, match.carried_before
    assert now is not None  # something is held
    if before is None:
        return now.foot
    x, y, z = (a + (b - a) * fraction for a, b in zip(before.foot, now.foot, strict=True))
    return (x, y, z)


def _on_stars(match: LakeMatch, pointed: Pointed) -> Iterable[SceneDome]:
    state, carried = match.state, match.carried
    away = {f.goal.star: f.goal.floors for f in match.flights if isinstance(f.goal, OnStar)}
    if carried is not None and carried.star is not None:
        away[carried.star] = carried.floors
    targets = {found.star for found in pointed.landings}
    hands_turn = match.at_rest and match.bot is None and state.phase is Phase.CARRY
    may_lift = liftable(state) if hands_turn and pointed.floor is None else {}
    lit = pointed.floor
    for star, stack in enumerate(state.stars):
        for floor, pawn in enumerate(stack[: len(stack) - away.get(star, 0)]):
            look = "target" if star in targets else "plain"
            if star in may_lift and floor == len(stack) - 1:
                look = "liftable"
            over = lit is not None and star == lit.star and floor >= lit.floor
            if over or pawn.colour is pointed.colour:
                look = "hover" if pointed.allowed else "refused"
            foot = stack_top(star, floor)
            yield SceneDome(foot, pawn.colour.value, pawn.strength, star, floor, look)


def _held(match: LakeMatch) -> Iterable[SceneDome]:
    coming = {(f.goal.seat, f.goal.number) for f in match.flights if isinstance(f.goal, Owned)}
    seats = len(match.state.players)
    for seat, parts in enumerate(match.state.held):
        for number, part in enumerate(parts):
            if (seat, number) not in coming:
                yield from stacked(part.pawns, held_place(seat, seats, number), "plain", HELD_SCALE)


def _signs(match: LakeMatch, pointed: Pointed) -> Iterable[SceneDome]:
    heirs = match.heirs
    for number, seat in enumerate(heirs):
        look = "target" if seat == pointed.heir else "plain"
        colour = match.state.colours[seat][0].value
        yield SceneDome(sign_place(number, len(heirs)), colour, 1, look=look, scale=SIGN_SCALE)


def _tower(match: LakeMatch, pointed: Pointed) -> Iterable[SceneDome]:
    away: set[int] = set()
    for flight in match.flights:
        if isinstance(flight.goal, InTower):
            away |= set(range(flight.goal.low, flight.goal.low + flight.goal.floors))
    carried = match.carried
    if carried is not None and carried.star is None:
        away |= set(range(carried.low, carried.low + carried.floors))
    for floor, pawn in enumerate(match.state.tower):
        if floor not in away:
            kept = pointed.half is not None and (floor >= HALF_FLOORS) is (pointed.half is Half.TOP)
            look = "hover" if kept else "plain"
            yield SceneDome(tower_floor(floor), pawn.colour.value, pawn.strength, floor=floor, look=look)
