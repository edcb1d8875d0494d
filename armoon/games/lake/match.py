"""The lake match: its setup and events, and the state machine at the table."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Generic, TypeVar, get_args

from armoon.codec import Variants, convert, encode, name_variants
from armoon.engine.match import Match
from armoon.engine.setup import Record, TableSetup
from armoon.engine.turntable import Rim
from armoon.games.lake import layout, rules
from armoon.values.acts import Act
from armoon.values.pieces import Command, GripIntent, GripPhase
from armoon.values.poses import Vec3

#: Codec of moves: JSON objects with the move's name under ``move``. Invalid ones raise MalformedError, a ValueError.
MOVES = Variants[rules.Move]("move", name_variants(rules.MOVE_KINDS))

GAME = "lake"


@dataclass(frozen=True)
class LakeSetup:
    """A match's settings that are fixed before its first tick."""

    players: tuple[str, ...]
    seed: int
    first_chooser: int
    moves: tuple[Record, ...] = ()
    """The moves of a resumed game, as ``MOVES`` encodes them."""

    @cached_property
    def first_state(self) -> rules.LakeState:
        """The position before the first move. Raises IllegalLakeSetup."""
        return rules.create_state(self.players, self.seed, first_chooser=self.first_chooser)

    @cached_property
    def state(self) -> rules.LakeState:
        """The position at the first tick. Raises ValueError for unknown moves, IllegalLakeMove for illegal ones."""
        return rules.replay_moves(self.first_state, map(MOVES.convert, self.moves))

    def to_record(self) -> Record:
        return dict(encode(self))

    @staticmethod
    def from_record(record: Record, moves: tuple[Record, ...] = ()) -> LakeSetup:
        """Read a record from ``to_record``, ignoring other fields, and append ``moves``. Raises ValueError."""
        setup = convert(LakeSetup, record)
        setup = replace(setup, moves=(*setup.moves, *moves))
        try:
            setup.state  # noqa: B018
        except rules.IllegalLakeMove as error:
            raise ValueError(str(error)) from error
        return setup


@dataclass(frozen=True)
class StackLifted:
    """A hand has taken the upper floors of a stack."""

    star: int
    floors: int


@dataclass(frozen=True)
class LakeMoveRefused:
    """A grip or command requested a move against the rules."""

    refusal: rules.LakeRefusal
    star: int | None = None


@dataclass(frozen=True)
class StackReturned:
    """A held stack returned to its star."""

    star: int | None
    """None for a half that returned to the tower."""
    floors: int
    refusal: rules.LakeRefusal | None = None
    """Why it couldn't be placed where it was released."""
    lost: bool = False
    """Whether it returned before a release: the hand was out of sight for too long, or a command arrived."""


TableEvent = StackLifted | LakeMoveRefused | StackReturned
#: Every kind of table event.
TABLE_EVENTS: tuple[type[TableEvent], ...] = get_args(TableEvent)
#: All events of a lake match. Applying its moves in order reproduces the game.
LakeEvent = rules.Move | TableEvent

#: Maximum time for fingers to close, in ticks of 1/60 s.
CLOSING_TICKS = 30
#: Minimum increase of ``GripIntent.closing`` by which fingers count as closing: twice an open hand's noise.
CLOSING_START = 0.12
#: Prefix of a hand's ``GripIntent.source``. Only hands close slowly; other devices grab where the pointer is.
HAND_PREFIX = "hand:"
#: Maximum distance, in metres, of a closing hand from its previous target for that target to remain selected.
MAX_AIM_SHIFT_M = 0.045

Target = TypeVar("Target")


