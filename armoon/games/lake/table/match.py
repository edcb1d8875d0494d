"""A lake match as a machine: grips and commands in; moves, happenings and records out.

Like the moon's match it has no clock, no camera and no picture, and the same intakes give the same bits. There is
no physics: what a hand does is read against the rules, and they decide.
"""

from __future__ import annotations

from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine.intake import Intake, Record
from armoon.engine.records import intake_record, intent_record
from armoon.engine.stopwatch import Stopwatch
from armoon.games.lake.rules import game as lake
from armoon.games.lake.rules.aids import drop, landings, refusal_of_grab
from armoon.games.lake.rules.moves import Carry, Choose, Move, Split, TakeBack
from armoon.games.lake.rules.state import State
from armoon.games.lake.rules.values import Half, IllegalMove, Phase, Refusal
from armoon.games.lake.scene import FLOOR_M
from armoon.games.lake.table import records
from armoon.games.lake.table.aim import Floor, floor_at, half_at, passing, sign_under, star_under
from armoon.games.lake.table.candidate import Lit
from armoon.games.lake.table.carried import Carried
from armoon.games.lake.table.flights import (
    Flight,
    InTower,
    OnStar,
    flights_of_carry,
    flights_of_split,
    floor_middle,
    half_foot,
)
from armoon.games.lake.table.grips import Grips
from armoon.games.lake.table.happenings import (
    FlewHome,
    HalfLifted,
    Happening,
    LakeOutturn,
    Lifted,
    Played,
    Refused,
)
from armoon.games.lake.table.layout import HALF_FLOORS, STAR_PLACES, stack_top
from armoon.games.lake.table.setup import LakeSetup
from armoon.geometry import vec3
from armoon.hands.grips.interpret import HandView
from armoon.values.intents import Command, CommandKind, GripIntent, GripPhase
from armoon.values.poses import Vec3


