"""One match as a machine: interpret, step and judge, with nothing in it but what is put in.

No clock, no camera, no picture. The same intakes in the same order give the same records and the same bits,
which is what a log's replay relies on.
"""

from __future__ import annotations

from typing import cast, get_args

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine import records
from armoon.engine.devices import Devices
from armoon.engine.grace import Grace
from armoon.engine.intake import Intake, Outturn, Record
from armoon.engine.stopwatch import Stopwatch
from armoon.games.moon.figures_made import FiguresMade
from armoon.games.moon.referee.events import Event, Judgement, TurnBegan
from armoon.games.moon.referee.referee import Referee
from armoon.games.moon.referee.status import TableStatus
from armoon.games.moon.rules import game as moon
from armoon.games.moon.rules.editions import OneHand
from armoon.games.moon.rules.moves import Move
from armoon.games.moon.rules.state import State
from armoon.games.moon.rules.values import Phase, Verdict
from armoon.games.moon.setup import MatchSetup
from armoon.hands.grips.gestures import Gesture, GestureReader
from armoon.hands.grips.interpret import HandView, Interpreter, preferred_side
from armoon.hands.grips.kinds import GripKind
from armoon.hands.grips.settings import DepthHelp, GripSettings, with_depth_help
from armoon.hands.tracking.landmarks import Hands
from armoon.hands.tracking.region import play_region, should_come_closer
from armoon.hands.tracking.tracker import Region
from armoon.hands.watch.onehand import CLEAR, OneHandWatch, WatchReport, Zone
from armoon.values.facts import PieceStatus
from armoon.values.intents import Command, CommandKind, GripIntent
from armoon.values.orders import Offer
from armoon.values.pieces import Base, LadderSet
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set
from armoon.world.local import LocalWorld
from armoon.world.stepped import SteppedWorld, WorldMaker

#: The one-hand zone reaches this far above the structure: a hand's height.
ABOVE_STRUCTURE_M = 0.10
#: A hand that is small for a moment only passes; one that stays so long is told to come closer.
FAR_S = 1.0
_STANDING = (PieceStatus.FREE, PieceStatus.FIXED)
_GESTURES = {Gesture.ROLL: CommandKind.ROLL, Gesture.PUT_BACK: CommandKind.PUT_BACK}