class OpenHandTarget(Generic[Target]):
    """Remembers what a hand pointed at before its fingers began to close, because closing moves the hand."""

    def __init__(self, measure_approach: Callable[[GripIntent, Target], layout.Approach]) -> None:
        self._measure_approach = measure_approach
        self._past: deque[tuple[float, Target | None]] = deque(maxlen=CLOSING_TICKS)

    def add_grip(self, grip: GripIntent, target: Target | None) -> Target | None:
        self._past.append((grip.closing, target))
        return self.choose_target(grip, target)

    def choose_target(self, grip: GripIntent, target: Target | None) -> Target | None:
        if not self._past:
            return target
        max_closing = min([closing for closing, _ in self._past]) + CLOSING_START
        if grip.closing <= max_closing or not grip.source.startswith(HAND_PREFIX):
            return target
        open_target = next(past for closing, past in reversed(self._past) if closing <= max_closing)
        if open_target is None:
            return target
        return open_target if self._measure_approach(grip, open_target)[0] <= MAX_AIM_SHIFT_M else target

    def clear(self) -> None:
        self._past.clear()


#: Fraction of its distance to the hand that a held stack moves per tick; the lag of about 0.1 s hides noise.
FOLLOW_SHARE = 0.25
#: Minimum height of a carried stack above the table, metres.
MIN_FOOT_M = 0.004


@dataclass(frozen=True)
class CarriedStack:
    """The domes in a hand: a stack's upper floors or half of the tower."""

    star: int | None
    half: rules.Half | None
    stack: rules.Stack
    foot: Vec3
    """Centre of the lowest rim, metres in the table frame."""

    @property
    def floors(self) -> int:
        return len(self.stack)

    @property
    def lowest_floor(self) -> int:
        return layout.HALF_FLOORS if self.half is rules.Half.TOP else 0

    def move_towards(self, grip: GripIntent, along_m: float) -> CarriedStack:
        x, y, z = layout.move_along_view(grip, along_m)
        goal = (x, y, max(MIN_FOOT_M, z - layout.FLOOR_M / 2.0))
        u, v, w = (a + (b - a) * FOLLOW_SHARE for a, b in zip(self.foot, goal, strict=True))
        return replace(self, foot=(u, v, w))


#: The arc at which a hand turns the lake, in front of the near shore's stars.
RIM = Rim(layout.HALF_DEPTH_M + 0.04, 0.0, math.radians(30.0), middle=(layout.CENTRE_X_M, layout.CENTRE_Y_M))


