"""The real detector locates a paper ladder in a rendered hand of any shape, and recognises the thumb on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal

import pytest

from armoon.camera.profiles import SEATS, CameraSeat
from armoon.geometry import pose_apply, pose_compose, quat_angle, quat_from_axis_angle, quat_multiply
from armoon.hands.card_tracker import FULL_SEARCH_EVERY, SEARCH_EVERY, CardSighting, CardTracker
from armoon.players.demo import find_paper_rotation
from armoon.synthetic_camera.anatomy import HandState, HeldPaper, place_palm_on_paper
from armoon.synthetic_camera.look import SkinTone, StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.paper import LEFT_LADDER, RIGHT_LADDER
from armoon.values.poses import Pose, Vec3

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 640, 360
TIP: Vec3 = (0.1, 0.0, 0.0)
MIDDLE: Vec3 = (0.02, -0.08, 0.18)
#: Number of pictures within which the tracker searches at least one whole picture.
UNTIL_FOUND = SEARCH_EVERY * FULL_SEARCH_EVERY + 3
Side = Literal["left", "right"]


class HeldCard:
    def __init__(self, seat: CameraSeat, side: Side, look: StageLook) -> None:
        self.seat, self.side, self.scale = seat, side, look.hand_scale
        self.camera = RenderedCamera(seat.camera, seat.table_from_camera, look)
        self.tracker = CardTracker(seat.camera)
        self.time_s = 1.0

    def track_card(self, card: Pose, pressed: float, pictures: int = UNTIL_FOUND) -> CardSighting:
        ladder = LEFT_LADDER if self.side == "left" else RIGHT_LADDER
        palm = place_palm_on_paper(card, self.side, self.scale)
        sighting = None
        for _ in range(pictures):
            picture = self.camera.render([HandState(palm, pressed, self.side, paper=HeldPaper(ladder, card))])
            self.time_s += 1.0 / 30.0
            sighting = self.tracker.find_paper_ladder(picture, self.time_s)
        assert sighting is not None
        return sighting


@pytest.fixture
def held() -> Iterator[Callable[..., HeldCard]]:
    opened: list[HeldCard] = []

    def open_one(where: str, side: Side = "right", scale: float = 1.0, skin: SkinTone = "light") -> HeldCard:
        opened.append(HeldCard(SEATS[where](WIDTH, HEIGHT), side, StageLook(skin=skin, hand_scale=scale)))
        return opened[-1]

    yield open_one
    for card in opened:
        card.camera.close()


@pytest.mark.parametrize(
    ("where", "side", "scale", "skin"),
    [
        pytest.param("table", "right", 1.0, "light", marks=pytest.mark.long),
        pytest.param("table", "right", 0.85, "dark", marks=pytest.mark.long),
        pytest.param("table", "right", 1.15, "tan", marks=pytest.mark.long),
        ("table", "left", 1.0, "dark"),
        ("mirror", "right", 0.8, "tan"),
        pytest.param("mirror", "right", 1.15, "light", marks=pytest.mark.long),
        pytest.param("mirror", "left", 1.0, "light", marks=pytest.mark.long),
    ],
)
def test_a_held_card_is_located_and_the_thumb_recognised(
    held: Callable[..., HeldCard], where: str, side: Side, scale: float, skin: SkinTone
) -> None:
    hand = held(where, side, scale, skin)
    turned = quat_from_axis_angle((0.0, 0.0, 1.0), math.radians(20.0))
    card = Pose(MIDDLE, quat_multiply(turned, find_paper_rotation(hand.seat)))
    lifted, pressed = hand.track_card(card, 0.0), hand.track_card(card, 1.0, 3)
    assert lifted.ladder is (LEFT_LADDER if side == "left" else RIGHT_LADDER)
    assert lifted.thumb is not None
    assert lifted.thumb > 0.8
    assert pressed.thumb is not None
    assert pressed.thumb < 0.35
    for sighting in (lifted, pressed):
        tracked = pose_compose(hand.seat.table_from_camera, sighting.camera_from_card)
        assert 1000.0 * math.dist(pose_apply(tracked, TIP), pose_apply(card, TIP)) < 3.0
        assert math.degrees(quat_angle(tracked.rotation, card.rotation)) < 3.0


@pytest.mark.parametrize("degrees", [pytest.param(20.0, marks=pytest.mark.long), 0.0])
def test_a_card_turned_over_is_located_by_its_back(held: Callable[..., HeldCard], degrees: float) -> None:
    """Without rotation the card faces the camera exactly, so the hand's shadow covers a tag."""
    hand = held("mirror")
    over = quat_from_axis_angle((1.0, 0.0, 0.0), math.pi)
    turned = quat_from_axis_angle((0.0, 0.0, 1.0), math.radians(degrees))
    card = Pose(MIDDLE, quat_multiply(turned, quat_multiply(find_paper_rotation(hand.seat), over)))
    sighting = hand.track_card(card, 1.0)
    assert not sighting.front
    assert sighting.thumb is None
    tracked = pose_compose(hand.seat.table_from_camera, sighting.camera_from_card)
    assert math.degrees(quat_angle(tracked.rotation, card.rotation)) < 3.0
