"""Several tables in one process play one game over a connection that the test controls: late, lossy, shuffled, cut."""

from __future__ import annotations

import heapq
import itertools
import json
import random
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from armoon.camera.profiles import SEATS
from armoon.clock import TICK_S
from armoon.engine.events import Output
from armoon.engine.logbook import intake_from_record
from armoon.engine.match import Match
from armoon.engine.setup import Intake, Record, seat_setup
from armoon.games import game_options
from armoon.games.contract import Game, load_kind
from armoon.games.options import GameOptions
from armoon.games.shared import FirstPlayer
from armoon.remote.kinds import Seats
from armoon.remote.seal import Seal, new_key
from armoon.remote.shared import SharedGame
from armoon.settings.preferences import PlayOptions
from armoon.values.acts import Act
from armoon.values.choices import SeatName
from armoon.values.pieces import Command
from armoon.world.physics import describe_build
from support.log_kit import records_of
from support.samples import sample_lines

#: Physics build of all tables.
VERSION = "this one"
#: Number of frames before ``Hands`` roll the die, and before they give the ladder up.
ROLLS, GIVES_UP = 15, 45


@cache
def load_log(name: str) -> tuple[Record, tuple[Intake, ...]]:
    records = [json.loads(line) for line in sample_lines(name)]
    return records[0], tuple(intake_from_record(line) for line in records if line["kind"] == "hands")


@dataclass
class Weather:
    delay_s: float = 0.0
    jitter_s: float = 0.0
    lost: float = 0.0
    doubled: float = 0.0
    seed: int = 1


class Air:
    def __init__(self, weather: Weather | None = None) -> None:
        self.weather = weather or Weather()
        self.now_s = 0.0
        self.sent: list[bytes] = []
        """Every sent packet."""
        self.cut: set[int] = set()
        """Ends that are disconnected."""
        self._random = random.Random(self.weather.seed)
        self._ends: list[End] = []
        self._order = itertools.count()

    def end(self) -> End:
        made = End(self, len(self._ends))
        self._ends.append(made)
        return made

    def carry(self, packet: bytes, sender: int) -> None:
        self.sent.append(packet)
        weather, chance = self.weather, self._random
        for end in self._ends:
            if end.number == sender or {end.number, sender} & self.cut:
                continue
            for _ in range(1 + (chance.random() < weather.doubled)):
                if chance.random() >= weather.lost:
                    end.put(self.now_s + weather.delay_s + weather.jitter_s * chance.random(), packet)


class End:
    def __init__(self, air: Air, number: int) -> None:
        self._air, self.number = air, number
        self._coming: list[tuple[float, int, bytes]] = []
        self._order = itertools.count()

    def put(self, due_s: float, packet: bytes) -> None:
        heapq.heappush(self._coming, (due_s, next(self._order), packet))

    @property
    def up(self) -> bool:
        return self.number not in self._air.cut

    def send(self, packet: bytes) -> None:
        self._air.carry(packet, self.number)

    def drain_packets(self) -> list[bytes]:
        came = []
        while self._coming and self._coming[0][0] <= self._air.now_s:
            came.append(heapq.heappop(self._coming)[2])
        return came

    def close(self) -> None:
        pass


class OrderedAir(Air):
    """A connection that keeps its order: packets after a lost one wait for its repetition."""

    def __init__(self, weather: Weather) -> None:
        super().__init__(weather)
        self._due_s = [0.0, 0.0]

    def carry(self, packet: bytes, sender: int) -> None:
        self.sent.append(packet)
        weather, chance = self.weather, self._random
        late_s = weather.delay_s + weather.jitter_s * chance.random()
        if chance.random() < weather.lost:
            late_s += 0.2 + 2.0 * weather.delay_s
        self._due_s[sender] = max(self._due_s[sender], self.now_s + late_s)
        self._ends[1 - sender].put(self._due_s[sender], packet)


def played_lines(match: Match, out: Output) -> list[Record]:
    """The log's lines, without the facts that another table has shown."""
    return [{name: line[name] for name in line if name != "shown"} for line in records_of(match, out)]


class FarTable:
    """One of the tables: its game, its share in it, and the lines of its log."""

    def __init__(
        self,
        air: Air,
        seats: Seats,
        seal: Seal,
        host: str,
        *,
        begins: bytes = b"",
        builds: dict[str, str] | None = None,
    ) -> None:
        kind = load_kind(seats.header["game"])
        self.match = kind.create_logged_match(seats.header)
        self.game: Game[Any] = kind.create_game(self.match)
        self.end = air.end()
        self.shared = SharedGame(
            self.match,
            seats,
            self.end,
            seal,
            host,
            now_s=lambda: air.now_s,
            begins=begins,
            version=VERSION,
            builds=builds,
        )
        self.lines = played_lines(self.match, self.match.opening)
        self.ticks_at: list[tuple[float, int]] = []
        """Times of this table's steps."""
        self._air = air

    def advance(self, intake: Intake, *, far: bool) -> Output:
        self.game.is_replayed = far
        return self.game.advance(intake)

    def play(self, own: Intake) -> Output:
        out = self.shared.play(own, self.advance)
        self.lines += played_lines(self.match, out)
        self.ticks_at.append((self._air.now_s, self.match.tick))
        return out

    @property
    def verdicts(self) -> list[Record]:
        return [line for line in self.lines if line["kind"] == "verdict"]

    @property
    def rests(self) -> list[Record]:
        return [line for line in self.lines if line["kind"] == "poses"]


