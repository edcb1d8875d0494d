"""The world in a process of its own, with ``LocalWorld``'s interface and bits.

pybullet holds the interpreter lock while it steps, which delays pictures. Orders, grips and facts go over a pipe, poses
also into shared memory. If the process dies, ``recover`` goes on from the last poses in another, and reports it.
"""

from __future__ import annotations

import multiprocessing
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, TypeVar

import numpy as np

from armoon.clock import TICK_S
from armoon.errors import WorldError
from armoon.geometry import Array
from armoon.processes.child import Worker, WorkerLostError
from armoon.values.pieces import (
    Base,
    Facts,
    GripIntent,
    Guide,
    LadderSet,
    LockGrips,
    Offer,
    Order,
    PieceId,
    PieceStatus,
    Place,
)
from armoon.values.poses import Pose
from armoon.world.checks import Standing, is_a_place
from armoon.world.ladders import standing_of
from armoon.world.local import LocalWorld

#: One ladder: there or not, position, rotation.
_SLOT = 8


def shared_memory(ladders: int) -> Any:
    """Memory for this many ladders; it is handed to the other process when that is started."""
    return multiprocessing.get_context("spawn").RawArray("d", 1 + 2 * ladders * _SLOT)


class SharedPoses:
    """The poses of the ladders named, in memory from ``shared_memory``."""

    def __init__(self, memory: Any, names: Sequence[PieceId]) -> None:
        cells: Array = np.frombuffer(memory)
        self._names = names
        self._count = cells[:1]
        self._pages = cells[1:].reshape(2, len(names), _SLOT)

    def write(self, poses: Mapping[PieceId, Pose]) -> None:
        """Lay the poses down; the count moves on when the page is whole."""
        count = int(self._count[0]) + 1
        for row, name in zip(self._pages[count % 2], self._names, strict=True):
            pose = poses.get(name)
            if pose is None:
                row[0] = 0.0
            else:
                row[:] = (1.0, *pose.position, *pose.rotation)
        self._count[0] = count

    def read(self) -> dict[PieceId, Pose]:
        """Return the poses of one moment, by name: read again only if another page has become whole meanwhile."""
        while True:
            count = int(self._count[0])
            rows = self._pages[count % 2].tolist()
            if int(self._count[0]) == count:
                break
        return {
            name: Pose((row[1], row[2], row[3]), (row[4], row[5], row[6], row[7]))
            for name, row in zip(self._names, rows, strict=True)
            if row[0] > 0.0
        }


#: A tick takes milliseconds, and the worst stall seen was 0.9 s; after this long the process hangs.
MOST_PATIENCE_S = 20.0
#: Starting Python and loading pybullet on a slow disk.
START_PATIENCE_S = 60.0
#: A tick that takes more of a processor is slow: a fall of 12 ladders takes 9 ms a tick, a tower at rest less than 1.
SLOW_S = TICK_S / 3.0


class WorldLostError(WorldError):
    """The process that steps the world has ended or hangs: ``recover`` starts another."""


@dataclass(frozen=True)
class Recovery:
    """How a world went on after its process was lost: not to the bit, so logged for ``LocalWorld.resume``."""

    tick: int
    """The last tick of which anything is known."""
    standing: tuple[tuple[PieceId, Pose, bool], ...]
    """Where everything was then; whatever moved starts from rest."""
    orders: tuple[Order, ...]
    """The lock, the ladder in the lid or hand (it is offered again), and the orders given since."""
    asleep: bool = False
    """It was at rest."""


class LastKnown:
    """The last facts of a world and the orders given since, from which another one can go on."""

    def __init__(self) -> None:
        self.facts: Facts | None = None
        self._locked = False
        """Whether the grips were locked at the last tick."""
        self._rebuilt: Standing | None = None
        """What was rebuilt since the last tick."""
        self._since: list[Order] = []

    def apply(self, order: Order | Guide) -> None:
        if not isinstance(order, Guide):  # nothing is held where another world goes on
            self._since.append(order)

    def rebuild(self, standing: Standing) -> None:
        self._locked, self._rebuilt, self._since = False, standing, []

    def tick(self, facts: Facts) -> Facts:
        self.facts = facts
        for order in self._since:
            if isinstance(order, LockGrips):
                self._locked = order.locked
        self._rebuilt = None
        if self._since:
            self._since = []
        return facts

    def recovery(self) -> Recovery:
        facts = self.facts
        standing, orders = self._rebuilt or (), self._since
        if facts is not None and self._rebuilt is None:
            standing = [row for row in standing_of(facts) if is_a_place(row[1])]
            lid = (PieceStatus.OFFERED, PieceStatus.HELD)
            offers = [Offer(piece.piece) for piece in facts.pieces if piece.status in lid]
            orders = [LockGrips(self._locked), *offers, *orders]
        asleep = self._rebuilt is not None or (facts is not None and facts.at_rest)
        return Recovery(0 if facts is None else facts.tick, tuple(standing), tuple(orders), asleep)


