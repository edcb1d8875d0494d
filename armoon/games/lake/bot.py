"""The lake's bots in three strengths; in the same position, a bot always makes the same move."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import TypeVar

from armoon.games.lake import rules
from armoon.games.shared import shuffled
from armoon.messages import text

Board = list[int]

_PAWN_BITS = 4
#: The smallest encoded stack of four floors.
TOWER = 1 << _PAWN_BITS * rules.TOWER_FLOORS
_COLOURS = tuple(rules.Colour)


def encode_stack(stack: rules.Stack) -> int:
    number = 1
    for pawn in stack:
        number = number << _PAWN_BITS | _COLOURS.index(pawn.colour) << 2 | pawn.strength - 1
    return number


def count_floors(number: int) -> int:
    return (number.bit_length() - 1) // _PAWN_BITS


def find_top_colour(number: int) -> rules.Colour:
    return _COLOURS[number >> 2 & 3]


def count_stack_points(number: int) -> int:
    return count_floors(number) * ((number & 3) + 1)


def _mask_colours(number: int) -> int:
    mask = 0
    while number > 1:
        mask |= 1 << (number >> 2 & 3)
        number >>= _PAWN_BITS
    return mask


def _list_lifts(number: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return all lifts: the lifted floors' colour mask, shift and number, and the remaining stack's number.

    Carrying them to a stack ``below`` gives ``below << shift | lifted``; a remaining stack of 1 is an empty star.
    """
    lifts = []
    for floors in range(1, count_floors(number) + 1):
        shift = _PAWN_BITS * floors
        lifted = number & (1 << shift) - 1
        lifts.append((_mask_colours(1 << shift | lifted), shift, lifted, number >> shift))
    return tuple(lifts)


def _list_stacks() -> list[int]:
    return [
        encode_stack(tuple(map(rules.Pawn, colours, strengths)))
        for floors in range(1, rules.TOWER_FLOORS)
        for colours in itertools.permutations(rules.Colour, floors)
        for strengths in itertools.product(rules.STRENGTHS, repeat=floors)
    ]


#: Colours (a bit mask), points and lifts of every stack that can stand on the board, by its number.
MASKS = {number: _mask_colours(number) for number in _list_stacks()}
POINTS = {number: count_stack_points(number) for number in MASKS}
LIFTS = {number: _list_lifts(number) for number in MASKS}


#: Value added for a won game, greater than any lead in points.
WIN_VALUE = 10_000
_INFINITY = 10 * WIN_VALUE

#: A carry: change of the value, board index, direction, floors, target index, and the resulting stacks at the target
#: and the origin; 1 is an empty star.
_Step = tuple[int, int, int, int, int, int, int]


class _OutOfNodes(Exception):  # noqa: N818 - a signal to unwind, not an error
    """The node budget is used up."""


@dataclass(frozen=True)
class SearchResult:
    """The best carry of a search, with its value."""

    carry: rules.Carry
    value: int
    """The searching player's lead over the average opponent, times their number; at least WIN_VALUE for a win."""
    depth: int
    """The last completed depth, in plies."""
    nodes: int
    """Number of positions whose moves were generated."""


