"""The one-hand rule in rendered scenes: what must be caught is caught, and fair play is left alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.hand_checks import watch_figures
from benchmarks.hand_clips import Clip
from benchmarks.one_hand import (
    HEIGHT,
    HELD_FROM_S,
    MUST_CATCH_S,
    WAYS,
    WIDTH,
    Filmed,
    OneHandScene,
    beside_scene,
    came_s,
    fair_clip,
    film,
    is_fair,
    scenes,
    skeletons,
    violations,
)

from armoon.camera.profiles import SEATS, table_seat
from armoon.errors import DisplayError
from armoon.hands.interpret import Interpreter
from armoon.hands.one_hand_watch import WatchLevel, WatchReport
from armoon.synthetic_camera.look import StageLook
from armoon.values.pieces import GripPhase

FAIR = (
    "alone",
    "passing behind",
    "passing before",
    "crossing before the playing hand",
    "resting at the edge",
    "passing through",
    "another player's hand",
    "seen twice",
)
UNFAIR = ("reaching in, 0.3 s", "reaching in, 0.6 s", "reaching in, 2.5 s", "two hands holding", "hand-over")


def scene(seat: str, name: str) -> OneHandScene:
    return next(one for one in scenes(seat) if one.name == name)


def true_violations(one: OneHandScene) -> list[float]:
    times = [k / 30.0 for k in range(round(one.duration_s * 30.0))]
    return [end - begin for begin, end in violations(times, [one.is_violated(t) for t in times])]


@pytest.mark.parametrize("seat", SEATS)
def test_the_truth_of_every_scene_is_what_its_name_says(seat: str) -> None:
    assert tuple(one.name for one in scenes(seat)) == FAIR + UNFAIR
    for name in FAIR:
        assert all(lasting <= MUST_CATCH_S for lasting in true_violations(scene(seat, name))), name
    for name in UNFAIR[1:]:
        assert max(true_violations(scene(seat, name))) > MUST_CATCH_S, name


def test_violations_are_unbroken_stretches() -> None:
    times = [0.0, 0.1, 0.2, 0.3, 0.4]
    assert violations(times, [True, True, False, True, False]) == ((0.0, 0.1), (0.3, 0.3))
    assert violations(times, [False] * 5) == ()


@pytest.mark.parametrize("seed", [0, 1, 5])
def test_fair_clips_are_fair_and_found_again(seed: int) -> None:
    clip, look = fair_clip(seed)
    again, same_look = fair_clip(seed)
    assert look == same_look
    assert [clip.states(t) for t in (3.0, 9.5)] == [again.states(t) for t in (3.0, 9.5)]
    assert is_fair(clip, look.hand_scale)


def filmed(levels: str, violated: str) -> Filmed:
    """Ten frames a second; ``w`` is a warning, ``f`` a fault, ``x`` a frame in violation."""
    kinds = {"-": WatchLevel.CLEAR, "w": WatchLevel.WARNING, "f": WatchLevel.FAULT}
    count = len(levels)
    return Filmed(
        replace(scene("table", "alone"), duration_s=count / 10.0),
        tuple(k / 10.0 for k in range(count)),
        tuple(c == "x" for c in violated),
        (True,) * count,
        (1,) * count,
        tuple(WatchReport(kinds[c]) for c in levels),
        (),
    )


def test_caught_missed_and_false_alarms_are_told_apart() -> None:
    caught = filmed("----wwff--", "xxxxxxxx--")
    assert caught.delays_s == (0.4,)
    assert caught.false_alarms_s == ()
    assert caught.level is WatchLevel.FAULT
    assert filmed("----------", "xxxxxxxx--").delays_s == (None,)
    assert filmed("----------", "xxxxxx----").delays_s == (), "too short to have to be caught"
    assert filmed("-w----w---", "----------").false_alarms_s == (0.1, 0.6)


@pytest.mark.parametrize("rate_hz", [30.0, 15.0, 10.0])
def test_hands_without_pictures_are_watched_as_filmed_ones_are(rate_hz: float) -> None:
    fair, look = fair_clip(1)
    seen = skeletons(fair, rate_hz=rate_hz, look=look)
    assert sum(seen.held) > 0.2 * len(seen.held)
    assert seen.warned_s == ()
    look = StageLook(skin="tan")
    for seat in SEATS:
        caught = skeletons(scene(seat, "reaching in, 0.6 s"), rate_hz=rate_hz, look=look)
        assert all(delay is not None and delay <= 0.5 for delay in caught.delays_s)
        assert caught.delays_s
        assert skeletons(scene(seat, "passing through"), rate_hz=rate_hz, look=look).false_alarms_s == ()


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("way", WAYS)
def test_a_second_hand_beside_is_warned_of_at_every_depth_and_angle(seat: str, way: str) -> None:
    one = beside_scene(seat, way)
    seen = skeletons(one, rate_hz=15.0, look=StageLook())
    place = SEATS[seat](WIDTH, HEIGHT)
    came = came_s(one, seen.times_s, (WIDTH, HEIGHT))
    clip = Clip(one.name, seen.hands, place.camera, place.table_from_camera, two_hands_s=came)
    figures = watch_figures({way: [clip]}, [], [], {"15": (1000.0, (0.0,))})
    assert figures["ways"][way]["15"]["warned"] == 1.0
    assert figures["ways"][way]["15"]["warned_s"] <= 0.6


def watched(one: OneHandScene) -> Filmed:
    try:
        return film(one)
    except DisplayError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize(
    ("seat", "name"),
    [
        ("table", "passing before"),
        ("table", "another player's hand"),
        ("table", "seen twice"),
        ("mirror", "passing behind"),
        ("mirror", "resting at the edge"),
    ],
)
def test_fair_scenes_are_left_alone(seat: str, name: str) -> None:
    result = watched(scene(seat, name))
    assert result.warned_s == ()
    assert sum(result.held) > 0.5 * len(result.held)


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
@pytest.mark.parametrize(
    ("seat", "name"),
    [
        ("table", "reaching in, 0.6 s"),
        ("table", "two hands holding"),
        ("table", "hand-over"),
        ("mirror", "reaching in, 0.6 s"),
    ],
)
def test_violations_are_caught(seat: str, name: str) -> None:
    result = watched(scene(seat, name))
    assert len(result.delays_s) == 1
    assert None not in result.delays_s
    assert result.false_alarms_s == ()
    warned = next(report for report in result.reports if report.warns)
    assert len(warned.near) == 1


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.tracker
def test_a_hand_that_crosses_before_the_playing_one_leaves_it_its_ladder_and_its_name() -> None:
    result = watched(scene("table", "crossing before the playing hand"))
    seat = table_seat(WIDTH, HEIGHT)
    interpreter = Interpreter(seat.camera, seat.table_from_camera)
    phases: set[GripPhase] = set()
    sources: set[str] = set()
    others: set[int] = set()
    for time_s, hands in zip(result.times_s, result.hands, strict=True):
        interpreter.see(hands)
        intent = interpreter.intent(time_s)
        if HELD_FROM_S < time_s < 4.4:
            assert intent is not None
            phases.add(intent.phase)
            sources.add(intent.source)
            others |= {view.identity for view in interpreter.views() if not view.owner}
    assert phases <= {GripPhase.HOLD, GripPhase.LOST}
    assert intent is None or intent.phase is not GripPhase.LOST
    assert sources == {"hand:1"}
    assert others, "the crossing hand was seen"
    assert result.warned_s == ()
