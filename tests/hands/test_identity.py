"""Hands keep their identity by continuity in space; left or right is decided over several frames."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import pytest
from support.hands_kit import CAMERA, PALM_M, TABLE_FROM_CAMERA, InterpreterHarness, frame_of, stick_hand

from armoon.hands import tracked_hand
from armoon.hands.grip_settings import GripSettings
from armoon.hands.interpret import Interpreter
from armoon.hands.landmarks import Hand, HandBounds, Side, make_hand
from armoon.values.pieces import GripPhase

RATE_HZ = 30.0
NOISE_PX = 0.7


def make_bounds(x: float, y: float = 200.0, palm: float = 100.0) -> HandBounds:
    return HandBounds((x, y), palm)


def test_a_hand_never_jumps_out_of_reach_but_reach_grows_while_unseen() -> None:
    assert tracked_hand.match_hands([make_bounds(100)], [0.033], [make_bounds(300)]) == {}
    assert tracked_hand.match_hands([make_bounds(100)], [0.15], [make_bounds(300)]) == {0: 0}
    assert tracked_hand.match_hands([make_bounds(100)], [10.0], [make_bounds(450)]) == {}


def test_reach_is_measured_in_palm_lengths() -> None:
    assert tracked_hand.match_hands([make_bounds(100, palm=20)], [0.033], [make_bounds(150, palm=20)]) == {}
    assert tracked_hand.match_hands([make_bounds(100, palm=80)], [0.033], [make_bounds(150, palm=80)]) == {
        0: 0
    }


def test_one_hand_seen_twice_counts_once() -> None:
    hand = stick_hand()
    duplicate = stick_hand((0.005, 0.06, 0.5))
    other = stick_hand((0.15, 0.06, 0.5))
    assert tracked_hand.drop_duplicates([hand, duplicate, other]) == (hand, other)


# Two hands whose paths cross, through the whole interpreter -----------------------------------------------------


@dataclass(frozen=True)
class HandCrossing:
    """A pinched right hand moves from left to right, an open left one the other way; both start after a second."""

    speed_m_s: float
    apart_m: float
    """Distance of the second hand's path below the first one's."""
    unseen: Collection[str] = ()
    """Names of the hands that are out of sight for five frames while the hands meet."""
    other_first: bool = False
    """Whether the tracker lists the open hand first."""

    def watch(self) -> tuple[tuple[str, ...], tuple[str, ...], set[GripPhase]]:
        """Return the hands before and after the crossing, the owner with a star, and the grip's phases."""
        rng = np.random.default_rng(5)
        interpreter = Interpreter(CAMERA, TABLE_FROM_CAMERA, GripSettings(palm_m=PALM_M))
        start_m = 0.14
        meet_s = 1.0 + start_m / self.speed_m_s
        before: tuple[str, ...] = ()
        phases: set[GripPhase] = set()
        frames = round((meet_s + start_m / self.speed_m_s + 0.3) * RATE_HZ)
        for k in range(frames):
            time_s = k / RATE_HZ
            travel_m = min(max(0.0, time_s - 1.0) * self.speed_m_s, 2.0 * start_m)
            pinch = min(max(0.0, time_s - 0.3) / 0.2, 1.0)
            hands = {
                "playing": self._observe(rng, travel_m - start_m, 0.06, pinch, "right"),
                "other": self._observe(rng, start_m - travel_m, 0.06 + self.apart_m, 0.0, "left"),
            }
            if abs(time_s - meet_s) < 2.5 / RATE_HZ:
                hands = {name: hand for name, hand in hands.items() if name not in self.unseen}
            tracked = list(hands.values())[:: -1 if self.other_first else 1]
            interpreter.add_hands(frame_of(*tracked, time_s=time_s))
            intent = interpreter.get_intent(time_s)
            if intent is not None and time_s > 0.9:
                phases.add(intent.phase)
            labels = tuple(_find_label(view, hands) for view in interpreter.list_views())
            before = labels if abs(time_s - 0.9) < 0.5 / RATE_HZ else before
        return before, labels, phases

    def _observe(self, rng: np.random.Generator, x: float, y: float, pinch: float, side: Side) -> Hand:
        return replace(stick_hand((x, y, 0.5), pinch=pinch, noise_px=NOISE_PX, rng=rng), side=side)


def _find_label(view: tracked_hand.HandView, hands: dict[str, Hand]) -> str:
    def measure_distance(name: str) -> float:
        return float(np.abs(hands[name].points - np.array(view.points_px)).mean())

    return min(hands, key=measure_distance) + ("*" if view.is_owner else "")


@pytest.mark.parametrize("other_first", [False, True])
@pytest.mark.parametrize("apart_m", [0.02, 0.05, 0.10])
@pytest.mark.parametrize("speed_m_s", [0.15, 0.4, 1.0])
def test_crossing_hands_keep_their_identities(speed_m_s: float, apart_m: float, other_first: bool) -> None:
    before, after, phases = HandCrossing(speed_m_s, apart_m, other_first=other_first).watch()
    assert before == after
    assert set(after) == {"playing*", "other"}
    # Slow hands overlap for so long that the grip may be lost meanwhile.
    assert phases == {GripPhase.HOLD} if speed_m_s > 0.15 else phases <= {GripPhase.HOLD, GripPhase.LOST}


