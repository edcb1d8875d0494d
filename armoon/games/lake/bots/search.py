"""Alpha-beta search over the exact rules of the lake game, deepened step by step within a budget of nodes.

With three or four players the search is paranoid: all others are assumed to play against the thinking one (Sturtevant
and Korf, On pruning techniques for multi-player games, 2000). Nodes, not seconds, bound it, so that the same
position gets the same move on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from armoon.games.lake.bots.board import (
    LIFTS,
    MASKS,
    POINTS,
    TOWER,
    Board,
    points_of,
    stack_number,
    top_colour,
)
from armoon.games.lake.rules.game import QUIET_ROUNDS
from armoon.games.lake.rules.moves import Carry
from armoon.games.lake.rules.scoring import tallies
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Colour, Direction

#: A game that ends ahead is worth more than any lead while it goes on: all points of a game are below this.
WON = 10_000
_BEYOND = 10 * WON
_COLOURS = tuple(Colour)

#: What a carry does to the value, its place in the board, its direction and floors, where it lands, and what
#: stands there and where it was lifted from afterwards; 1 is an empty star.
_Step = tuple[int, int, int, int, int, int, int]


class _OutOfNodes(Exception):  # noqa: N818 - a signal to unwind, no error
    """The budget is used up."""


@dataclass(frozen=True)
class Found:
    """The result of a search."""

    carry: Carry
    value: int
    """Lead of the thinking player over the average opponent, times the number of opponents; from WON on, it wins."""
    depth: int
    """The last depth that was searched to the end."""
    nodes: int
    """Positions whose moves were generated."""


class Search:
    """A search of one position, with a player on turn who has to carry."""

    def __init__(self, state: State) -> None:
        count = len(state.players)
        self._count = count
        self._me = state.player
        self._quiet_limit = QUIET_ROUNDS * count
        self._quiet = state.quiet
        self._occupied = [star for star, stack in enumerate(state.stars) if stack]
        self._board: Board = [stack_number(state.stars[star]) for star in self._occupied]
        self._weights = [count - 1 if seat == self._me else -1 for seat in range(count)]
        self._score = sum(
            weight * tally.total for weight, tally in zip(self._weights, tallies(state), strict=True)
        )
        seats = [replace(state, player=seat) for seat in range(count)]
        self._movable = [sum(1 << _COLOURS.index(c) for c in seat.movable_colours) for seat in seats]
        self._heirs = [seat.heirs for seat in seats]
        owners = {colour: state.owner(colour) for colour in Colour}
        self._worth = {c: 0 if owner is None else self._weights[owner] for c, owner in owners.items()}
        self._neutral = state.neutral
        #: Return the value of a stack on the board for the thinking player (rulings L8, L9).
        self._values = {number: points * self._worth[top_colour(number)] for number, points in POINTS.items()}
        self._values[1] = 0
        self._towers: list[dict[int, int]] = [{} for _ in range(count)]
        self._nodes = 0
        self._budget = 0
        self._cut = False

    def best(self, nodes: int, deepest: int = 1000) -> Found:
        """Return the best carry found with this many nodes; ``deepest`` bounds the plies looked ahead.

        The first depth, which only asks what each carry brings at once, is always searched to the end.
        """
        self._nodes, self._budget = 1, nodes
        steps = self._steps(self._board, self._me)
        steps.sort(reverse=True)
        value, depth = self._score + steps[0][0], 1
        while depth < deepest and len(steps) > 1:
            self._cut = False
            try:
                value = self._order(steps, depth + 1)
            except _OutOfNodes:
                break
            depth += 1
            if not self._cut:
                break  # every line was followed to the end of the game
        return Found(self._carry(steps[0]), value, depth, self._nodes)

    def gains(self) -> list[tuple[int, Carry]]:
        """Return each carry's immediate gain, the best first."""
        return [
            (step[0], self._carry(step)) for step in sorted(self._steps(self._board, self._me), reverse=True)
        ]

    def _carry(self, step: _Step) -> Carry:
        _, place, direction, floors, *_ = step
        return Carry(self._occupied[place], floors, Direction(direction))

    def _order(self, steps: list[_Step], depth: int) -> int:
        """Bring the best step of this depth to the front, the one found first where several are; its value.

        Where the nodes run out, the best until then is in front: the step that led at the last depth is tried
        first, so only a better one takes its place.
        """
        alpha, beta = -_BEYOND, _BEYOND
        for at in range(len(steps)):
            value = self._after(
                steps[at], self._board, self._me, self._score, self._quiet, depth, alpha, beta
            )
            if value > alpha:
                alpha = value
                steps.insert(0, steps.pop(at))
        return alpha

    def _visit(
        self, board: Board, seat: int, score: int, quiet: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value of a position for the thinking player, exact between alpha and beta."""
        self._nodes += 1
        if self._nodes > self._budget:
            raise _OutOfNodes
        steps = self._steps(board, seat)
        if not steps or quiet >= self._quiet_limit:
            return score + (WON if score > 0 else -WON if score < 0 else 0)
        mine = seat == self._me
        if depth == 1:
            self._cut = True
            return score + (max(steps) if mine else min(steps))[0]
        steps.sort(reverse=mine)
        if mine:
            for step in steps:
                alpha = max(alpha, self._after(step, board, seat, score, quiet, depth, alpha, beta))
                if alpha >= beta:
                    break
            return alpha
        for step in steps:
            beta = min(beta, self._after(step, board, seat, score, quiet, depth, alpha, beta))
            if alpha >= beta:
                break
        return beta

    def _after(
        self, step: _Step, board: Board, seat: int, score: int, quiet: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the value after one step."""
        gain, place, _, _, target, built, left = step
        board = board.copy()
        board[target] = built
        board[place] = left
        if built == 1 or left == 1:
            board = [number for number in board if number != 1]
            quiet = -1
        return self._visit(board, (seat + 1) % self._count, score + gain, quiet + 1, depth - 1, alpha, beta)

    def _steps(self, board: Board, seat: int) -> list[_Step]:
        """Every carry of a player; where both ways lead to the same star, only the clockwise one."""
        count = len(board)
        movable = self._movable[seat]
        values = self._values
        found: list[_Step] = []
        for place, number in enumerate(board):
            strength = (number & 3) + 1
            if strength >= count or not movable >> (number >> 2 & 3) & 1:
                continue
            for direction in (1,) if 2 * strength == count else (1, -1):
                target = (place + direction * strength) % count
                below = board[target]
                there = MASKS[below]
                lost = values[below] + values[number]
                for floors, (colours, shift, lifted, left) in enumerate(LIFTS[number], start=1):
                    if colours & there:
                        break
                    built = below << shift | lifted
                    if built < TOWER:
                        gain = values[built] + values[left] - lost
                    else:
                        gain, built = self._tower(built, seat) + values[left] - lost, 1
                    found.append((gain, place, direction, floors, target, built, left))
        return found

    def _tower(self, number: int, seat: int) -> int:
        """Return the value of a tower that this player completes (rulings L6, L9)."""
        known = self._towers[seat].get(number)
        if known is None:
            known = self._towers[seat][number] = self._divided(number, seat)
        return known

    def _divided(self, number: int, seat: int) -> int:
        if top_colour(number) is self._neutral:
            return 0
        if not self._heirs[seat]:
            return self._weights[seat] * points_of(number)
        top, bottom = 2 * ((number & 3) + 1), 2 * ((number >> 8 & 3) + 1)
        ways = [
            self._weights[seat] * kept + self._weights[heir] * given
            for kept, given in ((top, bottom), (bottom, top))
            for heir in self._heirs[seat]
        ]
        return max(ways) if seat == self._me else min(ways)
