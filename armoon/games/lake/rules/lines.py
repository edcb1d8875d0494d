"""The lake game's texts: hints, moves, refusals, positions and results as message keys with fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armoon.games.lake.rules.game import (
    apply,
    landing,
    lands_twice,
    points,
    refusal_of_carry,
    refusal_of_lift,
    tallies,
    way,
)
from armoon.games.lake.rules.values import (
    STARS,
    TOWER_FLOORS,
    Carry,
    Choose,
    Colour,
    Direction,
    Move,
    Outcome,
    Pawn,
    Phase,
    Refusal,
    Split,
    Stack,
    State,
)


@dataclass(frozen=True)
class Line:
    """A sentence, or a word inside one: a message key with its fields, which can be words themselves."""

    key: str
    fields: tuple[tuple[str, Field], ...] = ()


@dataclass(frozen=True)
class Words:
    """Words in a row, as the floors of a stack are."""

    items: tuple[Line | str, ...]


@dataclass(frozen=True)
class Names:
    """Players in a row, the last after an "and"."""

    items: tuple[str, ...]


Field = str | int | Line | Words | Names


def star_number(star: int) -> int:
    """Return a star as players count it: 1 to 32, clockwise."""
    return star + 1


def colour_word(colour: Colour) -> Line:
    return Line(f"lake.colour.{colour.value}")


def pawn_words(pawn: Pawn) -> Line:
    return Line("lake.pawn", (("colour", colour_word(pawn.colour)), ("strength", pawn.strength)))


def stack_words(stack: Stack) -> Words:
    """Return the pawns of a stack, as they are seen from above: the top one first."""
    return Words(tuple(map(pawn_words, reversed(stack))))


def hint_line(state: State) -> Line:
    if state.over:
        return Line("lake.hint.over")
    return Line(f"lake.hint.{state.phase.value}", (("player", state.players[state.player]),))


def refusal_line(state: State, refusal: Refusal, star: int | None = None) -> Line:
    """Why a wish was refused; ``star`` is where something was lifted, or was to be."""
    stack = state.stars[star] if star is not None and 0 <= star < STARS else ()
    top: Field = pawn_words(stack[-1]) if stack else ""
    strength = stack[-1].strength if stack else 0
    fields = (("player", state.players[state.player]), ("pawn", top), ("count", strength))
    return Line(f"lake.refusal.{refusal.value}", fields)


def move_lines(state: State, move: Move) -> tuple[Line, ...]:
    """Return lines that tell a legal move, from the position before it."""
    after = apply(state, move)
    who: tuple[str, Field] = ("player", state.players[state.player])
    if isinstance(move, Choose):
        told = [Line("lake.move.choose", (who, ("colour", colour_word(move.colour))))]
        if after.phase is not Phase.CHOOSE:
            told += _colours_settled(state, after, move)
        return tuple(told)
    if isinstance(move, Carry):
        return _carry_lines(state, move, who)
    if isinstance(move, Split):
        kept, given = (stack_words(half.of(state.tower)) for half in (move.keep, move.keep.other))
        heir = state.players[move.heir]
        return (Line("lake.move.split", (who, ("kept", kept), ("given", given), ("heir", heir))),)
    return (Line("lake.move.take_back", (("count", move.turns),)),)


def _colours_settled(state: State, after: State, move: Choose) -> Iterable[Line]:
    for seat, colours in enumerate(after.colours):
        own = (*state.colours[seat], move.colour) if seat == state.player else state.colours[seat]
        for colour in colours[len(own) :]:
            fields = (("player", after.players[seat]), ("colour", colour_word(colour)))
            yield Line("lake.move.get", fields)
    if after.neutral is not None:
        yield Line("lake.move.neutral", (("colour", colour_word(after.neutral)),))


def _carry_lines(state: State, move: Carry, who: tuple[str, Field]) -> tuple[Line, ...]:
    target = landing(state.stars, move.star, move.direction)
    assert target is not None  # the move is legal
    lifted = state.stars[move.star][-move.floors :]
    built = state.stars[target] + lifted
    fields: tuple[tuple[str, Field], ...] = (
        who,
        ("pawns", stack_words(lifted)),
        ("star", star_number(move.star)),
        ("target", star_number(target)),
    )
    told = [Line(f"lake.move.carry.{move.direction.name.lower()}", fields)]
    if len(built) == TOWER_FLOORS:
        told.append(Line("lake.move.tower", (who, ("pawns", stack_words(built)))))
    return tuple(told)


def score_lines(state: State) -> tuple[Line, ...]:
    """Each player's points as the position stands."""
    return tuple(
        Line(
            "lake.score",
            (("player", name), ("count", tally.total), ("held", tally.held), ("board", tally.board)),
        )
        for name, tally in zip(state.players, tallies(state), strict=True)
    )


def outcome_lines(state: State, outcome: Outcome) -> tuple[Line, Line]:
    ending = Line(f"lake.ending.{outcome.ending.value}", (("player", state.players[state.player]),))
    winners = Names(tuple(state.players[seat] for seat in outcome.winners))
    key = "lake.outcome.won" if len(outcome.winners) == 1 else "lake.outcome.shared"
    return ending, Line(key, (("winners", winners), ("count", max(points(state)))))


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
