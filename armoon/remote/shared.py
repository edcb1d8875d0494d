"""A game that several tables play: the one on turn steps its own frames, and all others step the same after it.

Whose frame comes next is never asked: each table knows it from the position that the last frame has led to. So there
is one order of frames, and from the same frames come the same verdicts and the same rest poses, to the bit.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from armoon.clock import TICK_S
from armoon.codec import encode
from armoon.engine.events import Happened, Output
from armoon.engine.intake import Intake, Record
from armoon.engine.match import Match
from armoon.engine.records import intake_record, replaced_record
from armoon.errors import ArmoonError
from armoon.games.contract.kind import Lines
from armoon.messages import text
from armoon.remote.journal import Past
from armoon.remote.kinds import MOST_LINES, Asked, Hello, Here, Left, Message, Played, Refuse, Seats, Why
from armoon.remote.playout import Playout
from armoon.remote.seal import Seal, Unsealed, UnsealedError
from armoon.remote.wire import Wire
from armoon.values.acts import Act
from armoon.values.intents import Command
from armoon.world.stepped import Replaced

#: Frames are sent this often, seconds; a verdict at once.
EVERY_S = 0.03
#: A table says this often that it is there; after so much silence another is taken for gone.
HERE_S, GONE_S = 1.0, 3.0
#: Silence, in seconds, or delay of the picture, in ticks, that makes a line poor.
POOR_S, POOR_TICKS = 1.0, 16.0
#: The others are waited for before the first frame, while their programs get ready; no longer than this.
READY_S = 15.0
#: After so much silence it is asked what was missed; a gap is asked for again this often.
MISSING_S, GAP_S = 0.25, 0.1
#: Frames ahead that are kept: five minutes.
MOST_AHEAD = 5 * 60 * 60
#: Packets of an earlier start that are read at once.
MOST_KNOWN = 60
#: At the end the others are waited for no longer than this, seconds.
STAYS_S = 5.0
#: Packets that are sent again at once.
MOST_AGAIN = 256
#: Frames stepped in one frame of the loop at most, while a game is caught up with; no longer than this.
MOST_STEPS, LONGEST_STEPS_S = 240, 0.03
#: More than that needn't be counted: it is caught up with in fast motion.
MOST_COUNTED = 600
#: What any table may ask for while another is on turn, and what the host alone may, who keeps the order.
FREE = frozenset({Act.PAUSE, Act.RESUME})
OF_HOST = frozenset({Act.UNDO, Act.GIVE_TEAR_BACK, Act.ADD_TEAR})
#: Source of commands that another table has asked for.
SOURCE = "remote"


class Step(Protocol):
    """Steps one frame of the game; ``far``: another table's, as a replay does."""

    def __call__(self, intake: Intake, *, far: bool) -> Output:
        """Return what came out."""


@dataclass
class _Other:
    """Another table, as this one knows it."""

    heard_s: float
    number: int = 0
    """Of its last message; those of the past say nothing any more."""
    played: int = 0
    left: bool = False


