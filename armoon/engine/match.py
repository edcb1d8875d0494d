"""One game at the table as a machine: interpret, step and judge, with nothing in it but what is put in.

No clock, no camera, no picture. The same intakes in the same order give the same records and the same bits,
which is what a log's replay relies on. What is true of every game stands here, once: hands, devices, gestures, the
clutch, the watch over a second hand, the grace time and the pause. What a game adds are the methods at the end.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import ClassVar, Generic, TypeVar

from armoon.clock import TICK_S
from armoon.engine import records
from armoon.engine.devices import Devices
from armoon.engine.grace import Grace
from armoon.engine.hanging import TAKEN_WITHIN_M, Hangs, sight_passes
from armoon.engine.intake import Intake, Output, Record
from armoon.engine.setup import TableSetup, header
from armoon.engine.stopwatch import Stopwatch
from armoon.hands.grips.gestures import Gesture, GestureReader
from armoon.hands.grips.interpret import HandView, Interpreter, preferred_side
from armoon.hands.grips.settings import GripSettings, with_depth_help
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.tracking.region import play_region, should_come_closer
from armoon.hands.tracking.tracker import Region
from armoon.hands.watch.onehand import CLEAR, OneHandWatch, WatchReport, Zone
from armoon.values.choices import Air, GripKind
from armoon.values.features import FEATURES, Feature
from armoon.values.intents import Command, CommandKind, GripIntent, GripPhase
from armoon.values.poses import Vec3

#: A hand that is small for a moment only passes; one that stays so long is told to come closer.
FAR_S = 1.0
#: What a frame comes to, in the game's own terms.
AnyOutput = TypeVar("AnyOutput", bound=Output)
_GESTURES = {Gesture.ROLL: CommandKind.ROLL, Gesture.PUT_BACK: CommandKind.PUT_BACK}


class Match(ABC, Generic[AnyOutput]):
    """A game in progress: hands and commands in; records, and what happened in the game's own terms, out.

    A game's class sets its own table in ``__init__`` after this one's, and then calls ``open``.
    """

    game: ClassVar[str]
    """The name under which logs and saves know it."""
    has: ClassVar[frozenset[Feature]] = frozenset()
    """What can be asked of it."""
    counted: ClassVar[str] = "move"
    """The kind of record by which a log's length is told."""

    def __init__(self, table: TableSetup, stopwatch: Stopwatch | None = None) -> None:
        self.table = table
        self.table_from_camera = table.table_from_camera
        """Where the table is now: it was moved, or the camera was."""
        self.stopwatch = stopwatch or Stopwatch()
        self.tick = 0
        """How many ticks have been played."""
        self._interpreter = Interpreter(table.camera, table.table_from_camera, grip_settings(table))
        self._gestures = GestureReader()
        self._watch = OneHandWatch()
        self._devices = Devices()
        self._grace = Grace(table.grace_s)
        self._paused = False
        self._waiting: tuple[Command, ...] = ()
        self._watched: WatchReport = CLEAR
        self._far_since_s: float | None = None
        self._far_s = 0.0
        self.watched_by_camera = False
        """A tracker has looked at a picture; else mouse, keys or a gamepad play."""
        self._grip: GripIntent | None = None
        self._last_phase: object = None
        self._met: object = None
        self._rested = False
        self._grip_ended = False
        self._clutches = False
        self._hangs = Hangs.NOT
        self._records: list[Record] = []
        self._notices: list[str] = []

    def open(self) -> None:
        """Meet the first player; what has happened so far is the opening."""
        self._meet()
        self.opening: AnyOutput = self._output()
        """What came out before the first frame of the loop."""

    # What pictures and players may look at ------------------------------------------------------------------

    @property
    def grip(self) -> GripIntent | None:
        """The grip of the last tick."""
        return self._grip

    @property
    def hand_views(self) -> tuple[HandView, ...]:
        """The hands of the last result, measured."""
        return self._interpreter.views()

    @property
    def watch(self) -> WatchReport:
        """What the one-hand watch made of the last result (ruling F3)."""
        return self._watched

    @property
    def too_far(self) -> bool:
        """The player's hand has been too small in the picture for a while: it should come closer."""
        return self._far_s > FAR_S

    @property
    def too_near(self) -> bool:
        """A hand has been too near to the camera for a while to be followed well: it should move back."""
        return self._interpreter.too_near

    @property
    def other_hand(self) -> bool:
        """A hand has just closed in vain: its player prefers the other one, which is in view as well."""
        return self._interpreter.other_hand

    @property
    def in_hand(self) -> bool:
        """A grip moves what is held."""
        return self.holding and not self.waiting

    @property
    def paused(self) -> bool:
        """Nothing moves and nothing is judged."""
        return self._paused

    @property
    def waits(self) -> bool:
        """Commands are waiting for a tick."""
        return bool(self._waiting)

    # One frame of the loop ----------------------------------------------------------------------------------

    def header(self) -> Record:
        """The log's first line."""
        return header(self.game, self.table, self.to_record())

    def advance(self, intake: Intake) -> AnyOutput:
        """Interpret, step and judge what has come in."""
        self._records.append(records.intake_record(intake))
        self.expect(intake)
        if intake.table_from_camera is not None:
            self.table_from_camera = intake.table_from_camera
            self._interpreter.move_table(intake.table_from_camera)
        if intake.hands is not None:
            hands = intake.hands
            self.watched_by_camera = True
            self.stopwatch.measured("interpret", lambda: self._see(hands))
        self._devices.take_in(intake.grips, self._interpreter.holding and not self.hands_rest)
        for command in intake.commands:
            if command.kind in (CommandKind.PAUSE, CommandKind.RESUME):
                self._paused = command.kind is CommandKind.PAUSE
        self._waiting += self._granted(intake.commands)
        for k in range(intake.ticks):
            if self._paused and not self._waiting:
                break
            commands, self._waiting = self._waiting, ()
            for command in commands:
                if command.kind is CommandKind.CLUTCH:
                    self._clutch(intake.now_s)
            self._one_tick(intake.now_s - (intake.ticks - 1 - k) * TICK_S, commands)
        return self._output()

    def _granted(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        """The commands that mean something here; of the others the players are told that the game hasn't got it."""
        granted = []
        for command in commands:
            feature = FEATURES.get(command.kind)
            if feature is None or feature in self.has:
                granted.append(command)
            else:
                self.notice(f"game.has_not.{feature.value}")
        return tuple(granted)

    def finish(self) -> AnyOutput:
        """The closing records."""
        self._records += self.closing_records()
        return self._output()

    def _one_tick(self, time_s: float, commands: tuple[Command, ...]) -> None:
        self.stopwatch.measured("interpret", lambda: self._interpret(time_s))
        self.hear(commands)
        self._give_grip_up()
        if not self._paused:
            self.tick += 1
            self.stopwatch.measured("step", lambda: self.step(None if self.waiting else self._grip))
            self._give_grip_up()
            if self._grace.runs_out(self.frozen):
                self.put_back()
                self._give_grip_up()
        self.stopwatch.measured("judge", self._judge)

    def _judge(self) -> None:
        if not self.in_hand:
            self._watched = CLEAR
        lenient = self.table.one_hand == "warn"
        self.judge(second_hand=self._watched.is_for_referee(warn_only=lenient))
        self._meet()

    def _see(self, hands: Hands) -> None:
        self._interpreter.see(hands)
        if self.hands_rest:
            return
        if self.table.gestures:
            # A dwelling hand is open while it holds, so it can wave; one that is closed can only shake what it carries.
            closed = self.in_hand and not self._interpreter.parked and self.table.grip is not GripKind.DWELL
            gesture = self._gestures.see(hands, busy=closed)
            kind = None if gesture is None else _GESTURES[gesture]
            if kind is not None and FEATURES[kind] in self.has:
                self._waiting += (Command(kind, "gesture"),)
        if self.table.one_hand == "off":
            return
        self._note_distance(hands.time_s)
        held = self.in_hand and not self.frozen
        before = self._watched
        self._watched = self._watch.see(hands.time_s, self._interpreter.views(), held, self.zone())
        if (self._watched.level, self._watched.hands) != (before.level, before.hands):
            self._records.append(records.watch_record(self.tick, self._watched))

    def _note_distance(self, time_s: float) -> None:
        """Since when the hand that plays has been too small to be found again once it is lost."""
        camera = self.table.camera
        whole = Region(0, 0, camera.width, camera.height)
        crop = play_region(camera, self.table_from_camera) if self.table.cropped else None
        views = self._interpreter.views()
        far = bool(views) and all(should_come_closer(view, crop or whole) for view in views)
        self._far_since_s = (self._far_since_s or time_s) if far else None
        self._far_s = 0.0 if self._far_since_s is None else time_s - self._far_since_s

    def _interpret(self, time_s: float) -> None:
        # One camera hardly tells depth: a grip starts at the depth of what it would take.
        self._interpreter.offer(self.offered)
        hand = self._interpreter.intent(time_s)
        if self.hands_rest:
            hand = None
        device = self._devices.intent(time_s)
        # A device is heard while it holds, and otherwise where no hand does.
        devices_play = self._devices.holding or not self._interpreter.holding
        self._grip = self._hung(device if device is not None and (hand is None or devices_play) else hand)
        phase = None if self._grip is None else self._grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self._records.append(records.intent_record(self.tick, self._grip))

    def _clutch(self, time_s: float) -> None:
        """What is held is parked, and taken up by the next closing or the same wish, wherever the hand is then."""
        if self.table.air is Air.FALLS:
            self._interpreter.clutch(time_s)
        else:
            self._clutches = self.holding

    def _hung(self, grip: GripIntent | None) -> GripIntent | None:
        """The grip as what hangs in the air feels it: as that of a hand out of sight, until it is taken again."""
        asked, self._clutches = self._clutches, False
        if not self.holding or self.table.air is Air.FALLS:
            self._hangs = Hangs.NOT
            return grip
        if grip is None:
            return grip
        if self.waiting:
            takes = grip.phase is GripPhase.GRAB and (self._hangs is Hangs.PARKED or self.takes_again(grip))
            if not takes and not (asked and grip.phase is GripPhase.HOLD):
                return replace(grip, phase=GripPhase.LOST)
            self._hang(Hangs.NOT)
            return replace(grip, phase=GripPhase.HOLD)
        if asked and grip.phase is GripPhase.HOLD:
            self._hang(Hangs.PARKED)
        elif grip.phase is GripPhase.RELEASE and not self.frozen and self.in_the_air(grip):
            self._hang(Hangs.LET_GO)
        return replace(grip, phase=GripPhase.LOST) if self.waiting else grip

    def _hang(self, hangs: Hangs) -> None:
        self._hangs = hangs
        self._records.append(records.air_record(self.tick, hangs))

    def end_grip(self) -> None:
        """For the game: it has taken away what was held, so the closed hand holds nothing until it has opened."""
        self._grip_ended = True

    def _give_grip_up(self) -> None:
        if not self._grip_ended:
            return
        self._grip_ended = False
        if self._interpreter.holding:
            self._interpreter.let_go()
        self._devices.let_go()

    def _meet(self) -> None:
        """On another turn the interpreter hears of its player's palm and of the hand that they prefer."""
        if self.on_turn == self._met:
            return
        self._met = self.on_turn
        _, seat = self.on_turn
        if self._rested and not self.hands_rest:
            self._devices.let_go()  # a bot's hand has nothing more to say
        self._rested = self.hands_rest
        if seat < len(self.table.palms_m):
            self._interpreter.meet(self.table.palms_m[seat])
        self._interpreter.prefer(preferred_side(self.table.hands, seat))

    def record(self, record: Record) -> None:
        """For the game: a line of the log."""
        self._records.append(record)

    def notice(self, key: str) -> None:
        """For the game: something that the players should be told, by its message key."""
        self._notices.append(key)

    def _output(self) -> AnyOutput:
        output = self.collect(tuple(self._records), tuple(self._notices))
        self._records.clear()
        self._notices.clear()
        return output

    # What a game must say -----------------------------------------------------------------------------------

    @property
    @abstractmethod
    def players(self) -> tuple[str, ...]:
        """The names, in the order of the seats."""

    @property
    @abstractmethod
    def on_turn(self) -> tuple[int, int]:
        """The number of the turn and the seat that plays it."""

    @property
    @abstractmethod
    def over(self) -> bool:
        """The rules have ended the game."""

    @property
    @abstractmethod
    def at_rest(self) -> bool:
        """Nothing on the table moves."""

    @property
    @abstractmethod
    def holding(self) -> bool:
        """Something is in a hand's or a device's grip."""

    @property
    @abstractmethod
    def offered(self) -> Vec3 | None:
        """Where what a grip would take stands, table frame; None if there is nothing."""

    @abstractmethod
    def step(self, grip: GripIntent | None) -> None:
        """Phase 3: one tick of whatever moves on the table, following the grip. Not called while paused."""

    @abstractmethod
    def put_back(self) -> None:
        """The hand of what is held has been away for longer than the grace time; a lost hand costs nothing."""

    @abstractmethod
    def to_record(self) -> Record:
        """What the game itself starts from, as JSON values: with the intakes enough to play it again."""

    @abstractmethod
    def closing_records(self) -> tuple[Record, ...]:
        """The log's last lines."""

    @abstractmethod
    def collect(self, lines: tuple[Record, ...], notices: tuple[str, ...]) -> AnyOutput:
        """What came out of a frame, with what happened in the game's own terms; that is forgotten then."""

    # What a game may say ------------------------------------------------------------------------------------

    @property
    def bot(self) -> str | None:
        """Who plays by itself and is on turn, by the word of ``TableSetup.bots``; None where a hand is, or nobody."""
        _, seat = self.on_turn
        return None if self.over or seat >= len(self.table.bots) else self.table.bots[seat]

    @property
    def hands_rest(self) -> bool:
        """Hands are followed and do nothing: a bot is on turn that grips itself."""
        return False

    @property
    def waiting(self) -> bool:
        """What is held hangs in the air where it was let go of (ruling T3), and no grip moves it."""
        return self.holding and self._hangs is not Hangs.NOT

    @property
    def frozen(self) -> bool:
        """What is held waits for a hand that is out of sight (ruling X2)."""
        return self.in_hand and (self._grip is None or self._grip.phase in (GripPhase.LOST, GripPhase.HOVER))

    def in_the_air(self, grip: GripIntent) -> bool:
        """Whether what is held, let go of by this grip, is so far from everything that it waits where it is."""
        return False

    def takes_again(self, grip: GripIntent) -> bool:
        """Whether a grip that closes takes what waits in the air."""
        return self.offered is not None and sight_passes(grip, self.offered) <= TAKEN_WITHIN_M

    def expect(self, intake: Intake) -> None:
        """In a replay: what the intake tells of this frame's world beforehand."""
        return

    def hear(self, commands: tuple[Command, ...]) -> None:
        """The commands of a tick, before it is stepped; also while paused."""
        return

    def judge(self, *, second_hand: bool) -> None:
        """Phase 4, on the facts of the tick; also while paused. ``second_hand``: one is there and counts (F3)."""
        return

    def zone(self) -> Zone:
        """Where a second hand has no business while something is held."""
        return Zone()

    def close(self) -> None:
        """Give back what the game took."""
        return


def grip_settings(table: TableSetup) -> GripSettings:
    """How hands are read at this table."""
    settings = GripSettings(
        palm_m=table.palm_length_m, grip=table.grip, fine_gain=table.fine_gain, reading=table.reading
    )
    return with_depth_help(settings, table.depth_help)
