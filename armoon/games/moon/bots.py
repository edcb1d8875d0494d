"""Bots as players of the moon game: their processes, and the simulated hand that carries out their answers."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from armoon.clock import TICK_S, TICKS_PER_SECOND, Clock, WallClock
from armoon.engine.setup import Intake
from armoon.errors import ArmoonError
from armoon.games.moon import bot_protocol, offers
from armoon.games.moon.bot_protocol import BotFault, BotLevel, BotLine, InvalidBotLine, get_character
from armoon.games.moon.choosing import name_places
from armoon.games.moon.editions import Phase, Verdict
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.offers import OFFER_SLIP, AboveFinder, interleave, keep_tried, make_question
from armoon.games.moon.options import TYPED
from armoon.games.moon.referee import measure_top_m
from armoon.games.moon.turn import State
from armoon.games.shared import extend_undo
from armoon.messages import centimetres, language, text
from armoon.placement.search import PlaceSearch
from armoon.players.hand import Carrier
from armoon.processes.child import NO_PROGRAM, end_process, start_process
from armoon.values.acts import Act
from armoon.values.pieces import BOT_SOURCE, Command, GripIntent, PieceStatus
from armoon.values.places import LadderPlace
from armoon.values.poses import Pose
from armoon.values.scene import Ghost
from armoon.values.text import parse_count
from armoon.world.ladders import list_standing

#: Maximum time from a program's start to its hello, in seconds, long enough for slow machines; and the maximum factor
#: by which it is extended for a guest's program, which may hang.
START_S, MAX_GUEST_PATIENCE = 30.0, 2.0
#: Grace time for an answer after the thinking time, seconds; longer for a built-in bot, which is limited by work rather
#: than time until it has found a place.
GRACE_S, BUILT_IN_GRACE_S = 2.0, 180.0
#: Seconds after ``bye`` within which a built-in bot must exit, and a guest's supervisor must end the guest.
BUILT_IN_END_S, GUEST_END_S = 0.1, 2.0
#: Maximum wait for a thread to notice that its program has ended, seconds.
END_S = 1.0
#: Maximum number of lines from a bot in one turn.
MAX_LINES = 200


class BotProcess:
    """The process of one bot; after a fault it is closed and must be replaced."""

    def __init__(
        self, bot: str, greeting: Sequence[str], clock: Clock | None = None, *, patience: float = 1.0
    ) -> None:
        """Start a bot. ``bot``: the level of a built-in bot, or a guest's Python file or program.

        Guests run under ``armoon.processes.child``, which ends them with the game even if they ignore the end of input.
        ``patience``: factor applied to the bot's time limits; greater in games without spectators.
        """
        self._clock = clock or WallClock()
        self._patience = patience
        if bot in set(BotLevel):
            program: tuple[str, ...] = ("-m", "armoon.games.moon.built_in_bot")
            self._end_s, self._grace_s, self._hello_s = BUILT_IN_END_S, BUILT_IN_GRACE_S, START_S * patience
        else:
            python = (sys.executable,) if bot.endswith(".py") else ()
            program = ("-m", "armoon.processes.child", *python, str(Path(bot).resolve()))
            self._end_s, self._grace_s = GUEST_END_S, GRACE_S
            self._hello_s = START_S * min(patience, MAX_GUEST_PATIENCE)
        self.fault: BotFault | None = None
        self._incoming: queue.SimpleQueue[bytes | BotFault] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[Sequence[str] | None] = queue.SimpleQueue()
        self.has_greeted = False
        self._started_s = self._clock.now_s()
        self._deadline_s: float | None = None
        self._limit_s = 0.0
        self._line_count = 0
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        if patience > 1.0:
            environment[bot_protocol.CPU_TIME_VARIABLE] = "1"
        try:
            self._process: subprocess.Popen[bytes] | None = start_process(
                sys.executable, *program, env=environment
            )
        except OSError:
            self._process = None
            self.fault = BotFault.MISSING
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        streams = ((self._read_lines, self._process.stdout), (self._write_lines, self._process.stdin))
        self._threads = tuple(
            threading.Thread(target=work, args=(stream,), name="armoon-bot", daemon=True)
            for work, stream in streams
        )
        for thread in self._threads:
            thread.start()
        self.send_lines(greeting)

    def send_lines(self, lines: Sequence[str]) -> None:
        self._outgoing.put(lines)

    def send_turn(self, lines: Sequence[str], limit_s: float) -> None:
        self._limit_s = limit_s * self._patience
        self._deadline_s = self._clock.now_s() + self._limit_s + self._grace_s
        self._line_count = 0
        self.send_lines(lines)

    def request_answer(self) -> None:
        if self._deadline_s is not None:
            self.send_lines(("stop",))

    def cancel_question(self) -> None:
        self._deadline_s = None
        self.send_lines(("forget",))

    @property
    def is_overdue(self) -> bool:
        return self._deadline_s is not None and self._clock.now_s() > self._deadline_s - self._grace_s

    def poll_lines(self) -> list[BotLine]:
        """Return the bot's lines since the last call, without unsolicited answers; empty after a fault."""
        lines: list[BotLine] = []
        while self.fault is None:
            try:
                line = self._incoming.get_nowait()
            except queue.Empty:
                self._check_time()
                break
            if isinstance(line, BotFault):
                is_missing = line is BotFault.GONE and self._has_failed_to_start()
                self._record_fault(BotFault.MISSING if is_missing else line)
            elif line.strip():
                self._handle_line(line, lines)
        return lines

    def close(self) -> None:
        self._outgoing.put(("bye",))
        self._outgoing.put(None)
        process, self._process = self._process, None
        if process is None:
            return
        end_process(process, self._end_s)
        for thread, stream in zip(self._threads, (process.stdout, process.stdin), strict=True):
            thread.join(END_S)  # with a limit, because another process may keep the pipe open
            if stream is not None and not thread.is_alive():
                with contextlib.suppress(OSError, ValueError):
                    stream.close()

    def _handle_line(self, line: bytes, lines: list[BotLine]) -> None:
        self._line_count += 1
        try:
            if self._line_count > MAX_LINES:
                raise InvalidBotLine(BotFault.FLOOD, "")
            answer = bot_protocol.read_line(line)
        except InvalidBotLine as error:
            self._record_fault(error.fault)
            return
        if answer.verb == "hello" and not self.has_greeted:
            self.has_greeted = True
            if self._deadline_s is not None:  # starting doesn't count as thinking time
                self._deadline_s = self._clock.now_s() + self._limit_s + self._grace_s
        if not self.has_greeted:
            self._record_fault(BotFault.NONSENSE)  # a program that doesn't use the protocol
            return
        if answer.verb in ("place", "pass"):
            if self._deadline_s is None:
                return  # unsolicited
            self._deadline_s = None
        lines.append(answer)

    def _check_time(self) -> None:
        now_s = self._clock.now_s()
        if not self.has_greeted:
            if now_s > self._started_s + self._hello_s:
                self._record_fault(BotFault.SILENT)
        elif self._deadline_s is not None and now_s > self._deadline_s:
            self._record_fault(BotFault.LATE)

    def _has_failed_to_start(self) -> bool:
        if self.has_greeted or self._process is None:
            return False
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(self._end_s) == NO_PROGRAM
        return False

    def _record_fault(self, fault: BotFault) -> None:
        self.fault = fault
        self.close()

    def _read_lines(self, stream: IO[bytes]) -> None:
        """Queue lines as they arrive, in a thread; stop if the bot sends too many."""
        waiting_lines = 0
        try:
            while line := stream.readline(bot_protocol.MAX_LINE_BYTES + 1):
                if len(line) > bot_protocol.MAX_LINE_BYTES:
                    self._incoming.put(BotFault.FLOOD)
                    return
                waiting_lines = waiting_lines + 1 if not self._incoming.empty() else 0
                if waiting_lines > MAX_LINES:
                    self._incoming.put(BotFault.FLOOD)
                    return
                self._incoming.put(line)
        except (OSError, ValueError):
            pass
        self._incoming.put(BotFault.GONE)

    def _write_lines(self, stream: IO[bytes]) -> None:
        """Write lines in a thread, because a bot may never read them; close its input after the last one."""
        with contextlib.suppress(OSError, ValueError):
            while (lines := self._outgoing.get()) is not None:
                stream.write("".join(f"{line}\n" for line in lines).encode())
                stream.flush()
            stream.close()