class LakeMatch:
    """A game in progress: hands and commands in; records, moves and happenings out."""

    def __init__(self, setup: LakeSetup, stopwatch: Stopwatch | None = None) -> None:
        self.setup = setup
        self.state: State = setup.start()
        """The game by the rules."""
        self.tick = 0
        """How many ticks have been played."""
        self.grip: GripIntent | None = None
        """The grip of the last tick."""
        self.hover: Floor | None = None
        """The floor that a closing hand would take; it is lit."""
        self._lit = Lit()
        self.carried: Carried | None = None
        """What a hand holds."""
        self.carried_before: Carried | None = None
        """The same, a tick ago, for pictures between two ticks."""
        self.aimed: int | None = None
        """The star, or while a tower is split the sign, over which what is held would be let go."""
        self.flights: tuple[Flight, ...] = ()
        """What is in the air by itself."""
        self.paused = False
        """Nothing moves and nothing is judged."""
        self.stopwatch = stopwatch or Stopwatch()
        self._grips = Grips(setup)
        self._grips.meet(self.state.player)
        self._grace_ticks = None if setup.grace_s is None else round(setup.grace_s * TICKS_PER_SECOND)
        self._waiting: tuple[Command, ...] = ()
        self._records: list[Record] = [records.position_record(0, self.state)]
        self._happened: list[Happening] = []
        self._played: list[Played] = []
        self._last_phase: object = None
        self.opening = self._outturn()
        """What came out before the first turn of the loop."""

    # What pictures and players may look at ------------------------------------------------------------------

    @property
    def hand_views(self) -> tuple[HandView, ...]:
        """The hands of the last result, measured."""
        return self._grips.hand_views

    @property
    def at_rest(self) -> bool:
        """Nothing is held or in the air."""
        return self.carried is None and not self.flights

    @property
    def bot(self) -> str | None:
        """The strength of the bot that is on turn; None where a hand is, or nobody."""
        bots = self.setup.bots
        return None if self.state.over or self.state.player >= len(bots) else bots[self.state.player]

    @property
    def too_near(self) -> bool:
        """A hand has been too near to the camera for a while to be followed well: it should move back."""
        return self._grips.too_near

    @property
    def other_hand(self) -> bool:
        """A hand has just closed in vain: its player prefers the other one, which is in view as well."""
        return self._grips.other_hand

    @property
    def waits(self) -> bool:
        """Commands are waiting for a tick."""
        return bool(self._waiting)

    @property
    def heirs(self) -> tuple[int, ...]:
        """The seats that a half may be carried to, the mover's own first."""
        return (self.state.player, *self.state.heirs) if self.state.phase is Phase.SPLIT else ()

    @property
    def offered(self) -> Vec3 | None:
        """The middle of what an open hand would take."""
        if self.state.phase is Phase.SPLIT and self.carried is None:
            return half_foot(0)
        if self.hover is None:
            return None
        return floor_middle(stack_top(self.hover.star, self.hover.floor))

    # One turn of the loop -----------------------------------------------------------------------------------

    def turn(self, intake: Intake) -> LakeOutturn:
        """Interpret, step and judge what has come in."""
        self._records.append(intake_record(intake))
        if intake.table_from_camera is not None:
            self._grips.move_table(intake.table_from_camera)
        if intake.hands is not None:
            hands = intake.hands
            self.stopwatch.measured("interpret", lambda: self._grips.see(hands))
        self._grips.take_in(intake.grips)
        for command in intake.commands:
            if command.kind in (CommandKind.PAUSE, CommandKind.RESUME):
                self.paused = command.kind is CommandKind.PAUSE
        self._waiting += intake.commands
        for k in range(intake.ticks):
            if self.paused and not self._waiting:
                break
            commands, self._waiting = self._waiting, ()
            self._one_tick(intake.now_s - (intake.ticks - 1 - k) * TICK_S, commands)
        return self._outturn()

    def finish(self) -> LakeOutturn:
        """The closing records."""
        self._records.append(records.position_record(self.tick, self.state))
        self._records.append(records.end_record(self.tick, self.state))
        return self._outturn()

    def close(self) -> None:
        """Nothing has to be given back; matches are closed alike."""

    def _one_tick(self, time_s: float, commands: tuple[Command, ...]) -> None:
        self.stopwatch.measured("interpret", lambda: self._interpret(time_s))
        for command in commands:
            self._obey(command)
        if not self.paused:
            self.tick += 1
            self.flights = tuple(flight for flight in self.flights if self.tick < flight.end_tick)
            self.stopwatch.measured("judge", self._follow)

    def _interpret(self, time_s: float) -> None:
        self.grip = self._grips.at(time_s, self.offered)
        phase = None if self.grip is None else self.grip.phase
        if phase is not self._last_phase:
            self._last_phase = phase
            self._records.append(intent_record(self.tick, self.grip))

    # Commands -----------------------------------------------------------------------------------------------

    def _obey(self, command: Command) -> None:
        if command.kind is CommandKind.CHOOSE:
            moves = lake.legal(self.state)
            if 0 <= command.value < len(moves):
                self._drop_all()
                self._play(moves[command.value])
            else:
                self._tell(Refused(Refusal.GAME_OVER if self.state.over else Refusal.WRONG_PHASE))
        elif command.kind is CommandKind.PUT_TURN_BACK:
            move = TakeBack(max(1, command.value))
            why = lake.refusal(self.state, move)
            if why is None:
                self._drop_all()
                self._play(move)
            else:
                self._tell(Refused(why))
        elif command.kind is CommandKind.PUT_BACK and self.carried is not None:
            self._fly_home(None, lost=True)

    def _drop_all(self) -> None:
        """A command goes before a hand: what is held is back at once."""
        if self.carried is not None:
            self._fly_home(None, lost=True)
        self.flights = ()

    # Hands --------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        grip, self.carried_before = self.grip, self.carried
        self.hover = None
        self.aimed = None
        if self.carried is not None:
            self._carry(self.carried, grip)
        elif grip is not None and not self.state.over and self.bot is None:
            if grip.phase is GripPhase.GRAB:
                self._grab(grip)
            elif grip.phase is GripPhase.HOVER and self.state.phase is not Phase.SPLIT:
                self.hover = self._lit.see(grip, floor_at(grip, self.state.stars))
            return
        self._lit.forget()

    def _grab(self, grip: GripIntent) -> None:
        if self.state.phase is Phase.SPLIT:
            half = half_at(grip)
            if half is not None and not any(isinstance(flight.goal, InTower) for flight in self.flights):
                stack = half.of(self.state.tower)
                low = HALF_FLOORS if half is Half.TOP else 0
                self.carried = self.carried_before = Carried(None, half, stack, half_foot(low))
                self._tell(HalfLifted(half))
            return
        floor = self._lit.taken(grip, floor_at(grip, self.state.stars))
        self._lit.forget()
        if floor is None or self._awaits(floor.star):
            return
        stack = self.state.stars[floor.star]
        if self.state.phase is Phase.CHOOSE:
            self._play_or_refuse(Choose(stack[floor.floor].colour), floor.star)
            return
        floors = len(stack) - floor.floor
        why = refusal_of_grab(self.state, floor.star, floors)
        if why is not None:
            self._tell(Refused(why, floor.star))
            return
        foot = stack_top(floor.star, floor.floor)
        self.carried = self.carried_before = Carried(floor.star, None, stack[floor.floor :], foot)
        self._tell(Lifted(floor.star, floors))

    def _awaits(self, star: int) -> bool:
        """Whether floors are still in the air on their way to a star: nobody takes those."""
        goals = (flight.goal for flight in self.flights)
        return any(isinstance(goal, OnStar) and goal.star == star for goal in goals)

    def _carry(self, carried: Carried, grip: GripIntent | None) -> None:
        if grip is None or grip.phase in (GripPhase.LOST, GripPhase.HOVER):
            self.carried = carried.waiting()
            if self.carried.lost_ticks == self._grace_ticks:
                self._fly_home(None, lost=True)
            return
        self.aimed = self._aim(carried, grip)
        if grip.phase is GripPhase.RELEASE:
            self._let_go(carried, grip)
            return
        along_m = 0.0
        if self.aimed is not None and carried.half is None:
            stack_m = len(self.state.stars[self.aimed]) * FLOOR_M
            along_m = passing(grip, STAR_PLACES[self.aimed], 0.0, stack_m).along_m
        self.carried = carried.following(grip, along_m)

    def _aim(self, carried: Carried, grip: GripIntent) -> int | None:
        if carried.star is None:
            return sign_under(grip, len(self.heirs))
        return star_under(grip, self._heights_m(carried), self.landing_stars(), others=False)

    def landing_stars(self) -> tuple[int, ...]:
        """Where what is held may land."""
        carried = self.carried
        if carried is None or carried.star is None:
            return ()
        return tuple(found.star for found in landings(self.state, carried.star, carried.floors))

    def _heights_m(self, carried: Carried) -> tuple[float, ...]:
        """Of every stack, what is held not counted."""
        return tuple(
            (len(stack) - (carried.floors if star == carried.star else 0)) * FLOOR_M
            for star, stack in enumerate(self.state.stars)
        )

    def _let_go(self, carried: Carried, grip: GripIntent) -> None:
        if carried.star is None:
            self._let_half_go(carried)
            return
        target = star_under(grip, self._heights_m(carried), self.landing_stars(), others=True)
        if target is None:
            self._fly_home(None)
            return
        move = drop(self.state, carried.star, carried.floors, target)
        if isinstance(move, Refusal):
            self._fly_home(move)
        else:
            self.carried = None
            self._play(move, start=carried.foot)

    def _let_half_go(self, carried: Carried) -> None:
        """At an heir's sign it is theirs; at the mover's own it is kept, where only one can get the other."""
        half = carried.half
        assert half is not None  # no star: it came from the tower
        heirs = self.state.heirs
        if self.aimed is None or (self.aimed == 0 and len(heirs) > 1):
            self._fly_home(None if self.aimed is None else Refusal.NO_SUCH_HEIR)
            return
        move = Split(half, heirs[0]) if self.aimed == 0 else Split(half.other, heirs[self.aimed - 1])
        self.carried = None
        self._play(move, start=carried.foot, held=carried)

    def _fly_home(self, why: Refusal | None, *, lost: bool = False) -> None:
        carried = self.carried
        assert carried is not None  # something is held
        self.carried = None
        if carried.star is None:
            end, goal = half_foot(carried.low), InTower(carried.low, carried.floors)
            self.flights += (Flight(carried.stack, carried.foot, end, goal, self.tick),)
        else:
            end = stack_top(carried.star, len(self.state.stars[carried.star]) - carried.floors)
            home = OnStar(carried.star, carried.floors)
            self.flights += (Flight(carried.stack, carried.foot, end, home, self.tick),)
        self._tell(FlewHome(carried.star, carried.floors, vec3(carried.foot), why, lost))
        if lost:
            self._grips.let_go()

    # Moves --------------------------------------------------------------------------------------------------

    def _play_or_refuse(self, move: Move, star: int | None) -> None:
        try:
            self._play(move)
        except IllegalMove as error:
            self._tell(Refused(error.refusal, star))

    def _play(self, move: Move, start: Vec3 | None = None, held: Carried | None = None) -> None:
        """Make a legal move; ``start`` is where the hand let go, else it flies from where it stands."""
        before = self.state
        self.state = lake.apply(before, move)
        if self.state.player != before.player:
            self._grips.meet(self.state.player)
        self.hover = None
        if isinstance(move, Carry):
            stack = before.stars[move.star]
            taken_at = start or stack_top(move.star, len(stack) - move.floors)
            self.flights = flights_of_carry(before, move, self.state, taken_at, self.tick)
        elif isinstance(move, Split):
            starts = (half_foot(0), half_foot(HALF_FLOORS))
            if held is not None and start is not None:
                starts = (starts[0], start) if held.low else (start, starts[1])
            self.flights = flights_of_split(before, move, starts, self.tick)
        else:
            self.flights = ()
        self._played.append(Played(before, move))
        self._records.append(records.move_record(self.tick, move))
        self._records.append(records.position_record(self.tick, self.state))

    def _tell(self, happening: Happening) -> None:
        self._happened.append(happening)
        self._records.append(records.happening_record(self.tick, happening))

    def _outturn(self) -> LakeOutturn:
        out = LakeOutturn(
            tuple(self._records), (), (), happened=tuple(self._happened), played=tuple(self._played)
        )
        self._records.clear()
        self._happened.clear()
        self._played.clear()
        return out