class LakeMatch(Match):
    """A game in progress: takes hands and commands, emits moves and table events."""

    game: ClassVar[str] = GAME
    rim: ClassVar[Rim | None] = RIM

    def __init__(self, table: TableSetup, setup: LakeSetup) -> None:
        super().__init__(table)
        self.setup: LakeSetup = setup
        self.state: rules.LakeState = setup.state
        self.hover: layout.Floor | None = None
        """The floor that a hand would take by closing; it is highlighted."""
        self._floor_target = OpenHandTarget(layout.measure_floor_approach)
        self._half_target = OpenHandTarget(layout.measure_tower_approach)
        self.carried: CarriedStack | None = None
        self.carried_before: CarriedStack | None = None
        """``carried`` one tick ago, for interpolation."""
        self.aimed_star: int | None = None
        """The star below the held pieces; while a tower is split, the sign's number."""
        self.flights: tuple[layout.Flight, ...] = ()
        self.start_match()

    # State for pictures and players ----------------------------------------------------------------------------

    @property
    def at_rest(self) -> bool:
        return self.carried is None and not self.flights

    @property
    def holding(self) -> bool:
        return self.carried is not None

    @property
    def heirs(self) -> tuple[int, ...]:
        return (self.state.player, *self.state.heirs) if self.state.phase is rules.LakePhase.SPLIT else ()

    @property
    def offered(self) -> Vec3 | None:
        if self.carried is not None and self.is_parked:
            return layout.find_floor_middle(self.carried.foot)
        if self.state.phase is rules.LakePhase.SPLIT and self.carried is None:
            return layout.locate_tower_floor(0)
        if self.hover is None:
            return None
        return layout.find_floor_middle(layout.locate_stack_top(self.hover.star, self.hover.floor))

    # One tick -----------------------------------------------------------------------------------------------

    def handle_commands(self, commands: tuple[Command, ...]) -> None:
        for command in commands:
            self._handle_command(command)

    def step(self, grip: GripIntent | None) -> None:
        self.flights = tuple(flight for flight in self.flights if self.tick < flight.end_tick)
        self._follow_grip(grip)

    def put_back(self) -> None:
        if self.carried is not None:
            self._return_stack(None, lost=True)

    # Commands -----------------------------------------------------------------------------------------------

    def _handle_command(self, command: Command) -> None:
        if command.kind is Act.CHOOSE:
            moves = rules.legal_moves(self.state)
            if 0 <= command.value < len(moves):
                self._drop_all()
                self._play_move(moves[command.value])
            else:
                over, wrong_phase = rules.LakeRefusal.GAME_OVER, rules.LakeRefusal.WRONG_PHASE
                self.emit(LakeMoveRefused(over if self.state.over else wrong_phase))
        elif command.kind is Act.UNDO:
            move = rules.TakeBack(max(1, command.value))
            refusal = rules.find_refusal(self.state, move)
            if refusal is None:
                self._drop_all()
                self._play_move(move)
            else:
                self.emit(LakeMoveRefused(refusal))
        elif command.kind is Act.PUT_BACK:
            self.put_back()

    def _drop_all(self) -> None:
        self.put_back()
        self.flights = ()

    # Hands --------------------------------------------------------------------------------------------------

    def _follow_grip(self, grip: GripIntent | None) -> None:
        self.carried_before = self.carried
        self.hover = None
        self.aimed_star = None
        if self.carried is not None:
            self._carry(self.carried, grip)
        elif grip is not None and not self.state.over and self.bot is None:
            if grip.phase is GripPhase.GRAB:
                self._grab(grip)
            elif grip.phase is GripPhase.HOVER and self.state.phase is not rules.LakePhase.SPLIT:
                self.hover = self._floor_target.add_grip(grip, layout.find_floor(grip, self.state.stars))
            elif grip.phase is GripPhase.HOVER:
                self._half_target.add_grip(grip, layout.find_half(grip))
            return
        self._floor_target.clear()
        self._half_target.clear()

    def _grab(self, grip: GripIntent) -> None:
        if self.state.phase is rules.LakePhase.SPLIT:
            half = self._half_target.choose_target(grip, layout.find_half(grip))
            self._half_target.clear()
            if half is not None and not any(flight.to_tower for flight in self.flights):
                stack = half.cut(self.state.tower)
                low = layout.HALF_FLOORS if half is rules.Half.TOP else 0
                self.carried = self.carried_before = CarriedStack(
                    None, half, stack, layout.locate_tower_floor(low)
                )
            return
        floor = self._find_target_floor(grip)
        self._floor_target.clear()
        flight_targets = {flight.to_star[0] for flight in self.flights if flight.to_star is not None}
        if floor is None or floor.star in flight_targets:
            return
        stack = self.state.stars[floor.star]
        if self.state.phase is rules.LakePhase.CHOOSE:
            try:
                self._play_move(rules.Choose(stack[floor.floor].colour))
            except rules.IllegalLakeMove as error:
                self.emit(LakeMoveRefused(error.refusal, floor.star))
            return
        floors = len(stack) - floor.floor
        refusal = rules.check_grab(self.state, floor.star, floors)
        if refusal is not None:
            self.emit(LakeMoveRefused(refusal, floor.star))
            return
        foot = layout.locate_stack_top(floor.star, floor.floor)
        self.carried = self.carried_before = CarriedStack(floor.star, None, stack[floor.floor :], foot)
        self.emit(StackLifted(floor.star, floors))

    def _find_target_floor(self, grip: GripIntent) -> layout.Floor | None:
        return self._floor_target.choose_target(grip, layout.find_floor(grip, self.state.stars))

    def _carry(self, carried: CarriedStack, grip: GripIntent | None) -> None:
        if grip is None or grip.phase in (GripPhase.LOST, GripPhase.HOVER):
            return
        self.aimed_star = self._find_aimed_star(carried, grip)
        if grip.phase is GripPhase.RELEASE:
            self._release_stack(carried, grip)
            return
        along_m = 0.0
        if self.aimed_star is not None and carried.half is None:
            stack_m = len(self.state.stars[self.aimed_star]) * layout.FLOOR_M
            *_, along_m = layout.measure_approach(grip, layout.STAR_PLACES[self.aimed_star], 0.0, stack_m)
        self.carried = carried.move_towards(grip, along_m)

    def _find_aimed_star(self, carried: CarriedStack, grip: GripIntent) -> int | None:
        if carried.star is None:
            return layout.find_sign_below(grip, len(self.heirs))
        return layout.find_star_below(
            grip, self._measure_heights_m(carried), self.list_landing_stars(), any_star=False
        )

    def is_over_nothing(self, grip: GripIntent) -> bool:
        carried = self.carried
        if carried is None or carried.star is None:
            return carried is not None and self._find_aimed_star(carried, grip) is None
        landings = self.list_landing_stars()
        heights_m = self._measure_heights_m(carried)
        return bool(landings) and layout.find_star_below(grip, heights_m, landings, any_star=True) is None

    def would_grab(self, grip: GripIntent) -> bool:
        return self.state.phase is rules.LakePhase.SPLIT or self._find_target_floor(grip) is not None

    def would_regrab(self, grip: GripIntent) -> bool:
        carried = self.carried
        if carried is None:
            return False
        low_m = carried.foot[2]
        high_m = low_m + carried.floors * layout.FLOOR_M
        return layout.measure_approach(grip, carried.foot, low_m, high_m)[0] <= layout.GRAB_REACH_M

    def list_landing_stars(self) -> tuple[int, ...]:
        carried = self.carried
        if carried is None or carried.star is None:
            return ()
        landings = rules.list_landings(self.state, carried.star, carried.floors)
        return tuple(counted[-1] for counted in landings.values())

    def _measure_heights_m(self, carried: CarriedStack) -> list[float]:
        floors = [len(stack) for stack in self.state.stars]
        if carried.star is not None:
            floors[carried.star] -= carried.floors
        return [count * layout.FLOOR_M for count in floors]

    def _release_stack(self, carried: CarriedStack, grip: GripIntent) -> None:
        if carried.star is None:
            self._release_half(carried)
            return
        target = layout.find_star_below(
            grip, self._measure_heights_m(carried), self.list_landing_stars(), any_star=True
        )
        if target is None:
            self._return_stack(None)
            return
        move = rules.plan_drop(self.state, carried.star, carried.floors, target)
        if isinstance(move, rules.LakeRefusal):
            self._return_stack(move)
        else:
            self.carried = None
            self._play_move(move, start=carried.foot)

    def _release_half(self, carried: CarriedStack) -> None:
        """Give the half to the heir whose sign is below it; with one heir, the player's own sign keeps it."""
        half = carried.half
        assert half is not None  # without a star, it came from the tower
        heirs = self.state.heirs
        if self.aimed_star is None or (self.aimed_star == 0 and len(heirs) > 1):
            self._return_stack(None if self.aimed_star is None else rules.LakeRefusal.NO_SUCH_HEIR)
            return
        keeps = self.aimed_star == 0
        move = rules.Split(half, heirs[0]) if keeps else rules.Split(half.other, heirs[self.aimed_star - 1])
        self.carried = None
        self._play_move(move, start=carried.foot, half=carried)

    def _return_stack(self, refusal: rules.LakeRefusal | None, *, lost: bool = False) -> None:
        carried = self.carried
        assert carried is not None  # only called while something is held
        self.carried = None
        if carried.star is None:
            tower = (carried.lowest_floor, carried.floors)
            end = layout.locate_tower_floor(carried.lowest_floor)
            flight = layout.Flight(carried.stack, carried.foot, end, self.tick, to_tower=tower)
        else:
            end = layout.locate_stack_top(carried.star, len(self.state.stars[carried.star]) - carried.floors)
            home = (carried.star, carried.floors)
            flight = layout.Flight(carried.stack, carried.foot, end, self.tick, to_star=home)
        self.flights += (flight,)
        self.emit(StackReturned(carried.star, carried.floors, refusal, lost))
        if lost:
            self.end_grip()

    # Moves --------------------------------------------------------------------------------------------------

    def _play_move(
        self, move: rules.Move, start: Vec3 | None = None, half: CarriedStack | None = None
    ) -> None:
        before = self.state
        self.state = rules.apply_move(before, move)
        self.hover = None
        self._half_target.clear()
        if isinstance(move, rules.Carry):
            stack = before.stars[move.star]
            taken_at = start or layout.locate_stack_top(move.star, len(stack) - move.floors)
            self.flights = layout.plan_carry_flights(before, move, self.state, taken_at, self.tick)
        elif isinstance(move, rules.Split):
            starts = (layout.locate_tower_floor(0), layout.locate_tower_floor(layout.HALF_FLOORS))
            if half is not None and start is not None:
                starts = (starts[0], start) if half.lowest_floor else (start, starts[1])
            self.flights = layout.plan_split_flights(before, move, starts, self.tick)
        else:
            self.flights = ()
        self.emit(move)