class Match:
    """A game in progress: hands and commands in, records, verdicts and events out."""

    def __init__(
        self, setup: MatchSetup, stopwatch: Stopwatch | None = None, world: WorldMaker = LocalWorld
    ) -> None:
        self.setup = setup
        self.ladders: LadderSet = make_ladder_set(setup.ladder_seed)
        start = setup.start
        self.first_state = state = (
            moon.initial(
                setup.players, setup.edition, setup.seed, setup.options, first_player=setup.first_player
            )
            if start is None
            else start.state
        )
        self.base: Base = make_base(tuple(self.ladders[piece] for piece in state.starting), setup.slots)
        self.table_from_camera = setup.table_from_camera
        """Where the table is now: it was moved, or the camera was."""
        self._world = SteppedWorld(world(self.ladders, self.base))
        if setup.grip not in get_args(GripKind):
            raise ValueError(f"no grip {setup.grip!r}")
        kind = cast(GripKind, setup.grip)
        if setup.depth_help not in get_args(DepthHelp):
            raise ValueError(f"no depth help {setup.depth_help!r}")
        grips = with_depth_help(
            GripSettings(
                palm_m=setup.palm_length_m, grip=kind, fine_gain=setup.fine_gain, reading=setup.reading
            ),
            cast(DepthHelp, setup.depth_help),
        )
        self._interpreter = Interpreter(setup.camera, setup.table_from_camera, grips)
        self._gestures = GestureReader()
        self._referee = Referee(state, places=None if start is None else start.places)
        self.figures = FiguresMade(self.ladders, () if start is None else start.makings)
        self._watch = OneHandWatch()
        self._devices = Devices()
        self._grace = Grace(setup.grace_s)
        self.stopwatch = stopwatch or Stopwatch()
        self._tick = 0
        self._rest_ticks = 0
        self._paused = False
        self._waiting: tuple[Command, ...] = ()
        self._watched: WatchReport = CLEAR
        self._far_since_s: float | None = None
        self._far_s = 0.0
        self._records: list[Record] = []
        self._verdicts: list[Verdict] = []
        self._events: list[Event] = []
        self._moves: list[Move] = []
        self._notices: list[str] = []
        self._grip: GripIntent | None = None
        self._last_facts_key: object = None
        self._last_phase: object = None
        self._take_in(
            self._referee.start(self.base.slots, () if start is None else start.structure),
            at_rest=start is None or start.at_rest,
        )
        self.previous = self.facts = self._world.tick(None)
        self.opening = self._outturn()

    # What pictures and players may look at ------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The game by the rules."""
        return self._referee.state

    @property
    def tick(self) -> int:
        """How many ticks have been played."""
        return self.facts.tick

    @property
    def status(self) -> TableStatus:
        """How the table stands, for the screen."""
        return self._referee.status()

    @property
    def grip(self) -> GripIntent | None:
        """The grip of the last tick."""
        return self._grip

    @property
    def hand_views(self) -> tuple[HandView, ...]:
        """The hands of the last result, measured."""
        return self._interpreter.views()

    @property
    def height_line_m(self) -> float:
        """The lid's upper edge above the table, where the co-operative game scores by it (ruling C2); else 0."""
        return self._referee.line_m if self.state.cooperative else 0.0

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
    def paused(self) -> bool:
        """Nothing moves and nothing is judged."""
        return self._paused

    # One turn of the loop -----------------------------------------------------------------------------------

    def turn(self, intake: Intake) -> Outturn:
        """Interpret, step and judge what has come in."""
        self._records.append(records.intake_record(intake))
        self._world.foretell(intake.replaced)
        if intake.table_from_camera is not None:
            self.table_from_camera = intake.table_from_camera
            self._interpreter.move_table(intake.table_from_camera)
        if intake.hands is not None:
            hands = intake.hands
            self.stopwatch.measured("interpret", lambda: self._see(hands))
        self._devices.take_in(intake.grips, self._interpreter.holding)
        for command in intake.commands:
            if command.kind in (CommandKind.PAUSE, CommandKind.RESUME):
                self._paused = command.kind is CommandKind.PAUSE
        self._waiting += intake.commands
        for k in range(intake.ticks):
            if self._paused and not self._waiting:
                break
            commands, self._waiting = self._waiting, ()
            for command in commands:
                if command.kind is CommandKind.CLUTCH:
                    self._interpreter.clutch(intake.now_s)
            self._one_tick(intake.now_s - (intake.ticks - 1 - k) * TICK_S, commands)
        return self._outturn()

    def finish(self) -> Outturn:
        """The closing records: where every body ended."""
        self._records.append(records.poses_record(self._tick, self.facts))
        self._records.append(records.end_record(self._tick, self.state))
        return self._outturn()

    def close(self) -> None:
        """Give the physics back."""
        self._world.close()

    def _one_tick(self, time_s: float, commands: tuple[Command, ...]) -> None:
        self.stopwatch.measured("interpret", lambda: self._interpret(time_s))
        if not self._paused:
            self.stopwatch.measured("step", self._step)
        self.stopwatch.measured("judge", lambda: self._judge(commands))

    def _see(self, hands: Hands) -> None:
        self._interpreter.see(hands)
        busy = self.facts.held is not None and not self._interpreter.parked
        gesture = self._gestures.see(hands, busy=busy)
        if gesture is not None:
            self._waiting += (Command(_GESTURES[gesture], "gesture"),)
        if self.setup.options.one_hand is OneHand.OFF:
            return
        self._note_distance(hands.time_s)
        held = self.facts.held is not None and not self.facts.held_frozen
        before = self._watched
        self._watched = self._watch.see(hands.time_s, self._interpreter.views(), held, self._zone())
        if (self._watched.level, self._watched.hands) != (before.level, before.hands):
            self._records.append(records.watch_record(self._tick, self._watched))

    def _note_distance(self, time_s: float) -> None:
        """Since when the hand that plays has been too small to be found again once it is lost."""
        camera = self.setup.camera
        whole = Region(0, 0, camera.width, camera.height)
        crop = play_region(camera, self.table_from_camera) if self.setup.cropped else None
        views = self._interpreter.views()
        far = bool(views) and all(should_come_closer(view, crop or whole) for view in views)
        self._far_since_s = (self._far_since_s or time_s) if far else None
        self._far_s = 0.0 if self._far_since_s is None else time_s - self._far_since_s

    def _zone(self) -> Zone:
        """Where a second hand has no business: the structure as high as it is by now."""
        top_m = max((p.highest_m for p in self.facts.pieces if p.status in _STANDING), default=0.0)
        return Zone(top_m=max(Zone.top_m, top_m + ABOVE_STRUCTURE_M))

    def _interpret(self, time_s: float) -> None:
        # One camera hardly tells depth: a grip starts at the depth of the one thing there is to take.
        offered = next((p for p in self.facts.pieces if p.status is PieceStatus.OFFERED), None)
        self._interpreter.offer(None if offered is None else offered.pose.position)
        hand = self._interpreter.intent(time_s)
        device = self._devices.intent(time_s)
        self._grip = device if device is not None and (hand is None or self._devices_play()) else hand
        phase = None if self._grip is None else self._grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self._records.append(records.intent_record(self._tick, self._grip))

    def _devices_play(self) -> bool:
        """A device is heard while it holds, and otherwise where no hand does."""
        return self._devices.holding or not self._interpreter.holding

    def _step(self) -> None:
        self._tick += 1
        self.previous = self.facts
        self.facts = self._world.tick(self._grip)
        if self.facts.held is None and self.previous.held is not None and self._interpreter.holding:
            # The referee took the ladder away: the closed hand holds nothing until it has opened.
            self._interpreter.let_go()
        if self.facts.held is None and self.previous.held is not None:
            self._devices.let_go()
        if self._grace.runs_out(self.facts) and self.facts.held is not None:
            self._records.append(records.grace_record(self._tick, self.facts.held))
            self._notices.append("watch.grace")
            self._world.apply(Offer(self.facts.held))

    def _judge(self, commands: tuple[Command, ...]) -> None:
        key = records.facts_key(self.facts)
        if key != self._last_facts_key:
            self._last_facts_key = key
            self._records.append(records.facts_record(self._tick, self.facts))
        commands += self._auto_roll()
        if self.facts.held is None:
            self._watched = CLEAR
        lenient = self.setup.options.one_hand is OneHand.WARN
        second_hand = self._watched.is_for_referee(warn_only=lenient)
        self._take_in(self._referee.observe(self.facts, commands, self._tick, second_hand=second_hand))

    def _auto_roll(self) -> tuple[Command, ...]:
        """The die rolls by itself once the table has been quiet between turns for a while."""
        waiting = self.state.phase is Phase.ROLL and self.facts.at_rest and not self._paused
        self._rest_ticks = self._rest_ticks + 1 if waiting else 0
        if self.setup.auto_roll_s is None or self._rest_ticks != round(
            self.setup.auto_roll_s * TICKS_PER_SECOND
        ):
            return ()
        return (Command(CommandKind.ROLL, "auto"),)

    def _take_in(self, judgement: Judgement, *, at_rest: bool = True) -> None:
        """``at_rest``: so was what the judgement sets up again, if anything."""
        self._world.carry_out(judgement.orders, at_rest=at_rest)
        for move in judgement.moves:
            self._records.append(records.move_record(self._tick, move))
        for event in judgement.events:
            self._records.append(records.event_record(self._tick, event, self.state))
        for verdict in judgement.verdicts:
            made = self.figures.see(verdict, self.state, self.facts)
            self._records.append(records.verdict_record(self._tick, verdict, self.state))
            self._records.append(records.poses_record(self._tick, self.facts))
            if made is not None:
                self._records.append(records.figures_record(self._tick, made, self.state))
        self._verdicts += judgement.verdicts
        for event in judgement.events:
            if isinstance(event, TurnBegan):
                self._meet(event.player)
        self._events += judgement.events
        self._moves += judgement.moves

    def _meet(self, seat: int) -> None:
        """Another player's turn: the interpreter hears of their palm and of the hand that they prefer."""
        if seat < len(self.setup.palms_m):
            self._interpreter.meet(self.setup.palms_m[seat])
        self._interpreter.prefer(preferred_side(self.setup.hands, seat))

    def _outturn(self) -> Outturn:
        for replaced in self._world.take_replaced():
            self._records.append(records.replaced_record(replaced))
            self._notices.append("notice.world_replaced")
        out = Outturn(
            tuple(self._records),
            tuple(self._verdicts),
            tuple(self._events),
            tuple(self._moves),
            tuple(self._notices),
        )
        self._notices.clear()
        self._records.clear()
        self._verdicts.clear()
        self._events.clear()
        self._moves.clear()
        return out
