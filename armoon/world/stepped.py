"""The world as a match steps it: a dead process is replaced, and the recovery is recorded.

Every order and tick is an operation, numbered from 0. If the world's process is lost before one of them, the
world goes on from the last reported poses. A replay gets the recovery in advance and does the same before
the same operation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from armoon.values.facts import Facts
from armoon.values.intents import GripIntent
from armoon.values.orders import Order, Place
from armoon.values.pieces import Base, LadderSet
from armoon.world.local import LocalWorld
from armoon.world.process import ProcessWorld, Recovery, WorldLostError

Result = TypeVar("Result")


World = LocalWorld | ProcessWorld
WorldMaker = Callable[[LadderSet, Base, int], World]
"""From the ladders, the base and the version of the physics."""


@dataclass(frozen=True)
class Replaced:
    """The world's process was lost before this operation, and replaced."""

    operation: int
    recovery: Recovery


class SteppedWorld:
    """Count a world's requests, and replace its process where need be."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._operation = 0
        self._expected: deque[Replaced] = deque()
        self._replaced: list[Replaced] = []

    def expect(self, replaced: Iterable[Replaced]) -> None:
        """In a replay: what happened to the logged world's process from here on."""
        self._expected += replaced

    def take_replaced(self) -> tuple[Replaced, ...]:
        """Return what had to be put back since the last call."""
        replaced = tuple(self._replaced)
        self._replaced.clear()
        return replaced

    def apply(self, order: Order) -> None:
        """Carry out an order at once."""
        self._do(lambda world: world.apply(order))

    def carry_out(self, orders: Sequence[Order], *, at_rest: bool = True) -> None:
        """Carry out the orders of one judgement.

        Where free ladders are to be placed, the structure of a save or of an earlier turn is set up again, and what
        is placed is all that stands. ``at_rest``: as it did; then it sleeps at once. Left to settle, ladder by ladder
        or all together, a tower of 28 shifted by 3 or by 1 mm, and one of two that just held slipped by 9 mm.
        """
        if at_rest and any(isinstance(order, Place) and not order.fixed for order in orders):
            placed = {order.piece: order for order in orders if isinstance(order, Place)}
            standing = tuple((order.piece, order.pose, order.fixed) for order in placed.values())
            self._do(lambda world: world.rebuild(standing, asleep=True))
            orders = [order for order in orders if not isinstance(order, Place)]
        for order in orders:
            self.apply(order)

    def begins(self, grip: GripIntent | None) -> bool:
        """Let a slow world of another process begin with the next tick; ``tick`` then waits for its end."""
        if not (isinstance(self._world, ProcessWorld) and self._world.slow):
            return False
        with suppress(WorldLostError):  # ``tick`` meets it again
            self._world.begin_tick(grip)
        return True

    def tick(self, grip: GripIntent | None) -> Facts:
        """Follow the grip, advance by one tick, and say what is true then."""
        return self._do(lambda world: world.tick(grip))

    def close(self) -> None:
        """Free the engine."""
        self._world.close()

    def _do(self, work: Callable[[World], Result]) -> Result:
        self._as_expected()
        try:
            result = work(self._world)
        except WorldLostError:
            if not isinstance(self._world, ProcessWorld):
                raise
            self._replaced.append(Replaced(self._operation, self._world.recover()))
            result = work(self._world)
        self._operation += 1
        return result

    def _as_expected(self) -> None:
        while self._expected and self._expected[0].operation == self._operation:
            told = self._expected.popleft()
            known = told.recovery
            assert isinstance(self._world, LocalWorld), "a log is replayed in a world of this process"
            self._world.resume(known.tick, known.standing, known.orders)
            self._replaced.append(told)