@dataclass(frozen=True)
class Highlight:
    """The pieces and moves to highlight."""

    floor: layout.Floor | None = None
    """The lowest of the highlighted floors of a stack."""
    colour: rules.Colour | None = None
    is_allowed: bool = True
    landings: Mapping[rules.Carry, tuple[int, ...]] = field(default_factory=dict)
    """Possible carries with their counted stars, from ``rules.list_landings``."""
    half: rules.Half | None = None
    """The half of the tower that is kept."""
    heir: int | None = None
    """The seat that gets the other half."""


def find_highlight(match: LakeMatch, selected_move: rules.Move | None) -> Highlight:
    """Return the highlight for the held pieces; without them, for the selected move; else, for an open hand."""
    state, carried = match.state, match.carried
    if carried is not None:
        if carried.star is None:
            heir = None if match.aimed_star is None else match.heirs[match.aimed_star]
            return Highlight(heir=heir)
        return Highlight(landings=rules.list_landings(state, carried.star, carried.floors))
    if selected_move is not None:
        return _highlight_by_keys(state, selected_move)
    return Highlight() if match.hover is None else _highlight_by_hand(state, match.hover)


def _highlight_by_hand(state: rules.LakeState, floor: layout.Floor) -> Highlight:
    stack = state.stars[floor.star]
    if state.phase is rules.LakePhase.CHOOSE:
        colour = stack[floor.floor].colour
        return Highlight(floor, colour, colour in state.free_colours)
    floors = len(stack) - floor.floor
    is_allowed = rules.check_grab(state, floor.star, floors) is None
    return Highlight(floor, None, is_allowed, rules.list_landings(state, floor.star, floors))


