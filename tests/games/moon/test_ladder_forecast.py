"""A ghost's forecast comes true and is shown only for its pose; places near the hand guide the held ladder."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benchmarks.hand_script import SimulatedHand
from benchmarks.placement_tables import Case, list_cases, read_tables
from benchmarks.towers import CONFIGURATION
from support.app_kit import FRAME_S, FRAME_TICKS, advance, play_to_draw, setup_for
from support.log_kit import records_of
from support.waiting import until

from armoon.engine.events import Output
from armoon.engine.logbook import INTAKE, intake_from_record
from armoon.engine.setup import Intake
from armoon.games.moon import ladder_forecast
from armoon.games.moon.choosing import FallRecorder, find_fall_key
from armoon.games.moon.editions import FallPlace, Options, Phase, Reason, Verdict
from armoon.games.moon.ladder_forecast import JUDGING_TICKS, MIN_REACH_M, HeldPose, LadderForecaster
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.play import OFFER_TICKS, SHOW_PLACE, MoonGame
from armoon.games.moon.turn import get_requirement
from armoon.geometry import pose_compose, vec3
from armoon.messages import text
from armoon.placement import forecast
from armoon.placement.candidates import draw_hooks
from armoon.placement.forecast import ForecastProcess
from armoon.placement.structure import StructureModel
from armoon.placement.values import Attitudes, ReleaseOutcome
from armoon.values import pieces
from armoon.values.acts import Act
from armoon.values.choices import AirRelease, Slots
from armoon.values.pieces import EXACT_SOURCES as UNGUIDED_SOURCES
from armoon.values.places import LadderPlace, Slip, Support
from armoon.values.player_settings import Guidance, Handicap, VisualAids
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import Fate, Ghost, Scene
from armoon.world.ladders import list_standing

SIDES = ("left", "right", "near", "away")
HELPS = (*SIDES, "none", "slid", "gave_way")
WHYS = ("none", "slid", "gave_way", *(f"{many}.{side}" for many in ("single", "several") for side in SIDES))
#: Height at which a ladder is carried over all others, metres.
ACROSS_M = 0.36
#: Ticks after which a small structure's forecast is known in lock step.
ANSWER_TICKS = 48
#: Ticks in which a place near the hand is found over a small structure.
PLACE_TICKS = 600
#: Effort sufficient for all drops of a request.
FULL_EFFORT = 10**9


#: Direction from the eye to the ladder.
EYE: Vec3 = (0.0, 0.8, -0.6)


class CarryingHand(SimulatedHand[Output]):
    """Takes the offered ladder with grips of one source, and carries it. The hand's pose is the ladder's."""

    def __init__(self, source: str = "mouse", **changes: Any) -> None:
        self.places: tuple[Pose, ...] | None = None
        """Places that arrive with the next frame."""
        self.commands: tuple[pieces.Command, ...] = ()
        self.match: MoonMatch = play_to_draw(setup_for(air=AirRelease.WAITS, **changes).match())
        self.game = MoonGame(self.match, real_time=False, guides=False)
        while not any(p.status is pieces.PieceStatus.OFFERED for p in self.match.facts.pieces):
            advance(self.match)
        self.time_s = self.match.tick * FRAME_S / FRAME_TICKS
        self.verdicts: list[Verdict] = []
        (self.piece,) = (p.piece for p in self.match.facts.pieces if p.status is pieces.PieceStatus.OFFERED)
        (x, y, z), *_ = self.match.ladders[self.piece].rails[0]
        self.offset = Pose((x, y, z))
        start = self.held.pose
        super().__init__(self.play_frame, start.position, start.rotation, source, EYE)
        self.grab()

    @property
    def held(self) -> pieces.PieceFacts:
        return self.match.facts[self.piece]

    def play_frame(self, grip: pieces.GripIntent) -> Output:
        self.time_s += FRAME_S
        places, self.places = self.places, None
        commands, self.commands = self.commands, ()
        grip = replace(grip, time_s=self.time_s, pose=pose_compose(grip.pose, self.offset))
        output = self.game.advance(Intake(self.time_s, FRAME_TICKS, None, commands, (grip,), None, places))
        self.verdicts += output.events_of(Verdict)
        return output

    def carry(self, to: Pose) -> None:
        (x, y, _), (u, v, _) = self.position, to.position
        above = ((x, y, ACROSS_M), self.rotation), ((u, v, ACROSS_M), to.rotation)
        for position, rotation in (*above, (to.position, to.rotation)):
            path = vec3(np.subtract(position, self.position))
            self.move_by(path, max(8, round(math.hypot(*path) / 0.006)), rotation)

    def watch(self, ticks: int) -> None:
        """Hold still, and compose the picture of every frame."""
        for _ in range(0, ticks, FRAME_TICKS):
            self.hold(1)
            self.scene()

    def scene(self) -> Scene:
        return self.game.build_scene(1.0, "")

    @property
    def ghost(self) -> Ghost:
        (ghost,) = (ghost for ghost in self.scene().ghosts if ghost.is_landing)
        return ghost

    @property
    def fate(self) -> Fate | None:
        return next((ghost.fate for ghost in self.scene().ghosts if ghost.is_landing), None)

    def release(self) -> Output:
        output = super().release()
        self.await_verdict()
        return output

    def await_verdict(self) -> Verdict:
        while not self.verdicts:
            self.do(pieces.GripPhase.HOVER)
            assert self.time_s < 90.0, "there is no verdict"
        return self.verdicts[0]

    def release_at(self, pose: Pose, *places: Pose, ticks: int = 2) -> Verdict:
        self.carry(pose)
        for now in (20, ticks):
            self.hold(now // FRAME_TICKS)
            self.places = places
        self.hold(1)
        self.drawn = self.held.pose
        if self.source in UNGUIDED_SOURCES:
            self.commands = (pieces.Command(Act.SET_DOWN),)
            self.hold(100 // FRAME_TICKS)
        if self.match.holding:
            self.release()
        return self.await_verdict()

    def set_down(self) -> Verdict:
        self.commands = (pieces.Command(Act.SET_DOWN),)
        for _ in range(0, 400, FRAME_TICKS):
            if self.match.holding:
                self.drawn = self.held.pose
                self.hold(1)
        assert not self.match.holding
        return self.await_verdict()

    def list_releases(self) -> Iterator[tuple[Pose, list[ReleaseOutcome]]]:
        match, standing = self.match, list_standing(self.match.facts)
        ladders = {ladder.piece: ladder for ladder in match.ladders.ladders}
        known = StructureModel(ladders, match.base, standing)
        dropper = forecast.Forecaster(match.ladders, match.base)
        try:
            known.frozen.load_ladder(self.piece)
            rng = np.random.default_rng(5)
            for candidate in draw_hooks(known.wood, ladders[self.piece], Attitudes(None), rng, 40):
                release = known.frozen.lower(candidate.pose, None)
                if release is not None and match.find_landing(replace(self.held, pose=release)).fall_m < 0.01:
                    drops = dropper.drops(forecast.DropRequest(tuple(standing), self.piece, release))
                    yield release, list(drops)
        finally:
            known.close()
            dropper.close()

    def find_release(self, *, good: bool) -> Pose:
        die = self.match.state.die
        assert die is not None
        for pose, drops in self.list_releases():
            successes = [ladder_forecast.judge_drop(die, drop) is Reason.HONOURED for drop in drops]
            if all(successes) if good else not any(drop.held for drop in drops):
                return pose
        raise AssertionError("no release is certain")

    def close(self) -> None:
        self.game.close()


class InlineForecasts:
    """Replaces ``ForecastProcess``: forecasts in this process, one step for each poll or the granted effort."""

    def __init__(self, ladders: pieces.LadderSet, base: pieces.Base) -> None:
        self._forecaster = forecast.Forecaster(ladders, base)
        self._found: Iterator[ReleaseOutcome | LadderPlace | None] = iter(())
        self._drops: tuple[ReleaseOutcome, ...] = ()
        self._limit: int | None = None
        self.place: LadderPlace | None = None

    def ask(self, release: forecast.DropRequest, effort: int | None = None) -> None:
        self._found, self._drops, self.place = self._forecaster.forecast(release), (), None
        self._limit = None if effort is None else self._forecaster.effort + effort

    def grant(self, effort: int) -> None:
        self._limit = (self._limit or 0) + effort

    def drops(self) -> tuple[ReleaseOutcome, ...]:
        while self._limit is None or self._forecaster.effort < self._limit:
            answer = next(self._found, self)
            if isinstance(answer, ReleaseOutcome):
                self._drops += (answer,)
            elif isinstance(answer, LadderPlace):
                self.place = answer
            if answer is self or self._limit is None:
                break
        return self._drops

    def close(self) -> None:
        self._found = iter(())
        self._forecaster.close()


@pytest.fixture(autouse=True)
def _forecast_inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "ForecastProcess", InlineForecasts)


@pytest.fixture
def hand(request: pytest.FixtureRequest) -> Iterator[CarryingHand]:
    carrying_hand = CarryingHand(**getattr(request, "param", {}))
    yield carrying_hand
    carrying_hand.close()


@pytest.mark.parametrize("hand", [{"seed": 3}, {"seed": 5}], indirect=True)
def test_a_ladder_with_a_green_ghost_honours_the_die_and_rests_where_shown(hand: CarryingHand) -> None:
    hand.carry(hand.find_release(good=True))
    hand.watch(ANSWER_TICKS)
    ghost, hud = hand.ghost, hand.scene().hud
    assert ghost.fate is Fate.HOLDS
    assert hud.contact_good is True
    hand.release()
    (verdict,) = hand.verdicts
    assert verdict.ok
    assert verdict.tears == 0
    rest = hand.match.facts[hand.piece].pose
    assert math.dist(rest.position, ghost.pose.position) < 0.005
    assert str(len(verdict.touched)) in hud.contact_text


@pytest.mark.parametrize("hand", [{"seed": 3}], indirect=True)
def test_while_a_forecast_takes_long_the_player_is_asked_to_hold_still(
    hand: CarryingHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = hand.find_release(good=True)
    with monkeypatch.context() as slow:
        slow.setattr(ladder_forecast, "TICK_EFFORT", 1)
        hand.carry(release)
        hand.watch(2)
        assert not any(ghost.label for ghost in hand.scene().ghosts)
        hand.watch(JUDGING_TICKS + 10)
        ghost, hud = hand.ghost, hand.scene().hud
        assert (ghost.fate, ghost.label) == (None, text("foretold.judging"))
        assert (hud.contact_good, hud.contact_text) != (False, text("foretold.fallen"))
    hand.watch(ANSWER_TICKS)
    ghost = hand.ghost
    assert ghost.fate is Fate.HOLDS
    assert ghost.label != text("foretold.judging")


@pytest.mark.parametrize("hand", [{"seed": 3}, {"seed": 6}], indirect=True)
def test_a_ladder_with_a_red_ghost_falls_for_the_shown_reason(hand: CarryingHand) -> None:
    hand.game._guides = True
    hand.carry(hand.find_release(good=False))
    hand.watch(ANSWER_TICKS)
    ghost, hud = hand.ghost, hand.scene().hud
    assert ghost.fate is Fate.FAILS
    assert hud.contact_good is False
    assert hud.contact_text == text("foretold.fallen")
    assert ghost.label.startswith(text("foretold.falls", why="").rstrip())
    assert any(ghost.label.endswith(text(f"foretold.help.{key}")) for key in HELPS), "it advises the player"
    assert not hand.game.list_help_choices()
    hand.watch(OFFER_TICKS)
    assert [choice.name for choice in hand.game.list_help_choices()] == [SHOW_PLACE]
    hand.release()
    hand.scene()
    assert not hand.game.list_help_choices()
    (verdict,) = hand.verdicts
    assert verdict.reason is Reason.PLACED_FELL
    sentence = hand.scene().hud.verdict_text
    assert sentence.startswith(text("payment.tear", charged=hand.match.players[verdict.player]))
    (cause,) = (key for key in WHYS if ghost.label.startswith(text("foretold.falls", why=text(f"why.{key}"))))
    assert text(f"why.{cause}") in sentence, "the verdict repeats the forecast"


def test_an_old_answer_never_colours_a_new_pose(hand: CarryingHand) -> None:
    pose = hand.find_release(good=True)
    hand.carry(pose)
    hand.watch(2 * ANSWER_TICKS)
    assert hand.fate is Fate.HOLDS
    answered_at, (x, y, z) = hand.held.pose, pose.position
    hand.position = (x + 0.006, y, z + 0.004)
    while math.hypot(hand.held.pose.position[0] - answered_at.position[0]) < MIN_REACH_M + 0.0005:
        hand.hold(1)
    assert (hand.ghost.fate, hand.ghost.label) == (None, ""), "nothing is known about this pose yet"
    hand.carry(pose_compose(pose, Pose((0.10, 0.0, 0.0))))
    assert hand.fate is None


class LateForecaster:
    """Forecasts, after a number of polls, that the ladder will rest where it was held."""

    def __init__(self, delay: int) -> None:
        self.delay, self.polls_left = delay, 0
        self.place = None
        self.request: forecast.DropRequest | None = None
        self.tremors: dict[Pose | None, Slip] = {}

    def ask(self, release: forecast.DropRequest, effort: int | None = None) -> None:
        self.request, self.polls_left = release, self.delay
        self.tremors[release.pose] = release.tremor

    def drops(self) -> tuple[ReleaseOutcome, ...]:
        self.polls_left -= 1
        if self.request is None or self.request.pose is None or self.polls_left > 0:
            return ()
        outcome = ReleaseOutcome(True, ("L01",), self.request.pose, 0.3, 0.2, 0.0, ())
        return (outcome,) * min(forecast.MAX_DROPS, 3 - self.polls_left)

    def close(self) -> None:
        """Nothing to close."""


def use_forecaster(process: LateForecaster, hand: CarryingHand, monkeypatch: pytest.MonkeyPatch) -> Vec3:
    monkeypatch.setattr("armoon.games.moon.ladder_forecast.lower_release", lambda pose, _: pose)
    forecaster = LadderForecaster(hand.match, real_time=True)
    monkeypatch.setattr(forecaster, "_process", process)
    hand.game._forecaster.close()
    hand.game._forecaster = forecaster
    hand.carry(Pose((0.0, 0.0, 0.26), hand.rotation))
    return (0.0, 0.0, 0.26)


@pytest.mark.parametrize("delay", [7, 90])
def test_a_late_answer_colours_only_the_pose_that_was_asked_about(
    hand: CarryingHand, delay: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ladder is held still, moved away and brought back; the delay is counted in polls."""
    (x, y, z) = use_forecaster(forecaster := LateForecaster(delay), hand, monkeypatch)
    coloured = 0
    for step in (0.0, 0.003, 0.0, 0.02, 0.0012, 0.0, 0.0):
        hand.position = (x + step, y, z)
        for _ in range(60):
            hand.hold(1)
            if hand.fate is not None:
                coloured += 1
                ghost = hand.ghost
                question = HeldPose(ghost.pose, forecaster.tremors[ghost.pose], 0.0)
                assert question.contains(hand.held.pose)
    assert coloured or delay > 60


