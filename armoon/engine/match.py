"""One game at the table as a machine: interpret, step and judge.

No clock, camera or picture: the same intakes in the same order give the same bits, which a log's replay relies on.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar, final

from armoon.clock import TICK_S
from armoon.engine.events import Began, Closed, Gripped, Happened, Hung, Noticed, Output, TableTurned
from armoon.engine.holding import Devices, FarHand, Grace, Hanging, Hangs
from armoon.engine.setup import Intake, TableSetup
from armoon.engine.turntable import Rim, RimGrip, Turntable, home_from_table, sight_passes
from armoon.games import game_options
from armoon.geometry import quat, quat_as_seen, quat_multiply
from armoon.hands.gestures import GestureReader
from armoon.hands.grip_settings import GripSettings, with_depth_help
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hands
from armoon.hands.one_hand_watch import CLEAR, OneHandWatch, WatchReport, Zone, held_by_card
from armoon.hands.tracked_hand import GripRefusal, HandView
from armoon.values.acts import BY_GESTURE, Act, Feature
from armoon.values.choices import Air, GripKind
from armoon.values.pieces import CARRIED, Command, GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

Result = TypeVar("Result")


class Stopwatch:
    """Seconds by phase."""

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        self._now_s = now_s
        self.seconds: dict[str, float] = {}

    def measured(self, phase: str, work: Callable[[], Result]) -> Result:
        start_s = self._now_s()
        result = work()
        self.seconds[phase] = self.seconds.get(phase, 0.0) + self._now_s() - start_s
        return result


#: Rotation of one tilt command, and of one near its goal, radians.
TILT_RAD, FINE_TILT_RAD = math.radians(3.0), math.radians(1.0)
#: The table isn't turned while a carried thing is nearer to another than this.
CLEAR_M = 0.012


#: A grip is meant for what its line of sight passes within this.
TAKEN_WITHIN_M = 0.03


class Position(Protocol):
    """The state of a game by its rules: a frozen value."""

    @property
    def players(self) -> tuple[str, ...]:
        """The names, in the order of the seats."""

    @property
    def turn(self) -> int:
        """The number of the turn."""

    @property
    def player(self) -> int:
        """The seat that plays it."""

    @property
    def over(self) -> bool:
        """The rules have ended the game."""


class Match(ABC):
    """A game in progress: hands and commands in, events out.

    A game's class sets its own table in ``__init__`` after this one's, and then calls ``open``.
    """

    game: ClassVar[str]
    """The name under which logs and saves know it."""
    rim: ClassVar[Rim | None] = None
    """Where a hand turns the table; None: only commands turn it."""
    setup: Any
    """What the game itself starts from, with `to_record` (``events.Start``)."""
    state: Position
    facts: Any = None
    """The simulated world's facts after the last tick; None: the game has no such world."""

    def __init__(self, table: TableSetup, stopwatch: Stopwatch | None = None) -> None:
        self.table = table
        self.table_from_camera = table.table_from_camera
        """Where the table is now: it was moved, or the camera was."""
        self.stopwatch = stopwatch or Stopwatch()
        self.has = game_options(self.game).has
        self.tick = 0
        self._interpreter = Interpreter(table.camera, table.table_from_camera, grip_settings(table))
        self._gestures = GestureReader()
        self._watch = OneHandWatch()
        self._devices = Devices()
        self._grace = Grace(table.grace_s)
        self.overlaps = False
        """A frame may end while its last tick is under way, if that is slow, so that the picture is drawn meanwhile.

        The next frame begins with the rest of it: what happens is the same, and in the same order.
        """
        self.begun = False
        self._paused = False
        self._waiting: tuple[Command, ...] = ()
        self._watched: WatchReport = CLEAR
        self._far_hand = FarHand(table.camera, cropped=table.cropped)
        self.watched_by_camera = False
        """A tracker has looked at a picture; else mouse, keys or a gamepad play."""
        self._grip: GripIntent | None = None
        self._last_phase: object = None
        self._met: object = None
        self._rested = False
        self._grip_ended = False
        self._hanging = Hanging(self.in_the_air, self.takes_again)
        self.middle: Vec2 = (0.0, 0.0) if self.rim is None else self.rim.middle
        """Where the upright axis is about which the table turns, table frame."""
        self._turntable = Turntable(self.middle, table.turned_rad, at_once=table.turns_at_once)
        self._at_rim = RimGrip(self._turntable)
        self._tilt: Quat = IDENTITY_QUAT
        """How commands have rotated the held piece, besides the hand."""
        self._events: list[Happened[Any]] = []
        self._told_state: Any = None

    @final
    def open(self) -> None:
        """Meet the first player; what has happened so far is the opening, which says first that the match begins."""
        self._events.insert(
            0, Happened(self.tick, Began(self.game, self.table, self.setup), None, self.state)
        )
        self._meet()
        self.opening: Output = self._output()

    # What a game must say -----------------------------------------------------------------------------------

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
        """Put back the held piece.

        Its hand has been away for longer than the grace time, and a lost hand costs nothing.
        """

    # What a game may say ------------------------------------------------------------------------------------

    @property
    def frozen(self) -> bool:
        """What is held waits for a hand that is out of sight (ruling X2)."""
        grip = self._grip
        return self.in_hand and (grip is None or grip.phase in (GripPhase.LOST, GripPhase.HOVER))

    def hear(self, commands: tuple[Command, ...]) -> None:
        """Handle the commands of a tick before it is stepped; also while paused."""
        return

    def judge(self, *, second_hand: bool) -> None:
        return

    def zone(self) -> Zone:
        return Zone()

    def would_take(self, grip: GripIntent) -> bool:
        return self.offered is not None and sight_passes(grip, self.offered) <= TAKEN_WITHIN_M

    def takes_again(self, grip: GripIntent) -> bool:
        return self.would_take(grip)

    def in_the_air(self, grip: GripIntent) -> bool:
        """Return whether a released object would hang over nothing: then it waits there."""
        return False

    def gap_m(self) -> float | None:
        """Return the distance to the nearest other object, metres; None if far. Near others steps are fine."""
        return None

    # Of a simulated world, perhaps in a process of its own

    def expect(self, intake: Intake) -> None:
        """In a replay: take in what the intake tells of this frame's world beforehand."""
        return

    def begins(self, grip: GripIntent | None) -> bool:
        """Start a slow world's next tick beside the game; ``step`` waits for its end. Returns False if not slow."""
        return False

    def end_frame(self) -> None:
        return

    def ends(self) -> None:
        return

    def close(self) -> None:
        return

    # What pictures and players may look at ------------------------------------------------------------------

    @final
    @property
    def grip(self) -> GripIntent | None:
        return self._grip

    @final
    @property
    def players(self) -> tuple[str, ...]:
        return self.state.players

    @final
    @property
    def on_turn(self) -> tuple[int, int]:
        return self.state.turn, self.state.player

    @final
    @property
    def over(self) -> bool:
        return self.state.over

    @final
    @property
    def in_hand(self) -> bool:
        return self.holding and not self.waiting

    @final
    @property
    def waiting(self) -> bool:
        """What is held hangs in the air where it was let go of (ruling T3), and no grip moves it."""
        return self.holding and self._hanging.hangs is not Hangs.NOT

    @final
    @property
    def bot(self) -> str | None:
        """The bot on turn, by its word in ``TableSetup.bots``; None for a person."""
        seat = self.state.player
        return None if self.over or seat >= len(self.table.bots) else self.table.bots[seat]

    @final
    @property
    def hands_rest(self) -> bool:
        """Hands are followed and do nothing: a bot is on turn that grips, as no move is chosen from a list."""
        return Feature.CHOOSE not in self.has and self.bot is not None

    @final
    @property
    def hand_views(self) -> tuple[HandView, ...]:
        return self._interpreter.views()

    @final
    @property
    def card(self) -> GripIntent | None:
        """The grip of a paper ladder that is seen, table frame; None without one."""
        card = self._devices.card
        return None if card is None else self._turntable.on_table(card)

    @final
    @property
    def watch(self) -> WatchReport:
        return self._watched

    @final
    @property
    def too_far(self) -> bool:
        return self._far_hand.asked_closer

    @final
    @property
    def too_near(self) -> bool:
        return self._interpreter.too_near

    @final
    @property
    def merged_hands(self) -> bool:
        return self._interpreter.merged

    @final
    @property
    def asks_for_longer_pinch(self) -> bool:
        if not self._interpreter.slow or self.holding:
            return False
        return any(view.closing > 0.3 and not view.pinched for view in self._interpreter.views())

    @final
    @property
    def other_hand(self) -> bool:
        """A hand has just closed in vain: its player prefers the other one, which is in view as well."""
        return self._interpreter.other_hand

    @final
    @property
    def paused(self) -> bool:
        return self._paused

    @final
    @property
    def turned_rad(self) -> float:
        return self._turntable.turned_rad

    @final
    def home_from_table(self, fraction: float = 1.0) -> Pose:
        """Return the table frame's pose in the picture, ``fraction`` of the way from the last tick to this one."""
        table = self._turntable
        return home_from_table(
            table.before_rad + (table.turned_rad - table.before_rad) * fraction, self.middle
        )

    @final
    def tilted(self, value: int, step_rad: float) -> Quat:
        """Return the rotation that an ``Act.TILT`` asks for, as seen from home."""
        return quat_as_seen(value, step_rad, self.table_from_camera, self.table.mirrored)

    @final
    @property
    def offered_at_home(self) -> Vec3 | None:
        return self._turntable.at_home(self.offered)

    @final
    @property
    def waits(self) -> bool:
        return bool(self._waiting)

    # One frame of the loop ----------------------------------------------------------------------------------

    @final
    def advance(self, intake: Intake) -> Output:
        """Interpret, step and judge what has come in."""
        self.end_tick()
        self.tell(intake)
        self.expect(intake)
        if intake.table_from_camera is not None:
            self.table_from_camera = intake.table_from_camera
            self._interpreter.move_table(intake.table_from_camera)
        if intake.hands is not None:
            hands = intake.hands
            self.watched_by_camera = True
            self.stopwatch.measured("interpret", lambda: self._see(hands))
        hand_holds = self._interpreter.holding and not self.hands_rest
        self._devices.take_in(intake.grips, hand_holds, in_hand=self.holding)
        for command in intake.commands:
            if command.kind in (Act.PAUSE, Act.RESUME):
                self._paused = command.kind is Act.PAUSE
        self._waiting += self._granted(intake.commands)
        for k in range(intake.ticks):
            if self._paused and not self._waiting:
                break
            commands, self._waiting = self._waiting, ()
            for command in commands:
                if command.kind is Act.PARK:
                    self._park_grip(intake.now_s)
            left = intake.ticks - 1 - k
            self._one_tick(intake.now_s - left * TICK_S, commands, last=left == 0)
        return self._output()

    def _granted(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        granted = []
        for command in commands:
            feature = command.kind.row.needs
            if feature is None or feature in self.has:
                granted.append(command)
            else:
                self.notice(f"game.has_not.{feature.value}")
        return tuple(granted)

    @final
    def finish(self) -> Output:
        self.end_tick()
        self.ends()
        self.tell(Closed())
        return self._output()

    @final
    def end_tick(self) -> None:
        """Wait for the tick that is under way, if there is one, and judge it."""
        if self.begun:
            self.begun = False
            self._step()
            self.stopwatch.measured("judge", self._judge)
            self.end_frame()  # it belongs to the frame before

    def _one_tick(self, time_s: float, commands: tuple[Command, ...], *, last: bool) -> None:
        self.stopwatch.measured("interpret", lambda: self._interpret(time_s))
        self._turn_table(commands)
        self.hear(commands)
        self._give_grip_up()
        if not self._paused:
            self.begun = last and self.overlaps and self.begins(self._felt_grip)
            if self.begun:
                return
            self._step()
        self.stopwatch.measured("judge", self._judge)

    @property
    def _felt_grip(self) -> GripIntent | None:
        return None if self.waiting else self._grip

    def _step(self) -> None:
        self.tick += 1
        self.stopwatch.measured("step", lambda: self.step(self._felt_grip))
        self._give_grip_up()
        if self._grace.runs_out(self.frozen):
            self.put_back()
            self._give_grip_up()

    def _judge(self) -> None:
        if not self.in_hand:
            self._watched = CLEAR
        lost = self._grip is not None and self._grip.phase is GripPhase.LOST
        self._far_hand.count(held_in_sight=self.in_hand and not lost)
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
            act = None if gesture is None else BY_GESTURE[gesture]
            if act is not None and act.row.needs in (None, *self.has):
                self._waiting += (Command(act, "gesture"),)
        self._far_hand.see(hands.time_s, self._interpreter.views(), self.table_from_camera)
        if self.table.one_hand == "off":
            return
        held = self.in_hand and not self.frozen
        before = self._watched
        zone = self.zone()
        self._watched = self._watch.see(hands.time_s, self._hands_watched(), held, zone)
        if (self._watched.level, self._watched.hands) != (before.level, before.hands):
            self.tell(self._watched)

    def _hands_watched(self) -> tuple[HandView, ...]:
        """Return the hands in view; with a paper ladder the hand that holds it counts as the owner."""
        views, card = tuple(self._interpreter.views()), self._devices.card
        if card is None:
            return views
        return held_by_card(views, card.pose, self.table.camera, self.table_from_camera)

    def _interpret(self, time_s: float) -> None:
        # One camera hardly tells depth: a grip starts at the depth of what it would take.
        self._interpreter.offer(self.offered_at_home)
        hand = self._interpreter.intent(time_s)
        if self.hands_rest or self._devices.by_card:
            hand = None
        device = self._devices.intent(time_s)
        # A device is heard while it holds, and otherwise where no hand does.
        devices_play = self._devices.holding or not self._interpreter.holding
        self._grip = self._felt(device if device is not None and (hand is None or devices_play) else hand)
        phase = None if self._grip is None else self._grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self.tell(Gripped(self._grip))

    def _park_grip(self, time_s: float) -> None:
        """Park the held piece; the next closing or the same wish takes it up, wherever the hand is then."""
        if self.table.air is Air.FALLS:
            self._interpreter.park(time_s)
        else:
            self._hanging.park()

    def _felt(self, grip: GripIntent | None) -> GripIntent | None:
        """Return the grip in the table frame as the game feels it, with none for a table or a parked object."""
        if grip is None or self._paused or grip.source in CARRIED:
            return grip
        closes = grip.phase is GripPhase.GRAB and not self.holding
        if self._at_rim.turning:
            self._at_rim.follow(grip, self.tick)
            return replace(self._turntable.on_table(grip), phase=GripPhase.HOVER)
        if closes:
            self._tilt = IDENTITY_QUAT
        if self._tilt != IDENTITY_QUAT:
            rotation = quat(quat_multiply(self._tilt, grip.pose.rotation))
            grip = replace(grip, pose=Pose(grip.pose.position, rotation))
        on_table = self._turntable.on_table(grip)
        if closes and self.rim is not None and not self.would_take(on_table):
            eye = self.table_from_camera.position
            if self._at_rim.takes(grip, self.rim, eye, self.tick):
                self._interpreter.refuse(None)
                return replace(on_table, phase=GripPhase.HOVER)
        if self.table.air is Air.FALLS:
            return on_table
        before = self._hanging.hangs
        felt = self._hanging.felt(on_table, holding=self.holding, frozen=self.frozen)
        if self._hanging.hangs is not before:
            self.tell(Hung(self._hanging.hangs))
        return felt

    def _turn_table(self, commands: tuple[Command, ...]) -> None:
        for command in commands:
            wished = command.kind in (Act.TURN, Act.HOME)
            gap_m = self.gap_m()
            in_the_way = self.in_hand and gap_m is not None and gap_m <= CLEAR_M
            if wished and (in_the_way or self._interpreter.parked):
                self.notice("turn.in_the_way")
            elif command.kind is Act.TURN:
                self._turntable.turn(math.radians(command.value))
            elif command.kind is Act.TILT and self.in_hand:
                step_rad = TILT_RAD if gap_m is None else FINE_TILT_RAD
                self._tilt = quat(quat_multiply(self.tilted(command.value, step_rad), self._tilt))
            elif command.kind is Act.HOME:
                self._turntable.go_home()
        if not self._paused and self._turntable.tick():
            self.tell(TableTurned(self._turntable.turned_rad))

    @final
    def end_grip(self) -> None:
        """End the grip because the game took away the held object; the hand has to open first."""
        self._grip_ended = True

    def _give_grip_up(self) -> None:
        if not self._grip_ended:
            return
        self._grip_ended = False
        if self._interpreter.holding:
            self._interpreter.let_go()
        self._devices.let_go()

    def _meet(self) -> None:
        """Tell the interpreter the palm and the preferred hand of the player on turn."""
        if self.on_turn == self._met:
            return
        self._met = self.on_turn
        _, seat = self.on_turn
        if self._rested and not self.hands_rest:
            self._devices.let_go()  # a bot's hand has nothing more to say
        self._rested = self.hands_rest
        if seat < len(self.table.palms_m):
            self._interpreter.meet(self.table.palms_m[seat])
        if seat < len(self.table.movements):
            self._interpreter.meet_movement(self.table.movements[seat])
        hands = self.table.hands
        self._interpreter.prefer(hands[seat] if seat < len(hands) else None)

    @final
    def tell(self, event: object) -> None:
        """Record an event at this tick and in this state."""
        self._events.append(Happened(self.tick, event, self._told_state, self.state))
        self._told_state = self.state

    @final
    def refuse_grip(self, why: GripRefusal) -> None:
        """Show that the grip which has just closed took nothing, and why."""
        self._interpreter.refuse(why)

    @final
    def notice(self, key: str) -> None:
        """Show the players a sentence, by its message key."""
        self.tell(Noticed(key))

    def _output(self) -> Output:
        self.end_frame()
        output = Output(tuple(self._events), self.state)
        self._events.clear()
        return output


def grip_settings(table: TableSetup) -> GripSettings:
    settings = GripSettings(palm_m=table.palm_length_m, grip=table.grip, fine_gain=table.fine_gain)
    return with_depth_help(settings, table.depth_help)