class Search:
    """An alpha-beta search from a position in which the current player must carry."""

    def __init__(self, state: rules.LakeState) -> None:
        count = len(state.players)
        self._count = count
        self._me = state.player
        self._quiet_limit = rules.QUIET_ROUNDS * count
        self._quiet = state.quiet_carries
        self._occupied = [star for star, stack in enumerate(state.stars) if stack]
        self._board: Board = [encode_stack(state.stars[star]) for star in self._occupied]
        self._weights = [count - 1 if seat == self._me else -1 for seat in range(count)]
        self._score = sum(
            weight * points for weight, points in zip(self._weights, rules.count_points(state), strict=True)
        )
        seats = [replace(state, player=seat) for seat in range(count)]
        self._movable = [sum(1 << _COLOURS.index(c) for c in seat.movable_colours) for seat in seats]
        self._heirs = [seat.heirs for seat in seats]
        self._worth = dict.fromkeys(rules.Colour, 0)
        self._worth |= {colour: self._weights[owner] for colour, owner in state.owners.items()}
        self._neutral = state.neutral
        #: Value of each stack on the board for the searching player (rulings L8, L9).
        self._values = {
            number: points * self._worth[find_top_colour(number)] for number, points in POINTS.items()
        }
        self._values[1] = 0
        self._towers: list[dict[int, int]] = [{} for _ in range(count)]
        self._nodes = 0
        self._budget = 0
        self._is_depth_limited = False

    def find_best_carry(self, nodes: int, max_plies: int = 1000) -> SearchResult:
        """Return the best carry within these limits; the first ply is always completed."""
        self._nodes, self._budget = 1, nodes
        steps = self._list_steps(self._board, self._me)
        steps.sort(reverse=True)
        value, depth = self._score + steps[0][0], 1
        while depth < max_plies and len(steps) > 1:
            self._is_depth_limited = False
            try:
                value = self._order_steps(steps, depth + 1)
            except _OutOfNodes:
                break
            depth += 1
            if not self._is_depth_limited:
                break  # all lines were searched to the end of the game
        return SearchResult(self._make_carry(steps[0]), value, depth, self._nodes)

    def list_gains(self) -> list[tuple[int, rules.Carry]]:
        return [
            (step[0], self._make_carry(step))
            for step in sorted(self._list_steps(self._board, self._me), reverse=True)
        ]

    def _make_carry(self, step: _Step) -> rules.Carry:
        _, place, direction, floors, *_ = step
        clockwise, counter_clockwise = rules.Direction
        return rules.Carry(self._occupied[place], floors, clockwise if direction > 0 else counter_clockwise)

    def _order_steps(self, steps: list[_Step], depth: int) -> int:
        """Move the best step at this depth to the front, the first one among equals; return its value.

        If the nodes run out, the best step found so far is in front, because the search begins with the previous best.
        """
        alpha, beta = -_INFINITY, _INFINITY
        for index in range(len(steps)):
            value = self._search_step(
                steps[index], self._board, self._me, self._score, self._quiet, depth, alpha, beta
            )
            if value > alpha:
                alpha = value
                steps.insert(0, steps.pop(index))
        return alpha

    def _search(
        self, board: Board, seat: int, score: int, quiet: int, depth: int, alpha: int, beta: int
    ) -> int:
        self._nodes += 1
        if self._nodes > self._budget:
            raise _OutOfNodes
        steps = self._list_steps(board, seat)
        if not steps or quiet >= self._quiet_limit:
            return score + (WIN_VALUE if score > 0 else -WIN_VALUE if score < 0 else 0)
        is_maximising = seat == self._me
        if depth == 1:
            self._is_depth_limited = True
            return score + (max(steps) if is_maximising else min(steps))[0]
        steps.sort(reverse=is_maximising)
        if is_maximising:
            for step in steps:
                alpha = max(alpha, self._search_step(step, board, seat, score, quiet, depth, alpha, beta))
                if alpha >= beta:
                    break
            return alpha
        for step in steps:
            beta = min(beta, self._search_step(step, board, seat, score, quiet, depth, alpha, beta))
            if alpha >= beta:
                break
        return beta

    def _search_step(
        self, step: _Step, board: Board, seat: int, score: int, quiet: int, depth: int, alpha: int, beta: int
    ) -> int:
        gain, place, _, _, target, new_stack, remaining = step
        board = board.copy()
        board[target] = new_stack
        board[place] = remaining
        if new_stack == 1 or remaining == 1:
            board = [number for number in board if number != 1]
            quiet = -1
        return self._search(board, (seat + 1) % self._count, score + gain, quiet + 1, depth - 1, alpha, beta)

    def _list_steps(self, board: Board, seat: int) -> list[_Step]:
        """Return the player's carries: only the clockwise one if both directions lead to the same star."""
        count = len(board)
        movable = self._movable[seat]
        values = self._values
        steps: list[_Step] = []
        for place, number in enumerate(board):
            strength = (number & 3) + 1
            if strength >= count or not movable >> (number >> 2 & 3) & 1:
                continue
            for direction in (1,) if 2 * strength == count else (1, -1):
                target = (place + direction * strength) % count
                below = board[target]
                colours_below = MASKS[below]
                removed = values[below] + values[number]
                for floors, (colours, shift, lifted, remaining) in enumerate(LIFTS[number], start=1):
                    if colours & colours_below:
                        break
                    new_stack = below << shift | lifted
                    if new_stack < TOWER:
                        gain = values[new_stack] + values[remaining] - removed
                    else:
                        gain, new_stack = self._value_tower(new_stack, seat) + values[remaining] - removed, 1
                    steps.append((gain, place, direction, floors, target, new_stack, remaining))
        return steps

    def _value_tower(self, number: int, seat: int) -> int:
        value = self._towers[seat].get(number)
        if value is None:
            value = self._towers[seat][number] = self._value_split(number, seat)
        return value

    def _value_split(self, number: int, seat: int) -> int:
        if find_top_colour(number) is self._neutral:
            return 0
        if not self._heirs[seat]:
            return self._weights[seat] * count_stack_points(number)
        top, bottom = 2 * ((number & 3) + 1), 2 * ((number >> 8 & 3) + 1)
        values = [
            self._weights[seat] * kept + self._weights[heir] * given
            for kept, given in ((top, bottom), (bottom, top))
            for heir in self._heirs[seat]
        ]
        return max(values) if seat == self._me else min(values)


