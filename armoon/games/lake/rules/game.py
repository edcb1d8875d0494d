"""The lake game as data and functions: ``initial``, ``legal``, ``apply``, ``outcome``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from armoon.games.lake.rules import values
from armoon.games.shared.seating import shuffled
from armoon.values import replace

Stars = tuple[values.Stack, ...]


def way(stars: Stars, star: int, direction: values.Direction) -> tuple[int, ...]:
    """Return the stars that are counted on the way from a star: the other occupied ones, in order (rulings L3, L4)."""
    by = direction.step
    others = ((star + step * by) % values.STARS for step in range(1, values.STARS))
    return tuple(other for other in others if stars[other])


def landing(stars: Stars, star: int, direction: values.Direction) -> int | None:
    """Where the top pawn of a star leads to, however many floors are lifted; None where the way ends (L4)."""
    counted, by = 0, direction.step
    for step in range(1, values.STARS):
        other = (star + step * by) % values.STARS
        if stars[other]:
            counted += 1
            if counted == stars[star][-1].strength:
                return other
    return None


def lands_twice(lifted: values.Stack, below: values.Stack) -> bool:
    there = [pawn.colour for pawn in below]
    return any(pawn.colour in there for pawn in lifted)


def refusal_of_lift(
    stars: Stars, movable: Collection[values.Colour], star: int, floors: int
) -> values.LakeRefusal | None:
    if not 0 <= star < values.STARS:
        return values.LakeRefusal.NO_SUCH_STAR
    stack = stars[star]
    if not stack:
        return values.LakeRefusal.EMPTY_STAR
    if stack[-1].colour not in movable:
        return values.LakeRefusal.NOT_YOURS
    if not 1 <= floors <= len(stack):
        return values.LakeRefusal.NO_SUCH_FLOOR
    return None


def refusal_of_carry(
    stars: Stars, movable: Collection[values.Colour], move: values.Carry
) -> values.LakeRefusal | None:
    refusal = refusal_of_lift(stars, movable, move.star, move.floors)
    if refusal is not None:
        return refusal
    target = landing(stars, move.star, move.direction)
    if target is None:
        return values.LakeRefusal.TOO_FEW_STARS
    return (
        values.LakeRefusal.COLOUR_TWICE
        if lands_twice(stars[move.star][-move.floors :], stars[target])
        else None
    )


def carries(stars: Stars, movable: Collection[values.Colour]) -> Iterator[values.Carry]:
    """Yield every legal carry, by star, direction and floors; where it lands doesn't depend on the floors."""
    occupied = [star for star, stack in enumerate(stars) if stack]
    count = len(occupied)
    for place, star in enumerate(occupied):
        stack = stars[star]
        top = stack[-1]
        if top.colour not in movable or top.strength >= count:
            continue
        for direction in values.Direction:
            there = [p.colour for p in stars[occupied[(place + top.strength * direction.step) % count]]]
            for floors, pawn in enumerate(reversed(stack), start=1):
                if pawn.colour in there:
                    break
                yield values.Carry(star, floors, direction)


def stack_points(stack: values.Stack) -> int:
    """Floors times the strength on top (ruling L8)."""
    return len(stack) * stack[-1].strength


def part_points(part: values.HeldTower, neutral: values.Colour | None) -> int:
    pawns, tower_top = part
    return 0 if tower_top.colour is neutral else stack_points(pawns)


def tallies(state: values.LakeState) -> tuple[tuple[int, int], ...]:
    neutral = state.neutral
    board = [0] * len(state.players)
    for stack in filter(None, state.stars):
        owner = state.owner(stack[-1].colour)
        if owner is not None:
            board[owner] += stack_points(stack)
    return tuple(
        (sum(part_points(part, neutral) for part in parts), on_board)
        for parts, on_board in zip(state.held, board, strict=True)
    )


def points(state: values.LakeState) -> tuple[int, ...]:
    return tuple(held + board for held, board in tallies(state))


