"""Hints, explanations of falls, and placing by choice: a simulated hand carries the ladder to the chosen place."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from armoon import geometry
from armoon.clock import TICK_S, TICKS_PER_SECOND
from armoon.engine.setup import Intake
from armoon.games.moon.bot_protocol import GUEST
from armoon.games.moon.editions import Phase, Reason, Verdict
from armoon.games.moon.figures import find_closest_approach, sample_spots
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.offers import FAIR_SHARE, MIN_SLIPS, AboveFinder, OfferedPlaces, make_question
from armoon.messages import centimetres, number, text
from armoon.placement.rehearsal import MAX_SHIFT_M
from armoon.placement.search import PlaceSearch
from armoon.placement.values import GOOD_SLIPS, Answer, is_decided, is_good
from armoon.players.hand import AWAIT_M, Carrier
from armoon.values import pieces
from armoon.values.acts import MOVES, TILTS, Act
from armoon.values.places import HIGHEST, MIN_SUPPORT_SHARE, SAFEST, LadderPlace, Support, TableChoice
from armoon.values.player_settings import VisualAids
from armoon.values.poses import Pose, Quat, Vec2, Vec3
from armoon.values.scene import Fate, Ghost
from armoon.values.text import parse_count
from armoon.world.ladders import list_standing

#: Phases in which there is a ladder to place.
HINT_PHASES = (Phase.DRAW, Phase.HOLD)
#: Interval between progress reports while no place is found, in ticks.
REPORT_TICKS = 2 * TICKS_PER_SECOND
#: Minimum height gained by the place shown when a higher one is requested, metres.
HIGHER_M = 0.002


class HintFinder:
    """Searches for a place when a hint is requested, and shows it; must be closed."""

    def __init__(self, match: MoonMatch) -> None:
        self._match = match
        self._search = PlaceSearch(match.ladders, match.base, make=AboveFinder)
        self._handled_hints = 0
        """Number of the match's hint requests handled so far."""
        self._turn: int | None = None
        """The turn in which a place is being searched for or shown."""
        self._prepared: int | None = None
        """The turn in which the structure was last sent to the processes; None before the first hint."""
        self._shown: tuple[LadderPlace, Ghost] | None = None
        self._safest: LadderPlace | None = None
        """The place shown before a higher one was requested; None while the safest is requested."""
        self._has_reported = False
        self._failed_seats: tuple[int, ...] = ()
        """Seats whose hint found nothing and is still counted."""
        self._seat: int | None = None
        """The seat that asked, until a place is shown."""
        self._report_tick = 0
        self._last_sentence = ""

    def close(self) -> None:
        self._search.close()

    @property
    def place(self) -> LadderPlace | None:
        return None if self._shown is None else self._shown[0]

    @property
    def is_higher_shown(self) -> bool:
        return self._safest is not None and self.place not in (None, self._safest)

    def uncount_failed(self, commands: Sequence[pieces.Command]) -> tuple[pieces.Command, ...]:
        """Return commands that uncount hints that found nothing. ``commands``: the frame's other commands."""
        if any(command.kind is Act.HINT for command in commands):
            return ()  # +1 and -1 in one frame would hide the new request
        seats, self._failed_seats = self._failed_seats, ()
        return tuple(pieces.Command(Act.HINT, pieces.CHOICE_SOURCE, -1 - seat) for seat in seats)

    @property
    def outdated_sentence(self) -> str:
        """The last sentence, once a place is shown or the ladder is released; otherwise empty."""
        is_done = self._turn is not None and self._seat is None and not self._has_reported
        return self._last_sentence if is_done or self._match.state.phase not in HINT_PHASES else ""

    def update(self) -> str:
        """Start and end searches; call once per frame. Return a sentence for the players, or ""."""
        sentence = self._advance_search()
        self._last_sentence = sentence or self._last_sentence
        return sentence

    def _advance_search(self) -> str:
        match, state = self._match, self._match.state
        count = sum(match.hints)
        if count > self._handled_hints and state.die is not None and state.ladder is not None:
            self._mark_failed()
            self._safest = self.place if self._turn == state.turn and not self.is_higher_shown else None
            self._shown = None if self._safest is None else self._shown
            weights = SAFEST if self._safest is None else HIGHEST
            self._search.ask(replace(make_question(match), weights=weights))
            self._turn = self._prepared = state.turn
            self._has_reported, self._seat = False, state.player
            self._report_tick = match.tick - REPORT_TICKS
        self._handled_hints = count
        if self._turn is None:
            is_between_turns = state.phase is Phase.ROLL and match.at_rest
            if is_between_turns and self._prepared not in (None, state.turn):
                self._prepared = state.turn
                self._search.prepare(list_standing(match.facts))
            return ""
        if state.turn != self._turn or state.phase not in HINT_PHASES:
            self._end_search()
            return ""
        answer = self._search.read_answer(list_standing(match.facts))
        if answer.is_outdated:
            self._end_search()
            return text("places.void")
        best = self._find_best(answer)
        if best is not None:
            self._seat = None
            if self._shown is None or self._shown[0] != best:
                self._shown = (best, build_ghost(match, best))
        elif answer.done and not self._has_reported:
            self._has_reported = True
            self._mark_failed()
            reason = "none" if self._safest is None else "none_higher"
            reason = "failed" if answer.failed else "unsteady" if answer.is_unsteady else reason
            return text(f"places.{reason}")
        elif not answer.done and match.tick - self._report_tick >= REPORT_TICKS:
            self._report_tick = match.tick
            return text("places.looking", share=number(100.0 * answer.share, 0))
        return ""

    def _find_best(self, answer: Answer) -> LadderPlace | None:
        """Return the first place, or the first good higher one; while a ladder is held, keep the place shown for it."""
        low, shown = self._safest, self.place
        if shown is not None and self._match.holding and (low is None or self.is_higher_shown):
            return next((place for place in answer.places if place.release == shown.release), shown)
        if low is None:
            return next(iter(answer.places), None)
        higher = (place for place in answer.places if place.height_m > low.height_m + HIGHER_M)
        return next(filter(is_good, higher), None)

    def list_ghosts(self) -> tuple[Ghost, ...]:
        return () if self._shown is None else (self._shown[1],)

    def _end_search(self) -> None:
        self._search.cancel()
        self._mark_failed()
        self._turn = self._shown = self._safest = None

    def _mark_failed(self) -> None:
        if self._seat is not None:
            self._failed_seats = (*self._failed_seats, self._seat)
        self._seat = None


