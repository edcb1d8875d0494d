"""The guide's card covers nothing that it talks of: measured with the cameras of both seats, near and far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.screens_kit import fresh

from armoon.app.guiding import subject_of
from armoon.camera.seat import SEATS
from armoon.games.contract.kind import Viewed
from armoon.games.moon.presenters.scene import framed
from armoon.games.news import GuideFacts
from armoon.screens.events import GuideSubject, GuideTold
from armoon.screens.guide import STEPS, Guide
from armoon.screens.input import DeviceUsed
from armoon.screens.machine import hear, page_of
from armoon.screens.pages.guide import overlap
from armoon.screens.pages.opening import start_guide
from armoon.screens.state import PageName, Screens
from armoon.values.choices import CameraWay, Device
from armoon.values.page import Rect
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import Scene, SceneHud, ScenePiece
from armoon.view.scene.framing import Framing, from_camera
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set
from armoon.world.layout import offered_pose

WIDTH, HEIGHT = 1280, 720
LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base((LADDERS["L01"], LADDERS["L02"]))
STANDING = tuple(ScenePiece(name, pose) for name, pose in zip(("L01", "L02"), BASE.slots, strict=True))
OFFERED = ScenePiece("L07", offered_pose(LADDERS["L07"]))
#: The new ladder in the lid, and in a hand: on the way, over the others, beside them.
_ON_THE_WAY: tuple[Vec3, ...] = ((0.10, 0.0, 0.14), (0.0, 0.0, 0.19), (0.05, -0.04, 0.1))
CARRIED = [OFFERED, *(ScenePiece("L07", Pose(place)) for place in _ON_THE_WAY)]
TOP_M = 0.125


def viewed(seat: str) -> Viewed:
    at = SEATS[seat](WIDTH, HEIGHT)
    return Viewed(at.camera, at.table_from_camera, at.mirrored, LADDERS, BASE)


def near(view: Viewed, scene: Scene, nearest: float) -> Callable[[Vec2], Vec2]:
    """Where in the window a place of the camera's picture is, framed as the game is."""
    framing = Framing(view.camera, view.table_from_camera)
    framing.nearest = nearest
    crop = framing.follow(replace(scene, framed=framed(TOP_M)), WIDTH / HEIGHT)
    return lambda place: from_camera(place, view.camera, crop, mirrored=view.mirrored)


def guided(step: int = 0) -> Screens:
    screens, _ = start_guide(fresh())
    return replace(screens, guide=Guide(step))


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("nearest", [1.0, 1.2, 1.7])
@pytest.mark.parametrize("step", range(len(STEPS) + 1))
def test_the_card_covers_nothing_that_it_talks_of(seat: str, nearest: float, step: int) -> None:
    view = viewed(seat)
    screens = replace(guided(step), aspect=WIDTH / HEIGHT)
    for ladder in CARRIED:
        scene = Scene(0, (*STANDING, ladder), (), SceneHud())
        places = subject_of(view, scene, near(view, scene, nearest))
        screens, _ = hear(screens, GuideSubject(places))
        card = page_of(screens)["card"].rect
        inside = [_cut(rect) for rect in places]
        assert max(overlap(card, rect) for rect in inside) == 0.0, ladder
        for widget in page_of(screens).widgets:
            assert overlap(widget.rect, card) == pytest.approx(widget.rect.width * widget.rect.height)


def _cut(rect: Rect) -> Rect:
    """What of it is in the window."""
    left, top = max(rect.x, 0.0), max(rect.y, 0.0)
    right, low = min(rect.x + rect.width, 1.0), min(rect.y + rect.height, 1.0)
    return Rect(left, top, max(0.0, right - left), max(0.0, low - top))


def test_the_card_stays_where_it_is_as_long_as_it_may() -> None:
    screens = guided()
    before = page_of(screens)["card"].rect
    assert hear(screens, GuideSubject((Rect(0.4, 0.6, 0.2, 0.2),)))[0] == screens
    moved, _ = hear(screens, GuideSubject((before,)))
    there = page_of(moved)["card"].rect
    assert overlap(there, before) < overlap(before, before)
    assert hear(moved, GuideSubject((Rect(0.4, 0.9, 0.1, 0.05),)))[0] == moved


def test_without_anywhere_to_go_it_covers_as_little_as_can_be() -> None:
    moved, _ = hear(guided(), GuideSubject((Rect(0.0, 0.0, 1.0, 0.9),)))
    card = page_of(moved)["card"].rect
    assert card.x >= 0.0
    assert card.y + card.height <= 1.0


@pytest.mark.parametrize("device", Device)
def test_it_speaks_to_the_device_in_use(device: Device) -> None:
    taking = guided(next(k for k, step in enumerate(STEPS) if step.key == "take"))
    told, _ = hear(taking, DeviceUsed(device))
    words = {"hand": "pinch", "mouse": "Click", "keys": "Enter", "pad": "Press A"}
    assert words[device.value] in page_of(told)["heading"].text


def test_who_pinches_in_view_plays_by_hand_again() -> None:
    taking = replace(guided(4), device=Device.KEYS)
    told, _ = hear(taking, GuideTold(GuideFacts(hand_seen=True, pinching=True), 0.1))
    assert told.device is Device.HAND


def test_without_a_camera_it_begins_with_the_mouse_and_leaves_out_what_is_for_hands() -> None:
    alone = replace(fresh(), camera=replace(fresh().camera, way=CameraWay.NONE))
    screens, _ = start_guide(alone)
    assert screens.page is PageName.GUIDE
    assert screens.device is Device.MOUSE
    assert screens.guide is not None
    assert not STEPS[screens.guide.step].hand_only