class Company:
    """Tables of one game; each plays its turns by the frames of a log, by a clock of its own."""

    def __init__(
        self,
        air: Air,
        count: int = 2,
        *,
        log: str = "moon-mirror",
        header: Record | None = None,
        guest_build: str | None = None,
    ) -> None:
        """``guest_build``: the build of the guests' physics; None: the host's."""
        self.air = air
        self.key = new_key()
        self.seals = [Seal(self.key) for _ in range(count)]
        self.host = self.seals[0].table
        self.header, self.frames = load_log(log) if header is None else (header, ())
        seats = len(self.header.get("rules", self.header)["players"])
        names = tuple(self.seals[seat % count].table for seat in range(seats))
        self.seats = Seats(self.header, names)
        self._begins = self.seals[0].seal_message(self.seats)
        builds = {seal.table: guest_build or describe_build() for seal in self.seals[1:]}
        self.tables = [
            FarTable(air, self.seats, seal, self.host, begins=self._begins, builds=builds)
            for seal in self.seals
        ]
        self._began = [0] * count
        self._at = [-1] * count
        self.frame = 0
        self.asks: dict[int, tuple[Command, ...]] = {}
        """Command in the next frame, by table."""

    def again(self, number: int) -> FarTable:
        """Restart a table's killed program, which knows its key and the start of the game."""
        self.tables[number].game.close()
        seal = Seal(self.key, self.seals[number].kept)
        self.seals[number] = seal
        made = FarTable(*(self.air, self.seats, seal, self.host), begins=self._begins)
        made.end.number = self.tables[number].end.number
        self.tables[number] = made
        self._at[number] = -1  # its player repeats the turn
        return made

    def pass_time(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.frame += 1
            self.air.now_s += 2 * TICK_S
            for number, table in enumerate(self.tables):
                table.play(self._own(number, table))

    def until_turn(self, turn: int, most: int = 4000) -> None:
        for _ in range(most):
            if all(table.match.on_turn[0] >= turn for table in self.tables):
                return
            self.pass_time()
        raise AssertionError([table.match.on_turn for table in self.tables])

    def _own(self, number: int, table: FarTable) -> Intake:
        """The frame that this table plays if it is on turn: the log's, from its turn's beginning on."""
        turn = table.match.on_turn[0] if table.shared.mine else -1
        if turn != self._at[number]:
            self._at[number], self._began[number] = turn, self.frame
        frame = self.frames[min(self.frame - self._began[number], len(self.frames) - 1)]
        now_s = 1000.0 * (number + 1) + self.air.now_s  # no two clocks agree
        hands = (
            None
            if frame.hands is None
            else replace(frame.hands, time_s=now_s + frame.hands.time_s - frame.now_s)
        )
        return replace(
            frame, now_s=now_s, ticks=2, hands=hands, commands=frame.commands + self.asks.pop(number, ())
        )

    def close(self) -> None:
        for table in self.tables:
            table.game.close()


def header_of(game: str, players: tuple[str, ...], options: GameOptions | None = None) -> Record:
    kind = load_kind(game)
    own = game_options(game)() if options is None else options
    wanted = PlayOptions(game=game, game_options=own, players=players, seed=5)
    table = seat_setup(SEATS[SeatName.MIRROR](640, 360), "test")
    match = kind.create_match(table, wanted, FirstPlayer(), on_time=False)
    (line,) = kind.log_format.encode(match.opening.events[0])
    return dict(line)


class Hands(Company):
    def _own(self, number: int, table: FarTable) -> Intake:
        turn = table.match.on_turn[0] if table.shared.mine else -1
        if turn != self._at[number]:
            self._at[number], self._began[number] = turn, self.frame
        acts = {ROLLS: Act.ROLL, GIVES_UP: Act.GIVE_UP}
        act = acts.get((self.frame - self._began[number]) % (2 * GIVES_UP))
        commands = () if act is None or table.match.bot is not None else (Command(act, "key"),)
        now_s = 1000.0 * (number + 1) + self.air.now_s
        return Intake(now_s, 2, None, commands + self.asks.pop(number, ()))