def build_ghost(match: MoonMatch, place: LadderPlace) -> Ghost:
    piece = match.state.ladder or ""
    points = find_touch_points(match, piece, place.rest, place.touched)
    fate = Fate.HOLDS if is_good(place) else Fate.DOUBTFUL if is_decided(place) else None
    return Ghost(piece, place.rest, place.touched, points, fate, describe_place(place))


def find_touch_points(
    match: MoonMatch, piece: pieces.PieceId, rest: Pose, touched: tuple[pieces.PieceId, ...]
) -> tuple[Vec3, ...]:
    poses = {standing.piece: standing.pose for standing in match.facts.pieces}
    own = sample_spots(match.ladders[piece], rest)
    return tuple(
        find_closest_approach(own, sample_spots(match.ladders[other], poses[other]))[0]
        for other in touched
        if other in poses
    )


def describe_place(place: LadderPlace) -> str:
    safety = text("places.unsure")
    if place.slips >= MIN_SLIPS:
        safety = text("places.safety", held=round(place.safety * GOOD_SLIPS), of=GOOD_SLIPS)
    touches = text("places.touches", count=len(place.touched))
    return " · ".join((touches, safety, centimetres(place.height_m, 0)))


#: Distance below which two supports count as one, metres.
SAME_POINT_M = 0.02


def find_fall_key(match: MoonMatch, support: Support) -> str:
    """Return why a ladder fell, as a message key below ``why``."""
    if support.gave_way is not None:
        return "gave_way"
    if not support.supports:
        return "none" if support.met is None else "slid"
    points = [point for _, point in support.supports]
    side = _find_overhang(support.centre, points)
    if side is None:
        return "slid"
    is_single = all(math.dist(a, b) < SAME_POINT_M for a in points for b in points)
    return f"{'single' if is_single else 'several'}.{_name_side(match, side)}"


