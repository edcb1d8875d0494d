"""Placing a ladder by choosing: the choices open at each moment, and the simulated hand that carries them out."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from armoon import geometry
from armoon.clock import TICK_S
from armoon.engine.setup import Intake
from armoon.games.moon.bots.levels import GUEST
from armoon.games.moon.choosing.hint import ghost_of
from armoon.games.moon.choosing.offers import FAIR, FEWEST_SLIPS, Offers
from armoon.games.moon.rules.values import Phase
from armoon.games.moon.table.match import MoonMatch
from armoon.messages import centimetres, text
from armoon.placement.search import PlaceSearch
from armoon.players.hand import AWAIT_M, Carrier
from armoon.values.acts import MOVES, TILTS, Act
from armoon.values.pieces import CHOICE_SOURCE, Command, GripPhase, PieceFacts, PieceStatus
from armoon.values.places import LadderPlace, TableChoice
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import Ghost
from armoon.values.text import parse_count

#: Step and turn of a nudged place; speed of a freely carried ladder until it is stopped.
NUDGE_M, NUDGE_RAD = 0.003, math.radians(3.0)
FREE_M_S, FREE_RAD_S = 0.025, math.radians(15.0)
#: What a place that was offered is nudged by, its height being what it touches; and what a free ladder does.
_NUDGES = (Act.LEFT, Act.RIGHT, Act.NEAR, Act.AWAY, Act.SPIN_LEFT, Act.SPIN_RIGHT)
_TILTS = (Act.ROLL_LEFT, Act.ROLL_RIGHT, Act.NOD, Act.NOD_BACK)
_FREELY = (*_NUDGES[:4], Act.LOWER, Act.LIFT, *_NUDGES[4:], *_TILTS)
_STEPS = {act.word: act for act in _FREELY}
#: Limits of a freely carried ladder: distance from the base's middle, least and greatest height, metres.
FARTHEST_M, LOWEST_M, HIGHEST_M = 0.30, 0.01, 0.60
#: Height above everything at which a free ladder begins, metres.
FREE_ABOVE_M = 0.05
#: The simulated hand: that of guests' bots, but it lets go sooner, since the player has asked for it.
OWN_HAND = replace(GUEST, patience_s=0.3)
#: Minimum share of slips that a place called safe holds under.
SAFE = 0.9
#: A place whose middle is this far from the table's, metres, is to one side.
BESIDE_M = 0.02
#: Shortest offset that tells two places apart, metres.
LEAST_OFFSET_M = 0.002


class Chooser:
    """The choices of one match; close it."""

    def __init__(self, match: MoonMatch, *, on_time: bool, search: PlaceSearch | None = None) -> None:
        """``on_time``: places are searched while the game goes on; else the game waits for them."""
        self._match = match
        self._offers = Offers(match, on_time=on_time, search=search)
        self._hand = Carrier(match.table_from_camera.position, OWN_HAND, source=CHOICE_SOURCE)
        self._looked_at: str | None = None
        self._free = False
        self._moving = ""
        self._tries = 0
        self._nudged = False
        """It was moved since it was brought over its place."""

    def close(self) -> None:
        self._offers.close()

    # What can be chosen, and what comes of it -----------------------------------------------------------------

    @property
    def beside(self) -> str:
        if self._busy or self._forbidden:
            return ""
        if not self._offers.known:
            quarters = int(self._offers.share * 4.0)
            return text("choose.looking", share=25 * quarters)
        return "" if self._offers.places else text("choose.nothing")

    def choices(self) -> tuple[TableChoice, ...]:
        if self._moving:
            return (TableChoice("stop", text("choose.stop"), stops=True),)
        if self._hand.is_awaiting:
            steps = _FREELY if self._free else _NUDGES
            near = self._match.place_on_request is not None
            return (
                TableChoice("let_go", text("choose.let_go"), weighed=True, final=True),
                *((TableChoice("set_down", text("act.set_down"), weighed=True, final=True),) if near else ()),
                *(TableChoice(act.word, text(f"choose.{act.word}"), group="nudge") for act in steps),
                TableChoice("put_back", text("choose.put_back")),
            )
        if self._busy:
            return ()
        names = names_of(self._match, self._offers.places, self._offers.first_rank)
        places = tuple(
            TableChoice(f"place {rank}", name, weighed=True)
            for rank, name in enumerate(names, self._offers.first_rank)
        )
        more = (TableChoice("more", text("choose.more")),) if self._offers.has_more else ()
        if not self._offers.known and not self._forbidden:
            return ()
        free = TableChoice("free", text("choose.free"))
        if places or self._forbidden:
            return (*places, *more, free)
        again, give_up = (TableChoice(name, text(f"choose.{name}")) for name in ("again", "give_up"))
        return (again, free, give_up)

    def choose(self, name: str) -> tuple[Command, ...]:
        if name not in {one.name for one in self.choices()}:
            return ()
        if name == "stop":
            self._moving = ""
        elif name == "more":
            self._offers.more()
        elif name == "again":
            self._offers.again()
        elif name == "free":
            return self._bring(None, 0)
        elif name == "put_back":
            # The hand goes on holding until the ladder is taken from it: what a hand opens on falls.
            return (Command(Act.PUT_BACK, CHOICE_SOURCE),)
        elif name == "set_down":
            return (Command(Act.SET_DOWN, CHOICE_SOURCE),)
        elif name == "let_go":
            self._let_go()
        elif name in _STEPS:
            if self._free:
                self._moving = name
            else:
                self._shift(name, NUDGE_M, NUDGE_RAD)
        else:
            return self._bring(self._place(name), int(name.removeprefix("place ")))
        return ()

    @property
    def can_carry(self) -> bool:
        return not self._busy

    def carry(self, place: LadderPlace) -> tuple[Command, ...]:
        return self._bring(place, 1, asks=False) if self.can_carry else ()

    def look_at(self, name: str | None) -> None:
        self._looked_at = name

    @property
    def shows_places(self) -> bool:
        return not self._busy and bool(self._offers.places)

    def ghosts(self) -> tuple[Ghost, ...]:
        """Return the offered places; all but the considered one, or the best, are faint."""
        if not self.shows_places:
            return ()
        considered = self._place(self._looked_at or "")
        ghosts = ((place, ghost_of(self._match, place)) for place in self._offers.places)
        return tuple(
            replace(ghost, label="", number=number, faint=place is not considered)
            for number, (place, ghost) in enumerate(ghosts, self._offers.first_rank)
        )

    # One frame of the loop ------------------------------------------------------------------------------------

    def play(self, intake: Intake, *, wanted: bool) -> Intake:
        """Return the intake of a frame with what the hand does in it. ``wanted``: places are to be offered."""
        match = self._match
        if wanted and self._to_place and match.facts.held is None and not self._hand.is_busy:
            if match.at_rest and not self._forbidden:
                self._offers.see()
        elif not self._to_place:
            self._offers.forget()
            if match.facts.held is None:
                self._hand.cancel()
        if not self._hand.is_busy:
            self._moving, self._free = "", False
            if any(grip.phase is not GripPhase.HOVER for grip in intake.grips):
                self._hand.end_leaving()
            if not self._hand.is_leaving:
                return intake
        if match.paused or not intake.ticks:
            return replace(intake, grips=())
        seconds = intake.ticks * TICK_S
        if self._moving and self._hand.is_awaiting:
            self._shift(self._moving, FREE_M_S * seconds, FREE_RAD_S * seconds)
        grips = self._hand.move_hand(match.facts, seconds, intake.now_s)
        return replace(intake, grips=grips)

    @property
    def _to_place(self) -> bool:
        state = self._match.state
        drawn = state.phase in (Phase.DRAW, Phase.HOLD) and state.ladder is not None
        return drawn and self._match.bot is None

    @property
    def _busy(self) -> bool:
        return not self._to_place or self._hand.is_busy or self._match.facts.held is not None

    @property
    def _forbidden(self) -> bool:
        return self._match.setup.options.no_hints

    def _place(self, name: str) -> LadderPlace:
        places, first = self._offers.places, self._offers.first_rank
        number = parse_count(name.removeprefix("place ")) if name.startswith("place ") else None
        index = 0 if number is None else number - first
        return places[index] if 0 <= index < len(places) else places[0]

    def _bring(self, place: LadderPlace | None, rank: int, *, asks: bool = True) -> tuple[Command, ...]:
        match = self._match
        offered = next((p for p in match.facts.pieces if p.status is PieceStatus.OFFERED), None)
        if offered is None:
            return ()
        self._tries += 1
        self._nudged = False
        self._free = place is None
        release = self._above(offered) if place is None else place.release
        dice = random.Random(f"{match.state.seed} {match.state.turn} {self._tries}")
        self._hand.start_carrying(match.ladders[offered.piece], release, dice, asks=asks)
        return (Command(Act.PLACE, CHOICE_SOURCE, rank),)

    def _above(self, offered: PieceFacts) -> Pose:
        top_m = self._match.status.structure_top_m
        half_m = self._match.ladders[offered.piece].length_m / 2.0
        return Pose((0.0, 0.0, top_m + half_m + FREE_ABOVE_M - AWAIT_M), offered.pose.rotation)

    def _let_go(self) -> None:
        """Lower the ladder straight down, wherever it was moved to."""
        match, goal = self._match, self._hand.goal
        held = match.facts.held
        if goal is not None and held is not None and (self._free or self._nudged):
            now = match.facts[held]
            x, y, z = goal.position
            fall_m = match.landing_under(now).fall_m
            self._hand.set_goal(Pose((x, y, z + AWAIT_M - fall_m), goal.rotation))
        self._nudged = False
        self._hand.lower_ladder()

    def _shift(self, name: str, by_m: float, by_rad: float) -> None:
        goal = self._hand.goal
        if goal is None:
            return
        self._nudged = True
        act, seen = _STEPS[name], (self._match.table_from_camera, self._match.table.mirrored)
        home = self._match.home_from_table().rotation
        back = geometry.quat_inverse(home)  # the goal is the table's, which may be turned under the picture
        if act in TILTS:
            turn = geometry.quat_multiply(
                back, geometry.quat_multiply(geometry.quat_as_seen(TILTS[act], by_rad, *seen), home)
            )
            self._hand.set_goal(Pose(goal.position, geometry.quat_multiply(turn, goal.rotation)))
            return
        right, away = (geometry.quat_rotate(back, (*way, 0.0)) for way in geometry.table_axes_as_seen(*seen))
        across, deep, up = (part * by_m for part in MOVES[act])
        x, y = (goal.position[k] + across * right[k] + deep * away[k] for k in range(2))
        x, y = (max(-FARTHEST_M, min(FARTHEST_M, part)) for part in (x, y))
        z = max(LOWEST_M, min(HIGHEST_M, goal.position[2] + up))
        self._hand.set_goal(Pose((x, y, z), goal.rotation))


def names_of(match: MoonMatch, places: Sequence[LadderPlace], first_rank: int = 1) -> list[str]:
    """Return what places offered together are called.

    That is rank, where it is in the picture, what it would touch, its safety and the structure's height then, for
    example "Place 1: back left, on 2, safe, 14 cm"; of those that are alike in this also how the ladder would stand,
    and where exactly.
    """
    wheres = [_where(match, place) for place in places]
    for finer in (_attitude, _offset):
        seen = Counter((where, len(place.touched)) for where, place in zip(wheres, places, strict=True))
        wheres = [
            ", ".join(filter(None, (where, finer(match, place))))
            if seen[where, len(place.touched)] > 1
            else where
            for where, place in zip(wheres, places, strict=True)
        ]
    alike = len({len(place.touched) for place in places}) == 1
    return [
        _name(place, rank, where, touches=not alike)
        for rank, (where, place) in enumerate(zip(wheres, places, strict=True), first_rank)
    ]


def _as_seen(match: MoonMatch, place: LadderPlace) -> Vec2:
    """Return how far to the right and away a place is in the picture, metres."""
    x, y, _ = geometry.pose_apply(match.home_from_table(), place.rest.position)
    right, away = geometry.table_axes_as_seen(match.table_from_camera, match.table.mirrored)
    return x * right[0] + y * right[1], x * away[0] + y * away[1]


def _attitude(match: MoonMatch, place: LadderPlace) -> str:
    return text(f"choose.attitude.{place.kind.value}")


def _offset(match: MoonMatch, place: LadderPlace) -> str:
    right, away = _as_seen(match, place)
    ways = (
        (right, "middle_right" if right > 0.0 else "middle_left"),
        (away, "back_middle" if away > 0.0 else "front_middle"),
    )
    return ", ".join(
        f"{centimetres(abs(way_m))} {text(f'choose.where.{where}')}"
        for way_m, where in ways
        if abs(way_m) >= LEAST_OFFSET_M
    )


def _where(match: MoonMatch, place: LadderPlace) -> str:
    right, away = _as_seen(match, place)
    column = "left" if right < -BESIDE_M else "right" if right > BESIDE_M else "middle"
    row = "front" if away < -BESIDE_M else "back" if away > BESIDE_M else "middle"
    return text(f"choose.where.{row}_{column}")


def _name(place: LadderPlace, rank: int, where: str, *, touches: bool) -> str:
    safe = "safe" if place.safety >= SAFE else "fair" if place.safety >= FAIR else "risky"
    if place.slips < FEWEST_SLIPS:
        safe = "unsure"
    return text(
        "choose.place" if touches else "choose.place_alike",
        rank=rank,
        where=where,
        touches=text("choose.on", count=len(place.touched)),
        safe=text(f"choose.{safe}"),
        height=centimetres(place.height_m, 0),
    )