@dataclass(frozen=True)
class _Tick:
    """A wish for one tick."""

    grip: GripIntent | None


@dataclass(frozen=True)
class _Rebuild:
    """A request to start again from poses."""

    standing: Standing
    asleep: bool


_Input = Order | Guide | _Tick | _Rebuild | Recovery


class ProcessWorld:
    """Ladders on a base, stepped in another process."""

    def __init__(self, ladders: LadderSet, base: Base) -> None:
        self._ladders = ladders
        self._base = base
        self._names = sorted(ladder.piece for ladder in ladders.ladders)
        self._last = LastKnown()
        self._under_way: _Input | None = None
        self.slow = False
        """The last tick took so long that something else had better be done meanwhile."""
        memory = shared_memory(len(self._names))
        self._poses = SharedPoses(memory, self._names)
        self._worker = Worker("world", _serve, memory, ladders, base)
        self._take_answer(START_PATIENCE_S)

    @property
    def pid(self) -> int:
        return self._worker.pid

    def apply(self, order: Order | Guide) -> None:
        self._ask(order)
        self._last.apply(order)

    def rebuild(self, standing: Standing, *, asleep: bool = False) -> None:
        """Start again from poses at rest, as ``LocalWorld.rebuild`` does."""
        self._ask(_Rebuild(tuple(standing), asleep))
        self._last.rebuild(standing)

    def tick(self, grip: GripIntent | None) -> Facts:
        """Follow the grip, advance by one tick and return the facts; finish a tick that was begun."""
        if not isinstance(self._under_way, _Tick):
            self.begin_tick(grip)
        return self.finish_tick()

    def begin_tick(self, grip: GripIntent | None) -> None:
        """Let the other process begin with a tick; ``finish_tick`` must follow before anything else."""
        self._send(_Tick(grip))

    def finish_tick(self) -> Facts:
        news = self._receive()
        self.slow = news.took_s > SLOW_S
        return self._last.tick(news.change.after(self._last.facts))

    def poses(self) -> dict[PieceId, Pose]:
        """Where every ladder is, by name in order: read from shared memory, even during a tick."""
        return self._poses.read()

    def recover(self) -> Recovery:
        """After WorldLostError: go on from the last seen poses in another process; give the lost input again."""
        recovery = replace(self._last.recovery(), asleep=False)
        self._worker.restart()
        self._take_answer(START_PATIENCE_S)
        self._ask(recovery)
        return recovery

    def resume(self, tick: int, standing: Standing, orders: Sequence[Order], *, asleep: bool = False) -> None:
        """Go on where another world was, as ``LocalWorld.resume`` does."""
        self._ask(Recovery(tick, tuple(standing), tuple(orders), asleep))
        self._last.rebuild(standing)
        for order in orders:
            self._last.apply(order)

    def close(self) -> None:
        self._worker.close()

    def _ask(self, item: _Input) -> None:
        self._send(item)
        self._receive()

    def _send(self, item: _Input) -> None:
        assert self._under_way is None, "finish the tick first"
        if not self._worker.send(item):
            raise _lost("has ended")
        self._under_way = item

    def _receive(self) -> Any:
        assert self._under_way is not None, "nothing was asked"
        try:
            return self._take_answer(MOST_PATIENCE_S)
        finally:
            self._under_way = None

    def _take_answer(self, patience_s: float) -> Any:
        try:
            refused, answer = self._worker.receive(patience_s)
        except WorkerLostError as error:
            raise _lost(str(error)) from error
        if refused:
            what, remedy = answer
            raise WorldError(what, remedy=remedy)
        return answer


def _lost(how: str) -> WorldLostError:
    return WorldLostError(
        f"The process that steps the ladders {how}.",
        remedy="The game can go on from where it was; if it happens again, start it anew.",
    )


@dataclass(frozen=True)
class FactsChange:
    """Facts without what has not changed since the tick before."""

    facts: Facts
    """Its ``pieces`` are only those that changed, its ``contacts`` empty if ``same_contacts``."""
    names: tuple[PieceId, ...]
    same_contacts: bool

    @staticmethod
    def between(before: Facts | None, facts: Facts) -> FactsChange:
        """Return what changed: the world gives the very same value again for an unchanged ladder."""
        known = {} if before is None else {piece.piece: piece for piece in before.pieces}
        same_contacts = before is not None and facts.contacts is before.contacts
        changed = tuple(piece for piece in facts.pieces if known.get(piece.piece) is not piece)
        slim = replace(facts, pieces=changed, contacts=() if same_contacts else facts.contacts)
        return FactsChange(slim, tuple(piece.piece for piece in facts.pieces), same_contacts)

    def after(self, before: Facts | None) -> Facts:
        """Return the facts as they are now. Raises KeyError where one isn't known."""
        pieces = {} if before is None else {piece.piece: piece for piece in before.pieces}
        pieces.update((piece.piece, piece) for piece in self.facts.pieces)
        contacts = self.facts.contacts
        if self.same_contacts and before is not None:
            contacts = before.contacts
        return replace(self.facts, pieces=tuple([pieces[name] for name in self.names]), contacts=contacts)