def _find_overhang(centre: Vec3, points: list[Vec3]) -> Vec2 | None:
    """Return the horizontal direction in which the centre overhangs its supports; None if it is above them."""
    angles = sorted(math.atan2(y - centre[1], x - centre[0]) for x, y, _ in points)
    gaps = [after - before for before, after in zip(angles, (*angles[1:], angles[0] + math.tau), strict=True)]
    widest = max(range(len(gaps)), key=gaps.__getitem__)
    if gaps[widest] <= math.pi:
        return None
    angle = angles[widest] + 0.5 * gaps[widest]
    return (math.cos(angle), math.sin(angle))


def _name_side(match: MoonMatch, side: Vec2) -> str:
    across, deep = _project_vector(
        match, geometry.quat_rotate(match.home_from_table().rotation, (*side, 0.0))
    )
    if abs(across) >= abs(deep):
        return "right" if across > 0.0 else "left"
    return "away" if deep > 0.0 else "near"


class FallRecorder:
    """Records what supports a turn's ladder and what it touches, to explain a fall."""

    def __init__(self) -> None:
        self._release_poses: dict[str, Pose] = {}
        self._poses_before_grab: dict[str, Pose] = {}
        self._touched: dict[str, str] = {}
        """Ladders touched since the turn's ladder was taken, and how: a message key below ``why.others``."""
        self._mover = ""
        """The first other ladder that moved far."""
        self._seen_support: Support | None = None
        self._forecast_support: Support | None = None

    @property
    def last_support(self) -> Support | None:
        return self._forecast_support or self._seen_support

    def record_frame(self, match: MoonMatch, forecast: Support | None = None) -> None:
        """Record a frame. ``forecast``: the support in the forecast of a fall, which also explains the real one."""
        facts, ladder, phase = match.facts, match.state.ladder, match.state.phase
        if phase in (Phase.ROLL, Phase.DRAW):
            self._touched, self._mover = {}, ""
            self._poses_before_grab = {p.piece: p.pose for p in facts.pieces}
        if phase not in (Phase.HOLD, Phase.SETTLE) or ladder is None:
            return
        contacts = [
            (other, c.point, c.normal[2] if c.a == ladder else -c.normal[2])
            for c in facts.contacts
            if ladder in (c.a, c.b)
            and (other := c.b if c.a == ladder else c.a) not in (pieces.BASE, pieces.TABLE)
        ]
        for other, _, up in contacts:
            how = "hand" if phase is Phase.HOLD else "under" if up > MIN_SUPPORT_SHARE else "beside"
            if self._touched.get(other) != "under":
                self._touched[other] = how
        self._mover = self._mover or next(iter(_list_moved(self._poses_before_grab, facts, ladder)), "")
        if phase is Phase.HOLD:
            self._release_poses = {piece.piece: piece.pose for piece in facts.pieces}
            self._seen_support, self._forecast_support = None, forecast
        elif ladder in self._release_poses:
            self._update_support(facts, ladder, contacts)

    def find_push(self, verdict: Verdict) -> str:
        if verdict.reason is not Reason.OTHERS_FELL or self._mover not in (p for p, _ in verdict.fallen[:1]):
            return ""
        return self._touched.get(self._mover, "")

    def _update_support(
        self, facts: pieces.Facts, ladder: str, contacts: list[tuple[str, Vec3, float]]
    ) -> None:
        support = self._seen_support or Support(self._release_poses[ladder].position)
        position = next((piece.pose.position for piece in facts.pieces if piece.piece == ladder), None)
        after = support if position is None else support.with_contacts(position, contacts)
        if after is not support:
            moved = next(iter(_list_moved(self._release_poses, facts, ladder)), None)
            self._seen_support = replace(after, gave_way=moved)


def _list_moved(before: Mapping[str, Pose], facts: pieces.Facts, ladder: str) -> list[str]:
    return [
        piece.piece
        for piece in facts.pieces
        if piece.piece in before
        and piece.piece != ladder
        and math.dist(piece.pose.position, before[piece.piece].position) >= MAX_SHIFT_M
    ]


