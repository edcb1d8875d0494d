"""A world in a process of its own, with the same methods as ``LocalWorld`` and exactly the same results.

In one process, pybullet would delay pictures, because it holds the interpreter lock while it steps. Orders, grips and
facts go over a pipe. If the process dies, ``SteppedWorld`` continues from the last poses in another one and reports it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from armoon.clock import TICK_S
from armoon.errors import WorldError
from armoon.processes.child import Worker, WorkerLostError
from armoon.values import pieces
from armoon.values.poses import Pose
from armoon.world.checks import StructurePoses, is_valid_pose
from armoon.world.ladders import list_standing
from armoon.world.local import LocalWorld

#: Seconds until the process counts as hanging: a tick takes milliseconds, and the longest observed stall was 0.9 s.
ANSWER_TIMEOUT_S = 20.0
#: Time for starting Python and loading pybullet from a slow disk.
START_TIMEOUT_S = 60.0
#: Minimum processor time of a slow tick; a fall of 12 ladders takes 9 ms per tick, a tower at rest less than 1 ms.
SLOW_S = TICK_S / 3.0


class WorldLostError(WorldError):
    """The process that steps the world has ended or hangs; ``recover`` starts another one."""


@dataclass(frozen=True)
class Recovery:
    """The state from which a world continued after its process was lost; logged for replays, because it is inexact."""

    tick: int
    """The last tick received."""
    standing: tuple[tuple[pieces.PieceId, Pose, bool], ...]
    """The structure at that tick; everything starts from rest."""
    orders: tuple[pieces.Order, ...]
    """The lock, the ladder in the lid or hand (offered again), and the orders given since that tick."""
    asleep: bool = False
    """Whether the structure was at rest."""


class LastState:
    """The last facts of a world and the orders since then, from which another world can continue."""

    def __init__(self) -> None:
        self.facts: pieces.Facts | None = None
        self._locked = False
        """Whether the grips were locked at the last tick."""
        self._rebuilt: StructurePoses | None = None
        """The structure rebuilt since the last tick."""
        self._since: list[pieces.Order] = []

    def apply(self, order: pieces.Order | pieces.Guide) -> None:
        if not isinstance(order, pieces.Guide):  # no ladder is held in a recovered world
            self._since.append(order)

    def rebuild(self, standing: StructurePoses) -> None:
        self._locked, self._rebuilt, self._since = False, standing, []

    def tick(self, facts: pieces.Facts) -> pieces.Facts:
        self.facts = facts
        for order in self._since:
            if isinstance(order, pieces.LockGrips):
                self._locked = order.locked
        self._rebuilt = None
        self._since.clear()
        return facts

    def make_recovery(self) -> Recovery:
        facts = self.facts
        standing, orders = self._rebuilt or (), self._since
        if facts is not None and self._rebuilt is None:
            standing = [row for row in list_standing(facts) if is_valid_pose(row[1])]
            lid = (pieces.PieceStatus.OFFERED, pieces.PieceStatus.HELD)
            offers = [pieces.Offer(piece.piece) for piece in facts.pieces if piece.status in lid]
            orders = [pieces.LockGrips(self._locked), *offers, *orders]
        asleep = self._rebuilt is not None or (facts is not None and facts.at_rest)
        return Recovery(0 if facts is None else facts.tick, tuple(standing), tuple(orders), asleep)


class ProcessWorld:
    """Ladders on a base, stepped in another process."""

    def __init__(self, ladders: pieces.LadderSet, base: pieces.Base) -> None:
        self._facts: pieces.Facts | None = None
        """The last tick's facts, to which the process's next answer refers."""
        self._is_under_way = False
        self.is_slow = False
        """Whether the last tick took so long that other work should be done meanwhile."""
        self._worker = Worker("world", _serve, ladders, base)
        self._receive_answer(START_TIMEOUT_S)

    @property
    def pid(self) -> int:
        return self._worker.pid

    def apply(self, order: pieces.Order | pieces.Guide) -> None:
        self._request("apply", order)

    def rebuild(self, standing: StructurePoses, *, asleep: bool = False) -> None:
        self._request("rebuild", tuple(standing), asleep=asleep)

    def tick(self, grip: pieces.GripIntent | None) -> pieces.Facts:
        """Follow the grip, advance by one tick and return the facts, or finish a tick under way."""
        if not self._is_under_way:
            self.begin_tick(grip)
        return self.finish_tick()

    def begin_tick(self, grip: pieces.GripIntent | None) -> None:
        """Start a tick in the other process; ``finish_tick`` must follow before anything else."""
        self._send("tick", grip)

    def finish_tick(self) -> pieces.Facts:
        change, duration_s = self._receive()
        self.is_slow = duration_s > SLOW_S
        facts: pieces.Facts = change.restore(self._facts)
        self._facts = facts
        return facts

    def recover(self, recovery: Recovery) -> None:
        """Continue in another process after WorldLostError; the caller repeats the lost operation."""
        self._worker.restart()
        self._receive_answer(START_TIMEOUT_S)
        self.resume(recovery.tick, recovery.standing, recovery.orders)

    def resume(
        self, tick: int, standing: StructurePoses, orders: Sequence[pieces.Order], *, asleep: bool = False
    ) -> None:
        self._request("resume", tick, tuple(standing), tuple(orders), asleep=asleep)

    def close(self) -> None:
        self._worker.close()

    def _request(self, operation: str, *arguments: object, **keywords: object) -> None:
        self._send(operation, *arguments, **keywords)
        self._receive()

    def _send(self, operation: str, *arguments: object, **keywords: object) -> None:
        assert not self._is_under_way, "finish the tick first"
        if not self._worker.send((operation, arguments, keywords)):
            raise WorldLostError("fault.program.world")
        self._is_under_way = True

    def _receive(self) -> Any:
        assert self._is_under_way, "nothing was asked"
        try:
            return self._receive_answer(ANSWER_TIMEOUT_S)
        finally:
            self._is_under_way = False

    def _receive_answer(self, patience_s: float) -> Any:
        try:
            refused, answer = self._worker.receive(patience_s)
        except WorkerLostError as error:
            raise WorldLostError("fault.program.world") from error
        if refused:
            assert isinstance(answer, WorldError)
            raise answer
        return answer


@dataclass(frozen=True)
class FactsChange:
    """The difference between the facts of two ticks."""

    facts: pieces.Facts
    """Facts with only the changed ``pieces``, and without ``contacts`` if ``same_contacts``."""
    names: tuple[pieces.PieceId, ...]
    same_contacts: bool

    @staticmethod
    def from_facts(before: pieces.Facts | None, facts: pieces.Facts) -> FactsChange:
        """Compute the difference; an unchanged ladder is the same object in both."""
        known = {} if before is None else {piece.piece: piece for piece in before.pieces}
        same_contacts = before is not None and facts.contacts is before.contacts
        changed = tuple(piece for piece in facts.pieces if known.get(piece.piece) is not piece)
        reduced = replace(facts, pieces=changed, contacts=() if same_contacts else facts.contacts)
        return FactsChange(reduced, tuple(piece.piece for piece in facts.pieces), same_contacts)

    def restore(self, before: pieces.Facts | None) -> pieces.Facts:
        """Return the complete facts. Raises KeyError if an unchanged ladder isn't in ``before``."""
        known = {} if before is None else {piece.piece: piece for piece in before.pieces}
        known.update((piece.piece, piece) for piece in self.facts.pieces)
        contacts = self.facts.contacts
        if self.same_contacts and before is not None:
            contacts = before.contacts
        return replace(self.facts, pieces=tuple([known[name] for name in self.names]), contacts=contacts)


