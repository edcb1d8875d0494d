"""Several tables in one process that play one game over a simulated network with delay, jitter, loss and duplicates."""

from __future__ import annotations

import heapq
import itertools
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.engine.events import Output
from armoon.engine.logbook import intake_from_record
from armoon.engine.match import Match
from armoon.engine.setup import Intake, Record, make_setup
from armoon.errors import ArmoonError
from armoon.games import game_options
from armoon.games.contract import Game, load_kind
from armoon.games.options import GameOptions
from armoon.games.shared import FirstPlayer
from armoon.remote.protocol import Message, Seats
from armoon.remote.seal import PACKETS_PER_START, Seal, UnsealedError, new_key
from armoon.remote.shared import SharedGame
from armoon.remote.transport import Wire
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command
from armoon.world.physics import describe_build
from support.log_kit import records_of
from support.samples import sample_lines

#: Numbers of the frames of a turn in which ``CommandGame`` rolls the die and gives the ladder up.
ROLL_FRAME, GIVE_UP_FRAME = 15, 45


@cache
def load_log_frames(name: str) -> tuple[Record, tuple[Intake, ...]]:
    records = [json.loads(line) for line in sample_lines(name)]
    return records[0], tuple(intake_from_record(line) for line in records if line["kind"] == "hands")


@dataclass
class Conditions:
    delay_s: float = 0.0
    jitter_s: float = 0.0
    lost_share: float = 0.0
    duplicated_share: float = 0.0


class Network:
    def __init__(self, conditions: Conditions | None = None) -> None:
        self.conditions = conditions or Conditions()
        self.now_s = 0.0
        self.sent: list[bytes] = []
        """Every sent packet."""
        self.cut: set[int] = set()
        """Numbers of the disconnected endpoints."""
        self._random = random.Random(1)
        self._ends: list[Endpoint] = []

    def add_endpoint(self, seal: Seal) -> Endpoint:
        self._ends.append(Endpoint(self, len(self._ends), seal))
        return self._ends[-1]

    def deliver(self, packet: bytes, sender: int) -> None:
        self.sent.append(packet)
        conditions, rng = self.conditions, self._random
        for end in self._ends:
            if end.number == sender or {end.number, sender} & self.cut:
                continue
            for _ in range(1 + (rng.random() < conditions.duplicated_share)):
                if rng.random() >= conditions.lost_share:
                    end.put(self.now_s + conditions.delay_s + conditions.jitter_s * rng.random(), packet)


class Endpoint(Wire):
    def __init__(self, network: Network, number: int, seal: Seal) -> None:
        super().__init__(seal)
        self._network, self.number = network, number
        self._in_flight: list[tuple[float, int, bytes]] = []
        self._order = itertools.count()

    def put(self, due_s: float, packet: bytes) -> None:
        heapq.heappush(self._in_flight, (due_s, next(self._order), packet))

    @property
    def is_connected(self) -> bool:  # type: ignore[override]
        return self.number not in self._network.cut

    def send(self, packet: bytes) -> None:
        self._network.deliver(packet, self.number)

    def receive(self) -> Iterator[tuple[str, bool, Message, bytes]]:
        while self._in_flight and self._in_flight[0][0] <= self._network.now_s:
            packet = heapq.heappop(self._in_flight)[2]
            with suppress(UnsealedError):
                self._queue_packet(packet, is_new=self._verify(packet)[1])
        return super().receive()


class OrderedNetwork(Network):
    """A connection of two endpoints that keeps packets in order: later packets wait until a lost packet is resent."""

    def __init__(self, conditions: Conditions) -> None:
        super().__init__(conditions)
        self._due_s = [0.0, 0.0]

    def deliver(self, packet: bytes, sender: int) -> None:
        self.sent.append(packet)
        conditions, rng = self.conditions, self._random
        late_s = conditions.delay_s + conditions.jitter_s * rng.random()
        if rng.random() < conditions.lost_share:
            late_s += 0.2 + 2.0 * conditions.delay_s
        self._due_s[sender] = max(self._due_s[sender], self.now_s + late_s)
        self._ends[1 - sender].put(self._due_s[sender], packet)


def list_played_lines(match: Match, output: Output) -> list[Record]:
    """Return the log's lines without the field ``shown``, which holds facts received from another table."""
    return [{name: line[name] for name in line if name != "shown"} for line in records_of(match, output)]


class SimulatedTable:
    """One table with its game and its log's lines."""

    def __init__(self, network: Network, seats: Seats, seal: Seal, host: str, **more: Any) -> None:
        """``more``: further arguments of ``SharedGame``."""
        kind = load_kind(seats.header["game"])
        self.match = kind.create_logged_match(seats.header)
        self.game: Game[Any] = kind.create_game(self.match)
        self.end = network.add_endpoint(seal)
        self.shared = SharedGame(self.match, seats, self.end, host, now_s=lambda: network.now_s, **more)
        assert self.end.seated >= {*seats.tables, host} - {seal.table}
        self.lines = list_played_lines(self.match, self.match.opening)

    def advance(self, intake: Intake, remote: bool) -> Output:
        self.game.is_replayed = remote
        return self.game.advance(intake)

    def play(self, own: Intake) -> None:
        try:
            self.lines += list_played_lines(self.match, self.shared.play(own, self.advance))
        except ArmoonError:
            assert self.shared.stopped is not None