#: All pawns of the game (ruling L1).
PAWNS = tuple(
    values.Pawn(colour, s)
    for colour in values.Colour
    for s in values.STRENGTHS
    for _ in range(values.PAWNS_OF_A_KIND)
)
#: Turns of each player without an emptied star after which the game is over (ruling L11).
QUIET_ROUNDS = 10
#: The ruling by which a game ends.
ENDINGS = {values.LakeEnding.NO_MOVE: "L7", values.LakeEnding.STANDSTILL: "L11"}
_PHASES: dict[type[values.Move], values.LakePhase] = {
    values.Choose: values.LakePhase.CHOOSE,
    values.Carry: values.LakePhase.CARRY,
    values.Split: values.LakePhase.SPLIT,
}


def initial(
    players: Sequence[str],
    seed: int = 0,
    *,
    first_chooser: int = 0,
    stars: Sequence[values.Pawn] | None = None,
) -> values.LakeState:
    """Return the position before the first colour is chosen (ruling L1).

    ``stars`` names the pawn on each star where the seed shall not shuffle them. Raises IllegalLakeSetup with a
    sentence where the parts don't go together.
    """
    names = tuple(players)
    if len(names) not in values.COLOURS_EACH:
        raise values.IllegalLakeSetup(f"The lake game is for 2 to 4 players, not {len(names)}.")
    if len(set(names)) != len(names) or not all(names):
        raise values.IllegalLakeSetup("Every player needs a name of their own.")
    if not 0 <= first_chooser < len(names):
        raise values.IllegalLakeSetup(f"There is no player in seat {first_chooser}.")
    if stars is None:
        order = shuffled(seed, [str(pawn) for pawn in PAWNS], "lake")
        layout = tuple(values.stack_from_text(name) for name in order)
    else:
        layout = tuple((pawn,) for pawn in stars)
    if sorted(str(stack[0]) for stack in layout) != sorted(map(str, PAWNS)):
        raise values.IllegalLakeSetup(f"The {values.STARS} stars don't hold each pawn of the game once.")
    nothing: tuple[tuple[Any, ...], ...] = ((),) * len(names)
    return values.LakeState(names, seed, layout, colours=nothing, held=nothing, player=first_chooser)


def legal(state: values.LakeState) -> tuple[values.Move, ...]:
    """Return all moves of the player on turn, in a fixed order; a TakeBack belongs to no turn."""
    if state.phase is values.LakePhase.CHOOSE:
        return tuple(map(values.Choose, state.free_colours))
    if state.phase is values.LakePhase.CARRY:
        return tuple(carries(state.stars, state.movable_colours))
    if state.phase is values.LakePhase.SPLIT:
        return tuple(values.Split(half, heir) for half in values.Half for heir in state.heirs)
    return ()


def refusal(state: values.LakeState, move: values.Move) -> values.LakeRefusal | None:
    if isinstance(move, values.TakeBack):
        return None if _taken_back(state, move.turns) is not None else values.LakeRefusal.NOTHING_TO_TAKE_BACK
    if state.over:
        return values.LakeRefusal.GAME_OVER
    if state.phase is not _PHASES[type(move)]:
        return values.LakeRefusal.WRONG_PHASE
    if isinstance(move, values.Choose):
        return None if move.colour in state.free_colours else values.LakeRefusal.COLOUR_TAKEN
    if isinstance(move, values.Split):
        return None if move.heir in state.heirs else values.LakeRefusal.NO_SUCH_HEIR
    return refusal_of_carry(state.stars, state.movable_colours, move)


def apply(state: values.LakeState, move: values.Move) -> values.LakeState:
    why = refusal(state, move)
    if why is not None:
        raise values.IllegalLakeMove(move, why)
    return _EFFECTS[type(move)](state, move)


def replay(state: values.LakeState, moves: Iterable[values.Move]) -> values.LakeState:
    for move in moves:
        state = apply(state, move)
    return state