class SharedGame:
    """One table's view of the game that all play."""

    def __init__(
        self,
        match: Match,
        seats: Seats,
        wire: Wire,
        seal: Seal,
        host: str,
        *,
        judged: Callable[[Happened[Any]], Iterable[Record]],
        now_s: Callable[[], float] = time.monotonic,
        paced: bool = True,
        begins: bytes = b"",
        past: Past | None = None,
        version: str = "",
    ) -> None:
        """``judged`` gives the lines of a verdict and of the rest poses; ``host`` is the name of its table.

        ``paced``: others' frames are stepped at the pace at which they were played; else as soon as they come.
        ``begins`` is the host's packet that has begun the game, for tables of this ``version`` that come back.
        ``past`` has what this table knew when its program ended.
        """
        self._match, self._seats, self._wire, self._seal, self._host = match, seats, wire, seal, host
        self._judged, self._now_s, self._paced = judged, now_s, paced
        self.playout = Playout()
        self.played = 0
        """How many frames this table has stepped."""
        self.refused: list[Why] = []
        """Why messages weren't believed, each reason once."""
        self.differs = False
        """A verdict or the rest poses came out differently: the game can't go on."""
        self._ahead: dict[tuple[int, str], tuple[Intake, tuple[Record, ...] | None]] = {}
        """By number and sender, frames that wait; of a message's last one the lines of its verdict, if it has any."""
        self._knows_all = False
        """All others are there, and none knows of a frame that is new here: it may be this table's second start."""
        self._past = past or Past()
        """Every packet that was played here."""
        self._packets: dict[tuple[int, str], bytes] = {}
        """Packets of frames that wait."""
        self._out: list[Record] = []
        self._frames_out = 0
        self._sent_s = self._said_s = self._asked_s = -math.inf
        self._asks: deque[Command] = deque(maxlen=64)
        self._began_s = now_s()
        self._others = {name: _Other(self._began_s) for name in {*seats.tables, host} - {seal.table}}
        self._shift_s: float | None = None
        """From this table's clock to the game's, while this one plays."""
        self._since_s = 0.0
        """When it took over, by its own clock: what hands did before then was for nobody."""
        self._game_s = 0.0
        """The game's time at the last frame."""
        self._begins, self._version = begins, version

    # Who plays ----------------------------------------------------------------------------------------------

    @property
    def owner(self) -> str:
        """The table whose frame comes next."""
        return self._seats.tables[self._match.on_turn[1]]

    @property
    def mine(self) -> bool:
        """The next frame is this table's."""
        return self.owner == self._seal.table

    @property
    def plays(self) -> bool:
        """It is: this table knows all that was played before."""
        if (
            not self._knows_all
            and not self._past.waits
            and (self.played, self._seal.table) not in self._ahead
        ):
            heard = all(one.number for one in self._others.values())
            if heard or self._now_s() - self._began_s > READY_S:
                self._knows_all = self.played >= max((one.played for one in self._others.values()), default=0)
        return self.mine and self._knows_all

    @property
    def waits_s(self) -> float:
        """How long nothing has come from the table on turn, seconds; 0 while this one is."""
        other = self._others.get(self.owner)
        return 0.0 if other is None else self._now_s() - other.heard_s

    @property
    def gone(self) -> tuple[int, ...]:
        """The seats whose tables haven't been heard for a while, or have left."""
        return tuple(seat for seat, name in enumerate(self._seats.tables) if self._is_gone(name))

    def _is_gone(self, table: str) -> bool:
        other = self._others.get(table)
        return other is not None and (other.left or self._now_s() - other.heard_s > GONE_S)

    @property
    def note(self) -> str:
        """A sentence about the others while the game may have to wait for them; empty: all is well."""
        if not self._wire.up:
            return text("remote.line_gone")
        if self._is_gone(self._host):
            return text("remote.host_gone")
        players = self._match.players
        if gone := [players[seat] for seat in self.gone]:
            return text("remote.gone", players=", ".join(gone))
        poor = self.waits_s > POOR_S or self.playout.wanted_ticks > POOR_TICKS
        if self.plays or self._match.over or not poor:
            return ""
        return text("remote.poor", player=players[self._match.on_turn[1]])

    def check(self) -> None:
        """Raise ArmoonError where the tables have come to different verdicts, or the host doesn't believe this one."""
        if self.differs:
            raise ArmoonError(
                text(f"remote.refused.{self.refused[-1]}"), remedy=text("remote.differs_remedy")
            )

    # One frame of the loop ----------------------------------------------------------------------------------

    def play(self, own: Intake, step: Step) -> Output:
        """Step what is due: this table's own frame, or those of the table on turn; say and hear the rest.

        Returns all that came out, in order.
        """
        self._hear()
        if self.differs:
            return Output((), self._match.state)
        outputs = [self._play_own(own, step)] if self.plays else self._play_far(own, step)
        self._say()
        events = itertools.chain.from_iterable(one.events for one in outputs)
        return Output(tuple(events), self._match.state)

    def close(self) -> None:
        """Send what waits, stay until those who are there have all of it, and leave."""
        self._flush()
        end_s = self._now_s() + STAYS_S
        self._send(Here(self.played))
        while not self.differs and self._now_s() < end_s and any(map(self._lacks, self._others)):
            time.sleep(EVERY_S)
            self._hear()
            self._say()
        self._send(Left(self.played))
        self._wire.close()
        self._past.close()

    def _lacks(self, table: str) -> bool:
        """Whether a table that is there hasn't got all that was played here."""
        return not self._is_gone(table) and self._others[table].played < self.played

    def _play_own(self, own: Intake, step: Step) -> Output:
        if self._shift_s is None:
            # The game's clock goes on where the last table's ended, whatever this machine's says.
            self._shift_s = self._game_s + TICK_S - own.now_s if self.played else 0.0
            self._since_s = own.now_s
        if own.hands is not None and own.hands.time_s <= self._since_s:
            own = replace(own, hands=None)
        asked = tuple(self._asks)
        self._asks.clear()
        intake = _shifted(replace(own, commands=own.commands + asked), self._shift_s)
        output = step(intake, far=False)
        # As it was stepped: the game has added what its bots and helps do.
        (intake,) = output.of(Intake)
        self._out += [intake_record(intake), *map(replaced_record, output.of(Replaced))]
        self._frames_out += 1
        self.played += 1
        self._game_s = intake.now_s
        judged = self._judged_in(output)
        if judged or not self.mine or len(self._out) >= MOST_LINES - 4 or self._is_due():
            self._flush(judged)
        if not self.mine:
            self._passes()
        return output

    def _play_far(self, own: Intake, step: Step) -> list[Output]:
        for command in own.commands:
            if self._may_ask(self._seal.table, command):
                self._send(Asked(command.kind, command.value))
        now_s, outputs = self._now_s(), list[Output]()
        due = self.playout.advance(now_s, self._waiting_ticks()) if self._paced and self._knows_all else None
        while len(outputs) < MOST_STEPS and not self.plays and self._now_s() - now_s < LONGEST_STEPS_S:
            key = (self.played, self.owner)
            if key not in self._ahead:
                break
            intake, judged = self._ahead[key]
            if due is not None and intake.ticks > due:
                break
            due = None if due is None else due - intake.ticks
            state = self._match.state
            try:
                output = step(intake, far=True)
            except (ArmoonError, ArithmeticError, LookupError, TypeError, ValueError):
                self._stop(key[1], Why.NONSENSE)  # it can be read, and yet the game can't step it
                break
            self._take_in(key, intake, output, judged)
            outputs.append(output)
            if self.differs or self._match.state is not state:
                break  # what saves the game looks at each position
        if self.mine:
            self._passes()
        return outputs

    def _take_in(
        self, key: tuple[int, str], intake: Intake, output: Output, judged: tuple[Record, ...] | None
    ) -> None:
        """Note a frame of another table; its verdict has to be the same here."""
        del self._ahead[key]
        if (packet := self._packets.pop(key, None)) is not None:
            self._past.add(self.played, packet)
        for name in self._others:  # frames of others at this place are none
            self._ahead.pop((self.played, name), None)
            self._packets.pop((self.played, name), None)
        self.played += 1
        self._game_s = intake.now_s
        self.playout.stepped(intake.ticks)
        here = self._judged_in(output)
        if here != (judged or ()):
            self._stop(key[1], Why.VERDICT)

    def _passes(self) -> None:
        """Note that another table is on turn from now on."""
        self._shift_s = None
        self._asks.clear()
        self.playout.restart()

    def _judged_in(self, output: Output) -> tuple[Record, ...]:
        lines = (line for one in output.events for line in self._judged(one))
        return tuple(encode(line) for line in lines)

    def _waiting_ticks(self) -> int:
        """How many ticks of the table on turn can be stepped without a gap."""
        owner, number, ticks = self.owner, self.played, 0
        while ticks < MOST_COUNTED and (number, owner) in self._ahead:
            ticks += self._ahead[number, owner][0].ticks
            number += 1
        return ticks

    # What is said -------------------------------------------------------------------------------------------

    def _is_due(self) -> bool:
        return self._now_s() - self._sent_s >= EVERY_S

    def _flush(self, judged: tuple[Record, ...] = ()) -> None:
        """Send the frames that were played since the last message."""
        if not self._out:
            return
        first = self.played - self._frames_out
        packet = self._seal.close(Played(first, tuple(self._out), judged))
        self._past.add(first, packet)  # kept before it is sent
        self._wire.send(packet)
        self._out, self._frames_out, self._sent_s = [], 0, self._now_s()

    def _send(self, message: Message) -> None:
        self._wire.send(self._seal.close(message))

    def _say(self) -> None:
        """Say that this table is there, and ask for what is missing."""
        now_s = self._now_s()
        if now_s - self._asked_s < GAP_S:
            return
        received = self.played
        while (received, self.owner) in self._ahead:
            received += 1
        gap = len(self._ahead) > received - self.played
        lacks = not self._knows_all or self.waits_s > MISSING_S
        if not self.plays and (gap or (lacks and now_s - self._asked_s > MISSING_S)):
            self._asked_s = self._said_s = now_s
            self._send(Here(received, wants=True))
        elif now_s - self._said_s > HERE_S:
            self._said_s = now_s
            self._send(Here(received))

    # What is heard ------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        known = list[bytes]()
        while self._past.waits and len(self._ahead) + len(known) < MOST_KNOWN:
            known.append(self._past.take())
        for packet in (*known, *self._wire.take()):
            try:
                opened = self._seal.open(packet)
            except UnsealedError:
                self._doubt(Why.NONSENSE)
                continue
            self._believe(opened, packet)

    def _believe(self, opened: Unsealed, packet: bytes) -> None:
        """Take in one message; what has been said before, or comes from a table that isn't there, is left out."""
        other = self._others.get(opened.table)
        message = opened.message
        if opened.table == self._seal.table:
            # From before this table was started again.
            if isinstance(message, Played) and not self._knows_all:
                self._take_frames(opened.table, message, packet)
            return
        if other is None:
            if self._seal.table == self._host:
                self._send(Refuse(opened.table, Why.FULL))
            return
        if isinstance(message, Played):
            # By its numbers a frame counts once, however often and in which order it comes, also from the host's copy.
            other.heard_s, other.left = self._now_s(), False
            self._take_frames(opened.table, message, packet)
            return
        if opened.number <= other.number:
            return
        other.number, other.heard_s, other.left = opened.number, self._now_s(), isinstance(message, Left)
        if isinstance(message, Asked):
            command = message.command(SOURCE)
            if self._may_ask(opened.table, command) and self.mine:
                self._asks.append(command)
        elif isinstance(message, Here):
            other.played = message.played
            if message.wants and self._answers(opened.table):
                for kept in self._past.since(message.played, MOST_AGAIN):
                    self._wire.send(kept)
        elif isinstance(message, Refuse) and message.table == self._seal.table and opened.table == self._host:
            self.differs = True
            self._doubt(message.why)
        elif isinstance(message, Hello) and self._answers(opened.table):  # a table that was started again
            if message.version == self._version:
                self._wire.send(self._begins)
            else:
                self._send(Refuse(opened.table, Why.VERSION))

    def _take_frames(self, table: str, message: Played, packet: bytes) -> None:
        try:
            intakes = message.intakes
        except ValueError:
            self._doubt(Why.NONSENSE)
            return
        last = message.first + len(intakes) - 1
        if not self.played <= last < self.played + MOST_AHEAD:
            return
        self._packets.setdefault((max(message.first, self.played), table), packet)
        for number, intake in enumerate(intakes, start=message.first):
            if number >= self.played:
                judged = message.judged if number == last else None
                self._ahead.setdefault((number, table), (intake, judged))

    def _answers(self, table: str) -> bool:
        """Whether this table tells that one what it lacks: the host does, and asks all; without it, everybody does."""
        return self._host in (table, self._seal.table) or self._is_gone(self._host)

    def _may_ask(self, table: str, command: Command) -> bool:
        return command.kind in FREE or (table == self._host and command.kind in OF_HOST)

    def _stop(self, table: str, why: Why) -> None:
        """Step no more: what that table has played can't be believed."""
        self.differs = True
        self._doubt(why)
        self._send(Refuse(table, why))

    def _doubt(self, why: Why) -> None:
        if why not in self.refused:
            self.refused.append(why)


def _shifted(intake: Intake, by_s: float) -> Intake:
    """Return the frame by the game's clock."""
    if not by_s:
        return intake
    hands = None if intake.hands is None else replace(intake.hands, time_s=intake.hands.time_s + by_s)
    grips = tuple(replace(grip, time_s=grip.time_s + by_s) for grip in intake.grips)
    return replace(intake, now_s=intake.now_s + by_s, hands=hands, grips=grips)


def judged_lines(lines: Lines) -> Callable[[Happened[Any]], Iterable[Record]]:
    """Return what gives an event's lines if they tell of a verdict or of rest poses, by a game's ``Lines``."""

    def judged(happened: Happened[Any]) -> Iterable[Record]:
        if isinstance(happened.event, Intake):
            return ()
        return (line for line in lines.of(happened) if line["kind"] in (lines.counted, "poses"))

    return judged