#: Maximum duration of the search, seconds: short, because the ladder must not rotate while players look at it.
SEARCH_S = 4.0
#: Acts with which players turn the ladder in the lid themselves.
_TURNING_ACTS = (Act.TIP, Act.TILT)


class EasySideFinder:
    """Shows the easiest side of the next ladder in practice and to players with all visual aids; must be closed."""

    def __init__(self, match: MoonMatch) -> None:
        self._match = match
        self._search = PlaceSearch(match.ladders, match.base, processes=1)
        self._key: object = None
        self._is_searching = False
        self._hinted: LadderPlace | None = None

    def close(self) -> None:
        self._search.close()

    def choose_side(
        self, commands: Sequence[pieces.Command], hinted: LadderPlace | None = None
    ) -> tuple[pieces.Command, ...]:
        """Return the command that shows the easiest side, or the side for the ``hinted`` place, once it is known.

        ``commands``: the frame's other commands.
        """
        match, state = self._match, self._match.state
        key = (state.turn, state.ladder, state.overrulings)
        is_in_lid = state.phase is Phase.DRAW and state.ladder is not None and match.facts.held is None
        if not is_in_lid or any(command.kind in _TURNING_ACTS for command in commands):
            self._cancel_search()
            self._key = key if is_in_lid or key == self._key else None
            return ()
        if key != self._key and match.at_rest and self._is_helped:
            self._key, self._is_searching = key, True
            self._search.ask(replace(make_question(match), seconds=SEARCH_S))
        best = hinted if hinted is not self._hinted and self._is_helped else None
        is_over = best is not None
        if best is None and self._is_searching:
            answer = self._search.read_answer(list_standing(match.facts))
            best = next((place for place in answer.places if is_good(place) or answer.done), None)
            is_over = answer.done or best is not None
        self._hinted = hinted
        if is_over:
            self._cancel_search()
        if best is None:
            return ()
        sides, up = tuple(match.lid.sides.values()), _find_up(best.release.rotation)
        step = min(range(len(sides)), key=lambda side: math.dist(_find_up(sides[side]), up))
        return (pieces.Command(Act.TIP, pieces.CHOICE_SOURCE, step),) if step else ()

    @property
    def _is_helped(self) -> bool:
        match, state = self._match, self._match.state
        helps = state.options.get_handicap(state.player).helps
        is_wanted = helps is VisualAids.ALL or (state.options.practice and helps is not VisualAids.NONE)
        return is_wanted and match.bot is None and not match.setup.options.no_hints

    def _cancel_search(self) -> None:
        if self._is_searching:
            self._search.cancel()
        self._is_searching = False


def _find_up(rotation: Quat) -> Vec3:
    """Return the vertical in the frame of a ladder with this rotation."""
    return geometry.quat_rotate(geometry.quat_inverse(rotation), (0.0, 0.0, 1.0))


#: Distance and rotation of one nudge, and speeds of a freely steered ladder.
NUDGE_M, NUDGE_RAD = 0.003, math.radians(3.0)
FREE_M_S, FREE_RAD_S = 0.025, math.radians(15.0)
#: Acts that nudge a ladder over an offered place, without changing its height, and acts that steer a ladder freely.
_NUDGES = (Act.LEFT, Act.RIGHT, Act.NEAR, Act.AWAY, Act.SPIN_LEFT, Act.SPIN_RIGHT)
_TILTS = (Act.ROLL_LEFT, Act.ROLL_RIGHT, Act.NOD, Act.NOD_BACK)
_FREE_STEPS = (*_NUDGES[:4], Act.LOWER, Act.LIFT, *_NUDGES[4:], *_TILTS)
_STEPS = {act.word: act for act in _FREE_STEPS}
#: Limits of a steered ladder: x and y from the base's middle, minimum and maximum height, metres.
FARTHEST_M, LOWEST_M, HIGHEST_M = 0.30, 0.01, 0.60
#: Initial clearance of a freely steered ladder above everything, metres.
FREE_ABOVE_M = 0.05
#: The simulated hand of guests' bots, but less patient before the release, which the player has requested.
CHOICE_HAND = replace(GUEST, patience_s=0.3)
#: Minimum safety of a place that is called safe.
SAFE = 0.9
#: Minimum offset from the table's middle of a place that is called left, right, front or back, metres.
BESIDE_M = 0.02
#: Minimum offset that is mentioned to distinguish two places, metres.
MIN_OFFSET_M = 0.002