def outcome(state: values.LakeState) -> values.LakeOutcome | None:
    if state.ending is None:
        return None
    total = points(state)
    return values.LakeOutcome(
        ending=state.ending,
        ruling=ENDINGS[state.ending],
        winners=tuple(seat for seat, sum_ in enumerate(total) if sum_ == max(total)),
        points=total,
    )


def _choose(state: values.LakeState, move: values.Choose) -> values.LakeState:
    """Choose counter-clockwise; the last player gets the remaining colour at once (ruling L2)."""
    count = len(state.players)
    each = values.COLOURS_EACH[count]
    colours = _given(state.colours, state.player, move.colour)
    chooser = state.player if len(colours[state.player]) < each else (state.player - 1) % count
    chosen = replace(state, colours=colours, player=chooser, before=state)
    missing = each - len(colours[chooser])
    if missing and len(chosen.free_colours) > missing:
        return chosen
    if missing:
        for colour in chosen.free_colours:
            colours = _given(colours, chooser, colour)
    last = chooser if missing else state.player
    return _begin_turn(replace(chosen, colours=colours, player=last, phase=values.LakePhase.CARRY, turn=1))


def _carry(state: values.LakeState, move: values.Carry) -> values.LakeState:
    target = landing(state.stars, move.star, move.direction)
    assert target is not None  # else the move was refused
    stack = state.stars[move.star]
    left, lifted = stack[: -move.floors], stack[-move.floors :]
    stars = list(state.stars)
    stars[move.star] = left
    built = stars[target] = stars[target] + lifted
    quiet = 0 if not left or len(built) == values.TOWER_FLOORS else state.quiet + 1
    if len(built) < values.TOWER_FLOORS:
        return _pass_on(replace(state, stars=tuple(stars), quiet=quiet, before=state))
    stars[target] = ()
    after = replace(state, stars=tuple(stars), quiet=quiet, before=state)
    if state.heirs:
        return replace(after, phase=values.LakePhase.SPLIT, tower=built)
    return _pass_on(replace(after, held=_given(after.held, after.player, (built, built[-1]))))


def _split(state: values.LakeState, move: values.Split) -> values.LakeState:
    held = _given(state.held, state.player, _half(state.tower, move.keep))
    held = _given(held, move.heir, _half(state.tower, move.keep.other))
    return _pass_on(replace(state, held=held, tower=()))


def _half(tower: values.Stack, half: values.Half) -> values.HeldTower:
    return half.of(tower), tower[-1]


def _given(shares: tuple[tuple[Any, ...], ...], seat: int, thing: object) -> tuple[tuple[Any, ...], ...]:
    return (*shares[:seat], (*shares[seat], thing), *shares[seat + 1 :])


def _pass_on(state: values.LakeState) -> values.LakeState:
    return _begin_turn(replace(state, player=(state.player + 1) % len(state.players), turn=state.turn + 1))


def _begin_turn(state: values.LakeState) -> values.LakeState:
    ending = None
    if next(carries(state.stars, state.movable_colours), None) is None:
        ending = values.LakeEnding.NO_MOVE
    elif state.quiet >= QUIET_ROUNDS * len(state.players):
        ending = values.LakeEnding.STANDSTILL
    return replace(state, phase=values.LakePhase.OVER if ending else values.LakePhase.CARRY, ending=ending)


def _take_back(state: values.LakeState, move: values.TakeBack) -> values.LakeState:
    target = _taken_back(state, move.turns)
    assert target is not None  # else the move was refused
    return target


def _taken_back(state: values.LakeState, turns: int) -> values.LakeState | None:
    target: values.LakeState | None = state if turns >= 1 else None
    while target is not None and turns:
        target, turns = target.before, turns - 1
    return target


_EFFECTS: dict[type[values.Move], Callable[[values.LakeState, Any], values.LakeState]] = {
    values.Choose: _choose,
    values.Carry: _carry,
    values.Split: _split,
    values.TakeBack: _take_back,
}
