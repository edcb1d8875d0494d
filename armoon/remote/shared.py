"""A game shared by several tables: the table on turn steps its own frames, and the others show the results.

The game's state determines whose frame is next, so the order is unique. All tables judge by the sent facts. The host
also steps the frames of a table with the same build of the physics; otherwise it checks that the structure stands.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from armoon.clock import TICK_S
from armoon.codec import encode
from armoon.engine.events import Output
from armoon.engine.logbook import intake_record
from armoon.engine.match import Match
from armoon.engine.setup import Intake, Record
from armoon.errors import ArmoonError
from armoon.games.contract import load_kind
from armoon.messages import text
from armoon.remote.frames import by_ticks, pack_line, shifted
from armoon.remote.kinds import MAX_LINES, Asked, Hello, Here, Left, Message, Played, Refuse, Seats, Why
from armoon.remote.past import MAX_AHEAD, Ahead, Past, PendingFrame, Playout
from armoon.remote.seal import Seal, Unsealed, UnsealedError
from armoon.remote.ways import Wire
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts
from armoon.world.physics import describe_build
from armoon.world.process import FactsChange

#: Interval of sending frames, seconds; a verdict is sent at once.
EVERY_S = 0.03
#: Interval of keep-alive messages, seconds.
HERE_S = 1.0
#: Maximum wait for the other programs before the first frame, seconds.
READY_S = 15.0
#: Interval of requests for missing packets, seconds.
MISSING_S = 0.25
#: Interval of repeated requests to undo a turn, seconds.
PUT_BACK_S = 0.5
#: Source of another table's commands.
SOURCE = "remote"
#: Time of silence after which a table counts as gone, seconds.
GONE_S = 3.0
#: Maximum packets resent to one table at once, thirty times the game's rate, and the least time between, seconds.
MAX_AGAIN, ANSWERS_S = 200, 0.2
#: Acts allowed to any table while another is on turn; the acts below only to the host, which keeps the order.
FREE = frozenset({Act.PAUSE, Act.RESUME})
OF_HOST = frozenset({Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR})
#: Silence, seconds, and delay of the picture, ticks, from which players are informed.
LATE_S, LATE_TICKS = 1.0, 16.0
#: Maximum wait for the others at the end, seconds.
STAYS_S = 5.0
#: Maximum frames stepped per frame of the loop while catching up, and the time limit for them, seconds.
MAX_STEPS, LONGEST_STEPS_S = 240, 0.03


class Step(Protocol):
    """Steps one frame of the game; ``far``: another table's frame, stepped as in a replay."""

    def __call__(self, intake: Intake, *, far: bool) -> Output:
        """Step the frame and return its output."""


@dataclass
class OtherTable:
    """This table's record of another table."""

    heard_s: float
    number: int = 0
    """Number of its last message; older ones are ignored."""
    newest: int = 0
    """Number of its last message with frames."""
    played: int = 0
    left: bool = False
    answered_s: float = -math.inf


