"""Intended gestures and pointing are recognised, and no others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands_kit import (
    FRAME_S,
    GESTURE_HANDS,
    OPEN_HAND,
    fist_hand,
    frame_of,
    media_folder,
    shake,
    stick_hand,
    swing_m,
    wag_frames,
)

from armoon.hands.gestures import DwellPointer, FingerPointer, GestureReader
from armoon.hands.landmarks import Hand, Hands
from armoon.values.acts import Gesture


def read(video: list[tuple[Hand, ...]], reader: GestureReader | None = None) -> list[Gesture]:
    reader = reader or GestureReader()
    gestures = [reader.read_gesture(frame_of(*hands, time_s=k * FRAME_S)) for k, hands in enumerate(video)]
    return [gesture for gesture in gestures if gesture is not None]


def test_a_gesture_works_in_any_direction() -> None:
    up_and_down = [(fist_hand((0.0, 0.04 + swing_m(k), 0.5)),) for k in range(45)]
    assert read(OPEN_HAND + up_and_down + OPEN_HAND) == [Gesture.SHAKE]


@pytest.mark.parametrize(
    "video",
    [
        shake(),
        [(fist_hand(),)] * 60 + OPEN_HAND,
        shake(frames=12) + OPEN_HAND,
        shake(amplitude_m=0.012) + OPEN_HAND,
        shake(frames=150, rate_hz=0.6, amplitude_m=0.1) + OPEN_HAND,
        shake() + [(fist_hand(),)] * 40 + OPEN_HAND,
        [(stick_hand((swing_m(k), 0.06, 0.5), pinch=1.0),) for k in range(60)] + OPEN_HAND,
    ],
    ids=["never opened", "not shaken", "once", "a tremble", "carried about", "opened late", "a pinch"],
)
def test_a_motion_similar_to_a_shake_does_not_roll_the_die(video: list[tuple[Hand, ...]]) -> None:
    assert read(video) == []


def test_moving_aside_once_does_not_put_the_ladder_back() -> None:
    motion: list[tuple[Hand, ...]] = [
        (stick_hand((0.05 * math.sin(math.pi * min(1.0, k / 20)), 0.06, 0.5)),) for k in range(60)
    ]
    assert read(OPEN_HAND + motion) == []


@pytest.mark.parametrize("gesture", Gesture)
def test_a_gesture_is_recognised_once(gesture: Gesture) -> None:
    assert read(GESTURE_HANDS[gesture]) == [gesture]


@pytest.mark.parametrize(
    "video",
    [
        [(fist_hand(index_bent=0.0),)] * 90,
        wag_frames(frames=12),
        wag_frames(amplitude_m=0.012, frames=90),
        wag_frames(frames=150, rate_hz=0.6, amplitude_m=0.1),
        [(fist_hand((0.0, 0.04 + swing_m(k), 0.5), index_bent=0.0),) for k in range(60)],
    ],
    ids=["points", "once", "trembles", "points here and there", "up and down"],
)
def test_a_pointing_finger_alone_makes_no_gesture(video: list[tuple[Hand, ...]]) -> None:
    assert read(video) == []


def test_the_end_of_a_gesture_starts_no_other_one() -> None:
    shaken = shake(frames=20, rate_hz=4.0) + OPEN_HAND[:6]
    assert read(OPEN_HAND + shaken) == [Gesture.SHAKE]
    assert read(OPEN_HAND + shake() + OPEN_HAND[:2] + shaken) == [Gesture.SHAKE]


def test_a_fist_after_a_long_other_shape_starts_a_new_shake() -> None:
    gestures = shake(frames=11, rate_hz=4.0)
    pointing = fist_hand((swing_m(10, 4.0, 0.035), 0.06, 0.5), index_bent=0.0)
    back = shake(frames=11, rate_hz=4.0, amplitude_m=-0.035)
    assert read([*OPEN_HAND, *gestures, *[(pointing,)] * 3, *back, *OPEN_HAND]) == [Gesture.SHAKE]
    assert read([*OPEN_HAND, *gestures, *[(pointing,)] * 8, *back, *OPEN_HAND]) == []


def test_a_busy_hand_makes_no_gesture() -> None:
    reader = GestureReader()
    for k, hands in enumerate(shake() + OPEN_HAND):
        assert reader.read_gesture(frame_of(*hands, time_s=k * FRAME_S), busy=True) is None


def test_motion_before_a_hand_was_busy_is_not_a_gesture() -> None:
    reader, gestures = GestureReader(), []
    for k, hands in enumerate([*shake(), *[(fist_hand(),)] * 4, *[OPEN_HAND[0]] * 10]):
        busy = 0 <= k - len(shake()) < 4
        gestures.append(reader.read_gesture(frame_of(*hands, time_s=k * FRAME_S), busy=busy))
    assert set(gestures) == {None}


def test_a_shake_survives_single_lost_frames() -> None:
    video = [hands if k % 9 else () for k, hands in enumerate(shake(60))]
    assert read(video + OPEN_HAND) == [Gesture.SHAKE]


def test_another_hand_in_view_changes_nothing() -> None:
    other = stick_hand((0.17, 0.0, 0.6), pinch=0.5)
    assert read([(other, *hands) for hands in OPEN_HAND + shake() + OPEN_HAND]) == [Gesture.SHAKE]


# Pointing ---------------------------------------------------------------------------------------------------

BUTTONS = {"left": (0.0, 0.0, 0.5, 1.0), "right": (0.5, 0.0, 1.0, 1.0)}


def finger(x_m: float) -> Hand:
    return fist_hand((x_m, 0.10, 0.5), index_bent=0.0)


def point(shown: list[Hand], *, mirrored: bool = False, busy: bool = False) -> list[FingerPointer | None]:
    pointer = DwellPointer(mirrored=mirrored, dwell_s=0.8)
    return [
        pointer.add_hands(frame_of(hand, time_s=k * FRAME_S), BUTTONS, busy=busy)
        for k, hand in enumerate(shown)
    ]


def test_a_finger_held_on_a_button_presses_it_once() -> None:
    pointers = point([finger(0.1)] * 90)
    pressed = [k for k, pointer in enumerate(pointers) if pointer and pointer.pressed]
    assert len(pressed) == 1
    assert pressed[0] == pytest.approx(0.8 / FRAME_S, abs=4)
    progress = [pointer.progress for pointer in pointers[: pressed[0]] if pointer]
    assert progress == sorted(progress)
    assert all(pointer.button == "right" for pointer in pointers if pointer)


def test_a_button_can_be_pressed_again_after_leaving_it() -> None:
    pointers = point([finger(0.1)] * 40 + [finger(-0.1)] * 40 + [finger(0.1)] * 40)
    assert [p.button for p in pointers if p and p.pressed] == ["right", "left", "right"]


def test_the_mirrored_picture_has_its_sides_swapped() -> None:
    plain, mirrored = (point([finger(0.1)] * 9, mirrored=mirror)[-1] for mirror in (False, True))
    assert plain is not None
    assert mirrored is not None
    assert mirrored.place[0] == pytest.approx(1.0 - plain.place[0])
    assert mirrored.place[1] == pytest.approx(plain.place[1])
    assert (plain.button, mirrored.button) == ("right", "left")


def test_only_a_pointing_hand_points() -> None:
    for hand in (stick_hand(), stick_hand(pinch=1.0), fist_hand()):
        assert point([hand] * 40) == [None] * 40
    assert point([finger(0.1)] * 40, busy=True) == [None] * 40
    assert point([finger(0.1)] * 2) == [None] * 2, "two frames are too few"


def test_a_short_misreading_keeps_the_dwell_and_a_longer_one_ends_it() -> None:
    short = point([finger(0.1)] * 15 + [stick_hand()] * 2 + [finger(0.1)] * 15)
    long = point([finger(0.1)] * 15 + [stick_hand()] * 10 + [finger(0.1)] * 15)
    assert any(pointer and pointer.pressed for pointer in short)
    assert not any(pointer and pointer.pressed for pointer in long)


# Arbitrary streams ----------------------------------------------------------------------------------------------

NUMBERS = st.one_of(st.floats(), st.floats(-500.0, 500.0))


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(), st.lists(st.tuples(NUMBERS, st.booleans()), max_size=4)), max_size=20))
def test_no_stream_of_hands_raises_an_error(stream: list[tuple[float, list[tuple[float, bool]]]]) -> None:
    reader, pointer = GestureReader(), DwellPointer(mirrored=True)
    for index, (time_s, kinds) in enumerate(stream):
        hands = []
        for x, fist in kinds:
            fine = fist_hand() if fist else finger(0.0)
            points = ((x, x), *fine.points_px[1:])
            hands.append(Hand(points, fine.world_m, "left", 0.5))
        with np.errstate(all="ignore"):
            frame = Hands(time_s, index, 640, 480, tuple(hands))
            reader.read_gesture(frame)
            pointing = pointer.add_hands(frame, BUTTONS)
        assert pointing is None or all(math.isfinite(v) for v in (*pointing.place, pointing.progress))


# The real tracker -------------------------------------------------------------------------------------------


@pytest.mark.tracker
@pytest.mark.media
@pytest.mark.slow
@pytest.mark.parametrize(
    "clip",
    [
        "tfjs/asl_hand.25fps.mp4",
        *(
            pytest.param(clip, marks=pytest.mark.long)
            for clip in ("mpsamples/hl_test_video.mp4", "handpose3d/cam0_test.mp4")
        ),
    ],
)
def test_hands_in_conversation_make_no_gesture(clip: str) -> None:
    import cv2

    from armoon.hands.tracker import HandTracker

    video = cv2.VideoCapture(str(media_folder() / clip))
    rate_hz = video.get(cv2.CAP_PROP_FPS) or 30.0
    reader, gestures, count = GestureReader(), [], 0
    with HandTracker() as tracker:
        for index in range(120):
            good, image = video.read()
            if not good:
                break
            hands = tracker.track(np.asarray(image, dtype=np.uint8), index / rate_hz, index)
            count += len(hands.hands)
            gestures.append(reader.read_gesture(hands))
    assert count > 20
    assert not any(gestures)