def tremble(amplitude_m: float, frequency_hz: float, frame: int) -> float:
    return amplitude_m * math.sin(math.tau * frequency_hz * frame * FRAME_S)


#: Sideways movements of hands that hold a ladder: frame → metres.
HANDS: dict[str, Callable[[int], float]] = {
    "still": lambda frame: 0.0,
    "trembling": lambda frame: tremble(0.0015, 8.0, frame),
    "trembling much": lambda frame: tremble(0.0025, 5.0, frame),
    "drifting": lambda frame: tremble(0.0005, 6.0, frame) + 0.004 * frame * FRAME_S,
    "jumping": lambda frame: 0.003 * (frame // 2 % 2),
    "jumping slowly": lambda frame: 0.003 * (frame // 8 % 2),
}


@pytest.mark.parametrize("movement", HANDS)
def test_a_trembling_hand_keeps_its_colour_and_causes_no_flicker(
    hand: CarryingHand, movement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The colour appears at most three times a second, however quickly the forecast is known."""
    jumps = movement.startswith("jumping")
    (x, y, z) = use_forecaster(LateForecaster(0 if jumps else 7), hand, monkeypatch)
    colours: list[bool] = []
    for frame in range(120):
        hand.do(pieces.GripPhase.HOLD, (x + HANDS[movement](frame), y, z))
        colours.append(hand.fate is not None)
    starts = [frame for frame, pair in enumerate(itertools.pairwise(colours)) if pair == (False, True)]
    for frame in starts:
        assert sum(frame <= other < frame + 30 for other in starts) <= 3, starts
    assert jumps or sum(colours) > 60, "it is coloured most of the time"


NO_HELPS = (Handicap(helps=VisualAids.NONE), Handicap(helps=VisualAids.NONE))


@pytest.mark.parametrize(
    "hand", [{"options": Options(no_hints=True)}, {"options": Options(handicaps=NO_HELPS)}], indirect=True
)
def test_without_visual_aids_or_hints_the_ghost_has_no_colour(hand: CarryingHand) -> None:
    hand.carry(Pose((0.0, 0.0, 0.30)))
    hand.watch(ANSWER_TICKS)
    assert hand.ghost.fate is None


def test_a_replay_forecasts_nothing(hand: CarryingHand) -> None:
    hand.game.is_replayed = True
    hand.carry(hand.find_release(good=True))
    hand.watch(ANSWER_TICKS)
    assert all(ghost.fate is None for ghost in hand.scene().ghosts)
    x, y, z = hand.position
    for step in range(20):
        if not hand.match.status.would_honour:
            hand.position = (x, y, z - 0.001 * step)
            hand.watch(FRAME_TICKS)
    assert hand.match.status.would_honour
    assert hand.scene().hud.contact_text
    assert hand.scene().hud.contact_good is None, "without a forecast"


def test_answers_to_an_earlier_question_are_dropped(hand: CarryingHand) -> None:
    standing = tuple(list_standing(hand.match.facts))
    pose = hand.find_release(good=True)
    far = Pose((0.3, 0.3, 0.2), pose.rotation)
    with contextlib.closing(ForecastProcess(hand.match.ladders, hand.match.base, niceness=0)) as forecaster:
        forecaster.ask(forecast.DropRequest(standing, hand.piece, far), FULL_EFFORT)
        forecaster.ask(forecast.DropRequest(standing, hand.piece, pose), FULL_EFFORT)
        forecaster.grant(0)
        assert [drop.held for drop in forecaster.drops()] == [True] * forecast.MAX_DROPS
        forecaster.ask(forecast.DropRequest(standing, hand.piece, far), FULL_EFFORT)
        forecaster.grant(0)
        assert [drop.held for drop in forecaster.drops()] == [False] * forecast.MAX_DROPS
        forecaster.ask(forecast.DropRequest(standing, hand.piece, far))  # in real time, without a grant
        forecaster.ask(forecast.DropRequest(standing, hand.piece, pose))
        until(lambda: len(forecaster.drops()) == forecast.MAX_DROPS, "the drops")
        assert all(drop.held for drop in forecaster.drops())


def test_in_lock_step_each_granted_effort_gives_its_drops(hand: CarryingHand) -> None:
    standing, pose = tuple(list_standing(hand.match.facts)), hand.find_release(good=True)

    def list_known() -> list[int]:
        process = ForecastProcess(hand.match.ladders, hand.match.base, niceness=0)
        with contextlib.closing(process) as forecaster:
            forecaster.ask(forecast.DropRequest(standing, hand.piece, pose), 20)
            known = []
            for _ in range(100):
                forecaster.grant(20)
                known.append(len(forecaster.drops()))
            return known

    known = list_known()
    assert known == sorted(known)
    assert (known[0], known[-1]) == (0, forecast.MAX_DROPS)
    assert len(set(known)) > forecast.MAX_DROPS // 2, "one after the other"
    assert known == list_known(), "the same on any machine"


def make_support(x: float, y: float, *supports: Vec2) -> Support:
    return Support((x, y, 0.2), tuple(("L01", (*point, 0.1)) for point in supports))


@pytest.mark.parametrize(
    ("support", "key"),
    [
        (make_support(0.0, 0.0), "none"),
        (replace(make_support(0.0, 0.0), met=(0.0, 0.0, 0.2)), "slid"),
        (replace(make_support(0.0, 0.0, (0.0, 0.0)), gave_way="L01"), "gave_way"),
        (make_support(-0.02, 0.0, (0.02, 0.0)), "single.left"),
        (make_support(0.05, 0.01, (0.0, 0.0)), "single.right"),
        (make_support(0.0, 0.04, (-0.03, 0.0), (0.03, 0.0)), "several.away"),
        (make_support(0.0, -0.04, (-0.03, 0.0), (0.03, 0.0)), "several.near"),
        (make_support(0.0, 0.0, (-0.1, -0.1), (0.1, -0.1), (0.0, 0.1)), "slid"),
    ],
)
def test_a_fall_is_explained_by_its_supports(hand: CarryingHand, support: Support, key: str) -> None:
    assert find_fall_key(hand.match, support) == key


def test_contacts_at_the_end_of_a_drop_count_as_supports() -> None:
    """A ladder dropped from 3 cm above two others touches both left of its middle, and tips to the right."""
    contacts = [("L01", (-0.05, 0.0, 0.21), 1.0), ("L02", (-0.01, 0.0, 0.21), 1.0)]
    support = Support((0.0, 0.0, 0.25))
    for z in (0.24, 0.23, 0.22):
        support = support.with_contacts((0.0, 0.0, z), ())
    assert support.met is None
    support = support.with_contacts((0.0, 0.0, 0.22), contacts)
    support = support.with_contacts((0.005, 0.0, 0.215), contacts[1:])
    assert [name for name, _ in support.supports] == ["L02"], "the last support before it tipped"
    on_the_way = [("L01", (0.0, 0.0, 0.2), 1.0)]
    assert support.with_contacts((0.03, 0.0, 0.20), on_the_way) is support, "falling contacts don't count"
    beside = Support((0.0, 0.0, 0.25)).with_contacts((0.0, 0.0, 0.22), [("L01", (0.0, 0.01, 0.21), 0.05)])
    assert beside.met is not None
    assert not beside.supports


def test_a_drop_from_above_records_the_last_support(hand: CarryingHand) -> None:
    standing = list_standing(hand.match.facts)
    dropper = forecast.Forecaster(hand.match.ladders, hand.match.base)
    fell = 0
    with contextlib.closing(dropper):
        for pose, _ in islice(hand.list_releases(), 12):
            x, y, z = pose.position
            above = Pose((x, y, z + 0.025), pose.rotation)
            drop = next(dropper.drops(forecast.DropRequest(tuple(standing), hand.piece, above)))
            if drop.last_support is not None:
                fell += 1
                assert drop.last_support.met is not None
                assert math.dist(drop.last_support.met, above.position) > 0.02
    assert fell


def make_facts(tops: dict[str, float], *contacts: pieces.Contact) -> pieces.Facts:
    standing = tuple(
        pieces.PieceFacts(name, pieces.PieceStatus.FREE, Pose((0.0, 0.0, z)), z, z, 0.0)
        for name, z in sorted(tops.items())
    )
    return pieces.Facts(0, standing, contacts, None, held_frozen=False, grip_gap_m=None, at_rest=False)


@pytest.mark.parametrize(
    ("phase", "up", "first", "words"),
    [
        (Phase.SETTLE, 0.9, "L01", "under"),
        (Phase.SETTLE, 0.1, "L01", "beside"),
        (Phase.HOLD, 0.9, "L01", "hand"),
        (Phase.SETTLE, 0.9, "L02", ""),
    ],
)
def test_the_fall_of_other_ladders_is_explained_by_the_new_ladders_push(
    phase: Phase, up: float, first: str, words: str
) -> None:
    """The push must have been observed: the new ladder touched the one that moved and fell first."""
    recorder, stood = FallRecorder(), {"L01": 0.1, "L02": 0.1, "L09": 0.3}
    contact = pieces.Contact("L01", "L09", 0.0, (0.0, 0.0, 0.1), (0.0, 0.0, -up))
    for now, facts in (
        (Phase.DRAW, make_facts(stood)),
        (Phase.HOLD, make_facts(stood)),
        (phase, make_facts(stood, contact)),
        (phase, make_facts({**stood, first: 0.05})),
        (phase, make_facts({**stood, "L01": 0.0, "L02": 0.0})),
    ):
        recorder.record_frame(SimpleNamespace(facts=facts, state=SimpleNamespace(phase=now, ladder="L09")))  # type: ignore[arg-type]
    fallen = (("L01", FallPlace.TABLE), ("L02", FallPlace.TABLE))
    fell = Verdict(1, 0, False, Reason.OTHERS_FELL, ("F2",), fallen=fallen)
    assert recorder.find_push(fell) == words
    assert recorder.find_push(replace(fell, reason=Reason.PLACED_FELL)) == ""
    assert recorder.find_push(replace(fell, fallen=fell.fallen[::-1])) == ""


PLAIN = Options()
EXACT_SOURCES = (Handicap(guidance=Guidance.OFF),) * 2


#: Effort of a forecast process between two questions about a drifting hand.
BETWEEN = round(0.3 * forecast.EFFORT_PER_S)


def search_near(hand: CarryingHand, pose: Pose) -> tuple[list[ReleaseOutcome], LadderPlace | None]:
    """Request forecasts for a drifting hand: each is replaced before the search around the hand has ended."""
    match, drops = hand.match, list[ReleaseOutcome]()
    assert match.state.die is not None
    nearby = forecast.Nearby(get_requirement(match.state.die), EYE, 0.018, math.radians(18.0))
    standing, dropper = tuple(list_standing(match.facts)), forecast.Forecaster(match.ladders, match.base)
    with contextlib.closing(dropper):
        for drift in range(60):
            drifted, start_effort = shift_pose(pose, 0.001 * (drift % 2)), dropper.effort
            request = forecast.DropRequest(standing, hand.piece, drifted, nearby=nearby)
            for answer in dropper.forecast(request):
                if isinstance(answer, LadderPlace):
                    return drops, answer
                drops += () if answer is None else (answer,)
                if dropper.effort - start_effort > BETWEEN:
                    break
    return drops, None


def make_hand(case: Case, options: Options = PLAIN, source: str = "mouse") -> CarryingHand:
    return CarryingHand(source, seed=case.game_seed, slots=Slots(CONFIGURATION), options=options)


def shift_pose(pose: Pose, by_m: float, direction: Vec3 = EYE) -> Pose:
    return Pose(vec3(np.array(pose.position) + by_m * np.array(direction)), pose.rotation)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((22102000, -0.013), id="ONE", marks=pytest.mark.long),
        pytest.param((188103020, -0.012), id="MOON"),
    ],
)
def near_miss(request: pytest.FixtureRequest) -> tuple[Case, Pose, LadderPlace]:
    """Return a pose 12 mm from a place, at which no drop holds, and the place found near it."""
    seed, by_m = request.param
    case = next(case for case in list_cases(read_tables(), 2) if case.seed == seed)
    pose = shift_pose(case.plan.release, by_m)
    hand = make_hand(case)
    drops, place = search_near(hand, pose)
    hand.close()
    assert not any(drop.held for drop in drops)
    assert place is not None
    return case, pose, place


def place_ladder(
    near_miss: tuple[Case, Pose, LadderPlace],
    options: Options = PLAIN,
    *,
    guided: bool = True,
    source: str = "mouse",
    ticks: int = 2,
) -> tuple[Verdict, Pose, CarryingHand]:
    case, pose, place = near_miss
    with contextlib.closing(make_hand(case, options, source)) as hand:
        verdict = hand.release_at(pose, *((place.release,) if guided else ()), ticks=ticks)
        return verdict, hand.held.pose, hand


@pytest.mark.parametrize(
    ("source", "off_m", "drawn_m"),
    [
        ("mouse", 0.018, 0.014),
        ("hand:1", 0.012, 0.002),
        (pieces.CARD_SOURCE, 0.012, None),
        (pieces.KEYS_SOURCE, 0.018, None),
        (pieces.CHOICE_SOURCE, 0.012, None),
    ],
)
def test_a_ladder_12_to_18_mm_off_goes_to_the_place_and_replays_bit_for_bit(
    near_miss: tuple[Case, Pose, LadderPlace], source: str, off_m: float, drawn_m: float | None
) -> None:
    """A ladder held still is first drawn towards the place, as far as its device allows."""
    case, _, place = near_miss
    pose = shift_pose(place.release, -off_m)
    verdict, rest, hand = place_ladder((case, pose, place), source=source, ticks=160)
    missing_m = math.dist(hand.drawn.position, place.release.position)
    assert missing_m < drawn_m if drawn_m is not None else missing_m == pytest.approx(off_m, abs=5e-4)
    assert verdict.ok
    assert math.dist(rest.position, place.rest.position) < 0.003
    match, replayed = play_to_draw(MoonMatch(hand.match.table, hand.match.setup)), list[dict[str, Any]]()
    while match.offered is None:
        advance(match)
    records = records_of(hand.match, *hand.played)
    for record in records:
        if record["kind"] == INTAKE:
            replayed += records_of(match, match.advance(intake_from_record(record)))
    match.close()
    assert replayed == records


SOURCES = ("mouse", "hand:1", pieces.CARD_SOURCE, pieces.KEYS_SOURCE, pieces.CHOICE_SOURCE)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "off",
    [
        pytest.param((0.0, 0.0, 0.1), id="above", marks=pytest.mark.long),
        pytest.param((0.06, -0.03, 0.03), id="beside"),
    ],
)
def test_on_request_a_ladder_goes_to_the_nearest_place_and_is_honoured_there(
    near_miss: tuple[Case, Pose, LadderPlace], source: str, off: Vec3
) -> None:
    case, _, place = near_miss
    with contextlib.closing(make_hand(case, source=source)) as hand:
        hand.carry(Pose(vec3(np.add(place.release.position, off)), place.release.rotation))
        hand.places = (place.release, Pose((0.2, 0.2, 0.3), place.release.rotation))
        hand.hold(1)
        verdict = hand.set_down()
        assert verdict.ok
        assert math.dist(hand.drawn.position, place.release.position) < 0.001


@pytest.mark.parametrize("source", ["hand:1", pieces.KEYS_SOURCE])
@pytest.mark.parametrize("above_m", [pytest.param(0.0, marks=pytest.mark.long), 0.06])
def test_on_request_a_green_ladder_is_set_down_where_it_is_shown(source: str, above_m: float) -> None:
    hand = CarryingHand(source, seed=3)
    hand.game._guides = True
    with contextlib.closing(hand):
        good = hand.find_release(good=True)
        hand.carry(Pose(vec3(np.add(good.position, (0.0, 0.0, above_m))), good.rotation))
        hand.watch(ANSWER_TICKS)
        ghost = hand.ghost
        assert ghost.fate is Fate.HOLDS
        assert hand.match.requested_place is None
        verdict = hand.set_down()
        assert verdict.ok
        assert math.dist(hand.held.pose.position, ghost.pose.position) < 0.005


@pytest.mark.parametrize(
    ("options", "source"),
    [
        (Options(handicaps=EXACT_SOURCES), "mouse"),
        (Options(handicaps=EXACT_SOURCES), pieces.KEYS_SOURCE),
        (Options(no_hints=True), "mouse"),
        (Options(handicaps=NO_HELPS), "mouse"),
    ],
    ids=["off", "off by keys", "as in trials", "no visual aids"],
)
def test_without_guidance_a_known_place_changes_nothing(
    near_miss: tuple[Case, Pose, LadderPlace], options: Options, source: str
) -> None:
    (verdict, rest, _), (alone, rest_alone, _) = (
        place_ladder(near_miss, options, guided=guided, source=source, ticks=40) for guided in (True, False)
    )
    assert (verdict, rest) == (alone, rest_alone)
    assert not verdict.ok


def test_while_a_release_would_fail_a_line_leads_to_the_nearest_place(
    near_miss: tuple[Case, Pose, LadderPlace],
) -> None:
    case, pose, place = near_miss
    with contextlib.closing(make_hand(case)) as hand:
        hand.carry(pose)
        hand.watch(2)
        far = replace(place, release=shift_pose(place.release, 0.03, (1.0, 0.0, 0.0)))
        turned = replace(place, release=Pose(pose.position, (1.0, 0.0, 0.0, 0.0)))
        hand.game._forecaster._places = (far, place, turned)
        assert hand.scene().place_line is None, "not before the forecast"
        hand.watch(ANSWER_TICKS)
        scene = hand.scene()
        assert scene.place_line == (hand.held.pose.position, place.release.position)
        assert [ghost.pose for ghost in scene.ghosts if ghost.fate is Fate.HOLDS] == [place.rest]


def test_a_ladder_held_over_a_place_is_drawn_down_to_where_it_rests(
    near_miss: tuple[Case, Pose, LadderPlace],
) -> None:
    case, _, place = near_miss
    with (
        contextlib.closing(make_hand(case)) as hand,
        contextlib.closing(LadderForecaster(hand.match, real_time=False)) as forecaster,
    ):
        hand.carry(shift_pose(place.release, 0.005, (0.0, 0.0, 1.0)))
        for _ in range(2 * PLACE_TICKS // FRAME_TICKS):
            hand.places = forecaster.pop_new_places()
            hand.hold(1)
        guided = hand.match.find_guided_place(hand.source)
        assert guided is not None
        assert math.dist(guided.position, place.rest.position) < 0.003
        assert math.dist(hand.held.pose.position, guided.position) < 0.002


@pytest.mark.parametrize(("shift_m", "guides"), [(0.0015, True), (-0.01, False)])
def test_places_guide_after_a_small_movement_and_are_shown_once_tried_again(
    near_miss: tuple[Case, Pose, LadderPlace], monkeypatch: pytest.MonkeyPatch, shift_m: float, guides: bool
) -> None:
    case, pose, _ = near_miss
    with (
        contextlib.closing(make_hand(case)) as hand,
        contextlib.closing(LadderForecaster(hand.match, real_time=False)) as forecaster,
    ):

        def is_shown_within(frames: int) -> bool:
            for _ in range(frames):
                hand.places = forecaster.pop_new_places()
                hand.hold(1)
                shown = forecaster.update()
                if shown is not None and shown.is_guided:
                    return True
            return False

        def list_moved(facts: pieces.Facts) -> list[tuple[pieces.PieceId, Pose, bool]]:
            return [(name, shift_pose(at, shift_m), fixed) for name, at, fixed in list_standing(facts)]

        hand.carry(pose)
        assert is_shown_within(PLACE_TICKS // FRAME_TICKS)
        monkeypatch.setattr(ladder_forecast, "list_standing", list_moved)
        assert not is_shown_within(2)
        assert (hand.match.find_guided_place(hand.source) is not None) is guides
        assert is_shown_within(PLACE_TICKS // FRAME_TICKS) or not guides
