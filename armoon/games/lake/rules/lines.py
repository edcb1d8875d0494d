"""The lake game's texts: hints, moves, refusals, positions and results as message keys with fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from armoon.games.lake.rules import game, values
from armoon.games.lake.rules.game import way


@dataclass(frozen=True)
class LakeLine:
    """A sentence, or a word inside one: a message key with its fields, which can be words themselves."""

    key: str
    fields: tuple[tuple[str, Field], ...] = ()


#: Lines in a tuple stand in a row, as the floors of a stack; names in a tuple have an "and" before the last.
Field = str | int | LakeLine | tuple[LakeLine, ...] | tuple[str, ...]


def star_number(star: int) -> int:
    return star + 1


def colour_word(colour: values.Colour) -> LakeLine:
    return LakeLine(f"lake.colour.{colour.value}")


def pawn_words(pawn: values.Pawn) -> LakeLine:
    return LakeLine("lake.pawn", (("colour", colour_word(pawn.colour)), ("strength", pawn.strength)))


def stack_words(stack: values.Stack) -> tuple[LakeLine, ...]:
    return tuple(map(pawn_words, reversed(stack)))


def hint_line(state: values.LakeState) -> LakeLine:
    if state.over:
        return LakeLine("lake.hint.over")
    second = state.phase is values.LakePhase.CHOOSE and bool(state.colours[state.player])
    key = "choose_second" if second else state.phase.value
    return LakeLine(f"lake.hint.{key}", (("player", state.players[state.player]),))


def refusal_line(state: values.LakeState, refusal: values.LakeRefusal, star: int | None = None) -> LakeLine:
    stack = state.stars[star] if star is not None and 0 <= star < values.STARS else ()
    top: Field = pawn_words(stack[-1]) if stack else ""
    strength = stack[-1].strength if stack else 0
    fields = (("player", state.players[state.player]), ("pawn", top), ("count", strength))
    return LakeLine(f"lake.refusal.{refusal.value}", fields)


def move_lines(state: values.LakeState, move: values.Move) -> tuple[LakeLine, ...]:
    after = game.apply(state, move)
    who: tuple[str, Field] = ("player", state.players[state.player])
    if isinstance(move, values.Choose):
        lines = [LakeLine("lake.move.choose", (who, ("colour", colour_word(move.colour))))]
        if after.phase is not values.LakePhase.CHOOSE:
            lines += _colours_settled(state, after, move)
        return tuple(lines)
    if isinstance(move, values.Carry):
        return _carry_lines(state, move, who)
    if isinstance(move, values.Split):
        kept, given = (stack_words(half.of(state.tower)) for half in (move.keep, move.keep.other))
        heir = state.players[move.heir]
        return (LakeLine("lake.move.split", (who, ("kept", kept), ("given", given), ("heir", heir))),)
    return (LakeLine("lake.move.take_back", (("count", move.turns),)),)


def _colours_settled(
    state: values.LakeState, after: values.LakeState, move: values.Choose
) -> Iterable[LakeLine]:
    for seat, colours in enumerate(after.colours):
        own = (*state.colours[seat], move.colour) if seat == state.player else state.colours[seat]
        for colour in colours[len(own) :]:
            fields = (("player", after.players[seat]), ("colour", colour_word(colour)))
            yield LakeLine("lake.move.get", fields)
    if after.neutral is not None:
        yield LakeLine("lake.move.neutral", (("colour", colour_word(after.neutral)),))


def _carry_lines(state: values.LakeState, move: values.Carry, who: tuple[str, Field]) -> tuple[LakeLine, ...]:
    target = game.landing(state.stars, move.star, move.direction)
    assert target is not None  # the move is legal
    lifted = state.stars[move.star][-move.floors :]
    built = state.stars[target] + lifted
    fields: tuple[tuple[str, Field], ...] = (
        who,
        ("pawns", stack_words(lifted)),
        ("star", star_number(move.star)),
        ("target", star_number(target)),
    )
    lines = [LakeLine(f"lake.move.carry.{move.direction.value}", fields)]
    if len(built) == values.TOWER_FLOORS:
        lines.append(LakeLine("lake.move.tower", (who, ("pawns", stack_words(built)))))
    return tuple(lines)


def score_lines(state: values.LakeState) -> tuple[LakeLine, ...]:
    return tuple(
        LakeLine("lake.score", (("player", name), ("count", held + board), ("held", held), ("board", board)))
        for name, (held, board) in zip(state.players, game.tallies(state), strict=True)
    )


def outcome_lines(state: values.LakeState, outcome: values.LakeOutcome) -> tuple[LakeLine, LakeLine]:
    ending = LakeLine(f"lake.ending.{outcome.ending.value}", (("player", state.players[state.player]),))
    winners = tuple(state.players[seat] for seat in outcome.winners)
    key = "lake.outcome.won" if len(outcome.winners) == 1 else "lake.outcome.shared"
    return ending, LakeLine(key, (("winners", winners), ("count", max(game.points(state)))))


@dataclass(frozen=True)
class LandingStar:
    """A star that lifted floors may land on."""

    carry: values.Carry
    star: int
    way: tuple[int, ...]
    """The occupied stars that are counted, this star the last."""


def refusal_of_grab(state: values.LakeState, star: int, floors: int) -> values.LakeRefusal | None:
    if state.over:
        return values.LakeRefusal.GAME_OVER
    if state.phase is not values.LakePhase.CARRY:
        return values.LakeRefusal.WRONG_PHASE
    return game.refusal_of_lift(state.stars, state.movable_colours, star, floors)


def landings(state: values.LakeState, star: int, floors: int) -> tuple[LandingStar, ...]:
    """Where these floors may land, clockwise first; both ways can lead to the same star."""
    if refusal_of_grab(state, star, floors) is not None:
        return ()
    found = []
    for direction in values.Direction:
        move = values.Carry(star, floors, direction)
        if game.refusal_of_carry(state.stars, state.movable_colours, move) is None:
            counted = way(state.stars, star, direction)[: state.stars[star][-1].strength]
            found.append(LandingStar(move, counted[-1], counted))
    return tuple(found)


def liftable(state: values.LakeState) -> dict[int, tuple[int, ...]]:
    found = {
        star: tuple(floors for floors in range(1, len(stack) + 1) if landings(state, star, floors))
        for star, stack in enumerate(state.stars)
    }
    return {star: floors for star, floors in found.items() if floors}


def drop(state: values.LakeState, star: int, floors: int, target: int) -> values.Carry | values.LakeRefusal:
    refusal = refusal_of_grab(state, star, floors)
    if refusal is not None:
        return refusal
    if not 0 <= target < values.STARS:
        return values.LakeRefusal.NO_SUCH_STAR
    if target == star:
        return values.LakeRefusal.LEFT_HERE
    if not state.stars[target]:
        return values.LakeRefusal.LANDS_ON_EMPTY
    if state.stars[star][-1].strength > len(way(state.stars, star, values.Direction.CLOCKWISE)):
        return values.LakeRefusal.TOO_FEW_STARS
    for direction in values.Direction:
        if game.landing(state.stars, star, direction) == target:
            if game.lands_twice(state.stars[star][-floors:], state.stars[target]):
                return values.LakeRefusal.COLOUR_TWICE
            return values.Carry(star, floors, direction)
    return values.LakeRefusal.WRONG_DISTANCE
