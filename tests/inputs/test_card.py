"""The paper ladder as an input: the thumb, keys or dwelling grab and release; blur and losing sight of it never do."""

from __future__ import annotations

import math

import pytest
from benchmarks.card_stage import CardStage, Conditions
from support.card_kit import TableCard

from armoon.camera.profiles import SEATS
from armoon.geometry import quat_angle, quat_from_axis_angle
from armoon.hands.card_tracker import CardSighting
from armoon.inputs.card import CARRIED_M, CardGrip, describe_card
from armoon.inputs.controls import Controls
from armoon.messages import text
from armoon.values.acts import Act
from armoon.values.paper import RIGHT_LADDER
from armoon.values.pieces import GripIntent, GripPhase
from armoon.values.poses import Pose

FRAME_S = 1.0 / 30.0
OFFERED = (0.1, 0.0, 0.12)


class HeldCard:
    def __init__(self, seat_name: str = "table", *, dwell_s: float | None = None) -> None:
        self.now_s = 1.0
        self.holding: bool | None = None
        self.grips: list[GripIntent] = []
        seat = SEATS[seat_name](640, 360)
        self.card = TableCard(seat, self.pass_frame, lambda: self.now_s, dwell_s=dwell_s)

    def pass_frame(self) -> None:
        self.now_s += FRAME_S
        self.grips += self.card.grip.collect_grips(self.now_s, OFFERED, holding=self.holding)

    @property
    def edges(self) -> list[GripPhase]:
        return [g.phase for g in self.grips if g.phase in (GripPhase.GRAB, GripPhase.RELEASE)]

    @property
    def newest(self) -> GripIntent:
        return self.grips[-1]

    def phase(self) -> GripPhase:
        return self.newest.phase


@pytest.mark.parametrize("seat_name", sorted(SEATS))
def test_the_grip_is_in_front_of_the_cards_end_and_rotates_with_it(seat_name: str) -> None:
    held = HeldCard(seat_name)
    turned = quat_from_axis_angle((0.3, 0.2, 1.0), 0.7)
    held.card.move((0.05, 0.02, 0.3), turned)
    assert held.newest.pose.position == pytest.approx((0.05, 0.02, 0.3))
    assert quat_angle(held.newest.pose.rotation, turned) < 1e-6
    assert held.phase() is GripPhase.HOVER


def test_the_thumb_grabs_and_releases() -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.press()
    assert held.edges == [GripPhase.GRAB]
    assert held.phase() is GripPhase.HOLD
    held.card.lift()
    assert held.edges == [GripPhase.GRAB, GripPhase.RELEASE]


def test_a_small_thumb_that_leaves_an_edge_of_its_tag_grabs_too() -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.thumb = 0.42
    held.card.rest(0.2)
    assert held.edges == [GripPhase.GRAB]


def test_a_card_that_arrives_with_its_thumb_down_grabs_nothing() -> None:
    held = HeldCard()
    held.card.thumb = 0.0
    held.card.rest(1.0)
    assert held.edges == []


def test_a_card_releases_where_it_was_before_the_thumb_moved() -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.press()
    held.card.move((0.0, 0.0, 0.2))
    held.card.rest(0.3)
    held.card.thumb = 0.5
    held.card.pose = Pose((0.004, 0.0, 0.2))
    held.card.rest(0.0)
    held.card.pose = Pose((0.008, 0.0, 0.2))
    held.card.lift()
    released = next(g for g in held.grips if g.phase is GripPhase.RELEASE)
    assert math.dist(released.pose.position, (0.0, 0.0, 0.2)) < 0.0021


@pytest.mark.parametrize("thumb", [None, 0.0, 0.6], ids=["blurred", "covered", "half"])
def test_blur_shadow_and_a_covering_hand_never_release(thumb: float | None) -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.press()
    held.card.thumb = thumb
    held.card.rest(2.0)
    held.card.thumb = 1.0
    held.card.rest(0.05)  # a single picture
    held.card.thumb = thumb
    held.card.rest(1.0)
    assert held.edges == [GripPhase.GRAB]


def test_a_briefly_hidden_card_keeps_its_grip_and_a_longer_one_loses_it() -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.press()
    held.card.hidden = True
    held.card.rest(0.15)
    assert held.phase() is GripPhase.HOLD
    held.card.rest(1.0)
    assert held.phase() is GripPhase.LOST
    assert held.edges == [GripPhase.GRAB]
    held.card.hidden = False
    held.card.rest(0.1)
    assert held.phase() is GripPhase.HOLD


