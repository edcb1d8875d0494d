"""The pure rules of the lake game: positions and moves."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

from armoon.games.shared import shuffled
from armoon.values import replace
from armoon.values.choices import Word

#: Stars in the ring and pawns at the start, one on each (ruling L1).
STARS = 32
#: Floors of a dream-tower, one of each colour (ruling L6).
TOWER_FLOORS = 4
#: Strengths of each colour's pawns, and number of pawns of each colour and strength (ruling L1).
STRENGTHS = (1, 2, 3, 4)
PAWNS_OF_A_KIND = 2


class Colour(enum.Enum):
    """A dome-pawn's colour (ruling L1); its value is the last part of the message key ``lake.colour.VALUE``."""

    AMBER = "amber"
    JADE = "jade"
    RUBY = "ruby"
    SAPPHIRE = "sapphire"


class Direction(enum.Enum):
    """A direction round the lake, seen from above; stars are numbered clockwise."""

    CLOCKWISE = "clockwise"
    COUNTER_CLOCKWISE = "counter_clockwise"

    @cached_property
    def step(self) -> int:
        return 1 if self is Direction.CLOCKWISE else -1


@dataclass(frozen=True)
class Pawn:
    """A dome-pawn; its string is the colour's first letter and the strength, such as ``A3``."""

    colour: Colour
    strength: int

    def __str__(self) -> str:
        return f"{self.colour.value[0].upper()}{self.strength}"


#: Pawns from bottom to top, or an empty tuple for an empty star.
Stack = tuple[Pawn, ...]
#: A dream-tower, or half of one, held by a player (ruling L6), and the pawn on the tower's fourth floor, which makes
#: both halves worthless if it is neutral (ruling L9).
HeldTower = tuple[Stack, Pawn]


class Half(enum.Enum):
    """A half of a dream-tower (ruling L6)."""

    TOP = "top"
    BOTTOM = "bottom"

    def cut(self, tower: Stack) -> Stack:
        middle = TOWER_FLOORS // 2
        return tower[middle:] if self is Half.TOP else tower[:middle]

    @property
    def other(self) -> Half:
        return Half.BOTTOM if self is Half.TOP else Half.TOP


class LakePhase(enum.Enum):
    """The next step of a turn."""

    CHOOSE = "choose"
    CARRY = "carry"
    """The current player carries a stack, or its upper floors (ruling L3)."""
    SPLIT = "split"
    """The current player has completed a dream-tower and divides it (ruling L6)."""
    OVER = "over"


class LakeRefusal(enum.Enum):
    """Why a move is refused; the message key is ``lake.refusal.VALUE``."""

    GAME_OVER = "game_over"
    WRONG_PHASE = "wrong_phase"
    COLOUR_TAKEN = "colour_taken"
    NO_SUCH_STAR = "no_such_star"
    EMPTY_STAR = "empty_star"
    NOT_YOURS = "not_yours"
    """L3: the top pawn belongs to another player."""
    NO_SUCH_FLOOR = "no_such_floor"
    TOO_FEW_STARS = "too_few_stars"
    """L4: the top pawn's strength exceeds the number of other occupied stars."""
    COLOUR_TWICE = "colour_twice"
    """L5: a stack can't contain a colour twice."""
    NO_SUCH_HEIR = "no_such_heir"
    """L6: the other half must go to another player; with four players, to the one opposite."""
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    LEFT_HERE = "left_here"
    """L4: dropped on the star that the pawns came from."""
    LANDS_ON_EMPTY = "lands_on_empty"
    """L3: dropped on an empty star."""
    WRONG_DISTANCE = "wrong_distance"
    """L3: dropped on an occupied star at a distance other than the top pawn's strength."""


class LakeEnding(enum.Enum):
    """Why the game is over; the message key is ``lake.ending.VALUE``."""

    NO_MOVE = "no_move"
    """L7: the current player can't move."""
    STANDSTILL = "standstill"
    """L11: no star was emptied for QUIET_ROUNDS rounds."""


@dataclass(frozen=True)
class LakeOutcome:
    """The result of a game and the reason for its end."""

    ending: LakeEnding
    ruling: str
    winners: tuple[int, ...]
    """Seats of the winners; with equal points, several players win (ruling L10)."""
    points: tuple[int, ...]