@pytest.mark.parametrize("apart_m", [0.0, 0.005])
@pytest.mark.parametrize("speed_m_s", [0.15, 0.4, 1.0])
def test_overlapping_hands_leave_the_grip_with_its_hand(speed_m_s: float, apart_m: float) -> None:
    # While the hands overlap, they count as one hand found twice; the other may reappear with a new identity.
    _, after, phases = HandCrossing(speed_m_s, apart_m).watch()
    assert set(after) == {"playing*", "other"}
    assert phases == {GripPhase.HOLD}


@pytest.mark.parametrize("unseen", [("playing",), ("other",), ("playing", "other")], ids="+".join)
@pytest.mark.parametrize("speed_m_s", [0.15, 0.4])
def test_a_short_loss_at_the_crossing_swaps_no_identity(speed_m_s: float, unseen: tuple[str, ...]) -> None:
    before, after, phases = HandCrossing(speed_m_s, 0.05, unseen=unseen).watch()
    assert before == after
    assert phases == {GripPhase.HOLD}


MIRRORINGS = {
    "the whole hand": ((-1.0, 1.0), (-1.0, 1.0, 1.0)),
    "in depth": ((1.0, 1.0), (1.0, 1.0, -1.0)),
    "the picture alone": ((-1.0, 1.0), (1.0, 1.0, 1.0)),
    "the world alone": ((1.0, 1.0), (-1.0, 1.0, 1.0)),
}


def mirror_hand(hand: Hand, mirrored: str, side: Side) -> Hand:
    """Return the hand's mirror image, in one of the ways of ``MIRRORINGS``, with the label ``side``."""
    points, world = hand.points, hand.world
    middle = points.mean(axis=0)
    flat, deep = (np.array(factors) for factors in MIRRORINGS[mirrored])
    points = middle + (points - middle) * flat
    return make_hand(points.tolist(), (world * deep).tolist(), side, hand.score)


@pytest.mark.parametrize("rate_hz", [30.0, 15.0, 10.0])
@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("mirrored", MIRRORINGS)
def test_half_a_second_of_mirrored_landmarks_hardly_moves_a_held_ladder(
    mirrored: str, side: Side, rate_hz: float
) -> None:
    table, rng = InterpreterHarness(frame_s=1.0 / rate_hz), np.random.default_rng(3)
    for k in range(round(4.0 * rate_hz)):
        time_s = k / rate_hz
        hand = stick_hand(pinch=float(time_s > 0.5), noise_px=0.3, rng=rng)
        if 2.0 <= time_s < 2.5:
            hand = mirror_hand(hand, mirrored, side)
        table.show(hand)
    intents = [intent for intent in table.intents if intent.time_s > 1.8]
    assert {intent.phase for intent in intents} == {GripPhase.HOLD}
    assert max(math.dist(intents[0].pose.position, intent.pose.position) for intent in intents) <= 0.010


@pytest.mark.parametrize("mirrored", ["the whole hand", "in depth"])
def test_permanently_mirrored_landmarks_are_accepted(mirrored: str) -> None:
    """They may be right after all; if they were ignored forever, the held ladder would stay behind."""
    table, intents = InterpreterHarness(), []
    for k in range(240):
        time_s = k / RATE_HZ
        hand = stick_hand((0.05 * min(max(0.0, time_s - 6.0), 1.0), 0.06, 0.5), pinch=float(time_s > 0.5))
        intents.append(table.show(mirror_hand(hand, mirrored, hand.side) if k > 60 else hand))
    before, after = intents[179], intents[239]
    assert math.dist(before.pose.position, after.pose.position) == pytest.approx(0.05, abs=0.01)


def test_another_closed_hand_does_not_take_the_grip_when_the_first_one_is_lost() -> None:
    table = InterpreterHarness()
    for k in range(90):
        time_s = k / RATE_HZ
        playing = stick_hand((-0.05, 0.06, 0.5), pinch=min(max(0.0, time_s - 0.3) / 0.2, 1.0))
        share = min(max(0.0, time_s - 0.6) / 0.2, 1.0)
        other = stick_hand((0.1, 0.06, 0.5), pinch=share)
        intent = table.show(*((playing, other) if time_s < 1.5 else (other,)))
    assert intent.phase is GripPhase.LOST
    assert intent.source == "hand:1"


def test_passing_to_the_other_hand_in_the_air_is_a_release_and_no_grab() -> None:
    table = InterpreterHarness()
    for k in range(90):
        time_s = k / RATE_HZ
        first = min(max(0.0, time_s - 0.3) / 0.2, 1.0) - min(max(0.0, time_s - 1.5) / 0.2, 1.0)
        second = min(max(0.0, time_s - 0.9) / 0.2, 1.0)
        hands = stick_hand((-0.05, 0.06, 0.5), pinch=first), stick_hand((0.1, 0.06, 0.5), pinch=second)
        table.show(*hands)
    phases = [(intent.phase, intent.source) for intent in table.intents]
    edges = [p for p in phases if p[0] in (GripPhase.GRAB, GripPhase.RELEASE)]
    assert edges == [(GripPhase.GRAB, "hand:1"), (GripPhase.RELEASE, "hand:1")]
    assert GripPhase.HOLD not in [phase for phase, source in phases if source == "hand:2"]


def settle_label(frames: int = 30) -> tracked_hand.HandednessVote:
    label = tracked_hand.HandednessVote()
    assert not any(label.add_label("right") for _ in range(frames))
    return label


def test_lasting_contrary_frames_are_accepted() -> None:
    label = settle_label()
    doubts = [label.add_label("left") for _ in range(60)]
    assert doubts.index(False) == tracked_hand.MAX_LEAD - tracked_hand.SETTLED_LEAD + 1
    assert not any(doubts[doubts.index(False) :])
