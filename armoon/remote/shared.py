"""A game shared by several tables: the current player's table steps its own frames, and the others show the results.

The game's state determines which table plays the next frame, so the order is unique. All tables judge by the facts
that it sends. The host also computes the frames of a table with the same build of the physics; for other builds, it
checks that the structure stands.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from armoon.clock import MAX_FRAME_S, TICK_S, TICKS_PER_SECOND
from armoon.codec import encode
from armoon.engine.events import Output
from armoon.engine.logbook import encode_intake
from armoon.engine.match import Match
from armoon.engine.setup import Intake, Record
from armoon.errors import ArmoonError
from armoon.games.contract import load_kind
from armoon.messages import text
from armoon.remote import protocol, transport
from armoon.values.acts import Act
from armoon.values.pieces import Command, Facts
from armoon.world import physics, process

#: Interval of sending frames, seconds; a verdict is sent at once.
SEND_INTERVAL_S = 0.03
#: Intervals of keep-alive messages: usually, and while they request missing frames, seconds.
KEEP_ALIVE_S, REQUEST_INTERVAL_S = 1.0, 0.25
#: Maximum wait for the other tables before the first frame, and at the end, seconds.
READY_S, LINGER_S = 15.0, 5.0
#: Time of silence after which a table counts as gone, seconds.
ABSENT_S = 3.0
#: Maximum number of received frames that wait to be stepped: a minute of play.
MAX_AHEAD = 60 * 60
#: Maximum number of frames resent to one table at once, and minimum interval of resending, seconds.
MAX_RESENT, ANSWER_S = 400, 0.2
#: Maximum number of frames stepped in one pass of the loop while catching up, and maximum time for them, seconds.
MAX_STEPS, MAX_STEPS_S = 240, 0.03
#: Acts that any table may send in another's turn, and those that only the host may send.
ANY_TABLE_ACTS = frozenset({Act.PAUSE, Act.RESUME})
HOST_ACTS = frozenset({Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR})

#: Delay of another table's frames relative to the fastest arrival until the jitter is known (0.1 s), and margin added
#: to the measured jitter, ticks.
DEFAULT_TICKS, MARGIN_TICKS = 6.0, 2.0
#: Share of arrivals that the delay covers; covering all of them could double the delay.
COVERED_SHARE = 0.95
#: Number of remembered arrivals (8 s of a turn), and number needed to measure the jitter (1 s).
MAX_ARRIVALS, MEASURED_ARRIVALS = 240, 30
#: Usual interval between two passes of the loop, seconds.
LOOP_S = 2.0 * TICK_S
#: Relative change of the game's speed for each tick of error in the delay, and maximum change.
SPEED_GAIN, MAX_SPEED_CHANGE = 0.02, 0.08
#: Lag beyond which missed play is shown in fast motion, ticks, and its speed.
CATCH_UP_TICKS, CATCH_UP_SPEED = 1.0 * TICKS_PER_SECOND, 4.0


class Playout:
    """A jitter buffer: computes how many of another table's ticks are due, from this table's clock and the arrivals.

    The delay covers most recent arrivals; it is adjusted by playing a few per cent faster or slower.
    """

    def __init__(self, wanted_ticks: float = DEFAULT_TICKS) -> None:
        self.wanted_ticks = wanted_ticks
        """Intended delay relative to the fastest arrival, ticks."""
        self._last_s = math.inf
        self._received = self._stepped = 0
        """Ticks received and stepped."""
        self._due = 0.0
        """Number of ticks due."""
        self._late = deque[float](maxlen=MAX_ARRIVALS)
        """Arrival time minus game time of each recently arrived tick, in ticks; only differences are meaningful."""

    def advance(self, now_s: float, waiting_ticks: int) -> int:
        """Return the number of waiting ticks that are due at ``now_s``, seconds."""
        passed_s = min(max(now_s - self._last_s, 0.0), MAX_FRAME_S)
        if self._stepped + waiting_ticks > self._received:
            # A stall of this table's own loop must not count as jitter of the connection.
            arrived_s = min(now_s, self._last_s + LOOP_S)
            self._measure_arrival(arrived_s * TICKS_PER_SECOND - self._received)
            self._received = self._stepped + waiting_ticks
        self._last_s = now_s
        if not self._late:
            return 0
        lag = now_s * TICKS_PER_SECOND - min(self._late) - self.wanted_ticks - self._due
        # If this table was too slow to step due ticks, it steps them later instead of all at once.
        self._due = min(self._due, self._stepped + 1.0)
        if self._due or lag >= 0.0:  # otherwise the turn's first ticks aren't due yet
            change = max(-MAX_SPEED_CHANGE, min(SPEED_GAIN * lag, MAX_SPEED_CHANGE))
            speed = CATCH_UP_SPEED if lag > CATCH_UP_TICKS else 1.0 + change
            self._due = min(self._due + passed_s * TICKS_PER_SECOND * speed, float(self._received))
        return int(self._due) - self._stepped

    def _measure_arrival(self, late: float) -> None:
        self._late.append(late)
        fastest = min(self._late)
        # Later packets were delayed by an interruption, after which the game catches up anyway.
        usual = sorted(late for late in self._late if late <= fastest + CATCH_UP_TICKS)
        wanted = usual[int(COVERED_SHARE * (len(usual) - 1))] - fastest + MARGIN_TICKS
        # Until there are enough arrivals, keep at least the delay of the previous turn.
        self.wanted_ticks = max(wanted, self.wanted_ticks if len(self._late) < MEASURED_ARRIVALS else 0.0)

    def count_steps(self, ticks: int) -> None:
        """Count ticks that were stepped, because they were due or because the game was catching up."""
        self._stepped += ticks
        self._received = max(self._received, self._stepped)
        self._due = max(self._due, float(self._stepped))

    @property
    def fraction(self) -> float:
        """Position between the last tick and the next, 0 to 1, for drawing."""
        return max(0.0, min(1.0, self._due - self._stepped))


#: Function that steps a frame; the second argument is whether to step it as in a replay, for another table's frame.
Step = Callable[[Intake, bool], Output]


class PendingFrame(NamedTuple):
    """A received frame that waits to be stepped."""

    intake: Intake
    verdict_lines: tuple[Record, ...]
    packet: bytes


class OtherTable:
    """The last known state of another table."""

    def __init__(self, now_s: float) -> None:
        self.last_message_s = now_s
        """Time of its last message; minus infinity after it has left."""
        self.played = -1
        """Number of the first frame that the table lacks; -1: unknown."""
        self.answered_s = -math.inf
        """Time of the last answer to it; answers are limited because one small request can cause many large ones."""


class SharedGame:
    """One table's side of a shared game."""

    def __init__(
        self,
        match: Match,
        seats: protocol.Seats,
        wire: transport.Wire,
        host: str,
        *,
        now_s: Callable[[], float] = time.monotonic,
        start_packet: bytes = b"",
        builds: Mapping[str, str] | None = None,
    ) -> None:
        """``start_packet``: started the game, is resent to returning tables; ``builds``: physics builds by table."""
        self._match, self._wire, self._now_s = match, wire, now_s
        self._kind = load_kind(match.game)
        self._own_table = own = wire.seal.table
        self._tables, self._host, self._is_host = seats.tables, host, host == own
        self._others = {name: OtherTable(now_s()) for name in {*seats.tables, host} - {own}}
        wire.seated.update(self._others)
        self._start_packet, self._builds = start_packet, dict(builds or {})
        self.stopped: protocol.RefusalReason | None = None
        """Reason why the game can't continue: verdicts or rest poses differ, or the host has refused this table."""
        self._notices: list[str] = []
        self._last_note = ""
        self.playout = Playout()
        self.played = 0
        self._pending: dict[tuple[int, str], PendingFrame] = {}
        """Received frames that wait to be stepped, by number and sender."""
        self._has_all_frames = False
        """Whether this table has all frames of the others; False until this is known, as after a restart."""
        self._packets: list[bytes] = []
        """The packet with each played frame, for resending to tables that lack it."""
        self._owner = seats.tables[match.on_turn[1]]
        self._recomputes = False
        """Whether this table, as the host, also computes another table's turn, on the same build of the physics."""
        self._sent_facts: Facts | None = None
        """The facts that this table last sent."""
        self._unsent: list[Record] = []
        self._sent_s = self._keep_alive_s = -math.inf
        self._commands: deque[Command] = deque(maxlen=64)
        self._began_s = now_s()
        self._shift_s: float | None = None
        """Offset from this table's clock to the game's, while this table plays."""
        self._turn_start_s = 0.0
        """Start of this table's turn on its own clock; earlier hands are ignored."""
        self._game_s = 0.0
        """The game's time at the last frame."""

    @property
    def note(self) -> str:
        """A sentence about absent tables or the lost connection; empty if all are present."""
        if not self._wire.is_connected:
            return text("remote.line_gone")
        if self._is_absent(self._host):
            return text("remote.host_gone")
        gone = self._list_names_at(*filter(self._is_absent, self._others))
        return text("remote.gone", players=gone) if gone else ""

    def can_send(self, act: Act, table: str = "") -> bool:
        """Return whether a table (default: this one) may send this act in another table's turn."""
        table = table or self._own_table
        # The current player may request the roll while another table still waits for rest.
        on_turn = table == self._tables[self._match.on_turn[1]]
        allowed = act in ANY_TABLE_ACTS or on_turn or (table == self._host and act in HOST_ACTS)
        return allowed and act.row.table

    def drain_notices(self) -> tuple[str, ...]:
        """Return the sentences for the terminal since the last call."""
        notices, self._notices = self._notices, []
        before, self._last_note = self._last_note, self.note
        return (*notices, *({self._last_note} - {"", before}))

    # One frame of the loop ----------------------------------------------------------------------------------

    def play(self, own: Intake, step: Step, is_over: Callable[[], bool] = lambda: False) -> Output:
        """Step the due frames: ``own`` in this table's turn, unless ``is_over``, or those of the current table.

        Raises ArmoonError if the game can't continue here.
        """
        self._receive()
        if self.stopped is not None:
            raise ArmoonError(f"remote.refused.{self.stopped}", remedy="remote.differs_remedy")
        outputs = self._play_own(own, step, is_over) if self.is_playing else self._play_remote(own, step)
        self._send_keep_alive()
        events = itertools.chain.from_iterable(output.events for output in outputs)
        return Output(tuple(events), self._match.state)

    def close(self) -> None:
        """Send the remaining frames, wait until the present tables have received them, and leave."""
        self._flush()
        end_s = self._now_s() + LINGER_S
        self._wire.send_message(protocol.KeepAlive(self.played))
        others = self._others.items()
        while self.stopped is None and self._now_s() < end_s:
            if all(self._is_absent(name) or other.played >= self.played for name, other in others):
                break
            time.sleep(SEND_INTERVAL_S)
            self._receive()
            self._send_keep_alive()
        self._wire.send_message(protocol.Goodbye())
        self._wire.close()

    def _play_own(self, own: Intake, step: Step, is_over: Callable[[], bool]) -> list[Output]:
        if self._shift_s is None:
            # The game's clock continues from the previous table's last frame, whatever this machine's clock says.
            self._shift_s = self._game_s + TICK_S - own.now_s if self.played else 0.0
            self._turn_start_s = own.now_s
        if own.hands is not None and own.hands.time_s <= self._turn_start_s:
            own = replace(own, hands=None)
        own = replace(own, commands=(*own.commands, *self._commands))
        self._commands.clear()
        outputs = list[Output]()
        for intake in protocol.split_ticks(protocol.shift_time(own, self._shift_s)):
            outputs.append(self._step_own(intake, step))
            if not self.has_turn or is_over():
                break
        if self._now_s() - self._sent_s >= SEND_INTERVAL_S:
            self._flush()
        return outputs

    def _step_own(self, intake: Intake, step: Step) -> Output:
        before = self._match.facts
        output = step(intake, False)
        # Send the intake as stepped, including the game's additions for bots and guidance.
        (intake,) = output.events_of(Intake)
        facts = self._match.facts
        if facts is not before:
            shown = process.FactsChange.from_facts(before if before is self._sent_facts else None, facts)
            intake, self._sent_facts = replace(intake, shown=shown), facts
        self._unsent.append(encode_intake(intake))
        self._count_frame(intake)
        lines = self._verdict_lines(output)
        if lines or not self.has_turn or len(self._unsent) == protocol.MAX_LINES:
            self._flush(lines)
        return output

    def _play_remote(self, own: Intake, step: Step) -> list[Output]:
        for command in own.commands:
            if self.can_send(command.kind):
                self._wire.send_message(protocol.TableCommand(command.kind, command.value))
        start_s, sender, frames = self._now_s(), self._owner, self._list_ready_frames()
        waiting_ticks = sum(frame.intake.ticks for frame in frames)
        due = self.playout.advance(start_s, waiting_ticks) if self._has_all_frames else waiting_ticks
        outputs = list[Output]()
        for frame in frames[:MAX_STEPS]:
            due -= frame.intake.ticks
            if due < 0 or self._owner != sender or self._now_s() - start_s >= MAX_STEPS_S:
                break
            state = self._match.state
            outputs += self._step_remote(sender, frame, step)
            if self.stopped is not None or (self._match.state is not state and due > 1):
                break  # each position is saved, even while catching up
        return outputs

    def _step_remote(self, sender: str, frame: PendingFrame, step: Step) -> list[Output]:
        """Step a frame and compare its verdict with the sent one; return nothing if the frame is invalid."""
        intake = replace(frame.intake, shown=None) if self._recomputes else frame.intake
        try:
            output = step(intake, True)
        except (ArmoonError, ArithmeticError, LookupError, TypeError, ValueError):
            self._stop(sender, protocol.RefusalReason.NONSENSE)
            return []
        # Frames with this number from other tables, if any, were sent out of turn.
        for name in (self._own_table, *self._others):
            self._pending.pop((self.played, name), None)
        self._packets.append(frame.packet)
        self.playout.count_steps(intake.ticks)
        self._count_frame(intake)
        lines = self._verdict_lines(output)
        if lines != frame.verdict_lines:
            self._stop(sender, protocol.RefusalReason.VERDICT)
        elif lines and self._is_host and intake.shown is not None:
            self._check_stability(sender)
        return [output]

    def _list_ready_frames(self) -> list[PendingFrame]:
        """Return the current table's received frames that follow the last stepped one without a gap."""
        frames = list[PendingFrame]()
        while (frame := self._pending.get((self.played + len(frames), self._owner))) is not None:
            frames.append(frame)
        return frames

    def _verdict_lines(self, output: Output) -> tuple[Record, ...]:
        events = (event for event in output.events if not isinstance(event.event, Intake))
        lines = itertools.chain.from_iterable(map(self._kind.encode_event, events))
        return tuple(encode(line) for line in lines if line["kind"] in (self._kind.counted_kind, "poses"))

    def _check_stability(self, table: str) -> None:
        """Check in a thread whether the structure also stands in this table's physics; if not, add a notice."""
        check = self._kind.create_stability_check(self._match)
        sentence = text("remote.doubt", players=self._list_names_at(table))

        def check_later() -> None:
            if check():
                self._notices.append(sentence)

        threading.Thread(target=check_later, name="rehearsal", daemon=True).start()

    # Turns ----------------------------------------------------------------------------------------------------

    @property
    def has_turn(self) -> bool:
        return self._owner == self._own_table

    @property
    def is_playing(self) -> bool:
        """Whether the next frame is this table's, and it has all earlier ones."""
        # After a restart, another table may have resent this table's own next frame, which must then be stepped.
        is_known = (self.played, self._owner) in self._pending
        if not self._has_all_frames and not is_known:
            known = [other.played for other in self._others.values()]
            if min(known, default=0) >= 0 or self._now_s() - self._began_s > READY_S:
                self._has_all_frames = self.played >= max(known, default=0)
        return self._has_all_frames and self.has_turn and not is_known

    def _count_frame(self, intake: Intake) -> None:
        """Count a stepped frame and determine the next one's table; after a fall, a turn lasts until all is at rest."""
        self.played += 1
        self._game_s = intake.now_s
        owner = self._tables[self._match.on_turn[1]]
        if owner != self._owner and self._match.at_rest and not self._match.holding:
            self._owner, self._shift_s = owner, None
            self._commands.clear()
            self.playout = Playout(self.playout.wanted_ticks)
            self._recomputes = self._is_host and self._builds.get(owner) == physics.describe_build()

    def _is_absent(self, table: str) -> bool:
        other = self._others.get(table)
        return other is not None and self._now_s() - other.last_message_s > ABSENT_S

    def _list_names_at(self, *tables: str) -> str:
        players = zip(self._match.players, self._tables, strict=True)
        return ", ".join(player for player, table in players if table in tables)

    def _stop(self, table: str, reason: protocol.RefusalReason) -> None:
        """Stop the game here, and if this table is the host, at that table too."""
        self.stopped = reason
        self._wire.send_message(protocol.Refusal(table, reason))

    # Sending --------------------------------------------------------------------------------------------------

    def _flush(self, verdict_lines: tuple[Record, ...] = ()) -> None:
        if not self._unsent:
            return
        frames = protocol.PlayedFrames(len(self._packets), tuple(self._unsent), verdict_lines)
        packet = self._wire.seal.seal_message(frames)
        self._packets += [packet] * len(self._unsent)
        self._wire.send(packet)
        self._unsent, self._sent_s = [], self._now_s()

    def _send_keep_alive(self) -> None:
        now_s = self._now_s()
        ready = len(self._list_ready_frames())
        received = len(self._packets) + ready
        # Packets arrive in order, so a pause alone means that they are late, not lost.
        has_lost = len(self._pending) > ready or any(
            other.played > received for other in self._others.values()
        )
        is_behind = not self.is_playing and (has_lost or not self._has_all_frames) and ready < MAX_AHEAD // 2
        if now_s - self._keep_alive_s > (REQUEST_INTERVAL_S if is_behind else KEEP_ALIVE_S):
            self._keep_alive_s = now_s
            self._wire.send_message(protocol.KeepAlive(received, requests_frames=is_behind))

    # Receiving ------------------------------------------------------------------------------------------------

    def _receive(self) -> None:
        for received in self._wire.receive():
            self._handle_message(*received)

    def _handle_message(self, table: str, is_new: bool, message: protocol.Message, packet: bytes) -> None:
        other = self._others.get(table)
        is_own = table == self._own_table  # from before this table's restart
        is_relevant = other is not None or (is_own and not self._has_all_frames)
        if isinstance(message, protocol.PlayedFrames) and is_relevant:
            self._queue_frames(table, message, packet)
        if other is None:
            if self._is_host and isinstance(message, protocol.Hello):
                self._wire.send_message(protocol.Refusal(table, protocol.RefusalReason.FULL))
            return
        if not is_new:
            return
        other.last_message_s = -math.inf if isinstance(message, protocol.Goodbye) else self._now_s()
        # The host answers every table and the others only the host, each at limited intervals.
        should_answer = (
            self._is_host or table == self._host
        ) and self._now_s() - other.answered_s >= ANSWER_S
        match message:
            case protocol.TableCommand(act) if self.has_turn and self.can_send(act, table):
                self._commands.append(Command(act, "remote", message.value))
            case protocol.KeepAlive(played, requests_frames):
                other.played = played
                if requests_frames and should_answer:
                    other.answered_s = self._now_s()
                    for missing in dict.fromkeys(self._packets[played : played + MAX_RESENT]):
                        self._wire.send(missing)
            case protocol.Refusal(self._own_table, why) if table == self._host:
                self.stopped = why
            case protocol.Hello(version, build=build) if should_answer:  # a restarted table
                other.answered_s = self._now_s()
                self._builds[table] = build
                self._recomputes = self._recomputes and self._owner != table  # its physics engine was reset
                if version == protocol.program_version():
                    self._wire.send(self._start_packet)
                else:
                    self._wire.send_message(protocol.Refusal(table, protocol.RefusalReason.VERSION))

    def _queue_frames(self, table: str, message: protocol.PlayedFrames, packet: bytes) -> None:
        with suppress(ValueError):
            last = message.first + len(message.lines) - 1
            for number, intake in enumerate(message.intakes, start=message.first):
                if self.played <= number < self.played + MAX_AHEAD:
                    frame = PendingFrame(intake, message.verdict_lines if number == last else (), packet)
                    self._pending.setdefault((number, table), frame)