class IllegalLakeMove(Exception):  # noqa: N818 - the usual term
    """A move is against the rules; ``refusal`` is the reason."""

    def __init__(self, move: object, refusal: LakeRefusal) -> None:
        super().__init__(f"{move}: {refusal.value}")
        self.move = move
        self.refusal = refusal


class IllegalLakeSetup(ValueError):  # noqa: N818 - named like IllegalLakeMove
    """The players or the first chooser are invalid."""


#: Number of colours for each player, by the number of players (ruling L2).
COLOURS_EACH = {2: 2, 3: 1, 4: 1}


@dataclass(frozen=True)
class LakeState:
    """A position. Players are identified by their seats, counted clockwise from 0."""

    players: tuple[str, ...]
    seed: int
    stars: tuple[Stack, ...]
    colours: tuple[tuple[Colour, ...], ...]
    """Each player's colours so far."""
    held: tuple[tuple[HeldTower, ...], ...]
    """Each player's towers and halves of towers (ruling L6)."""
    player: int
    """The seat that must choose, carry or split; after the end, the seat whose turn it would be."""
    phase: LakePhase = LakePhase.CHOOSE
    turn: int = 0
    """Number of the turn, from 1; 0 while players choose colours."""
    tower: Stack = ()
    """The tower to be split, completed in this turn (ruling L6)."""
    quiet_carries: int = 0
    """Number of carries since the last one that emptied a star (ruling L11)."""
    ending: LakeEnding | None = None
    before: LakeState | None = field(default=None, compare=False, repr=False)
    """The position before the last choice or carry, for undo."""

    @cached_property
    def over(self) -> bool:
        return self.phase is LakePhase.OVER

    @cached_property
    def free_colours(self) -> tuple[Colour, ...]:
        """Colours without an owner; after the choice, only the neutral one, if any (ruling L2)."""
        chosen = tuple(itertools.chain.from_iterable(self.colours))
        return tuple(colour for colour in Colour if colour not in chosen)

    @cached_property
    def neutral(self) -> Colour | None:
        """In a game of three, the colour that everyone can move (ruling L2)."""
        if self.phase is LakePhase.CHOOSE:
            return None
        return next(iter(self.free_colours), None)

    @cached_property
    def movable_colours(self) -> tuple[Colour, ...]:
        return () if self.phase is LakePhase.CHOOSE else self.colours[self.player] + self.free_colours

    @property
    def heirs(self) -> tuple[int, ...]:
        """Players who can get the current player's other half; none if towers aren't split (ruling L6)."""
        count = len(self.players)
        if count == 2:
            return ()
        if count == 4:
            return ((self.player + 2) % count,)
        return tuple((self.player + step) % count for step in range(1, count))

    @cached_property
    def owners(self) -> dict[Colour, int]:
        return {colour: seat for seat, colours in enumerate(self.colours) for colour in colours}

    @cached_property
    def carries(self) -> tuple[Carry, ...]:
        return tuple(iter_carries(self.stars, self.movable_colours))

    @cached_property
    def tally(self) -> tuple[tuple[int, int], ...]:
        """Each player's points in held towers, and on the board."""
        board = [0] * len(self.players)
        for stack in filter(None, self.stars):
            owner = self.owners.get(stack[-1].colour)
            if owner is not None:
                board[owner] += count_stack_points(stack)
        return tuple(
            (sum(count_held_points(part, self.neutral) for part in parts), on_board)
            for parts, on_board in zip(self.held, board, strict=True)
        )

    def without_history(self) -> LakeState:
        """Return the position without earlier ones, for transfer to another process."""
        return replace(self, before=None)


@dataclass(frozen=True)
class Choose:
    """The current player chooses a colour (ruling L2)."""

    colour: Colour


@dataclass(frozen=True)
class Carry:
    """The current player carries the upper floors of a stack round the lake (ruling L3)."""

    star: int
    """The star of the stack, 0 to 31."""
    floors: int
    """Number of floors that are lifted."""
    direction: Direction


@dataclass(frozen=True)
class Split:
    """The current player keeps one half of the completed tower and gives the other away (ruling L6)."""

    keep: Half
    heir: int
    """The seat that gets the other half."""