class Chooser:
    """Offers the choices of one match and carries them out; must be closed."""

    def __init__(self, match: MoonMatch, *, real_time: bool) -> None:
        """``real_time``: the game continues during a search; otherwise it waits."""
        self._match = match
        self._offers = OfferedPlaces(match, real_time=real_time)
        self._hand = Carrier(match.table_from_camera.position, CHOICE_HAND, source=pieces.CHOICE_SOURCE)
        self.highlighted: str | None = None
        self._is_free = False
        self._move_name = ""
        self._tries = 0
        self._is_nudged = False
        """Whether the ladder has been moved since it was brought over its place."""

    def close(self) -> None:
        self._offers.close()

    # Choices and their effects --------------------------------------------------------------------------------

    @property
    def search_status(self) -> str:
        if self.is_busy or self._is_forbidden:
            return ""
        if not self._offers.is_known:
            return text("choose.looking", share=25 * int(self._offers.share * 4.0))
        return "" if self._offers.places else text("choose.nothing")

    def list_choices(self) -> tuple[TableChoice, ...]:
        if self._move_name:
            return (TableChoice("stop", text("choose.stop"), stops=True),)
        if self._hand.is_awaiting_command:
            steps = _FREE_STEPS if self._is_free else _NUDGES
            ends = [("let_go", "choose.let_go")]
            if self._match.requested_place is not None:
                ends.append(("set_down", "act.set_down"))
            return (
                *(TableChoice(name, text(key), slow_scan=True, final=True) for name, key in ends),
                *(TableChoice(act.word, text(f"choose.{act.word}"), group="nudge") for act in steps),
                TableChoice("put_back", text("choose.put_back")),
            )
        if self.is_busy:
            return ()
        names = name_places(self._match, self._offers.places, self._offers.first_rank)
        places = tuple(
            TableChoice(f"place {rank}", name, slow_scan=True)
            for rank, name in enumerate(names, self._offers.first_rank)
        )
        more = (TableChoice("more", text("choose.more")),) if self._offers.has_more else ()
        if not self._offers.is_known and not self._is_forbidden:
            return ()
        free = TableChoice("free", text("choose.free"))
        if places or self._is_forbidden:
            return (*places, *more, free)
        again, give_up = (TableChoice(name, text(f"choose.{name}")) for name in ("again", "give_up"))
        return (again, free, give_up)

    def confirm_choice(self, name: str) -> tuple[pieces.Command, ...]:
        if name not in {choice.name for choice in self.list_choices()}:
            return ()
        match name:
            case "stop":
                self._move_name = ""
            case "more":
                self._offers.offer_next()
            case "again":
                self._offers.search_again()
            case "free":
                return self._start_carrying(None, 0)
            case "put_back":
                # The hand stays closed until the referee has put the ladder back; otherwise the ladder would fall.
                return (pieces.Command(Act.PUT_BACK, pieces.CHOICE_SOURCE),)
            case "set_down":
                return (pieces.Command(Act.SET_DOWN, pieces.CHOICE_SOURCE),)
            case "let_go":
                self._release_ladder()
            case _ if name not in _STEPS:
                return self._start_carrying(self._find_place(name), int(name.removeprefix("place ")))
            case _ if self._is_free:
                self._move_name = name
            case _:
                self._move_ladder(name, NUDGE_M, NUDGE_RAD)
        return ()

    def carry_to(self, place: LadderPlace) -> tuple[pieces.Command, ...]:
        return () if self.is_busy else self._start_carrying(place, 1, asks=False)

    @property
    def can_show_places(self) -> bool:
        return not self.is_busy and bool(self._offers.places)

    def list_ghosts(self) -> tuple[Ghost, ...]:
        """Return the ghosts of the offered places, all faint except the highlighted one (by default the best)."""
        if not self.can_show_places:
            return ()
        highlighted = self._find_place(self.highlighted or "")
        ghosts = ((place, build_ghost(self._match, place)) for place in self._offers.places)
        return tuple(
            replace(ghost, label="", number=number, is_faint=place is not highlighted)
            for number, (place, ghost) in enumerate(ghosts, self._offers.first_rank)
        )

    # One frame of the loop ------------------------------------------------------------------------------------

    def choose_grips(self, intake: Intake, *, wanted: bool) -> tuple[pieces.GripIntent, ...]:
        """Return the frame's grips, or those of the simulated hand. ``wanted``: whether places should be offered."""
        match = self._match
        if wanted and self._has_ladder and match.facts.held is None and not self._hand.is_busy:
            if match.at_rest and not self._is_forbidden:
                self._offers.update()
        elif not self._has_ladder:
            self._offers.cancel_search()
            if match.facts.held is None:
                self._hand.cancel()
        if not self._hand.is_busy:
            self._move_name, self._is_free = "", False
            if any(grip.phase is not pieces.GripPhase.HOVER for grip in intake.grips):
                self._hand.end_leaving()
            if not self._hand.is_leaving:
                return intake.grips
        if match.paused or not intake.ticks:
            return ()
        seconds = intake.ticks * TICK_S
        if self._move_name and self._hand.is_awaiting_command:
            self._move_ladder(self._move_name, FREE_M_S * seconds, FREE_RAD_S * seconds)
        return self._hand.move_hand(match.facts, seconds, intake.now_s)

    @property
    def _has_ladder(self) -> bool:
        state = self._match.state
        drawn = state.phase in (Phase.DRAW, Phase.HOLD) and state.ladder is not None
        return drawn and self._match.bot is None

    @property
    def is_busy(self) -> bool:
        return not self._has_ladder or self._hand.is_busy or self._match.facts.held is not None

    @property
    def _is_forbidden(self) -> bool:
        return self._match.setup.options.no_hints

    def _find_place(self, name: str) -> LadderPlace:
        places, first = self._offers.places, self._offers.first_rank
        number = parse_count(name.removeprefix("place ")) if name.startswith("place ") else None
        index = 0 if number is None else number - first
        return places[index] if 0 <= index < len(places) else places[0]

    def _start_carrying(
        self, place: LadderPlace | None, rank: int, *, asks: bool = True
    ) -> tuple[pieces.Command, ...]:
        match = self._match
        offered = next((p for p in match.facts.pieces if p.status is pieces.PieceStatus.OFFERED), None)
        if offered is None:
            return ()
        self._tries += 1
        self._is_nudged, self._is_free = False, place is None
        release = self._find_start_pose(offered) if place is None else place.release
        rng = random.Random(f"{match.state.seed} {match.state.turn} {self._tries}")
        self._hand.start_carrying(match.ladders[offered.piece], release, rng, awaits_command=asks)
        return (pieces.Command(Act.PLACE, pieces.CHOICE_SOURCE, rank),)

    def _find_start_pose(self, offered: pieces.PieceFacts) -> Pose:
        top_m = self._match.status.structure_top_m
        half_m = self._match.ladders[offered.piece].length_m / 2.0
        return Pose((0.0, 0.0, top_m + half_m + FREE_ABOVE_M - AWAIT_M), offered.pose.rotation)

    def _release_ladder(self) -> None:
        """Lower the ladder straight down from its current position."""
        match, goal = self._match, self._hand.goal
        held = match.facts.held
        if goal is not None and held is not None and (self._is_free or self._is_nudged):
            x, y, z = goal.position
            fall_m = match.find_landing(match.facts[held]).fall_m
            self._hand.goal = Pose((x, y, z + AWAIT_M - fall_m), goal.rotation)
        self._is_nudged = False
        self._hand.lower_ladder()

    def _move_ladder(self, name: str, step_m: float, step_rad: float) -> None:
        goal = self._hand.goal
        if goal is None:
            return
        self._is_nudged = True
        act, view = _STEPS[name], (self._match.table_from_camera, self._match.table.mirrored)
        home = self._match.home_from_table().rotation
        back = geometry.quat_inverse(home)  # the goal is in the table frame; the table may be turned
        if act in TILTS:
            seen = geometry.quat_as_seen(TILTS[act], step_rad, *view)
            turn = geometry.quat_multiply(back, geometry.quat_multiply(seen, home))
            self._hand.goal = Pose(goal.position, geometry.quat_multiply(turn, goal.rotation))
            return
        right, away = (
            geometry.quat_rotate(back, (*axis, 0.0)) for axis in geometry.table_axes_as_seen(*view)
        )
        across, deep, up = (part * step_m for part in MOVES[act])
        x, y = (goal.position[k] + across * right[k] + deep * away[k] for k in range(2))
        x, y = (max(-FARTHEST_M, min(FARTHEST_M, part)) for part in (x, y))
        z = max(LOWEST_M, min(HIGHEST_M, goal.position[2] + up))
        self._hand.goal = Pose((x, y, z), goal.rotation)