@dataclass(frozen=True)
class _News:
    """A tick's facts."""

    change: FactsChange
    took_s: float
    """The tick's seconds of processor."""


def _serve(pipe: Connection, memory: Any, ladders: LadderSet, base: Base) -> None:
    shared = SharedPoses(memory, sorted(ladder.piece for ladder in ladders.ladders))
    try:
        world = LocalWorld(ladders, base)
    except WorldError as error:
        pipe.send((True, (error.what, error.remedy)))
        return
    pipe.send((False, None))
    before: Facts | None = None
    while True:
        item = pipe.recv()
        answer: _News | None = None
        try:
            if isinstance(item, _Tick):
                began_s = time.thread_time()
                facts = world.tick(item.grip)
                took_s = time.thread_time() - began_s
                answer, before = _News(FactsChange.between(before, facts), took_s), facts
            elif isinstance(item, _Rebuild):
                world.rebuild(item.standing, asleep=item.asleep)
            elif isinstance(item, Recovery):
                world.resume(item.tick, item.standing, item.orders, asleep=item.asleep)
            else:
                world.apply(item)
        except WorldError as error:
            pipe.send((True, (error.what, error.remedy)))
            continue
        shared.write(world.poses())
        pipe.send((False, answer))


Result = TypeVar("Result")


World = LocalWorld | ProcessWorld
WorldMaker = Callable[[LadderSet, Base], World]


@dataclass(frozen=True)
class Replaced:
    """The world's process was lost before this operation, and replaced."""

    operation: int
    recovery: Recovery


class SteppedWorld:
    """Count a world's requests, replace its process where need be, and show another table's ticks in place of it."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._last = LastKnown()
        self._shown: FactsChange | None = None
        """The coming tick, where another table's world has stepped it."""
        self._behind = False
        """The last tick was another table's, so this world has to be built again before it goes on."""
        self._guide = Guide()
        self._operation = 0
        self._expected: deque[Replaced] = deque()
        self._replaced: list[Replaced] = []

    def expect(self, replaced: Iterable[Replaced], shown: FactsChange | None = None) -> None:
        """In a replay: what happened to the logged world's process from here on. ``shown``: the coming tick."""
        self._expected += replaced
        self._shown = shown

    def take_replaced(self) -> tuple[Replaced, ...]:
        replaced = tuple(self._replaced)
        self._replaced.clear()
        return replaced

    def apply(self, order: Order | Guide) -> None:
        if isinstance(order, Guide):
            self._guide = order
        if not self._behind:
            self._do(lambda world: world.apply(order))
        self._last.apply(order)

    def carry_out(self, orders: Sequence[Order], *, at_rest: bool = True) -> None:
        """Carry out the orders of one judgement.

        Placed free ladders are all of a saved or earlier structure. ``at_rest``: it sleeps at
        once; left to settle, a tower of 28 shifted by 3 or 1 mm, and one of two that just held slipped by 9 mm.
        """
        if at_rest and any(isinstance(order, Place) and not order.fixed for order in orders):
            placed = {order.piece: order for order in orders if isinstance(order, Place)}
            standing = tuple((order.piece, order.pose, order.fixed) for order in placed.values())
            if not self._behind:
                self._do(lambda world: world.rebuild(standing, asleep=True))
            self._last.rebuild(standing)
            orders = [order for order in orders if not isinstance(order, Place)]
        for order in orders:
            self.apply(order)

    def begins(self, grip: GripIntent | None) -> bool:
        """Let a slow world of another process begin with the next tick; ``tick`` then waits for its end."""
        if self._behind or not (isinstance(self._world, ProcessWorld) and self._world.slow):
            return False
        with suppress(WorldLostError):  # ``tick`` meets it again
            self._world.begin_tick(grip)
        return True

    def tick(self, grip: GripIntent | None) -> Facts:
        """Advance by one tick and return the facts. Raises KeyError, ValueError for shown ones that can't be."""
        shown, self._shown = self._shown, None
        if shown is not None:
            if not all(is_a_place(piece.pose) for piece in shown.facts.pieces):
                raise ValueError("a ladder far from the table")
            self._behind = True
            return self._last.tick(shown.after(self._last.facts))
        if self._behind:
            self._behind, last = False, self._last.recovery()
            self._do(lambda world: world.resume(last.tick, last.standing, last.orders, asleep=last.asleep))
            self._do(lambda world: world.apply(self._guide))
        return self._last.tick(self._do(lambda world: world.tick(grip)))

    def close(self) -> None:
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
            replaced = self._expected.popleft()
            assert isinstance(self._world, LocalWorld), "a log is replayed in a world of this process"
            known = replaced.recovery
            self._world.resume(known.tick, known.standing, known.orders, asleep=known.asleep)
            self._replaced.append(replaced)
