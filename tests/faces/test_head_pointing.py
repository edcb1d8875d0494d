"""Turning the head moves the pointer, and an open mouth or a smile confirms; talking and strangers confirm nothing."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from support.face_kit import RATE_HZ, Sitter

from armoon.faces import Head, HeadPointer, HeadPointing, HeadSettings
from armoon.values.choices import HeadConfirm, HeadKind
from armoon.values.poses import Vec2

OPEN, TALK = 0.35, 0.15


class PointingPlayer:
    def __init__(self, settings: HeadSettings | None = None) -> None:
        self.sitter = Sitter()
        self.pointer = HeadPointer(settings or HeadSettings())
        self.confirmed = 0
        self.dwell_added_s = 0.0

    def hold(self, seconds: float, right: float = 0.0, up: float = 0.0, **mouth: float) -> HeadPointing:
        pointing = self.advance(seconds, lambda: (self.sitter.head(right, up, **mouth),))
        assert pointing is not None
        return pointing

    def advance(self, seconds: float, heads: object) -> HeadPointing | None:
        pointing = None
        for _ in range(round(seconds * RATE_HZ)):
            assert callable(heads)
            pointing = self.pointer.add_heads(self.sitter.next_heads(*heads()))
            if pointing is not None:
                self.confirmed += pointing.confirmed
                self.dwell_added_s += pointing.dwell_added_s
        return pointing


def begin_pointing(settings: HeadSettings | None = None) -> PointingPlayer:
    pointing = PointingPlayer(settings)
    pointing.hold(1.5)
    return pointing


def test_a_head_that_is_never_still_can_point() -> None:
    """The head sways by 8 degrees to both sides, twice a second."""
    pointing = PointingPlayer()
    for right in (8.0, -8.0) * 8:
        pointing.advance(0.25, lambda right=right: (pointing.sitter.head(right),))
    assert pointing.pointer.problem_key == ""
    before = pointing.hold(0.1)
    assert pointing.hold(1.0, 14.0).place[0] > before.place[0]


@pytest.mark.parametrize("kind", HeadKind)
def test_the_pointer_is_still_while_the_head_points_straight_ahead(kind: HeadKind) -> None:
    pointing = begin_pointing(HeadSettings(kind=kind))
    before = pointing.hold(0.5)
    after = pointing.hold(5.0)
    assert max(abs(b - a) for a, b in zip(before.place, after.place, strict=True)) < 0.02


@pytest.mark.parametrize("kind", HeadKind)
@pytest.mark.parametrize(("right", "up"), [(12.0, 0.0), (-12.0, 0.0), (0.0, 10.0), (0.0, -10.0)])
def test_the_pointer_follows_the_head_as_seen_by_the_player(kind: HeadKind, right: float, up: float) -> None:
    pointing = begin_pointing(HeadSettings(kind=kind))
    pointed = pointing.hold(1.0, right, up)
    to_right, down = pointed.place[0] - 0.5, pointed.place[1] - 0.5
    along, sideways = (to_right * right / 12.0, down) if right else (-down * up / 10.0, to_right)
    assert along > 0.1
    assert abs(sideways) < 0.05


@pytest.mark.parametrize("confirm", [HeadConfirm.DWELL, HeadConfirm.MOUTH])
@pytest.mark.parametrize("target", [(0.8, 0.3), (0.12, 0.9), (0.55, 0.52)])
def test_a_player_who_reacts_late_reaches_a_button_with_the_stick_and_holds_it(
    target: Vec2, confirm: HeadConfirm
) -> None:
    """The player sees the pointer 0.25 s late, turns the head further the farther the button is, and stops over it."""
    pointing, half = begin_pointing(HeadSettings(confirm=confirm)), (0.08, 0.04)
    places = [(0.5, 0.5)] * round(0.25 * RATE_HZ)
    inside, place = 0, places[0]
    for _ in range(round(15.0 * RATE_HZ)):
        gap = [wanted - actual for wanted, actual in zip(target, places[0], strict=True)]
        turns = [
            0.0 if abs(gap[k]) < 0.6 * half[k] else math.copysign(min(15.0, 6.5 + 25.0 * abs(gap[k])), gap[k])
            for k in range(2)
        ]
        now = pointing.hold(1.0 / RATE_HZ, turns[0], -turns[1])
        place = now.place
        places = [*places[1:], place]
        is_over = all(
            abs(wanted - actual) < size for wanted, actual, size in zip(target, place, half, strict=True)
        )
        inside = inside + 1 if is_over else 0
        if inside >= 1.5 * RATE_HZ:
            break
    assert inside >= 1.5 * RATE_HZ, place
    if confirm is HeadConfirm.MOUTH:
        pressed = pointing.hold(0.5, mouth=OPEN)
        assert pointing.confirmed == 1
        assert pressed.place == pytest.approx(place, abs=0.02), "opening the mouth must not move the pointer"


def test_a_slow_change_of_posture_keeps_the_pointer_in_place() -> None:
    pointing = begin_pointing()
    for tenth in range(300):  # 6 degrees in 30 s
        pointing.hold(0.1, tenth * 0.02)
    before = pointing.hold(0.1, 6.0)
    after = pointing.hold(2.0, 6.0)
    assert abs(after.place[0] - before.place[0]) < 0.02


@pytest.mark.parametrize("confirm", [HeadConfirm.MOUTH, HeadConfirm.SMILE])
def test_an_open_mouth_or_a_smile_confirms_once(confirm: HeadConfirm) -> None:
    expression = {"mouth": OPEN} if confirm is HeadConfirm.MOUTH else {"smile": 1.35}
    pointing = begin_pointing(HeadSettings(confirm=confirm))
    pointing.hold(0.2, **expression)
    pointing.hold(0.3)
    assert pointing.confirmed == 0, "0.2 s are too short"
    pointing.dwell_added_s = 0.0
    for count in (1, 2):
        pointing.hold(2.0, **expression)
        assert pointing.confirmed == count
        assert pointing.dwell_added_s == pytest.approx(count * 0.8, rel=0.01), "the ring fills exactly"
        ended = pointing.hold(1.0 / RATE_HZ)
        assert ended.ended


def test_talking_confirms_nothing() -> None:
    pointing = begin_pointing()
    for word in range(60):
        pointing.hold(0.1, mouth=OPEN if word % 7 == 0 else TALK)
    assert pointing.confirmed == 0


def test_a_mouth_open_from_the_start_confirms_nothing() -> None:
    pointing = PointingPlayer()
    pointing.hold(3.0, mouth=OPEN)
    assert pointing.confirmed == 0
    pointing.hold(0.2)
    pointing.hold(0.5, mouth=OPEN)
    assert pointing.confirmed == 1


def test_a_briefly_lost_head_continues_from_its_place() -> None:
    pointing = begin_pointing()
    pointed = pointing.hold(0.5, 12.0)
    lost = pointing.advance(0.2, tuple)
    assert lost is not None
    assert lost.place == pointed.place
    assert pointing.advance(0.6, tuple) is None
    held = pointing.hold(0.1)
    assert held.place == pytest.approx(pointed.place, abs=0.01)


def test_a_face_lost_during_a_press_presses_nothing() -> None:
    pointing = begin_pointing()
    pointing.hold(0.2, mouth=OPEN)
    pointing.advance(0.5, tuple)
    pointing.hold(1.0, mouth=OPEN)
    assert pointing.confirmed == 0
    pointing.hold(0.1)
    pointing.hold(0.5, mouth=OPEN)
    assert pointing.confirmed == 1


def make_stranger(head: Head, to_right: float = 0.35, width: float = 0.25) -> Head:
    return replace(head, place=(head.place[0] + to_right, head.place[1]), width=width)


def test_the_first_head_keeps_the_pointer_even_if_another_is_nearer() -> None:
    pointing = begin_pointing()
    sitter = pointing.sitter
    before = pointing.hold(0.1)
    last = before
    for _ in range(60):
        other = make_stranger(sitter.head(15.0, mouth=OPEN))
        now = pointing.pointer.add_heads(sitter.next_heads(other, sitter.head()))
        assert now is not None
        assert not now.confirmed
        last = now
    assert last.place == pytest.approx(before.place, abs=0.01)
    moved = None
    for _ in range(30):
        moved = pointing.pointer.add_heads(sitter.next_heads(make_stranger(sitter.head()), sitter.head(15.0)))
    assert moved is not None
    assert moved.place[0] > 0.7


def test_another_head_takes_over_only_after_a_while_and_is_calibrated_again() -> None:
    pointing = begin_pointing()
    sitter = pointing.sitter
    assert pointing.advance(0.8, lambda: (make_stranger(sitter.head(15.0)),)) is None
    assert pointing.advance(0.7, lambda: (make_stranger(sitter.head(15.0)),)) is None
    assert pointing.pointer.problem_key == "head.straight"
    tracked = pointing.advance(1.5, lambda: (make_stranger(sitter.head(15.0)),))
    assert tracked is not None
    assert tracked.place[0] == pytest.approx(0.5, abs=0.02), (
        "the new player's direction counts as straight ahead"
    )


def test_invalid_numbers_and_decreasing_times_are_harmless() -> None:
    pointing = begin_pointing()
    sitter = pointing.sitter
    heads = sitter.next_heads(sitter.head())
    for time_s in (float("nan"), float("inf"), 0.0, heads.time_s - 1.0):
        assert pointing.pointer.add_heads(replace(heads, time_s=time_s)) is None
    pointing.hold(0.1)


@pytest.mark.parametrize("rate", [8.0, 15.0, 60.0])
def test_pointing_depends_on_seconds_not_on_frames(rate: float) -> None:
    """At any frame rate a head turned for a second moves the pointer about as far, and a mouth confirms as quickly."""
    sitter, pointer = Sitter(noise_deg=0.1), HeadPointer(HeadSettings())
    at_s, confirmed_s = 0.0, None
    place = (0.5, 0.5)
    for k in range(round(5.0 * rate)):
        at_s = k / rate
        mouth = OPEN if at_s >= 4.0 else 0.03
        head = sitter.head(12.0 if 2.0 <= at_s < 3.0 else 0.0, mouth=mouth)
        pointer_state = pointer.add_heads(replace(sitter.next_heads(head), time_s=at_s))
        if pointer_state is not None:
            place = pointer_state.place
            if pointer_state.confirmed:
                assert confirmed_s is None
                confirmed_s = at_s
    assert 0.75 < place[0] < 0.95
    assert confirmed_s is not None
    assert 4.3 <= confirmed_s + 1e-6 <= 4.3 + 2.0 / rate