def _highlight_by_keys(state: rules.LakeState, move: rules.Move) -> Highlight:
    if isinstance(move, rules.Choose):
        return Highlight(colour=move.colour)
    if isinstance(move, rules.Split):
        return Highlight(half=move.keep, heir=move.heir)
    assert isinstance(move, rules.Carry)  # keys point at no other kind of move
    floor = layout.Floor(move.star, len(state.stars[move.star]) - move.floors)
    return Highlight(floor, landings={move: rules.list_landings(state, move.star, move.floors)[move]})


def list_stack_domes(
    stack: rules.Stack, foot: Vec3, look: str, scale: float = 1.0
) -> Iterable[layout.SceneDome]:
    x, y, z = foot
    for floor, pawn in enumerate(stack):
        place = (x, y, z + floor * layout.FLOOR_M * scale)
        yield layout.SceneDome(place, pawn.colour.value, pawn.strength, floor=floor, look=look, scale=scale)


def list_standing_domes(match: LakeMatch, highlight: Highlight) -> tuple[layout.SceneDome, ...]:
    return (
        *_list_star_domes(match, highlight),
        *_list_held_domes(match),
        *_list_sign_domes(match, highlight),
    )


def list_moving_domes(
    match: LakeMatch, fraction: float, highlight: Highlight
) -> tuple[layout.SceneDome, ...]:
    domes = list(_list_tower_domes(match, highlight))
    for flight in match.flights:
        foot, scale, visible = flight.sample(match.tick, fraction)
        domes += list_stack_domes(flight.stack[:visible], foot, "plain", scale)
    carried = match.carried
    if carried is not None:
        domes += list_stack_domes(carried.stack, interpolate_carried_foot(match, fraction), "held")
    return tuple(domes)


