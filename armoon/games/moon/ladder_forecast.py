"""The forecast for the held ladder if it were released now, and places near the hand for guidance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from armoon.clock import TICK_S
from armoon.games.moon.choosing import find_fall_key, find_touch_points
from armoon.games.moon.editions import Die, Phase, Reason
from armoon.games.moon.match import GUIDE_REACH, PARKING_FALL_M, MoonMatch
from armoon.games.moon.turn import get_requirement, judge_die
from armoon.geometry import are_near, pose_between, quat_angle
from armoon.messages import text
from armoon.placement import forecast
from armoon.placement.rehearsal import RELEASE_GAP_M
from armoon.placement.values import ReleaseOutcome, is_same_place, is_same_structure
from armoon.values.choices import AirRelease
from armoon.values.pieces import PieceId
from armoon.values.places import LadderPlace, Slip, Support
from armoon.values.player_settings import VisualAids
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import Fate
from armoon.world.checks import StructurePoses
from armoon.world.guide import find_place_on_request
from armoon.world.ladders import list_standing

#: Lever arm that converts rotations to distances, metres; and weight of height differences, small because they hardly
#: change where a dropped ladder comes to rest.
ARM_M, HEIGHT_WEIGHT = 0.05, 0.25
#: Ticks of the running mean of the pose.
MEAN_TICKS = 8
#: Distance from the mean pose above which the ladder counts as moved away.
MOVED_AWAY_M = 0.006
#: Time for which a hand's movement is extrapolated, seconds, because the hand may open anywhere on the way.
AHEAD_S = 0.4
#: Minimum ticks for measuring the tremor.
KNOWN_TICKS = 6
#: Distance from the mean pose within which an answer applies: multiple of the tremor, minimum and maximum in metres.
REACH_FACTOR, MIN_REACH_M, MAX_REACH_M = 1.8, 0.002, 0.004


@dataclass(frozen=True)
class HeldPose:
    """The mean pose and motion of a held ladder."""

    pose: Pose
    """Centre of the tremor, table frame."""
    tremor: Slip
    """Standard deviations of the pose from that centre, including its drift."""
    speed_m_s: float

    @property
    def reach_m(self) -> float:
        spread_m = math.hypot(math.sqrt(3.0) * self.tremor.metres, ARM_M * self.tremor.radians)
        return min(MAX_REACH_M, max(MIN_REACH_M, REACH_FACTOR * spread_m))

    def contains(self, pose: Pose) -> bool:
        return measure_distance_m(self.pose, pose) <= self.reach_m


class HeldPoseTracker:
    """Tracks one held ladder from frame to frame."""

    def __init__(self, tick: int, pose: Pose) -> None:
        self._last_tick = tick
        self._restart(tick, pose)

    def _restart(self, tick: int, pose: Pose) -> None:
        self._start_tick, self._mean, self._lagging_mean = tick, pose, pose
        """The running mean of the poses, and the running mean of that mean, which lags twice as far behind."""
        self._shift_m2 = self._turn_rad2 = 0.0
        """Mean squares of the distance and rotation from the centre, m² and rad²."""

    def add_pose(self, tick: int, pose: Pose) -> HeldPose | None:
        """Add the pose at a later tick; return the held pose, or None while it is unknown because the ladder moves."""
        ticks, self._last_tick = tick - self._last_tick, tick
        middle, age = self._middle, tick - self._start_tick + 1
        if measure_distance_m(middle, pose) > MOVED_AWAY_M:
            self._restart(tick, pose)
            return None
        share = min(1.0, ticks / min(age, MEAN_TICKS))
        self._shift_m2 += share * (measure_shift_m(middle, pose) ** 2 - self._shift_m2)
        self._turn_rad2 += share * (quat_angle(middle.rotation, pose.rotation) ** 2 - self._turn_rad2)
        self._mean = pose_between(self._mean, pose, share)
        self._lagging_mean = pose_between(self._lagging_mean, self._mean, share)
        if age <= KNOWN_TICKS:
            return None
        speed_m_s = measure_distance_m(self._lagging_mean, self._mean) / (MEAN_TICKS * TICK_S)
        ahead_m = AHEAD_S * speed_m_s
        metres = math.sqrt((self._shift_m2 + ahead_m**2) / 3.0)
        tremor = Slip(
            max(forecast.TREMOR.metres, metres), max(forecast.TREMOR.radians, math.sqrt(self._turn_rad2))
        )
        return HeldPose(self._middle, tremor, speed_m_s)

    @property
    def _middle(self) -> Pose:
        return pose_between(self._lagging_mean, self._mean, 2.0)


def measure_distance_m(a: Pose, b: Pose) -> float:
    return measure_shift_m(a, b) + ARM_M * quat_angle(a.rotation, b.rotation)


def measure_shift_m(a: Pose, b: Pose) -> float:
    x, y, z = (p - q for p, q in zip(a.position, b.position, strict=True))
    return math.sqrt(x * x + y * y + (HEIGHT_WEIGHT * z) ** 2)


#: Maximum speed of the mean pose of a ladder that counts as held in one place.
SLOW_M_S = 0.04
#: Thresholds for a new question: movement as a share of the last question's range, and change of the tremor.
ASK_SHARE, ASK_TREMOR = 0.4, 1.5
#: Minimum ticks between two questions.
MIN_ASK_TICKS = 6
#: Ticks without a colour after a ladder has moved, so that the colour doesn't flicker in a trembling hand.
CALM_TICKS = 20
#: Ticks without a colour after which the player is asked to hold still.
JUDGING_TICKS = 30
#: Effort of the forecast process in lock step: per tick, and the limit while it prepares a structure between turns.
TICK_EFFORT, PREPARE_EFFORT = round(forecast.EFFORT_PER_S * TICK_S), 1_000_000_000
#: Maximum number of places kept for one ladder.
MAX_PLACES = 4
#: Maximum motion of a place's supports after which a released ladder is still set down there, because it is more likely
#: to stand there than where the hand happens to open.
NEARBY_M, NEARBY_RAD = 0.0025, math.radians(3.0)
#: Share of the guidance's reach in which places are searched, less than 1 because the hand trembles.
NEAR_SHARE = 0.9
#: The forecast is doubtful if more than one in this many simulated drops ends differently.
DROPS_PER_STRAY = 7


@dataclass(frozen=True)
class LadderForecast:
    """The forecast for the held ladder."""

    fate: Fate | None
    rest: Pose | None
    """Pose at rest; None if it falls."""
    touched: tuple[PieceId, ...]
    points: tuple[Vec3, ...]
    touch_counts: tuple[int, ...]
    """Possible numbers of touched ladders: several if the forecast is uncertain, none if the ladder falls."""
    is_good: bool | None
    """Whether it would hold and honour the die; None if unknown."""
    words: str
    """Sentence that says how surely it would hold, or why it wouldn't."""
    fall: Support | None = None
    is_guided: bool = False
    """Whether the ladder would be set down at a known place if released now."""