@dataclass(frozen=True)
class TakeBack:
    """Undoes the last turns, including the current one; not in the printed rules, but logged like any move."""

    turns: int = 1


Move = Choose | Carry | Split | TakeBack
#: Every kind of move.
MOVE_KINDS: tuple[type[Move], ...] = get_args(Move)


class Strength(Word):
    """The playing strength of a bot."""

    WEAK = "weak"
    """Half of the moves are random; the others maximize the immediate gain."""
    MIDDLE = "middle"
    """Searches two plies: a move and the reply."""
    STRONG = "strong"
    """Searches as deeply as a budget of nodes allows."""


Stars = tuple[Stack, ...]


def list_counted_stars(stars: Stars, star: int, direction: Direction) -> tuple[int, ...]:
    """Return the other occupied stars in the order in which a carry from ``star`` counts them (rulings L3, L4)."""
    return tuple([s for k in range(1, STARS) if stars[s := (star + k * direction.step) % STARS]])


def find_landing(stars: Stars, star: int, direction: Direction) -> int | None:
    """Return the star where floors carried from ``star`` land; None if too few stars are occupied (ruling L4)."""
    counted, strength = list_counted_stars(stars, star, direction), stars[star][-1].strength
    return counted[strength - 1] if strength <= len(counted) else None


def has_colour_twice(lifted: Stack, below: Stack) -> bool:
    colours_below = {pawn.colour for pawn in below}
    return not colours_below.isdisjoint([pawn.colour for pawn in lifted])


def check_lift(stars: Stars, movable: Collection[Colour], star: int, floors: int) -> LakeRefusal | None:
    if not 0 <= star < STARS:
        return LakeRefusal.NO_SUCH_STAR
    stack = stars[star]
    if not stack:
        return LakeRefusal.EMPTY_STAR
    if stack[-1].colour not in movable:
        return LakeRefusal.NOT_YOURS
    if not 1 <= floors <= len(stack):
        return LakeRefusal.NO_SUCH_FLOOR
    return None


def check_carry(stars: Stars, movable: Collection[Colour], move: Carry) -> LakeRefusal | None:
    refusal = check_lift(stars, movable, move.star, move.floors)
    if refusal is not None:
        return refusal
    target = find_landing(stars, move.star, move.direction)
    if target is None:
        return LakeRefusal.TOO_FEW_STARS
    twice = has_colour_twice(stars[move.star][-move.floors :], stars[target])
    return LakeRefusal.COLOUR_TWICE if twice else None


def iter_carries(stars: Stars, movable: Collection[Colour]) -> Iterator[Carry]:
    """Yield every legal carry, ordered by star, direction and number of floors."""
    occupied = [star for star, stack in enumerate(stars) if stack]
    count = len(occupied)
    for place, star in enumerate(occupied):
        stack = stars[star]
        top = stack[-1]
        if top.colour not in movable or top.strength >= count:
            continue
        for direction in Direction:
            target = occupied[(place + top.strength * direction.step) % count]
            colours_below = [pawn.colour for pawn in stars[target]]
            for floors, pawn in enumerate(reversed(stack), start=1):
                if pawn.colour in colours_below:
                    break
                yield Carry(star, floors, direction)


def count_stack_points(stack: Stack) -> int:
    """Return the number of floors times the strength of the top pawn (ruling L8)."""
    return len(stack) * stack[-1].strength


def count_held_points(held: HeldTower, neutral: Colour | None) -> int:
    pawns, tower_top = held
    return 0 if tower_top.colour is neutral else count_stack_points(pawns)


def count_points(state: LakeState) -> tuple[int, ...]:
    return tuple(held + board for held, board in state.tally)


#: All pawns of the game (ruling L1).
PAWNS = tuple(Pawn(colour, s) for colour in Colour for s in STRENGTHS for _ in range(PAWNS_OF_A_KIND))
#: The game ends after this many turns per player in which no star was emptied (ruling L11).
QUIET_ROUNDS = 10
#: The ruling behind each ending.
ENDINGS = {LakeEnding.NO_MOVE: "L7", LakeEnding.STANDSTILL: "L11"}
_PHASES: dict[type[Move], LakePhase] = {
    Choose: LakePhase.CHOOSE,
    Carry: LakePhase.CARRY,
    Split: LakePhase.SPLIT,
}


