"""A second implementation of the lake game for tests: slow and mutable, and written from the rule book alone.

It walks the shore star by star, remembers the visited stars, tries every star, height and direction, and represents
pawns as strings such as ``A3``. It shares nothing with ``armoon.games.lake``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

LETTERS = "AJRS"
#: A move: ("choose", letter), ("carry", star, floors, direction) with direction +1 or -1, ("split", kept half, heir).
Move = tuple[object, ...]


class SlowGame:
    def __init__(self, players: int, stars: Iterable[Iterable[str]], first_chooser: int = 0) -> None:
        self.players = players
        self.stars = [list(pile) for pile in stars]
        rounds = 2 if players == 2 else 1
        self.choosers = [(first_chooser - k) % players for k in range(players) for _ in range(rounds)]
        self.owner: dict[str, int] = {}
        self.turn = self.choosers[0]
        self.opened: list[str] | None = None  # a finished tower that must be split
        self.prizes: list[tuple[int, list[str], str]] = []  # seat, floors, the tower's top pawn
        self.idle = 0
        self.over = False

    def clone(self) -> SlowGame:
        return copy.deepcopy(self)

    def may_move(self, pawn: str) -> bool:
        return self.owner.get(pawn[0], self.turn) == self.turn  # an unowned colour belongs to everybody

    def walk(self, star: int, direction: int) -> int | None:
        """Return the star on which the top pawn's strength is used up; None if the walk meets a visited star first."""
        steps, point, visited = int(self.stars[star][-1][1]), star, {star}
        while steps:
            point = (point + direction) % 32
            if point in visited:
                return None
            visited.add(point)
            if self.stars[point]:
                steps -= 1
        return point

    def moves(self) -> set[Move]:
        if self.over:
            return set()
        if self.choosers:
            return {("choose", letter) for letter in LETTERS if letter not in self.owner}
        if self.opened is not None:
            others = set(range(self.players)) - {self.turn}
            if self.players == 4:
                others = {seat for seat in others if abs(seat - self.turn) == 2}
            return {("split", half, other) for half in ("top", "bottom") for other in others}
        carries: set[Move] = set()
        for star in range(32):
            pile = self.stars[star]
            if not pile or not self.may_move(pile[-1]):
                continue
            for direction in (+1, -1):
                end = self.walk(star, direction)
                if end is None:
                    continue
                for floors in range(1, len(pile) + 1):
                    together = [pawn[0] for pawn in self.stars[end] + pile[len(pile) - floors :]]
                    if len(set(together)) == len(together):
                        carries.add(("carry", star, floors, direction))
        return carries

    def make_move(self, move: Move) -> None:
        assert move in self.moves(), move
        if move[0] == "choose":
            self._choose(str(move[1]))
        elif move[0] == "split":
            assert self.opened is not None
            low, high, top = self.opened[:2], self.opened[2:], self.opened[3]
            own_half, other_half = (high, low) if move[1] == "top" else (low, high)
            other_seat = move[2]
            assert isinstance(other_seat, int)
            self.prizes += [(self.turn, own_half, top), (other_seat, other_half, top)]
            self.opened = None
            self._next()
        else:
            _, star, floors, direction = move
            assert isinstance(star, int)
            assert isinstance(floors, int)
            assert isinstance(direction, int)
            self._carry(star, floors, direction)

    def _choose(self, letter: str) -> None:
        last = self.choosers.pop(0)
        self.owner[letter] = last
        unowned = [each for each in LETTERS if each not in self.owner]
        if self.choosers and len(set(self.choosers)) == 1 and len(unowned) == len(self.choosers):
            last = self.choosers[0]
            self.owner |= dict.fromkeys(unowned, last)
            self.choosers = []
        self.turn = self.choosers[0] if self.choosers else last
        if not self.choosers:
            self.over = not self.moves()

    def _carry(self, star: int, floors: int, direction: int) -> None:
        end = self.walk(star, direction)
        assert end is not None
        empty_before = self.stars.count([])
        hand = [self.stars[star].pop() for _ in range(floors)]
        while hand:
            self.stars[end].append(hand.pop())
        if len(self.stars[end]) == 4:
            tower, self.stars[end] = self.stars[end], []
            if self.players == 2:
                self.prizes.append((self.turn, tower, tower[3]))
            else:
                self.opened = tower
        self.idle = self.idle + 1 if self.stars.count([]) == empty_before else 0
        if self.opened is None:
            self._next()

    def _next(self) -> None:
        self.turn = (self.turn + 1) % self.players
        self.over = not self.moves() or self.idle >= 10 * self.players

    def points(self) -> list[int]:
        sums = [0] * self.players
        for seat, floors, top in self.prizes:
            if top[0] in self.owner:
                sums[seat] += len(floors) * int(floors[-1][1])
        for pile in self.stars:
            if pile and pile[-1][0] in self.owner:
                sums[self.owner[pile[-1][0]]] += len(pile) * int(pile[-1][1])
        return sums


def count(game: SlowGame, plies: int) -> int:
    moves = game.moves()
    if plies == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = game.clone()
        after.make_move(move)
        total += count(after, plies - 1)
    return total