class SharedGame:
    """One table's side of a shared game."""

    def __init__(
        self,
        match: Match,
        seats: Seats,
        wire: Wire,
        seal: Seal,
        host: str,
        *,
        now_s: Callable[[], float] = time.monotonic,
        begins: bytes = b"",
        version: str = "",
        builds: Mapping[str, str] | None = None,
    ) -> None:
        """``begins``: the host's first packet, for tables of ``version`` that return.

        ``builds``: known builds of other tables' physics, by table.
        """
        self._match, self._wire, self._seal, self._now_s = match, wire, seal, now_s
        self._lines = load_kind(match.game).log_format
        self._tables, self._host = seats.tables, host
        self._others = {name: OtherTable(now_s()) for name in {*seats.tables, host} - {seal.table}}
        self._strangers = OtherTable(now_s())
        """Common record of all tables without a seat."""
        self.refused: set[Why] = set()
        """Reasons for refused messages."""
        self._stopped: Why | None = None
        """Why the game can't continue here."""
        self._notices: list[str] = []
        self.playout = Playout()
        self.played = 0
        self._ahead = Ahead()
        self._knows_all = False
        """Whether all others are present and none has a frame that is missing here, as after this table's restart."""
        self._past = Past()
        self._owner = seats.tables[match.on_turn[1]]
        self._builds = dict(builds or {})
        self._recomputes = False
        """Whether this table, the host, also steps the current turn, on the same build of the physics."""
        self._sent: Facts | None = None
        """The last facts that this table has sent."""
        self._out: list[Record] = []
        self._sent_s = self._said_s = -math.inf
        self._asks: deque[Command] = deque(maxlen=64)
        self._began_s = now_s()
        self._shift_s: float | None = None
        """Offset from this table's clock to the game's, while this table plays."""
        self._since_s = 0.0
        """Start of this table's turn on its own clock; earlier hands are ignored."""
        self._game_s = 0.0
        """The game's time at the last frame."""
        self._begins, self._version = begins, version
        self._puts_back: int | None = None
        """Host only: the turn whose verdict was refused, until it is undone."""
        self._put_back_s = -math.inf

    @property
    def note(self) -> str:
        """A sentence about tables that the game waits for; empty if there are none."""
        if not self._wire.up:
            return text("remote.line_gone")
        if self._is_gone(self._host):
            return text("remote.host_gone")
        if gone := self._names_at(*filter(self._is_gone, self._others)):
            return text("remote.gone", players=gone)
        return self.late_words

    @property
    def late_words(self) -> str:
        """A sentence while another table's turn is shown with a long delay; otherwise empty."""
        late = self._waits_s > LATE_S or self.playout.wanted_ticks > LATE_TICKS
        if self.plays or self._match.over or not late:
            return ""
        return text("remote.late", player=self._match.players[self._match.on_turn[1]])

    def check(self) -> None:
        """Raise ArmoonError if the tables have come to different verdicts or the host has refused this table."""
        if self._stopped is not None:
            raise ArmoonError(text(f"remote.refused.{self._stopped}"), remedy=text("remote.differs_remedy"))

    @property
    def differs(self) -> bool:
        """Whether a verdict or the rest poses differ, or the host has refused this table; the game can't continue."""
        return self._stopped is not None

    def may_ask(self, act: Act, table: str = "") -> bool:
        """Return whether a table, or this one, may send this act while another is on turn."""
        table = table or self._seal.table
        # The player on turn has to request the roll while another table still waits for rest.
        on_turn = table == self._tables[self._match.on_turn[1]]
        return act in FREE or on_turn or (table == self._host and act in OF_HOST)

    def drain_notices(self) -> tuple[str, ...]:
        notices, self._notices = tuple(self._notices), []
        return notices

    # One frame of the loop ----------------------------------------------------------------------------------

    def play(self, own: Intake, step: Step, over: Callable[[], bool] = lambda: False) -> Output:
        """Step the frames that are due: own ones until ``over``, or those of the table on turn."""
        self._hear()
        if self.differs:
            return Output((), self._match.state)
        self._keep_order()
        outputs = self._play_own(own, step, over) if self.plays else self._play_far(own, step)
        self._say()
        events = itertools.chain.from_iterable(one.events for one in outputs)
        return Output(tuple(events), self._match.state)

    def close(self) -> None:
        """Send everything, wait until the present tables have received it, and leave."""
        self._flush()
        end_s = self._now_s() + STAYS_S
        self._send(Here(self.played))
        while not self.differs and self._now_s() < end_s and any(map(self._lacks, self._others)):
            time.sleep(EVERY_S)
            self._hear()
            self._say()
        self._send(Left())
        self._wire.close()

    def _lacks(self, table: str) -> bool:
        return not self._is_gone(table) and self._others[table].played < self.played

    def _play_own(self, own: Intake, step: Step, over: Callable[[], bool]) -> list[Output]:
        if self._shift_s is None:
            # The game's clock continues from the last table's, regardless of this machine's clock.
            self._shift_s = self._game_s + TICK_S - own.now_s if self.played else 0.0
            self._since_s = own.now_s
        if own.hands is not None and own.hands.time_s <= self._since_s:
            own = replace(own, hands=None)
        asked = tuple(self._asks)
        self._asks.clear()
        outputs = list[Output]()
        for intake in by_ticks(shifted(replace(own, commands=own.commands + asked), self._shift_s)):
            outputs.append(self._step_own(intake, step))
            if not self.mine:
                self._passes()
                break  # the next tick is another table's
            if over():
                break
        if self._now_s() - self._sent_s >= EVERY_S:
            self._flush()
        return outputs

    def _step_own(self, intake: Intake, step: Step) -> Output:
        before = self._match.facts
        output = step(intake, far=False)
        # Send the intake as stepped, with what the game has added for bots and guidance.
        (intake,) = output.events_of(Intake)
        facts = self._match.facts
        if facts is not before:
            shown = FactsChange.from_facts(before if before is self._sent else None, facts)
            intake, self._sent = replace(intake, shown=shown), facts
        self._out.append(pack_line(intake_record(intake)))
        self.played += 1
        self._game_s = intake.now_s
        self._hand_over()
        judged = self._judged_in(output)
        if judged or not self.mine or len(self._out) == MAX_LINES:
            self._flush(judged)
        return output

    def _play_far(self, own: Intake, step: Step) -> list[Output]:
        for command in own.commands:
            if self.may_ask(command.kind):
                self._send(Asked(command.kind, command.value))
        now_s, outputs = self._now_s(), list[Output]()
        due = (
            self.playout.advance(now_s, self._ahead.count_ready(self.played, self._owner)[1])
            if self._knows_all
            else None
        )
        while len(outputs) < MAX_STEPS and not self.plays and self._now_s() - now_s < LONGEST_STEPS_S:
            sender, frame = self._owner, self._ahead.get((self.played, self._owner))
            if frame is None or (due is not None and frame.intake.ticks > due):
                break
            intake = frame.intake
            due = None if due is None else due - intake.ticks
            if self._recomputes:
                intake = replace(intake, shown=None)
            state, turn = self._match.state, self._match.on_turn[0]
            try:
                output = step(intake, far=True)
            except (ArmoonError, ArithmeticError, LookupError, TypeError, ValueError):
                self._stop(sender, Why.NONSENSE)  # a readable frame that the game can't step
                break
            self._take_in(frame)
            here = self._judged_in(output)
            if here != frame.judged:
                self._disbelieve(sender, turn)
            elif here and self._hosts and intake.shown is not None:
                self._rehearse(sender)
            outputs.append(output)
            if self.differs or (self._match.state is not state and (due is None or due > 1)):
                break  # the saved game needs each position while catching up
        if self.mine:
            self._passes()
        return outputs

    def _take_in(self, frame: PendingFrame) -> None:
        self._past.add_packet(self.played, frame.packet)
        for name in (self._seal.table, *self._others):  # other tables' frames with this number are invalid
            self._ahead.pop((self.played, name), None)
        self.played += 1
        self._game_s = frame.intake.now_s
        self._hand_over()
        self.playout.stepped(frame.intake.ticks)

    def _judged_in(self, output: Output) -> tuple[Record, ...]:
        events = (one for one in output.events if not isinstance(one.event, Intake))
        lines = itertools.chain.from_iterable(map(self._lines.encode, events))
        return tuple(encode(line) for line in lines if line["kind"] in (self._lines.counted_kind, "poses"))

    # Turns ----------------------------------------------------------------------------------------------------

    @property
    def mine(self) -> bool:
        return self._owner == self._seal.table

    def _hand_over(self) -> None:
        """Determine the next frame's table; one that has caused a fall plays until everything is at rest."""
        owner = self._tables[self._match.on_turn[1]]
        if owner != self._owner and self._match.at_rest and not self._match.holding:
            self._owner = owner
            self._recomputes = self._hosts and self._builds.get(owner) == describe_build()

    @property
    def plays(self) -> bool:
        """Whether the next frame is this table's and all earlier ones are known."""
        steps_known = (self.played, self._owner) in self._ahead
        all_heard = all(other.number for other in self._others.values())
        if not self._knows_all and not steps_known and (all_heard or self._now_s() - self._began_s > READY_S):
            self._knows_all = self.played >= max((one.played for one in self._others.values()), default=0)
        # After a restart its own frame may already have been received from others; then that one is stepped.
        return self._knows_all and self.mine and (self.played, self._seal.table) not in self._ahead

    @property
    def _waits_s(self) -> float:
        """Time since the last message of the table on turn, seconds; 0 while this one is on turn."""
        other = self._others.get(self._owner)
        return 0.0 if other is None else self._now_s() - other.heard_s

    @property
    def _hosts(self) -> bool:
        return self._host == self._seal.table

    def _is_gone(self, table: str) -> bool:
        other = self._others.get(table)
        return other is not None and (other.left or self._now_s() - other.heard_s > GONE_S)

    def _answers(self, table: str) -> bool:
        """Return whether this table resends missing packets to that one: the host does, and all do to the host."""
        return self._hosts or table == self._host

    def _passes(self) -> None:
        self._shift_s = None
        self._asks.clear()
        self.playout.restart()

    # Sending --------------------------------------------------------------------------------------------------

    def _flush(self, judged: tuple[Record, ...] = ()) -> None:
        if not self._out:
            return
        first = self.played - len(self._out)
        packet = self._seal.seal_message(Played(first, tuple(self._out), judged))
        self._past.add_packet(first, packet)
        self._wire.send(packet)
        self._out, self._sent_s = [], self._now_s()

    def _send(self, message: Message) -> None:
        self._wire.send(self._seal.seal_message(message))

    def _answer(self, other: OtherTable, packets: Sequence[bytes]) -> None:
        """Answer a table, but not too often, because a small request may cause many large answers."""
        now_s = self._now_s()
        if now_s - other.answered_s >= ANSWERS_S:
            other.answered_s = now_s
            for packet in packets:
                self._wire.send(packet)

    def _say(self) -> None:
        now_s = self._now_s()
        ready, _ = self._ahead.count_ready(self.played, self._owner)
        received = self.played - len(self._out) + ready
        # Packets keep their order, so silence alone means that they are late, not lost.
        lost = len(self._ahead) > ready or any(one.played > received for one in self._others.values())
        lacks = not self.plays and (lost or not self._knows_all) and ready < MAX_AHEAD // 2
        if now_s - self._said_s > (MISSING_S if lacks else HERE_S):
            self._said_s = now_s
            self._send(Here(received, wants=lacks))

    # Receiving ------------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        for packet in self._wire.drain_packets():
            try:
                opened = self._seal.unseal(packet)
            except UnsealedError:
                self._refuse(Why.NONSENSE)
                continue
            self._believe(opened, packet)

    def _believe(self, opened: Unsealed, packet: bytes) -> None:
        other = self._others.get(opened.table)
        message = opened.message
        if opened.table == self._seal.table:
            # Sent before this table's restart.
            if isinstance(message, Played) and not self._knows_all:
                self._take_frames(opened.table, message, packet)
            return
        if other is None:
            if self._hosts:
                self._answer(self._strangers, (self._seal.seal_message(Refuse(opened.table, Why.FULL)),))
            return
        if isinstance(message, Played):
            # Numbers make each frame count once, whatever the order and number of copies, including the host's copy.
            if opened.number > other.newest:  # not another table's copy of an older packet
                other.newest = opened.number
                other.heard_s, other.left = self._now_s(), False
            self._take_frames(opened.table, message, packet)
            return
        if opened.number <= other.number:
            return
        other.number, other.heard_s, other.left = opened.number, self._now_s(), isinstance(message, Left)
        if isinstance(message, Asked):
            command = message.command(SOURCE)
            meant = message.turn in (0, self._match.on_turn[0]) and command not in self._asks
            if self.may_ask(command.kind, opened.table) and self.mine and meant:
                self._asks.append(command)
        elif isinstance(message, Here):
            other.played = message.played
            if message.wants and self._answers(opened.table):
                self._answer(other, self._past.since(message.played, MAX_AGAIN))
        elif isinstance(message, Refuse) and message.table == self._seal.table:
            if opened.table == self._host:
                self._halt(message.why)
        elif isinstance(message, Hello) and self._answers(opened.table):  # a restarted table
            self._builds[opened.table] = message.build
            self._recomputes = self._recomputes and self._owner != opened.table  # its physics starts afresh
            fits = message.version == self._version
            answer = self._begins if fits else self._seal.seal_message(Refuse(opened.table, Why.VERSION))
            self._answer(other, (answer,))

    def _take_frames(self, table: str, message: Played, packet: bytes) -> None:
        try:
            self._ahead.put(table, message, packet, self.played)
        except ValueError:
            self._refuse(Why.NONSENSE)

    # The host's order ---------------------------------------------------------------------------------------

    def _keep_order(self) -> None:
        now_s, turn = self._now_s(), self._match.on_turn[0]
        if self._puts_back is not None and turn <= self._puts_back:
            self._puts_back = None
        elif self._puts_back is not None and now_s - self._put_back_s > PUT_BACK_S:
            self._put_back_s = now_s
            back = Asked(Act.UNDO, turn - self._puts_back, turn)
            if self.mine:
                self._asks.append(back.command(SOURCE))
            else:
                self._send(back)

    def _rehearse(self, table: str) -> None:
        """Check in a thread whether that table's structure also stands by this table's physics; report it if not."""
        check = self._lines.create_stability_check(self._match)
        doubt = text("remote.doubt", players=self._names_at(table))

        def check_later() -> None:
            if check():
                self._notices.append(doubt)

        threading.Thread(target=check_later, name="rehearsal", daemon=True).start()

    def _disbelieve(self, table: str, turn: int) -> None:
        """Have the turn undone, or stop, because the verdict differs from the result of the same frames here."""
        if table == self._host:
            self._stop(table, Why.VERDICT)
        elif self._hosts:
            self._send(Refuse(table, Why.VERDICT))
            self._puts_back = turn
            self._refuse(Why.VERDICT, text("remote.put_back", players=self._names_at(table)))

    def _names_at(self, *tables: str) -> str:
        players = zip(self._match.players, self._tables, strict=True)
        return ", ".join(player for player, table in players if table in tables)

    def _stop(self, table: str, why: Why) -> None:
        self._halt(why)
        self._send(Refuse(table, why))

    def _refuse(self, why: Why, sentence: str = "") -> None:
        """Record why a message is rejected and show it once; a ``sentence`` of its own is shown every time."""
        if sentence or why not in self.refused:
            self._notices.append(sentence or text(f"remote.refused.{why}"))
        self.refused.add(why)

    def _halt(self, why: Why) -> None:
        self._stopped = self._stopped or why
        self.refused.add(why)