def create_state(players: Sequence[str], seed: int = 0, *, first_chooser: int = 0) -> LakeState:
    """Return the position before the first colour is chosen (ruling L1). Raises IllegalLakeSetup."""
    names = tuple(players)
    if len(names) not in COLOURS_EACH:
        raise IllegalLakeSetup(f"The lake game is for 2 to 4 players, not {len(names)}.")
    if len(set(names)) != len(names) or not all(names):
        raise IllegalLakeSetup("Each player needs a different name.")
    if not 0 <= first_chooser < len(names):
        raise IllegalLakeSetup(f"There is no player in seat {first_chooser}.")
    pawns = {str(pawn): pawn for pawn in PAWNS}
    layout = tuple((pawns[name],) for name in shuffled(seed, [str(pawn) for pawn in PAWNS], "lake"))
    empty: tuple[tuple[Any, ...], ...] = ((),) * len(names)
    return LakeState(names, seed, layout, colours=empty, held=empty, player=first_chooser)


def legal_moves(state: LakeState) -> tuple[Move, ...]:
    """Return all moves of the current player except TakeBack, in a fixed order."""
    if state.phase is LakePhase.CHOOSE:
        return tuple(map(Choose, state.free_colours))
    if state.phase is LakePhase.CARRY:
        return state.carries
    if state.phase is LakePhase.SPLIT:
        return tuple(Split(half, heir) for half in Half for heir in state.heirs)
    return ()


def find_refusal(state: LakeState, move: Move) -> LakeRefusal | None:
    if isinstance(move, TakeBack):
        return None if _rewind_state(state, move.turns) is not None else LakeRefusal.NOTHING_TO_TAKE_BACK
    if state.over:
        return LakeRefusal.GAME_OVER
    if state.phase is not _PHASES[type(move)]:
        return LakeRefusal.WRONG_PHASE
    if isinstance(move, Choose):
        return None if move.colour in state.free_colours else LakeRefusal.COLOUR_TAKEN
    if isinstance(move, Split):
        return None if move.heir in state.heirs else LakeRefusal.NO_SUCH_HEIR
    return check_carry(state.stars, state.movable_colours, move)


def apply_move(state: LakeState, move: Move) -> LakeState:
    refusal = find_refusal(state, move)
    if refusal is not None:
        raise IllegalLakeMove(move, refusal)
    return _EFFECTS[type(move)](state, move)


def replay_moves(state: LakeState, moves: Iterable[Move]) -> LakeState:
    for move in moves:
        state = apply_move(state, move)
    return state


def find_outcome(state: LakeState) -> LakeOutcome | None:
    if state.ending is None:
        return None
    points = count_points(state)
    return LakeOutcome(
        ending=state.ending,
        ruling=ENDINGS[state.ending],
        winners=tuple(seat for seat, count in enumerate(points) if count == max(points)),
        points=points,
    )


def _choose(state: LakeState, move: Choose) -> LakeState:
    """Apply a choice of colour: players choose counter-clockwise, and the last one gets the rest (ruling L2)."""
    count = len(state.players)
    each = COLOURS_EACH[count]
    colours = _add_share(state.colours, state.player, move.colour)
    chooser = state.player if len(colours[state.player]) < each else (state.player - 1) % count
    chosen = replace(state, colours=colours, player=chooser, before=state)
    missing = each - len(colours[chooser])
    if missing and len(chosen.free_colours) > missing:
        return chosen
    if missing:
        for colour in chosen.free_colours:
            colours = _add_share(colours, chooser, colour)
    last = chooser if missing else state.player
    return _begin_turn(replace(chosen, colours=colours, player=last, phase=LakePhase.CARRY, turn=1))