def name_places(match: MoonMatch, places: Sequence[LadderPlace], first_rank: int = 1) -> list[str]:
    """Return the names of places offered together.

    A name contains rank, position in the picture, number of contacts, safety and the structure's resulting height,
    such as "Place 1: back left, on 2 ladders, safe, 14 cm". Places with the same position and contacts are
    distinguished by attitude and by the larger offset from the middle. Contacts are omitted if all places agree.
    """
    positions = [_name_position(match, place) for place in places]
    for finer in (_name_attitude, _name_offset):
        groups = [(position, len(place.touched)) for position, place in zip(positions, places, strict=True)]
        details = [finer(match, place) for place in places]
        counts = Counter(group for group, _ in set(zip(groups, details, strict=True)))
        positions = [
            ", ".join(filter(None, (position, detail))) if counts[group] > 1 else position
            for position, detail, group in zip(positions, details, groups, strict=True)
        ]
    is_uniform = len({len(place.touched) for place in places}) == 1
    return [
        _format_name(place, rank, position, touches=not is_uniform)
        for rank, (position, place) in enumerate(zip(positions, places, strict=True), first_rank)
    ]


def _project_vector(match: MoonMatch, at_home: Vec3) -> Vec2:
    """Return a vector's components to the right and away in the picture; ``at_home``: the vector in the home frame."""
    x, y, _ = at_home
    right, away = geometry.table_axes_as_seen(match.table_from_camera, match.table.mirrored)
    return x * right[0] + y * right[1], x * away[0] + y * away[1]


