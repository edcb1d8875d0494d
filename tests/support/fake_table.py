"""A table without physics for the referee's tests: it carries out orders, and tests set contacts and falls."""

from __future__ import annotations

from armoon.games.moon.editions import Options, Phase, Verdict
from armoon.games.moon.events import Judgement, RefereeEvent
from armoon.games.moon.referee import SETTLE_TICKS, Referee
from armoon.games.moon.rules import create_state
from armoon.games.moon.turn import Move, State
from armoon.values.acts import Act
from armoon.values.pieces import (
    Command,
    Contact,
    Facts,
    LockGrips,
    Offer,
    Order,
    PieceFacts,
    PieceStatus,
    Place,
    Remove,
)
from armoon.values.poses import Pose

SLOTS = (Pose((-0.03, 0.0, 0.08)), Pose((0.03, 0.0, 0.08)), Pose((0.0, 0.03, 0.08)))
ROLL = Command(Act.ROLL)


class FakeTable:
    """Referee and table together: ``tick`` passes the facts to the referee and carries out its orders."""

    def __init__(self, state: State, **referee: object) -> None:
        self.referee = Referee(state, **referee)  # type: ignore[arg-type]
        self.first = state
        self.status: dict[str, PieceStatus] = {}
        self.height: dict[str, float] = {}
        self.pose: dict[str, Pose] = {}
        self.touches: set[tuple[str, str]] = set()
        self.at_rest = True
        self.frozen = False
        self.locked = False
        self.now = 0
        self.lag = 0
        """Delay of orders, in ticks, as if the world ran in its own process."""
        self.delayed_orders: list[tuple[int, Order]] = []
        self.verdicts: list[Verdict] = []
        self.events: list[RefereeEvent] = []
        self.moves: list[Move] = []
        self.orders: list[Order] = []
        self.receive(self.referee.set_up_table(SLOTS[: len(state.starting)]))

    @property
    def state(self) -> State:
        return self.referee.state

    @property
    def ladder(self) -> str:
        assert self.state.ladder is not None
        return self.state.ladder

    def receive(self, judgement: Judgement) -> Judgement:
        self.verdicts += judgement.verdicts
        self.events += judgement.events
        self.moves += judgement.moves
        self.orders += judgement.orders
        for order in judgement.orders:
            if self.lag:
                self.delayed_orders.append((self.now + self.lag, order))
            else:
                self.carry_out(order)
        return judgement

    def carry_out(self, order: Order) -> None:
        if isinstance(order, Offer):
            held = self.status.get(order.piece) is PieceStatus.HELD
            assert held or order.piece not in self.status, "a ladder already on the table was offered"
            self.add(order.piece, PieceStatus.OFFERED, Pose((0.17, 0.0, 0.08)))
        elif isinstance(order, Place):
            self.separate(order.piece)
            self.add(order.piece, PieceStatus.FIXED if order.fixed else PieceStatus.FREE, order.pose)
        elif isinstance(order, Remove):
            del self.status[order.piece]
            self.separate(order.piece)
        elif isinstance(order, LockGrips):
            self.locked = order.locked
            for piece, status in self.status.items():
                if order.locked and status is PieceStatus.HELD:
                    self.status[piece] = PieceStatus.FREE

    def add(self, piece: str, status: PieceStatus, pose: Pose) -> None:
        self.status[piece] = status
        self.pose[piece] = pose
        self.height.setdefault(piece, 0.15)

    def separate(self, piece: str) -> None:
        self.touches = {pair for pair in self.touches if piece not in pair}

    def touch(self, piece: str, *others: str) -> None:
        self.separate(piece)
        self.touches |= {(min(piece, other), max(piece, other)) for other in others}

    def facts(self) -> Facts:
        pieces = tuple(
            PieceFacts(p, self.status[p], self.pose[p], self.height[p], 0.03, 0.0)
            for p in sorted(self.status)
        )
        contacts = tuple(
            Contact(a, b, 0.0, (0.0, 0.0, 0.1), (0.0, 0.0, 1.0)) for a, b in sorted(self.touches)
        )
        held = next((p for p, s in self.status.items() if s is PieceStatus.HELD), None)
        return Facts(self.now, pieces, contacts, held, self.frozen, None, self.at_rest)

    def tick(self, *commands: Command, second_hand: bool = False) -> Judgement:
        self.now += 1
        for due, order in self.delayed_orders:
            if due == self.now:
                self.carry_out(order)
        self.delayed_orders = [(due, order) for due, order in self.delayed_orders if due > self.now]
        return self.receive(self.referee.judge(self.facts(), commands, self.now, second_hand=second_hand))

    def ticks(self, count: int) -> None:
        for _ in range(count):
            self.tick()

    # ------------------------------------------------------------------ actions of players

    def phase(self) -> Phase:
        return self.state.phase

    def settle(self) -> None:
        self.at_rest = True
        self.ticks(SETTLE_TICKS + 2)

    def roll(self) -> None:
        self.settle()
        self.tick(ROLL)
        assert self.state.phase is Phase.DRAW, self.state.phase

    def hold(self) -> str:
        assert not self.locked
        self.status[self.ladder] = PieceStatus.HELD
        self.tick()
        return self.ladder

    def let_go(self, *touching: str, height: float = 0.15) -> str:
        piece = self.ladder
        self.touch(piece, *touching)
        self.height[piece] = height
        self.status[piece] = PieceStatus.FREE
        self.at_rest = False
        self.tick()
        return piece

    def play(self, *touching: str, height: float = 0.15) -> str:
        self.roll()
        self.hold()
        piece = self.let_go(*touching, height=height)
        self.settle()
        return piece

    def honour(self) -> str:
        self.roll()
        self.hold()
        assert self.state.die is not None
        count = 2 if self.state.die.value == "TWO" else 1
        top = max(self.height[p] for p in self.state.structure)
        piece = self.let_go(*self.state.structure[:count], height=top + 0.01)
        self.settle()
        return piece


def make_table(
    players: tuple[str, ...] = ("Ana", "Ben"),
    edition: str = "bombyx-2017",
    seed: int = 1,
    options: Options | None = None,
    **referee: object,
) -> FakeTable:
    return FakeTable(create_state(players, edition, seed, options), **referee)


def make_table_with_die(face: str, **setup: object) -> FakeTable:
    for seed in range(100):
        table = make_table(seed=seed, **setup)  # type: ignore[arg-type]
        if table.state.fixed_face is not None and table.state.fixed_face.value == face:
            return table
    raise AssertionError(f"no seed below 100 rolls {face} first")