#: Maximum number of nodes in the strongest bot's search for a move, under 2 s on a slow laptop. At the start of a game,
#: where nodes take longest, a shared core of a small server searched 20,000 in 1.0 to 1.1 s.
STRONG_NODES = 16_000
#: Search depth of the middle bot, in plies. The strongest bot is limited by nodes alone; the weak one doesn't search.
MIDDLE_PLIES = 2

_Option = TypeVar("_Option")


def choose_move(state: rules.LakeState, strength: rules.Strength, nodes: int = STRONG_NODES) -> rules.Move:
    """Return the bot's move for the current player; ``nodes`` limits the strongest bot's search."""
    if state.phase is rules.LakePhase.CHOOSE:
        return _choose_colour(state, strength)
    if state.phase is rules.LakePhase.SPLIT:
        return _choose_split(state, strength)
    if strength is rules.Strength.WEAK:
        is_random = _pick(state, (True, False))
        return _pick(state, rules.legal_moves(state)) if is_random else Search(state).list_gains()[0][1]
    max_plies = nodes if strength is rules.Strength.STRONG else MIDDLE_PLIES
    return Search(state).find_best_carry(nodes, max_plies).carry


def serve_bot(pipe: Connection) -> None:
    while True:
        state, strength = pipe.recv()
        pipe.send((state, choose_move(state, strength)))


def _pick(state: rules.LakeState, options: Sequence[_Option]) -> _Option:
    order = shuffled(state.seed, [str(k) for k in range(len(options))], f"bot:{state.turn}:{len(options)}")
    return options[int(order[0])]


def _choose_colour(state: rules.LakeState, strength: rules.Strength) -> rules.Choose:
    """Return the colour with the most carries from its pawns and the fewest onto them; a weak bot picks at random."""
    free = state.free_colours
    if strength is rules.Strength.WEAK:
        return rules.Choose(_pick(state, free))
    return rules.Choose(max(free, key=lambda colour: _measure_freedom(state, colour)))


def _measure_freedom(state: rules.LakeState, colour: rules.Colour) -> int:
    freedom = 0
    for carry in rules.iter_carries(state.stars, tuple(rules.Colour)):
        target = rules.find_landing(state.stars, carry.star, carry.direction)
        assert target is not None  # a legal carry
        freedom += state.stars[carry.star][-1].colour is colour
        freedom -= state.stars[target][-1].colour is colour
    return freedom


def _choose_split(state: rules.LakeState, strength: rules.Strength) -> rules.Move:
    """Return the split that gives the greatest lead over the best opponent; a weak bot picks at random."""
    splits = rules.legal_moves(state)
    if strength is rules.Strength.WEAK:
        return _pick(state, splits)
    return max(splits, key=lambda split: _measure_lead(state, split))


def _measure_lead(state: rules.LakeState, move: rules.Move) -> tuple[int, int]:
    after = rules.count_points(rules.apply_move(state, move))
    others = [points for seat, points in enumerate(after) if seat != state.player]
    return after[state.player] - max(others), -sum(others)


def name_bots(strengths: Sequence[rules.Strength]) -> tuple[str, ...]:
    return tuple(f"{text(f'lake.bot.{s.value}')} {seat}" for seat, s in enumerate(strengths, start=1))


def play_bots(
    strengths: Sequence[rules.Strength], seed: int, *, first: int = 0, nodes: int = STRONG_NODES
) -> rules.LakeState:
    state = rules.create_state(name_bots(strengths), seed, first_chooser=first)
    while not state.over:
        state = rules.apply_move(state, choose_move(state, strengths[state.player], nodes))
    return state