def _find_offset(match: MoonMatch, place: LadderPlace) -> Vec2:
    """Return a place's offset to the right and away in the picture, metres."""
    return _project_vector(match, geometry.pose_apply(match.home_from_table(), place.rest.position))


def _name_attitude(match: MoonMatch, place: LadderPlace) -> str:
    return text(f"choose.attitude.{place.kind.value}")


def _name_offset(match: MoonMatch, place: LadderPlace) -> str:
    right, away = _find_offset(match, place)
    offsets = (
        (right, "middle_right" if right > 0.0 else "middle_left"),
        (away, "back_middle" if away > 0.0 else "front_middle"),
    )
    offset_m, where = max(offsets, key=lambda offset: abs(offset[0]))
    to, length_m = text(f"choose.where.{where}"), abs(offset_m)
    return text("choose.offset", length=centimetres(length_m), to=to) if length_m >= MIN_OFFSET_M else ""


def _name_position(match: MoonMatch, place: LadderPlace) -> str:
    right, away = _find_offset(match, place)
    column = "left" if right < -BESIDE_M else "right" if right > BESIDE_M else "middle"
    row = "front" if away < -BESIDE_M else "back" if away > BESIDE_M else "middle"
    return text(f"choose.where.{row}_{column}")


def _format_name(place: LadderPlace, rank: int, position: str, *, touches: bool) -> str:
    rating = "safe" if place.safety >= SAFE else "fair" if place.safety >= FAIR_SHARE else "risky"
    rating = rating if place.slips >= MIN_SLIPS else "unsure"
    return text(
        "choose.place" if touches else "choose.place_alike",
        rank=rank,
        where=position,
        touches=text("choose.on", count=len(place.touched)),
        safe=text(f"choose.{rating}"),
        height=centimetres(place.height_m, 0),
    )