_NOTHING_KNOWN = LadderForecast(None, None, (), (), (), is_good=None, words="")


class LadderForecaster:
    """The forecasts of one match; must be closed."""

    def __init__(self, match: MoonMatch, *, real_time: bool, guides: bool = True) -> None:
        """If not ``real_time`` (lock step), the game waits while the process spends the effort of each tick."""
        self._match, self._is_real_time = match, real_time
        self._process = forecast.ForecastProcess(match.ladders, match.base)
        self._pose_tracker: HeldPoseTracker | None = None
        self._question: HeldPose | None = None
        """The held pose of the open question."""
        self._answer: tuple[HeldPose, LadderForecast] | None = None
        """The newest answer, perhaps to the previous question."""
        self._asked_tick = -MIN_ASK_TICKS
        self._standing: StructurePoses = ()
        """The standing ladders at the time of the question."""
        self._seen_tick = -1
        self._moved_tick = -CALM_TICKS
        """Tick at which the last answer was discarded because the ladder moved."""
        self._coloured_tick = 0
        """Last tick at which the ladder had a colour or wasn't held still over the structure."""
        self._prepared_key: object = None
        self._guides = guides
        self._places: tuple[LadderPlace, ...] = ()
        """Places found near the hand for the held ladder, the newest last."""
        self._moved_places: tuple[LadderPlace, ...] = ()
        """Places from before a small movement of the structure: not shown, but used for guidance until tried again."""
        self._places_structure: StructurePoses = ()
        """The structure for which these places were found."""
        self._sent_places: tuple[LadderPlace, ...] | None = ()
        self._guided_forecast: tuple[LadderPlace, LadderForecast] | None = None

    def close(self) -> None:
        self._process.close()

    def update(self) -> LadderForecast | None:
        """Ask a new question if one is due, and return the forecast for the ladder as it is held now."""
        match = self._match
        if match.tick != self._seen_tick:
            if not self._is_real_time:
                ticks = match.tick - self._seen_tick if self._question is not None else 0
                self._process.grant(TICK_EFFORT * ticks)
            self._seen_tick = match.tick
            is_still = self._update_question()
            if not is_still or (self._answer is not None and self._answer[1].fate is not None):
                self._coloured_tick = match.tick
        if (guided := self._find_guided_forecast()) is not None:
            return guided
        is_calm = match.tick - self._moved_tick >= CALM_TICKS
        answer = self._answer[1] if self._answer is not None and is_calm else None
        if (answer is None or answer.fate is None) and match.tick - self._coloured_tick > JUDGING_TICKS:
            return replace(answer or _NOTHING_KNOWN, words=text("foretold.judging"))
        return answer

    def pop_new_places(self, *, on_request: bool = False) -> tuple[Pose, ...] | None:
        """Return the places for guidance if they have changed since the last call, else None.

        ``on_request``: a player wants the held ladder set down; if its forecast is good, its release pose is added.
        """
        self.update()
        held, places = self._match.facts.held, (*self._places, *self._moved_places)
        releases = tuple(place.release for place in places)
        if on_request and held is not None and self._answer is not None and self._answer[1].is_good:
            release = self._find_release(held, self._answer[0])
            self._sent_places = None
            return releases if release is None else (*releases, release)
        if places == self._sent_places:
            return None
        self._sent_places = places
        return releases

    def find_nearest_place(self) -> LadderPlace | None:
        """Return the place where the held ladder would be set down on request, if it would fail where it is."""
        match = self._match
        outcome, held = self.update(), match.facts.held
        if outcome is None or outcome.fate is not Fate.FAILS or held is None:
            return None
        nearest = find_place_on_request([place.release for place in self._places], match.facts[held].pose)
        return next((place for place in self._places if place.release == nearest), None)

    def _find_guided_forecast(self) -> LadderForecast | None:
        """Return the forecast for a ladder that would be set down at a known place; None for any other."""
        match, grip = self._match, self._match.grip
        pose = None if grip is None or match.is_parked else match.find_guided_place(grip.source)
        place = next((place for place in self._places if place.release == pose), None)
        if place is None:
            return None
        if self._guided_forecast is None or self._guided_forecast[0] != place:
            points = find_touch_points(match, match.state.ladder or "", place.rest, place.touched)
            fields = (Fate.HOLDS, place.rest, place.touched, points, (len(place.touched),))
            result = LadderForecast(*fields, is_good=True, words=text("foretold.guided"), is_guided=True)
            self._guided_forecast = place, result
        return self._guided_forecast[1]

    @property
    def fall(self) -> Support | None:
        return None if self._answer is None else self._answer[1].fall

    @property
    def _is_help_allowed(self) -> bool:
        match, state = self._match, self._match.state
        is_allowed = state.options.get_handicap(state.player).helps is not VisualAids.NONE
        return is_allowed and match.bot is None and not match.setup.options.no_hints

    def _update_question(self) -> bool:
        """Update question, answer and places; return whether the ladder is held still over the structure."""
        match, held = self._match, self._match.facts.held
        die = match.state.die
        if match.paused or not self._is_help_allowed:
            held = None
        if held is None or die is None:
            self._reset()
            return False
        pose = match.facts[held].pose
        self._pose_tracker = self._pose_tracker or HeldPoseTracker(match.tick, pose)
        held_pose = self._pose_tracker.add_pose(match.tick, pose)
        if self._answer is not None and not self._answer[0].contains(pose):
            self._answer, self._moved_tick = None, match.tick
        if self._question is not None and not is_same_structure(self._standing, list_standing(match.facts)):
            self._question = self._answer = None
            self._keep_places_nearby()
        if self._question is not None:
            self._read_answer(self._question, pose, die)
        if match.is_over_lid(match.facts[held]):
            return False
        had_question = self._question is not None
        if held_pose is not None:
            self._ask_if_due(held, held_pose, pose)
        return had_question and (held_pose is None or held_pose.speed_m_s <= SLOW_M_S)

    def _keep_places_nearby(self) -> None:
        """Keep the places with supports that have hardly moved, to try them again."""
        before = {name: pose for name, pose, _ in self._places_structure}
        moved = {
            name
            for name, pose, _ in list_standing(self._match.facts)
            if name not in before or not are_near(before[name], pose, NEARBY_M, NEARBY_RAD)
        }
        places = (*self._moved_places, *self._places)
        self._moved_places = tuple(p for p in places if not moved.intersection(p.touched))[-MAX_PLACES:]
        self._places = ()

    def _reset(self) -> None:
        match = self._match
        if self._question is not None:
            self._send_request(None)
        self._question = self._answer = self._pose_tracker = self._guided_forecast = None
        self._places = self._moved_places = ()
        if match.over:
            self._process.close()  # frees memory for a review
        key = (match.state.turn, match.state.ladder)
        is_ready = match.state.phase is Phase.DRAW and match.at_rest and self._is_help_allowed
        if is_ready and key != self._prepared_key:
            self._prepared_key = key
            self._send_request(None)

    def _read_answer(self, hold: HeldPose, pose: Pose, die: Die) -> None:
        drops = self._process.drops()
        self._add_place(self._process.place)
        if not hold.contains(pose):
            return
        has_other_answer = self._answer is not None and self._answer[0] is not hold
        predicted = build_forecast(self._match, die, drops) if drops else None
        if predicted is not None and not (has_other_answer and predicted.fate is None):
            self._answer = (hold, predicted)

    def _add_place(self, place: LadderPlace | None) -> None:
        if place is not None and place not in self._places:
            others = (other for other in self._places if not is_same_place(other.rest, place.rest))
            self._places = (*others, place)[-MAX_PLACES:]
            self._moved_places, self._places_structure = (), self._standing

    def _ask_if_due(self, piece: str, hold: HeldPose, pose: Pose) -> None:
        match = self._match
        if hold.speed_m_s > SLOW_M_S or self._find_guided_forecast() is not None:
            return
        if (question := self._question) is not None:
            if _is_similar(question, hold) or match.tick - self._asked_tick < MIN_ASK_TICKS:
                return
            is_unanswered = self._answer is None or self._answer[0] is not question
            if is_unanswered and question.contains(pose) and question.reach_m < ASK_TREMOR * hold.reach_m:
                return  # the open question is good enough for now
        release = self._find_release(piece, hold)
        if release is not None:
            self._question, self._asked_tick = hold, match.tick
            self._send_request(release, hold.tremor)

    def _find_release(self, piece: PieceId, hold: HeldPose) -> Pose | None:
        """Return the pose at which this ladder would be released; None if it would fall freely."""
        match = self._match
        fall_m = match.find_landing(replace(match.facts[piece], pose=hold.pose)).fall_m
        if fall_m <= PARKING_FALL_M:
            return hold.pose
        return lower_release(hold.pose, fall_m) if match.table.air is AirRelease.WAITS else None

    def _send_request(self, pose: Pose | None, tremor: Slip = forecast.TREMOR) -> None:
        match, piece = self._match, self._match.state.ladder
        self._standing = standing = tuple(list_standing(match.facts))
        if piece is None:
            return
        request = forecast.DropRequest(standing, piece, pose, tremor, self._build_nearby_search())
        effort = PREPARE_EFFORT if pose is None else TICK_EFFORT
        self._process.ask(request, None if self._is_real_time else effort)

    def _build_nearby_search(self) -> forecast.Nearby | None:
        """Return the search for places near the hand; None if the ladder isn't guided."""
        state, grip = self._match.state, self._match.grip
        reach = GUIDE_REACH.get(state.options.get_guidance(state.player)) if self._guides else None
        if reach is None or state.die is None or grip is None:
            return None
        known = tuple(place.release for place in self._moved_places)
        return forecast.Nearby(
            get_requirement(state.die), grip.view_axis, NEAR_SHARE * reach[0], NEAR_SHARE * reach[1], known
        )