#: Typed input that requests other places.
MORE = "m"


class TypedPlayer:
    """A person who types places for ladders, with the interface of ``BotProcess``; the game waits for the answers."""

    fault: BotFault | None = None
    has_greeted = True
    is_overdue = False

    def __init__(self, match: MoonMatch, say: Callable[[str], object], read: Callable[[], str]) -> None:
        """``read``: returns the next typed line; raises EOFError if there is none."""
        self._match = match
        self._say = say
        self._read = read
        self._search = PlaceSearch(match.ladders, match.base, make=AboveFinder)
        self._has_asked = False

    def send_lines(self, lines: Sequence[str]) -> None:
        """Ignore the lines: the person reads the game's own messages."""

    def send_turn(self, lines: Sequence[str], limit_s: float) -> None:
        self._has_asked = True

    def request_answer(self) -> None:
        """Do nothing: the game waits while the person types."""

    def cancel_question(self) -> None:
        self._has_asked = False

    def poll_lines(self) -> list[BotLine]:
        if not self._has_asked:
            return []
        self._has_asked = False
        return [self._ask_choice()]

    def close(self) -> None:
        self._search.close()

    def _ask_choice(self) -> BotLine:
        match, state = self._match, self._match.state
        player, height = match.players[state.player], centimetres(measure_top_m(state, match.facts), 0)
        self._say(text("bots.typed.where", player=player, count=len(state.structure), height=height))
        rounds = 0
        while True:
            places = self._find_places(rounds)
            if not places:
                self._say(text("places.none"))
            for name in name_places(match, places):
                self._say(f"  {name}")
            chosen = self._ask_number(len(places))
            if chosen is None:
                rounds += 1
            else:
                return BotLine("pass") if chosen == 0 else BotLine("place", pose=places[chosen - 1].release)

    def _find_places(self, rounds: int) -> tuple[LadderPlace, ...]:
        self._search.ask(make_question(self._match, OFFER_SLIP, self._match.state.turn * 100 + rounds))
        return interleave(keep_tried(self._search.wait(offers.MAX_SEARCH_S).places))[: offers.MAX_OFFERED]

    def _ask_number(self, count: int) -> int | None:
        """Return the typed number of a place, 0 to give up, or None for more places. Raises ArmoonError."""
        prompt = text("bots.typed.ask" if count else "bots.typed.ask_none")
        self._say(prompt)
        while True:
            try:
                typed = self._read().strip().lower()
            except EOFError:
                raise ArmoonError("fault.program.typed_end") from None
            if typed == MORE:
                return None
            number = 1 if not typed and count else parse_count(typed)
            if number is not None and number <= count:
                return number
            self._say(text("bots.typed.again", count=count) if count else prompt)