class LoggedGame:
    """One game at several tables; each plays a log's frames in its turns and has its own clock."""

    def __init__(
        self,
        network: Network,
        count: int = 2,
        *,
        log: str = "moon-mirror",
        header: Record | None = None,
        guest_build: str | None = None,
    ) -> None:
        """``guest_build``: the build of the guests' physics; None: the host's."""
        self.network = network
        self.key = new_key()
        self.seals = [Seal(self.key) for _ in range(count)]
        self.host = self.seals[0].table
        self.header, self.frames = load_log_frames(log) if header is None else (header, ())
        seats = len(self.header["players"])
        self.seats = Seats(self.header, tuple(self.seals[seat % count].table for seat in range(seats)))
        self._start_packet = self.seals[0].seal_message(self.seats)
        builds = {seal.table: guest_build or describe_build() for seal in self.seals[1:]}
        self.tables = [self._create_table(seal, builds=builds) for seal in self.seals]
        self._turn_starts = [0] * count
        self._turns = [-1] * count
        self.frame = 0
        self.commands_for: dict[int, tuple[Command, ...]] = {}
        """Commands in the next frame, by table."""

    def _create_table(self, seal: Seal, **more: Any) -> SimulatedTable:
        more["start_packet"] = self._start_packet
        return SimulatedTable(self.network, self.seats, seal, self.host, **more)

    def restart(self, number: int) -> SimulatedTable:
        """Restart a table's killed program with its key and the start of the game."""
        self.tables[number].game.close()
        before = self.seals[number]
        starts = before._number // PACKETS_PER_START
        state = before._private_key.private_bytes_raw() + starts.to_bytes(4, "big")
        self.seals[number] = Seal(self.key, state)
        table = self._create_table(self.seals[number])
        table.end.number = self.tables[number].end.number
        self.tables[number] = table
        self._turns[number] = -1  # its player repeats the turn
        return table

    def pass_time(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.frame += 1
            self.network.now_s += 2 * TICK_S
            for number, table in enumerate(self.tables):
                table.play(self._own_frame(number, table))

    def pass_until(self, condition: Callable[[], object], most: int = 4000) -> None:
        for _ in range(most):
            if condition():
                return
            self.pass_time()
        raise AssertionError([table.match.on_turn for table in self.tables])

    def play_until_turn(self, turn: int) -> None:
        self.pass_until(lambda: all(table.match.on_turn[0] >= turn for table in self.tables))

    def check_equal(self, verdicts: int = 0) -> int:
        """Check that all logs begin with the shortest, which has ``verdicts`` verdicts or more; return its length."""
        shortest = min(len(table.lines) for table in self.tables)
        lines = self.tables[0].lines[:shortest]
        assert sum(line["kind"] == "verdict" for line in lines) >= verdicts
        for table in self.tables:
            assert table.lines[:shortest] == lines
            assert table.shared.stopped is None
        return shortest

    def _own_frame(self, number: int, table: SimulatedTable) -> Intake:
        """Return the frame that this table plays in its turn, with its own clock."""
        turn = table.match.on_turn[0] if table.shared.has_turn else -1
        if turn != self._turns[number]:
            self._turns[number], self._turn_starts[number] = turn, self.frame
        frame = self._frame_of_turn(self.frame - self._turn_starts[number], table.match)
        now_s = 1000.0 * (number + 1) + self.network.now_s  # every table has a different clock
        hands = frame.hands and replace(frame.hands, time_s=now_s + frame.hands.time_s - frame.now_s)
        commands = frame.commands + self.commands_for.pop(number, ())
        return replace(frame, now_s=now_s, ticks=2, hands=hands, commands=commands)

    def _frame_of_turn(self, number: int, match: Match) -> Intake:
        return self.frames[min(number, len(self.frames) - 1)]

    def close(self) -> None:
        for table in self.tables:
            table.game.close()


def build_header(game: str, players: tuple[str, ...], options: GameOptions | None = None) -> Record:
    kind = load_kind(game)
    own = game_options(game)() if options is None else options
    wanted = PlayOptions(game=game, game_options=own, players=players, seed=5)
    table = make_setup(SEATS[SeatName.MIRROR](640, 360), "test")
    match = kind.create_match(table, wanted, FirstPlayer(), real_time=False)
    (line,) = kind.encode_event(match.opening.events[0])
    return dict(line)


class CommandGame(LoggedGame):
    """A game without hands: a player rolls the die and gives the ladder up at fixed frames of a turn."""

    def _frame_of_turn(self, number: int, match: Match) -> Intake:
        act = {ROLL_FRAME: Act.ROLL, GIVE_UP_FRAME: Act.GIVE_UP}.get(number % (2 * GIVE_UP_FRAME))
        return Intake(0.0, 2, None, () if act is None or match.bot is not None else (Command(act, "key"),))