def _serve(pipe: Connection, ladders: pieces.LadderSet, base: pieces.Base) -> None:
    world = LocalWorld(ladders, base)
    pipe.send((False, None))
    before: pieces.Facts | None = None
    while True:
        operation, arguments, keywords = pipe.recv()
        start_s = time.thread_time()
        try:
            answer = getattr(world, operation)(*arguments, **keywords)
        except WorldError as error:
            pipe.send((True, error))
            continue
        if operation == "tick":
            duration_s = time.thread_time() - start_s
            before, answer = answer, (FactsChange.from_facts(before, answer), duration_s)
        pipe.send((False, answer))


ResultT = TypeVar("ResultT")


World = LocalWorld | ProcessWorld
WorldFactory = Callable[[pieces.LadderSet, pieces.Base], World]


@dataclass(frozen=True)
class WorldReplaced:
    """The world's process was lost and replaced before this operation."""

    operation: int
    recovery: Recovery


class SteppedWorld:
    """Counts a world's operations, replaces a lost process, and can show another table's ticks instead."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._last = LastState()
        self._shown: FactsChange | None = None
        """The next tick's facts from another table's world."""
        self._is_outdated = False
        """Whether the last tick was another table's, so that this world must be rebuilt first."""
        self._guide = pieces.Guide()
        self._operation = 0
        self._expected: deque[WorldReplaced] = deque()
        self._replaced: list[WorldReplaced] = []

    def expect_losses(self, replaced: Iterable[WorldReplaced], shown: FactsChange | None = None) -> None:
        """Prepare a replay of logged losses of the process. ``shown``: the next tick's facts from another table."""
        self._expected += replaced
        self._shown = shown

    def pop_replaced(self) -> tuple[WorldReplaced, ...]:
        replaced = tuple(self._replaced)
        self._replaced.clear()
        return replaced

    def apply(self, order: pieces.Order | pieces.Guide) -> None:
        if isinstance(order, pieces.Guide):
            self._guide = order
        if not self._is_outdated:
            self._call(lambda world: world.apply(order))
        self._last.apply(order)

    def apply_orders(self, orders: Sequence[pieces.Order], *, at_rest: bool = True) -> None:
        """Carry out the orders of one judgement.

        Placed free ladders form a complete saved or earlier structure. ``at_rest``: it sleeps immediately, because
        settling shifted a tower of 28 ladders by up to 3 mm, and a structure of two that just held by 9 mm.
        """
        if at_rest and any(isinstance(order, pieces.Place) and not order.fixed for order in orders):
            placed = {order.piece: order for order in orders if isinstance(order, pieces.Place)}
            standing = tuple((order.piece, order.pose, order.fixed) for order in placed.values())
            if not self._is_outdated:
                self._call(lambda world: world.rebuild(standing, asleep=True))
            self._last.rebuild(standing)
            orders = [order for order in orders if not isinstance(order, pieces.Place)]
        for order in orders:
            self.apply(order)

    def try_begin_tick(self, grip: pieces.GripIntent | None) -> bool:
        """Start the next tick early in a slow child process, if possible; ``tick`` then waits for its end."""
        if self._is_outdated or not (isinstance(self._world, ProcessWorld) and self._world.is_slow):
            return False
        with suppress(WorldLostError):  # ``tick`` raises it again
            self._world.begin_tick(grip)
        return True

    def tick(self, grip: pieces.GripIntent | None) -> pieces.Facts:
        """Advance by one tick and return the facts. Raises KeyError or ValueError if the shown facts are impossible."""
        shown, self._shown = self._shown, None
        if shown is not None:
            if not all(is_valid_pose(piece.pose) for piece in shown.facts.pieces):
                raise ValueError("a ladder far from the table")
            self._is_outdated = True
            return self._last.tick(shown.restore(self._last.facts))
        if self._is_outdated:
            self._is_outdated, last = False, self._last.make_recovery()
            self._call(lambda world: world.resume(last.tick, last.standing, last.orders, asleep=last.asleep))
            self._call(lambda world: world.apply(self._guide))
        return self._last.tick(self._call(lambda world: world.tick(grip)))

    def close(self) -> None:
        self._world.close()

    def _call(self, work: Callable[[World], ResultT]) -> ResultT:
        while self._expected and self._expected[0].operation == self._operation:
            replaced = self._expected.popleft()
            assert isinstance(self._world, LocalWorld), "a log is replayed in a world of this process"
            recovery = replaced.recovery
            self._world.resume(recovery.tick, recovery.standing, recovery.orders, asleep=recovery.asleep)
            self._replaced.append(replaced)
        try:
            result = work(self._world)
        except WorldLostError:
            if not isinstance(self._world, ProcessWorld):
                raise
            recovery = replace(self._last.make_recovery(), asleep=False)
            self._world.recover(recovery)
            self._replaced.append(WorldReplaced(self._operation, recovery))
            result = work(self._world)
        self._operation += 1
        return result