#: A bot's thinking time, seconds.
THINK_S = 8.0
#: Minimum ticks at rest before a bot's roll: time to read the verdict, and for a team to score (ruling C2).
PAUSE_TICKS = TICKS_PER_SECOND
TEAM_PAUSE_TICKS = 5 * TICKS_PER_SECOND
#: Maximum number of attempts to carry a ladder that the simulated hand loses; then the bot gives up.
MAX_TRIES = 3
#: Polling interval of a game in lock step while a bot thinks, seconds.
POLL_S = 0.005
#: Factors applied to a bot's time limits in lock step; built-in bots measure their processor time and never hang.
LOCK_STEP_PATIENCE, BUILT_IN_PATIENCE = 20.0, 1000.0
#: Commands refused in a bot's turn because they would affect its ladder or ask for a hint.
_RESERVED_ACTS = (
    *(Act.GIVE_UP, Act.SET_DOWN, Act.PUT_BACK, Act.PARK, Act.TIP, Act.TILT, Act.ANOTHER, Act.PLACE),
    Act.HINT,
)


class MoonBots:
    """The bots at one table; must be closed."""

    def __init__(
        self,
        match: MoonMatch,
        *,
        real_time: bool,
        clock: Clock | None = None,
        pause_ticks: int | None = None,
        patience: float | None = None,
        make_typed_player: Callable[[], TypedPlayer] | None = None,
    ) -> None:
        """If not ``real_time``, the game waits for the bots. ``patience``: factor applied to their time limits."""
        self._make_typed_player = make_typed_player
        self._patience = patience or (1.0 if real_time else LOCK_STEP_PATIENCE)
        self._match = match
        self._bots_by_seat = match.table.bots
        self._is_real_time = real_time
        self._clock = clock or WallClock()
        has_team_mate = match.state.is_team_game and None in self._bots_by_seat
        default_ticks = TEAM_PAUSE_TICKS if has_team_mate else PAUSE_TICKS
        self._pause_ticks = default_ticks if pause_ticks is None else pause_ticks
        self._processes: dict[int, BotProcess | TypedPlayer] = {}
        self._timed_out: set[int] = set()
        """Seats with a program that has timed out; their next process gets no extra patience."""
        self._hand = self._make_hand(0)
        self._turn_key: object = None
        self._has_asked = False
        self._has_rolled = False
        self._answer: BotLine | None = None
        self._release: Pose | None = None
        self._tries = 0
        self._rest_since_tick: int | None = None
        self._new_sentences: list[str] = []
        self._plan: Ghost | None = None
        self._last_sentence = ""
        self._has_begun = False
        self.has_refused = False
        """Whether the last frame contained a player's request that is refused in a bot's turn."""
        self.faults: list[str] = []

    @property
    def is_thinking(self) -> bool:
        return self._has_asked and self._release is None

    def get_display(self) -> tuple[str, Ghost | None]:
        match = self._match
        if match.bot is None:
            return "", None
        status = text("bots.thinks", player=match.players[match.state.player]) if self.is_thinking else ""
        plan = self._plan if match.state.phase in (Phase.DRAW, Phase.HOLD) else None
        return self._last_sentence or status, plan

    def pop_sentences(self) -> list[str]:
        sentences, self._new_sentences = self._new_sentences, []
        return sentences

    def close(self) -> None:
        for process in self._processes.values():
            process.close()
        self._processes.clear()

    # One frame of the loop ----------------------------------------------------------------------------------

    def choose_moves(
        self, intake: Intake, commands: Sequence[Command], grips: tuple[GripIntent, ...]
    ) -> tuple[tuple[Command, ...], tuple[GripIntent, ...]]:
        """Add the current bot's commands and grips to a frame's; make undo go back to a person's last turn."""
        match, self.has_refused = self._match, False
        if not self._has_begun:
            self._has_begun = True
            for seat, bot in enumerate(self._bots_by_seat):
                if bot is not None:
                    self._get_process(seat)
        commands = tuple(extend_undo(command, match.state, self._bots_by_seat) for command in commands)
        key = (match.state.turn, match.state.player, match.state.overrulings)
        if key != self._turn_key:
            self._start_turn(key)
        if match.bot is None:
            return commands, grips
        if self.is_thinking and any(command.kind is Act.ROLL for command in commands):
            self._get_process(match.state.player).request_answer()
        # Tilts by a person's hand are ignored without a message.
        self.has_refused = any(_is_reserved(c) and c.kind is not Act.TILT for c in commands)
        # A roll only ends the bot's thinking, unless it enters the face of a real die.
        enters_face = match.state.fixed_face is None
        allowed = tuple(c for c in commands if c.kind is not Act.ROLL or (c.value and enters_face))
        allowed = tuple(c for c in allowed if not _is_reserved(c))
        if match.paused or not intake.ticks:
            return allowed, ()
        allowed += self._choose_commands()
        return allowed, self._hand.move_hand(match.facts, intake.ticks * TICK_S, intake.now_s)

    def report_verdicts(self, verdicts: tuple[Verdict, ...]) -> None:
        for verdict in verdicts:
            bot = self._bots_by_seat[verdict.player] if verdict.player < len(self._bots_by_seat) else None
            if bot is not None and (verdict.ladder is not None or verdict.fallen or not verdict.ok):
                line = bot_protocol.format_verdict_line(verdict.ok, verdict.reason.value)
                self._get_process(verdict.player).send_lines((line,))
        for seat in self._processes:
            self._read_bot(seat)

    # The turn of a bot --------------------------------------------------------------------------------------

    def _start_turn(self, key: object) -> None:
        if self._has_asked:
            for process in self._processes.values():
                process.cancel_question()
        self._turn_key = key
        self._has_asked = self._has_rolled = False
        self._answer, self._release, self._tries, self._rest_since_tick = None, None, 0, None
        self._plan, self._last_sentence = None, ""
        self._hand.cancel()
        if self._match.bot is not None:
            self._hand = self._make_hand(self._match.state.player, self._hand)

    def _choose_commands(self) -> tuple[Command, ...]:
        phase = self._match.state.phase
        if phase is Phase.ROLL:
            return self._choose_roll()
        if self._hand.is_busy:
            return ()
        if phase is Phase.DRAW:
            return self._choose_place()
        if phase is Phase.HOLD and self._match.is_parked:
            return (Command(Act.PUT_BACK, BOT_SOURCE),)  # released in the air: try again
        return ()

    def _choose_roll(self) -> tuple[Command, ...]:
        match = self._match
        if self._has_rolled or not match.at_rest or match.state.fixed_face is None:
            return ()
        self._rest_since_tick = match.tick if self._rest_since_tick is None else self._rest_since_tick
        if match.tick - self._rest_since_tick < self._pause_ticks:
            return ()
        if self._should_score(match.state):
            self._rest_since_tick = None
            return (Command(Act.SCORE, BOT_SOURCE),)
        self._has_rolled = True
        return (Command(Act.ROLL, BOT_SOURCE),)

    def _should_score(self, state: State) -> bool:
        only_bots = len(self._bots_by_seat) == len(state.players) and None not in self._bots_by_seat
        if self._match.status.score is None or not only_bots:
            return False
        return state.tears_left == 1 or (len(state.supply) == 1 and not state.scorings)

    def _choose_place(self) -> tuple[Command, ...]:
        seat = self._match.state.player
        if not self._has_asked:
            turn = self._build_turn()
            if turn is None:
                return ()
            process = self._get_process(seat)
            self._has_asked = True
            process.send_turn(bot_protocol.format_turn(turn), THINK_S)
        if self._release is None:
            self._read_bot(seat)
            while self._answer is None and not self._is_real_time and self._find_fault(seat) is None:
                time.sleep(POLL_S)
                self._read_bot(seat)
            answer, fault = self._answer, self._find_fault(seat)
            if answer is None:
                return () if fault is None else self._fail_turn(seat, fault)
            if answer.verb == "pass":
                return self._give_up()
            self._release = answer.pose
        state = self._match.state
        assert self._release is not None
        assert state.ladder is not None
        self._tries += 1
        if self._tries > MAX_TRIES:
            return self._give_up()
        rng = random.Random(f"{state.seed} {state.turn} {state.player} {self._tries}")
        self._hand.start_carrying(self._match.ladders[state.ladder], self._release, rng)
        return ()

    def _give_up(self) -> tuple[Command, ...]:
        self._release = None
        return (Command(Act.GIVE_UP, BOT_SOURCE),)

    def _fail_turn(self, seat: int, fault: BotFault) -> tuple[Command, ...]:
        """Give up the ladder of a bot that failed; a new process plays its next turn."""
        self.faults.append(text(f"bots.fault.{fault.value}", player=self._match.players[seat]))
        self._new_sentences.append(self.faults[-1])
        if fault in (BotFault.SILENT, BotFault.LATE):
            self._timed_out.add(seat)
        self._processes.pop(seat).close()
        return self._give_up()

    def _build_turn(self) -> bot_protocol.BotTurn | None:
        match, state = self._match, self._match.state
        offered = next((p for p in match.facts.pieces if p.status is PieceStatus.OFFERED), None)
        if offered is None or state.die is None:
            return None
        tears = (*state.tears[state.player :], *state.tears[: state.player])
        table = (tuple(list_standing(match.facts)), tears, state.tears_left, state.die.value)
        return bot_protocol.BotTurn(state.turn, *table, offered.piece, offered.pose, THINK_S)

    def _read_bot(self, seat: int) -> None:
        """Process a bot's comments, plans and answer; if the answer is overdue, the last plan replaces it."""
        process = self._processes.get(seat)
        for line in () if process is None else process.poll_lines():
            if line.verb == "say" and line.words:
                self._last_sentence = text("bots.said", player=self._match.players[seat], words=line.words)
                self._new_sentences.append(self._last_sentence)
            elif line.verb == "plan" and line.pose is not None and self._match.state.ladder is not None:
                self._plan = Ghost(self._match.state.ladder, line.pose)
            elif line.verb in ("place", "pass"):
                self._answer = line
        if self._answer is None and self._plan is not None and process is not None and process.is_overdue:
            process.cancel_question()
            self._answer = BotLine("place", pose=self._plan.pose)

    # Processes ----------------------------------------------------------------------------------------------

    def _get_process(self, seat: int) -> BotProcess | TypedPlayer:
        process = self._processes.get(seat)
        if process is None or (process.fault is not None and not self._has_asked):
            bot = self._bots_by_seat[seat]
            assert bot is not None
            if bot == TYPED and self._make_typed_player is not None:
                self._processes[seat] = person = self._make_typed_player()
                return person
            patience = self._patience
            if bot in set(BotLevel) and patience == LOCK_STEP_PATIENCE:
                patience = BUILT_IN_PATIENCE
            elif seat in self._timed_out:
                patience = 1.0
            greeting = self._build_greeting(bot, seat)
            process = self._processes[seat] = BotProcess(bot, greeting, self._clock, patience=patience)
        return process

    def _find_fault(self, seat: int) -> BotFault | None:
        process = self._processes.get(seat)
        return None if process is None else process.fault

    def _build_greeting(self, bot: str, seat: int) -> list[str]:
        match, setup = self._match, self._match.setup
        level, seed = bot if bot in set(BotLevel) else "", setup.seed * 10 + seat
        values = (language(), level, seed, setup.ladder_seed, setup.slots.value, setup.state.starting)
        return bot_protocol.format_greeting(bot_protocol.Greeting(*values), match.ladders, match.base)

    def _make_hand(self, seat: int, before: Carrier | None = None) -> Carrier:
        bot = self._bots_by_seat[seat] if seat < len(self._bots_by_seat) else None
        return Carrier(self._match.table_from_camera.position, get_character(bot or BotLevel.LUNA), before)


def _is_reserved(command: Command) -> bool:
    return command.kind in _RESERVED_ACTS and not (command.kind is Act.HINT and command.value < 0)