def interpolate_carried_foot(match: LakeMatch, fraction: float) -> Vec3:
    now, before = match.carried, match.carried_before
    assert now is not None  # something is held
    if before is None:
        return now.foot
    x, y, z = (a + (b - a) * fraction for a, b in zip(before.foot, now.foot, strict=True))
    return (x, y, z)


def _list_star_domes(match: LakeMatch, highlight: Highlight) -> Iterable[layout.SceneDome]:
    state, carried = match.state, match.carried
    hidden = dict(flight.to_star for flight in match.flights if flight.to_star is not None)
    if carried is not None and carried.star is not None:
        hidden[carried.star] = carried.floors
    targets = {counted[-1] for counted in highlight.landings.values()}
    is_persons_turn = match.at_rest and match.bot is None and state.phase is rules.LakePhase.CARRY
    liftable_stars, lowest = set[int](), highlight.floor
    if is_persons_turn and lowest is None:
        liftable_stars = {carry.star for carry in state.carries}
    for star, stack in enumerate(state.stars):
        for floor, pawn in enumerate(stack[: len(stack) - hidden.get(star, 0)]):
            look = "target" if star in targets else "plain"
            if star in liftable_stars and floor == len(stack) - 1:
                look = "liftable"
            is_lit = lowest is not None and star == lowest.star and floor >= lowest.floor
            if is_lit or pawn.colour is highlight.colour:
                look = "hover" if highlight.is_allowed else "refused"
            foot = layout.locate_stack_top(star, floor)
            yield layout.SceneDome(foot, pawn.colour.value, pawn.strength, star, floor, look)


def _list_held_domes(match: LakeMatch) -> Iterable[layout.SceneDome]:
    arriving_parts = {flight.to_seat for flight in match.flights}
    seats = len(match.state.players)
    for seat, parts in enumerate(match.state.held):
        for number, (pawns, _) in enumerate(parts):
            if (seat, number) not in arriving_parts:
                yield from list_stack_domes(
                    pawns, layout.locate_held_tower(seat, seats, number), "plain", layout.HELD_SCALE
                )


def _list_sign_domes(match: LakeMatch, highlight: Highlight) -> Iterable[layout.SceneDome]:
    heirs = match.heirs
    for number, seat in enumerate(heirs):
        look = "target" if seat == highlight.heir else "plain"
        colour = match.state.colours[seat][0].value
        yield layout.SceneDome(
            layout.locate_sign(number, len(heirs)), colour, 1, look=look, scale=layout.SIGN_SCALE
        )


def _list_tower_domes(match: LakeMatch, highlight: Highlight) -> Iterable[layout.SceneDome]:
    hidden: set[int] = set()
    for flight in match.flights:
        if flight.to_tower is not None:
            low, floors = flight.to_tower
            hidden |= set(range(low, low + floors))
    carried = match.carried
    if carried is not None and carried.star is None:
        hidden |= set(range(carried.lowest_floor, carried.lowest_floor + carried.floors))
    for floor, pawn in enumerate(match.state.tower):
        if floor not in hidden:
            half = rules.Half.TOP if floor >= layout.HALF_FLOORS else rules.Half.BOTTOM
            look = "hover" if half is highlight.half else "plain"
            foot = layout.locate_tower_floor(floor)
            yield layout.SceneDome(foot, pawn.colour.value, pawn.strength, floor=floor, look=look)