def lower_release(pose: Pose, fall_m: float) -> Pose:
    """Return the release pose of a ladder that would be parked: straight below, just above the first obstacle."""
    x, y, z = pose.position
    return Pose((x, y, z - fall_m + RELEASE_GAP_M), pose.rotation)


def build_forecast(match: MoonMatch, die: Die, drops: Sequence[ReleaseOutcome]) -> LadderForecast:
    ends = [judge_drop(die, drop) for drop in drops]
    usual_end, fate = max(ends, key=ends.count), judge_fate(ends)
    is_sure = fate in (Fate.HOLDS, Fate.FAILS)  # then the few differing drops don't count
    standing = [d for d, end in zip(drops, ends, strict=True) if d.held and (end is usual_end or not is_sure)]
    usual_rest = forecast.find_usual_rest(standing)
    is_fall = fate is Fate.FAILS and usual_end is Reason.PLACED_FELL
    support = next((drop.last_support for drop in drops if is_fall and drop.last_support is not None), None)
    return LadderForecast(
        fate,
        None if usual_rest is None else usual_rest.pose,
        () if usual_rest is None else usual_rest.touched,
        ()
        if usual_rest is None
        else find_touch_points(match, match.state.ladder or "", usual_rest.pose, usual_rest.touched),
        tuple(sorted({len(drop.touched) for drop in standing})),
        None if fate is None else fate is Fate.HOLDS,
        _describe_forecast(match, fate, usual_end, ends.count(Reason.HONOURED), len(drops), support),
        support,
    )


