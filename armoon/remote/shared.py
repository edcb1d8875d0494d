"""A game that several tables play: the one on turn steps its own frames, and all others step the same after it.

Whose frame comes next is never asked: each table knows it from the position that the last frame has led to. So there
is one order of frames, and from the same frames come the same verdicts and the same rest poses, to the bit.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from armoon.clock import TICK_S
from armoon.codec import encode
from armoon.engine.events import Output
from armoon.engine.logbook import intake_record, replaced_record
from armoon.engine.setup import Intake, Record
from armoon.errors import ArmoonError
from armoon.messages import text
from armoon.remote.ahead import Key
from armoon.remote.kinds import MOST_LINES, Asked, Here, Left, Why
from armoon.remote.lines import by_ticks, shifted
from armoon.remote.packed import packed
from armoon.remote.talk import EVERY_S, SOURCE, Talk
from armoon.values.acts import Act
from armoon.values.pieces import Command
from armoon.world.process import Replaced

#: Silence, in seconds, or delay of the picture, in ticks, that players are told of.
LATE_S, LATE_TICKS = 1.0, 16.0
#: At the end the others are waited for no longer than this, seconds.
STAYS_S = 5.0
#: Frames stepped in one frame of the loop at most, while a game is caught up with; no longer than this.
MOST_STEPS, LONGEST_STEPS_S = 240, 0.03


class Step(Protocol):
    """Steps one frame of the game; ``far``: another table's, as a replay does."""

    def __call__(self, intake: Intake, *, far: bool) -> Output:
        """Return what came out."""


class SharedGame(Talk):
    """One table's view of the game that all play."""

    @property
    def note(self) -> str:
        """A sentence about the others while the game may have to wait for them; empty: all is well."""
        if not self._wire.up:
            return text("remote.line_gone")
        if self._company.is_gone(self._company.host):
            return text("remote.host_gone")
        players = self._match.players
        if gone := [players[seat] for seat in self.gone]:
            return text("remote.gone", players=", ".join(gone))
        return self.late_words

    @property
    def late_words(self) -> str:
        """A sentence while another table's turn is seen late here, whether line or machine is slow; else empty."""
        late = self.waits_s > LATE_S or self.playout.wanted_ticks > LATE_TICKS
        if self.plays or self._match.over or not late:
            return ""
        return text("remote.late", player=self._match.players[self._match.on_turn[1]])

    def check(self) -> None:
        """Raise ArmoonError where the tables have come to different verdicts, or the host doesn't believe this one."""
        self._doubts.check()

    def may_ask(self, act: Act) -> bool:
        """Whether this table may ask for it while another is on turn."""
        return self._company.may_ask(self._seal.table, Command(act, SOURCE))

    def seats(self, table: str) -> tuple[int, ...]:
        """Return the seats that this table plays."""
        return self._company.seats(table)

    def take_told(self) -> tuple[str, ...]:
        """Return sentences that are to be told once, since the last call."""
        return self._doubts.take_told()

    # One frame of the loop ----------------------------------------------------------------------------------

    def play(self, own: Intake, step: Step, over: Callable[[], bool] = lambda: False) -> Output:
        """Step what is due: this table's own frame, or those of the table on turn; say and hear the rest.

        Nothing of this table's own follows once it is ``over``. Returns all that came out, in order.
        """
        self._hear()
        if self.differs:
            return Output((), self._match.state)
        self._keep_order()
        outputs = self._play_own(own, step, over) if self.plays else self._play_far(own, step)
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
        return not self._company.is_gone(table) and self._others[table].played < self.played

    def _play_own(self, own: Intake, step: Step, over: Callable[[], bool]) -> list[Output]:
        if self._shift_s is None:
            # The game's clock goes on where the last table's ended, whatever this machine's says.
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
        if self._is_due():
            self._flush()
        return outputs

    def _step_own(self, intake: Intake, step: Step) -> Output:
        output = step(intake, far=False)
        # As it was stepped: the game has added what its bots and helps do.
        (intake,) = output.of(Intake)
        self._out += [packed(intake_record(intake)), *map(replaced_record, output.of(Replaced))]
        self._frames_out += 1
        self.played += 1
        self._game_s = intake.now_s
        judged = self._judged_in(output)
        if judged or not self.mine or len(self._out) >= MOST_LINES - 4:
            self._flush(judged)
        return output

    def _play_far(self, own: Intake, step: Step) -> list[Output]:
        for command in own.commands:
            if self._company.may_ask(self._seal.table, command):
                self._send(Asked(command.kind, command.value))
        now_s, outputs = self._now_s(), list[Output]()
        due = (
            self.playout.advance(now_s, self._ahead.ticks(self.played, self.owner))
            if self._paced and self._knows_all
            else None
        )
        while len(outputs) < MOST_STEPS and not self.plays and self._now_s() - now_s < LONGEST_STEPS_S:
            key = (self.played, self.owner)
            if key not in self._ahead:
                break
            intake, judged = self._ahead[key]
            if intake.replaced and key[1] != self._company.host:  # a host's world alone is a process
                self._ahead.pop(key)
                self._doubts.doubt(Why.NONSENSE)
                break
            if due is not None and intake.ticks > due:
                break
            due = None if due is None else due - intake.ticks
            state, turn = self._match.state, self._match.on_turn[0]
            try:
                output = step(intake, far=True)
            except (ArmoonError, ArithmeticError, LookupError, TypeError, ValueError):
                self._stop(key[1], Why.NONSENSE)  # it can be read, and yet the game can't step it
                break
            self._take_in(key, intake, output)
            if self._judged_in(output) != (judged or ()):
                self._disbelieve(key[1], turn)
            outputs.append(output)
            if self.differs or (self._match.state is not state and (due is None or due > 1)):
                break  # what saves the game looks at each position of one that is caught up with
        if self.mine:
            self._passes()
        return outputs

    def _take_in(self, key: Key, intake: Intake, output: Output) -> None:
        """Note a frame of another table that was stepped."""
        packet = self._ahead.pop(key)
        if packet is not None:
            self._past.add(self.played, packet)
        for name in self._others:  # frames of others at this place are none
            self._ahead.pop((self.played, name))
        self.played += 1
        self._game_s = intake.now_s
        self.playout.stepped(intake.ticks)

    def _judged_in(self, output: Output) -> tuple[Record, ...]:
        lines = (line for one in output.events for line in self._judged(one))
        return tuple(encode(line) for line in lines)
