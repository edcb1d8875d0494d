"""Messages about a badly visible paper ladder name the remedy."""

from __future__ import annotations

import math

import pytest

from armoon.hands.card_tracker import CardSighting
from armoon.inputs.card import card_text
from armoon.messages import text
from armoon.values.paper import RIGHT_LADDER
from armoon.values.poses import Pose


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
    assert card_text(sight, 0.1) == text(name)


def test_a_sharp_card_that_faces_the_camera_is_not_called_blurred() -> None:
    """In a small picture its tilt is the least certain: the figures say so."""
    sentence = text("card.seen", length="1.0", angle="4.0")
    assert card_text(make_sighting(3, 3, sigma_deg=4.0), 0.1) == sentence