def judge_fate(reasons: Sequence[Reason]) -> Fate | None:
    good, count = reasons.count(Reason.HONOURED), len(reasons)
    if count < (forecast.KNOWN_DROPS if good else forecast.FAILED_DROPS):
        return None
    strays = count // DROPS_PER_STRAY
    return Fate.HOLDS if count - good <= strays else Fate.FAILS if good <= strays else Fate.DOUBTFUL


def judge_drop(die: Die, drop: ReleaseOutcome) -> Reason:
    """Judge a drop as the referee would (T4), with heights rounded to a tenth of a millimetre."""
    if not drop.held:
        return Reason.PLACED_FELL
    return judge_die(die, len(drop.touched), round(drop.height_m, 4) > round(drop.others_height_m, 4))


def _describe_forecast(
    match: MoonMatch, fate: Fate | None, usual_reason: Reason, good: int, count: int, support: Support | None
) -> str:
    if fate is None:
        return ""
    if fate is not Fate.FAILS:
        outcome = "holds" if fate is Fate.HOLDS else "doubt"
        key = f"foretold.{outcome}" if count < forecast.MAX_DROPS else f"foretold.{outcome}_of"
        return text(key, held=good, of=count)
    if usual_reason is not Reason.PLACED_FELL:
        return _add_advice(text(f"foretold.{usual_reason.value}"), usual_reason.value)
    if support is None:
        return text("foretold.fallen").capitalize()
    key = find_fall_key(match, support)
    return _add_advice(text("foretold.falls", why=text(f"why.{key}")), key.rpartition(".")[2])


def _add_advice(words: str, key: str) -> str:
    return text("foretold.better", why=words, help=text(f"foretold.help.{key}"))


def _is_similar(a: HeldPose, b: HeldPose) -> bool:
    ratio = max(a.reach_m, b.reach_m) / min(a.reach_m, b.reach_m)
    return measure_distance_m(a.pose, b.pose) <= ASK_SHARE * a.reach_m and ratio <= ASK_TREMOR