def _carry(state: LakeState, move: Carry) -> LakeState:
    target = find_landing(state.stars, move.star, move.direction)
    assert target is not None  # otherwise the move was refused
    stack = state.stars[move.star]
    remaining, lifted = stack[: -move.floors], stack[-move.floors :]
    stars = list(state.stars)
    stars[move.star] = remaining
    new_stack = stars[target] = stars[target] + lifted
    quiet_carries = 0 if not remaining or len(new_stack) == TOWER_FLOORS else state.quiet_carries + 1
    if len(new_stack) < TOWER_FLOORS:
        return _end_turn(replace(state, stars=tuple(stars), quiet_carries=quiet_carries, before=state))
    stars[target] = ()
    after = replace(state, stars=tuple(stars), quiet_carries=quiet_carries, before=state)
    if state.heirs:
        return replace(after, phase=LakePhase.SPLIT, tower=new_stack)
    return _end_turn(replace(after, held=_add_share(after.held, after.player, (new_stack, new_stack[-1]))))


def _split(state: LakeState, move: Split) -> LakeState:
    held = state.held
    for half, seat in ((move.keep, state.player), (move.keep.other, move.heir)):
        held = _add_share(held, seat, (half.cut(state.tower), state.tower[-1]))
    return _end_turn(replace(state, held=held, tower=()))


def _add_share(shares: tuple[tuple[Any, ...], ...], seat: int, share: object) -> tuple[tuple[Any, ...], ...]:
    return (*shares[:seat], (*shares[seat], share), *shares[seat + 1 :])


def _end_turn(state: LakeState) -> LakeState:
    return _begin_turn(replace(state, player=(state.player + 1) % len(state.players), turn=state.turn + 1))


def _begin_turn(state: LakeState) -> LakeState:
    ending = None
    if next(iter_carries(state.stars, state.movable_colours), None) is None:
        ending = LakeEnding.NO_MOVE
    elif state.quiet_carries >= QUIET_ROUNDS * len(state.players):
        ending = LakeEnding.STANDSTILL
    return replace(state, phase=LakePhase.OVER if ending else LakePhase.CARRY, ending=ending)


def _take_back(state: LakeState, move: TakeBack) -> LakeState:
    target = _rewind_state(state, move.turns)
    assert target is not None  # otherwise the move was refused
    return target


def _rewind_state(state: LakeState, turns: int) -> LakeState | None:
    target: LakeState | None = state if turns >= 1 else None
    while target is not None and turns:
        target, turns = target.before, turns - 1
    return target


_EFFECTS: dict[type[Move], Callable[[LakeState, Any], LakeState]] = {
    Choose: _choose,
    Carry: _carry,
    Split: _split,
    TakeBack: _take_back,
}


def check_grab(state: LakeState, star: int, floors: int) -> LakeRefusal | None:
    if state.over:
        return LakeRefusal.GAME_OVER
    if state.phase is not LakePhase.CARRY:
        return LakeRefusal.WRONG_PHASE
    return check_lift(state.stars, state.movable_colours, star, floors)


def list_landings(state: LakeState, star: int, floors: int) -> dict[Carry, tuple[int, ...]]:
    """Map the legal carries of these floors, clockwise first, to the stars that they count.

    A carry lands on the last star that it counts. Both directions can lead to the same star.
    """
    landings: dict[Carry, tuple[int, ...]] = {}
    if check_grab(state, star, floors) is not None:
        return landings
    for direction in Direction:
        move = Carry(star, floors, direction)
        if check_carry(state.stars, state.movable_colours, move) is None:
            counted = list_counted_stars(state.stars, star, direction)
            landings[move] = counted[: state.stars[star][-1].strength]
    return landings


def plan_drop(state: LakeState, star: int, floors: int, target: int) -> Carry | LakeRefusal:
    refusal = check_grab(state, star, floors)
    if refusal is not None:
        return refusal
    if not 0 <= target < STARS:
        return LakeRefusal.NO_SUCH_STAR
    if target == star:
        return LakeRefusal.LEFT_HERE
    if not state.stars[target]:
        return LakeRefusal.LANDS_ON_EMPTY
    if state.stars[star][-1].strength > len(list_counted_stars(state.stars, star, Direction.CLOCKWISE)):
        return LakeRefusal.TOO_FEW_STARS
    for direction in Direction:
        if find_landing(state.stars, star, direction) == target:
            if has_colour_twice(state.stars[star][-floors:], state.stars[target]):
                return LakeRefusal.COLOUR_TWICE
            return Carry(star, floors, direction)
    return LakeRefusal.WRONG_DISTANCE
