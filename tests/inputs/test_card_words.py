"""What is told of a paper ladder that isn't seen well is what helps."""

from __future__ import annotations

import math

import pytest

from armoon.hands.card_tracker import CardSighting
from armoon.inputs.card import card_text
from armoon.messages import text
from armoon.values.paper import RIGHT_LADDER
from armoon.values.poses import Pose


def seen(
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
        (seen(1, 1), "card.covered"),
        (seen(2, 2, sigma_m=0.006), "card.covered"),
        (seen(3, 1), "card.blurred"),
        (seen(3, 1, exposure_s=0.03), "card.dark"),
        (seen(3, 1, away_m=1.0), "card.far"),
        (seen(3, 3, sigma_m=0.006, away_m=1.0), "card.far"),
    ],
)
def test_what_is_in_the_way_is_said(sight: CardSighting, name: str) -> None:
    assert card_text(sight, 0.1) == text(name)


def test_a_sharp_card_that_faces_the_camera_is_not_called_blurred() -> None:
    """In a small picture its tilt is told worst: the figures say so."""
    told = text("card.seen", length="1.0", angle="4.0")
    assert card_text(seen(3, 3, sigma_deg=4.0), 0.1) == told
