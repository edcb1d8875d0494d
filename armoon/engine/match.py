"""A game at the table as a state machine: each tick interprets the input, advances the table and judges.

It uses no clock, camera or picture. Replays rely on the same intakes giving the same results bit for bit.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Protocol, final

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine import events
from armoon.engine.holding import Devices, DistantHandCheck, ParkingFilter, ParkingState
from armoon.engine.setup import Intake, TableSetup
from armoon.engine.turntable import Rim, RimGrip, Turntable, home_from_table, measure_sight_distance_m
from armoon.games import game_options
from armoon.geometry import quat, quat_as_seen, quat_multiply
from armoon.hands.gestures import GestureReader
from armoon.hands.grip_settings import GripSettings, apply_depth_help
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hands
from armoon.hands.one_hand_watch import CLEAR, ZONE_TOP_M, OneHandWatch, WatchReport, mark_prop_owner
from armoon.hands.tracked_hand import HandView
from armoon.values.acts import BY_GESTURE, Act, Feature
from armoon.values.choices import AirRelease, GripKind
from armoon.values.pieces import SIMULATED, Command, GripIntent, GripPhase
from armoon.values.poses import IDENTITY_QUAT, Pose, Quat, Vec2, Vec3

#: Rotation by a tilt command, and by one near other objects.
TILT_RAD, FINE_TILT_RAD = math.radians(3.0), math.radians(1.0)
#: Minimum distance, in metres, of a carried object from its neighbours for the table to turn.
CLEAR_M = 0.012
#: Maximum distance, in metres, between a grip's line of sight and the object that it grabs.
GRAB_RADIUS_M = 0.03


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
        """The current seat."""

    @property
    def over(self) -> bool:
        """Whether the rules have ended the game."""


class Match(ABC):
    """A game in progress, which turns hands and commands into events.

    A subclass's ``__init__`` calls this one first, then sets up the game, and calls ``start_match`` last.
    """

    game: ClassVar[str]
    """The game's name in logs and saves."""
    rim: ClassVar[Rim | None] = None
    """The rim at which a hand turns the table; None if only commands turn it."""
    setup: Any
    """The game's own setup (``events.MatchBegan.start``)."""
    state: Position
    facts: Any = None
    """The simulated world's facts after the last tick; None in a game without one."""

    def __init__(self, table: TableSetup) -> None:
        self.table = table
        self.table_from_camera = table.table_from_camera
        """The camera's current pose, which changes when the table or the camera is moved."""
        self.has = game_options(self.game).has
        self.tick = 0
        settings = GripSettings(palm_m=table.palm_length_m, grip=table.grip, fine_gain=table.fine_gain)
        settings = apply_depth_help(settings, table.depth_help)
        self.interpreter = Interpreter(table.camera, table.table_from_camera, settings)
        self._gestures = GestureReader()
        self._watch = OneHandWatch()
        self._devices = Devices()
        self._grace_ticks = None if table.grace_s is None else max(1, round(table.grace_s * TICKS_PER_SECOND))
        self._frozen_ticks = 0
        self.overlaps = False
        """Whether a frame can end while its last, slow tick is running, to let drawing and simulation overlap.

        The next frame first finishes that tick, so the events and their order remain the same.
        """
        self.is_tick_running = False
        self.paused = False
        self.pending_commands: tuple[Command, ...] = ()
        self.watch: WatchReport = CLEAR
        self.distant_hand = DistantHandCheck(table.camera, cropped=table.cropped)
        self.watched_by_camera = False
        """Whether a tracker has processed a picture; otherwise only other devices are in use."""
        self.grip: GripIntent | None = None
        self._last_phase: object = None
        self._applied_turn: object = None
        self._ignored_hands = False
        self._grip_ended = False
        self._parking = ParkingFilter(self.is_over_nothing, self.would_regrab)
        self.middle: Vec2 = (0.0, 0.0) if self.rim is None else self.rim.middle
        """Position of the table's vertical axis of rotation, table frame."""
        self._turntable = Turntable(self.middle, table.turned_rad, at_once=table.turns_at_once)
        self._rim_grip = RimGrip(self._turntable)
        self._tilt: Quat = IDENTITY_QUAT
        """The held piece's rotation by commands, in addition to the hand's."""
        self._events: list[events.MatchEvent[Any]] = []
        self._last_state: Any = None

    @final
    def start_match(self) -> None:
        """Apply the first player's settings and set the opening: ``MatchBegan`` and all events so far."""
        began = events.MatchBegan(self.game, self.table, self.setup)
        self._events.insert(0, events.MatchEvent(self.tick, began, None, self.state))
        self._apply_player()
        self.opening: events.Output = self._take_output()

    # Required of a game -------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def at_rest(self) -> bool:
        """Whether everything on the table is at rest."""

    @property
    @abstractmethod
    def holding(self) -> bool:
        """Whether a hand or device holds something, or something is parked in the air."""

    @property
    @abstractmethod
    def offered(self) -> Vec3 | None:
        """Position of the object that a grip would take, table frame; None without one."""

    @abstractmethod
    def step(self, grip: GripIntent | None) -> None:
        """Advance the table by one tick, following the grip; not called during a pause."""

    @abstractmethod
    def put_back(self) -> None:
        """Put back the held piece without penalty, because its hand was out of sight for longer than the grace time."""

    # Optional for a game ------------------------------------------------------------------------------------

    @property
    def frozen(self) -> bool:
        """Whether the held piece stays in place because its hand is out of sight (ruling X2)."""
        grip = self.grip
        return self.in_hand and (grip is None or grip.phase in (GripPhase.LOST, GripPhase.HOVER))

    def handle_commands(self, commands: tuple[Command, ...]) -> None:
        """Handle a tick's commands before ``step``; also called during a pause."""
        return

    def judge(self, *, second_hand: bool) -> None:
        return

    def measure_watched_top_m(self) -> float:
        """Return the height, in metres, up to which the zone round the base is closed to a second hand (ruling F3)."""
        return ZONE_TOP_M

    def would_grab(self, grip: GripIntent) -> bool:
        return self.offered is not None and measure_sight_distance_m(grip, self.offered) <= GRAB_RADIUS_M

    def would_regrab(self, grip: GripIntent) -> bool:
        return self.would_grab(grip)

    def is_over_nothing(self, grip: GripIntent) -> bool:
        """Return whether a release would park the held object, because nothing is below it."""
        return False

    def measure_gap_m(self) -> float | None:
        """Return the held object's distance to others, metres; None if they are far away. Nearby, tilts are finer."""
        return None

    # Hooks for a simulated world, which may run in a separate process

    def prepare_replay(self, intake: Intake) -> None:
        """In a replay, apply the intake's changes to the world."""
        return

    def start_slow_tick(self, grip: GripIntent | None) -> bool:
        """Start the next tick of a slow world, which ``step`` then awaits; return False if the world isn't slow."""
        return False

    def end_frame(self) -> None:
        return

    def emit_final_events(self) -> None:
        return

    def close(self) -> None:
        return

    # For pictures and players -------------------------------------------------------------------------------

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
        return self._parking.parking is ParkingState.NOT and self.holding

    @final
    @property
    def is_parked(self) -> bool:
        """Whether the held piece is parked in the air (ruling T3), where no grip moves it."""
        return self._parking.parking is not ParkingState.NOT and self.holding

    @final
    @property
    def bot(self) -> str | None:
        """Name of the current bot; None during a person's turn."""
        seat = self.state.player
        return None if seat >= len(self.table.bots) or self.over else self.table.bots[seat]

    @final
    @property
    def ignores_hands(self) -> bool:
        """Whether hands have no effect, because a bot that plays by grips is on turn."""
        return self.bot is not None and Feature.CHOOSE not in self.has

    @final
    @property
    def hand_views(self) -> tuple[HandView, ...]:
        return self.interpreter.list_views()

    @final
    @property
    def prop(self) -> GripIntent | None:
        """Grip of the visible prop, if any, home frame."""
        return self._devices.prop

    @final
    def to_table_frame(self, grip: GripIntent) -> GripIntent:
        return self._turntable.to_table_frame(grip)

    @final
    @property
    def turned_rad(self) -> float:
        return self._turntable.turned_rad

    @final
    def home_from_table(self, fraction: float = 1.0) -> Pose:
        """Return the table's rotation as a pose, interpolated by ``fraction`` between the last two ticks."""
        table = self._turntable
        return home_from_table(
            table.before_rad + (table.turned_rad - table.before_rad) * fraction, self.middle
        )

    @final
    def make_tilt_rotation(self, value: int, step_rad: float) -> Quat:
        """Return the rotation by an ``Act.TILT`` with this value, home frame."""
        return quat_as_seen(value, step_rad, self.table_from_camera, self.table.mirrored)

    @final
    @property
    def offered_at_home(self) -> Vec3 | None:
        return self._turntable.to_home_frame(self.offered)

    # One frame of the loop ----------------------------------------------------------------------------------

    @final
    def advance(self, intake: Intake) -> events.Output:
        """Process one intake with all of its ticks."""
        self.end_tick()
        self.emit(intake)
        self.prepare_replay(intake)
        if intake.table_from_camera is not None:
            self.table_from_camera = intake.table_from_camera
            self.interpreter.move_table(intake.table_from_camera)
        if intake.hands is not None:
            self.watched_by_camera = True
            self._add_hands(intake.hands)
        is_hand_closed = self.interpreter.is_holding and not self.ignores_hands
        self._devices.add_grips(intake.grips, is_hand_closed, is_held=self.holding)
        for command in intake.commands:
            if command.kind in (Act.PAUSE, Act.RESUME):
                self.paused = command.kind is Act.PAUSE
        self.pending_commands += self._filter_supported(intake.commands)
        for k in range(intake.ticks):
            if self.paused and not self.pending_commands:
                break
            commands, self.pending_commands = self.pending_commands, ()
            for command in commands:
                # To take the piece again, a hand closes anywhere, or the command is repeated.
                if command.kind is Act.PARK and self.table.air is AirRelease.FALLS:
                    self.interpreter.park(intake.now_s)
                elif command.kind is Act.PARK:
                    self._parking.park()
            remaining = intake.ticks - 1 - k
            self._run_tick(intake.now_s - remaining * TICK_S, commands, last=remaining == 0)
        return self._take_output()

    def _filter_supported(self, commands: tuple[Command, ...]) -> tuple[Command, ...]:
        supported = []
        for command in commands:
            feature = command.kind.row.needs
            if feature is None or feature in self.has:
                supported.append(command)
            else:
                self.show_notice(f"game.has_not.{feature.value}")
        return tuple(supported)

    @final
    def finish(self) -> events.Output:
        self.end_tick()
        self.emit_final_events()
        self.emit(events.MatchClosed())
        return self._take_output()

    @final
    def end_tick(self) -> None:
        if self.is_tick_running:
            self.is_tick_running = False
            self._step()
            self._judge()
            self.end_frame()  # of the previous frame, to which the tick belongs

    def _run_tick(self, time_s: float, commands: tuple[Command, ...], *, last: bool) -> None:
        self._interpret(time_s)
        self._turn_table(commands)
        self.handle_commands(commands)
        self._end_requested_grip()
        if not self.paused:
            self.is_tick_running = (
                last and self.overlaps and self.start_slow_tick(None if self.is_parked else self.grip)
            )
            if self.is_tick_running:
                return
            self._step()
        self._judge()

    def _step(self) -> None:
        self.tick += 1
        self.step(None if self.is_parked else self.grip)
        self._end_requested_grip()
        self._frozen_ticks = self._frozen_ticks + 1 if self.frozen else 0
        if self._frozen_ticks == self._grace_ticks:
            # The printed rules don't cover hands out of sight. Here there is no penalty: the ladder is put back (X2).
            self.put_back()
            self._end_requested_grip()

    def _judge(self) -> None:
        in_hand = self.in_hand
        if not in_hand:
            self.watch = CLEAR
        is_lost = self.grip is not None and self.grip.phase is GripPhase.LOST
        self.distant_hand.count_tick(held_in_sight=in_hand and not is_lost)
        warn_only = self.table.one_hand == "warn"
        self.judge(second_hand=self.watch.is_for_referee(warn_only=warn_only))
        self._apply_player()

    def _add_hands(self, hands: Hands) -> None:
        self.interpreter.add_hands(hands)
        if self.ignores_hands:
            return
        if self.table.gestures:
            # Ignore gestures of a carrying hand, unless it holds by dwelling with open fingers.
            is_busy = (
                self.in_hand and not self.interpreter.is_parked and self.table.grip is not GripKind.DWELL
            )
            gesture = self._gestures.read_gesture(hands, busy=is_busy)
            act = None if gesture is None else BY_GESTURE[gesture]
            if act is not None and act.row.needs in (None, *self.has):
                self.pending_commands += (Command(act, "gesture"),)
        self.distant_hand.add_hands(hands.time_s, self.interpreter.list_views(), self.table_from_camera)
        if self.table.one_hand == "off":
            return
        held = self.in_hand and not self.frozen
        previous = self.watch
        top_m = self.measure_watched_top_m()
        self.watch = self._watch.add_frame(hands.time_s, self._get_watched_hands(), held, top_m)
        if (self.watch.level, self.watch.hands) != (previous.level, previous.hands):
            self.emit(self.watch)

    def _get_watched_hands(self) -> tuple[HandView, ...]:
        """Return the hands in view, with the one that holds a prop as the owner."""
        views, prop = self.interpreter.list_views(), self._devices.prop
        if prop is None:
            return views
        return mark_prop_owner(views, prop.pose, self.table.camera, self.table_from_camera)

    def _interpret(self, time_s: float) -> None:
        # A single camera measures depth poorly, so a grip starts at the depth of the object that it would take.
        self.interpreter.set_offered_point(self.offered_at_home)
        hand = self.interpreter.get_intent(time_s)
        if self.ignores_hands or self._devices.is_prop_in_use:
            hand = None
        device = self._devices.next_grip(time_s)
        # A device's grip counts while it holds something, or if no hand holds anything.
        device_counts = self._devices.holding or not self.interpreter.is_holding
        self.grip = self._interpret_grip(
            device if device is not None and (hand is None or device_counts) else hand
        )
        phase = None if self.grip is None else self.grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self.emit(events.GripChanged(self.grip))

    def _interpret_grip(self, grip: GripIntent | None) -> GripIntent | None:
        """Return the grip in the table frame: HOVER while it turns the table, LOST while the object is parked."""
        if grip is None or self.paused or grip.source in SIMULATED:
            return grip
        is_grab = grip.phase is GripPhase.GRAB and not self.holding
        if self._rim_grip.is_turning:
            self._rim_grip.follow_grip(grip, self.tick)
            return replace(self._turntable.to_table_frame(grip), phase=GripPhase.HOVER)
        if is_grab:
            self._tilt = IDENTITY_QUAT
        if self._tilt != IDENTITY_QUAT:
            rotation = quat(quat_multiply(self._tilt, grip.pose.rotation))
            grip = replace(grip, pose=Pose(grip.pose.position, rotation))
        on_table = self._turntable.to_table_frame(grip)
        if is_grab and self.rim is not None and not self.would_grab(on_table):
            eye = self.table_from_camera.position
            if self._rim_grip.try_grab(grip, self.rim, eye, self.tick):
                self.interpreter.set_refusal(None)
                return replace(on_table, phase=GripPhase.HOVER)
        if self.table.air is AirRelease.FALLS:
            return on_table
        previous = self._parking.parking
        filtered = self._parking.filter_grip(on_table, holding=self.holding, frozen=self.frozen)
        if self._parking.parking is not previous:
            self.emit(events.ParkingChanged(self._parking.parking))
        return filtered

    @final
    @property
    def can_turn(self) -> bool:
        """Whether the table can turn without the held piece striking others."""
        gap_m = self.measure_gap_m()
        is_blocked = self.in_hand and gap_m is not None and gap_m <= CLEAR_M
        return not (is_blocked or self.interpreter.is_parked)

    def _turn_table(self, commands: tuple[Command, ...]) -> None:
        for command in commands:
            if command.kind in (Act.TURN, Act.HOME) and not self.can_turn:
                self.show_notice("turn.in_the_way")
            elif command.kind is Act.TURN:
                self._turntable.turn_by(math.radians(command.value))
            elif command.kind is Act.TILT and self.in_hand:
                step_rad = TILT_RAD if self.measure_gap_m() is None else FINE_TILT_RAD
                self._tilt = quat(quat_multiply(self.make_tilt_rotation(command.value, step_rad), self._tilt))
            elif command.kind is Act.HOME:
                self._turntable.go_home()
        if not self.paused and self._turntable.advance():
            self.emit(events.TableTurned(self._turntable.turned_rad))

    @final
    def end_grip(self) -> None:
        """End the grip, because the game removed the held object; the hand must open before the next one."""
        self._grip_ended = True

    def _end_requested_grip(self) -> None:
        if not self._grip_ended:
            return
        self._grip_ended = False
        if self.interpreter.is_holding:
            self.interpreter.end_grip()
        self._devices.end_grip()

    def _apply_player(self) -> None:
        if self.on_turn == self._applied_turn:
            return
        self._applied_turn = self.on_turn
        _, seat = self.on_turn
        if self._ignored_hands and not self.ignores_hands:
            self._devices.end_grip()  # the bot's grip
        self._ignored_hands = self.ignores_hands
        if seat < len(self.table.palms_m):
            self.interpreter.set_palm_length(self.table.palms_m[seat])
        if seat < len(self.table.movements):
            self.interpreter.set_movement(self.table.movements[seat])
        hands = self.table.hands
        self.interpreter.prefer_side(hands[seat] if seat < len(hands) else None)

    @final
    def emit(self, event: object) -> None:
        self._events.append(events.MatchEvent(self.tick, event, self._last_state, self.state))
        self._last_state = self.state

    @final
    def show_notice(self, key: str) -> None:
        self.emit(events.NoticeShown(key))

    def _take_output(self) -> events.Output:
        self.end_frame()
        output = events.Output(tuple(self._events), self.state)
        self._events.clear()
        return output