def test_putting_down_an_open_card_is_reported_once() -> None:
    held = HeldCard()
    held.card.rest(0.2)
    held.card.hidden = True
    held.card.rest(1.0)
    assert [g.phase for g in held.grips].count(GripPhase.LOST) == 1
    assert held.phase() is GripPhase.LOST


def test_a_grip_without_a_ladder_opens() -> None:
    held = HeldCard()
    held.holding = False
    held.card.rest(0.2)
    held.card.press()
    held.card.rest(1.0)
    assert held.edges == [GripPhase.GRAB, GripPhase.RELEASE]


def test_a_card_on_a_stick_grabs_and_releases_by_dwelling() -> None:
    held = HeldCard(dwell_s=0.8)
    held.card.thumb = None
    held.card.move((0.0, 0.1, 0.2))
    held.card.rest(2.0)
    assert held.edges == [], "grabbed although no ladder is near"
    held.card.move(OFFERED)
    held.card.rest(1.0)
    assert held.edges == [GripPhase.GRAB]
    held.card.rest(2.0)
    assert held.edges == [GripPhase.GRAB], "released before the ladder was carried"
    held.card.move((OFFERED[0] - 2 * CARRIED_M, 0.0, 0.2))
    held.card.rest(1.0)
    assert held.edges == [GripPhase.GRAB, GripPhase.RELEASE]


def test_keys_and_words_grab_and_release_while_a_card_is_seen() -> None:
    held = HeldCard()
    controls = Controls(devices=[held.card.grip])
    held.card.thumb = None
    controls.handle_act(Act.TAKE, True)
    assert held.edges == []
    held.card.rest(0.2)
    held.card.grip.toggle(held.now_s)
    held.card.rest(0.5)
    held.card.grip.toggle(held.now_s)
    held.card.rest(0.1)
    assert held.edges == [GripPhase.GRAB, GripPhase.RELEASE]


def test_a_card_does_nothing_in_the_turn_of_another_input() -> None:
    held = HeldCard()
    held.card.grip.is_disabled = True
    held.card.rest(0.3)
    held.card.press()
    assert held.grips == []


def test_the_distance_of_a_shrunken_kit_is_correct() -> None:
    seat = SEATS["table"](640, 360)
    stage = CardStage(seat.camera, RIGHT_LADDER, Conditions(printed=0.96))
    facing = quat_from_axis_angle((1.0, 0.1, 0.0), 2.8)
    picture = stage.frame(Pose((0.0, 0.0, 0.45), facing))
    away_m = []
    for printed in (0.96, 1.0):
        card = CardGrip(seat.camera, seat.table_from_camera, print_scale=printed)
        for k in range(26):
            card.add_picture(picture, 1.0 + k * FRAME_S)
        assert card.sighting is not None
        away_m.append(card.sighting.camera_from_card.position[2])
    assert away_m[0] == pytest.approx(0.45, abs=0.002)
    assert away_m[1] == pytest.approx(0.45 / 0.96, abs=0.003)


# Texts about the card ---------------------------------------------------------------------------------------


def make_sighting(
    tags: int,
    sharp: int,
    *,
    sigma_m: float = 0.001,
    sigma_deg: float = 0.5,
    away_m: float = 0.6,
    exposure_s: float = 0.01,
) -> CardSighting:
    pose = Pose((0.0, 0.0, away_m))
    sigma_rad = math.radians(sigma_deg)
    return CardSighting(0.0, RIGHT_LADDER, True, pose, sigma_m, sigma_rad, tags, sharp, None, exposure_s)


@pytest.mark.parametrize(
    ("sight", "name"),
    [
        (make_sighting(1, 1), "card.covered"),
        (make_sighting(2, 2, sigma_m=0.006), "card.covered"),
        (make_sighting(3, 1), "card.blurred"),
        (make_sighting(3, 1, exposure_s=0.03), "card.dark"),
        (make_sighting(3, 1, away_m=1.0), "card.far"),
        (make_sighting(3, 3, sigma_m=0.006, away_m=1.0), "card.far"),
    ],
)
def test_the_obstacle_is_named(sight: CardSighting, name: str) -> None:
    assert describe_card(sight, 0.1) == text(name)


def test_a_sharp_card_that_faces_the_camera_is_not_called_blurred() -> None:
    """In a small picture, the card's tilt is uncertain; the text says how much."""
    sentence = text("card.seen", length="1.0", angle="4.0")
    assert describe_card(make_sighting(3, 3, sigma_deg=4.0), 0.1) == sentence
