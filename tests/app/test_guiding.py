"""The guide's card and the numbers of places cover nothing important, with the cameras of both seats."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from support.screens_kit import fresh

from armoon.app.free_places import DIE_AREA, FOOTER_AREA, SCORE_AREA, ScenePlaces
from armoon.app.front import Front
from armoon.camera.profiles import SEATS
from armoon.games.contract import RenderSetup
from armoon.games.lake.layout import FLOOR_M, LakeScene, SceneDome
from armoon.games.moon.scene import find_frame
from armoon.games.news import GuideFacts
from armoon.geometry import pose_apply, quat_from_axis_angle
from armoon.screens import machine
from armoon.screens.events import Ask, Request
from armoon.screens.machine import build_page
from armoon.screens.pages.opening import start_guide
from armoon.screens.pages.table import advance_guide, overlap_area, place_card, set_device
from armoon.screens.state import STEPS, GuidedGame, OpenChoices, PageName, Screens
from armoon.values.acts import Act
from armoon.values.choices import CameraWay, Device, Way
from armoon.values.page import Rect, WidgetKind, reserve_areas
from armoon.values.places import TableChoice
from armoon.values.poses import Pose, Vec2, Vec3
from armoon.values.scene import Fate, Ghost, Scene, SceneHud, ScenePiece
from armoon.view.scene.camera_picture import Framing, from_camera
from armoon.world.base import make_base, make_offered_pose
from armoon.world.ladders import BOX_SEED, make_ladder_set

WIDTH, HEIGHT = 1280, 720
LADDERS = make_ladder_set(BOX_SEED)
BASE = make_base((LADDERS["L01"], LADDERS["L02"]))
STANDING = tuple(ScenePiece(name, pose) for name, pose in zip(("L01", "L02"), BASE.slots, strict=True))
OFFERED = ScenePiece("L07", make_offered_pose(LADDERS["L07"]))
#: Poses of the new ladder: in the lid, and carried above the other ladders and beside them.
_ON_THE_WAY: tuple[Vec3, ...] = ((0.10, 0.0, 0.14), (0.0, 0.0, 0.19), (0.05, -0.04, 0.1))
CARRIED = [OFFERED, *(ScenePiece("L07", Pose(place)) for place in _ON_THE_WAY)]
TOP_M = 0.125


def setup_for_seat(seat: str) -> RenderSetup:
    camera_seat = SEATS[seat](WIDTH, HEIGHT)
    return RenderSetup(camera_seat.camera, camera_seat.table_from_camera, camera_seat.mirrored, LADDERS, BASE)


def scene_places(view: RenderSetup, scene: Scene, zoom: float) -> ScenePlaces:
    framing = Framing(view.camera, view.table_from_camera)
    framing.max_zoom = zoom
    crop = framing.follow(replace(scene, framed=find_frame(TOP_M)), WIDTH / HEIGHT)
    return ScenePlaces(
        view, scene, partial(from_camera, camera=view.camera, crop=crop, mirrored=view.mirrored)
    )


def guided_screens(step: int = 0) -> Screens:
    screens, _ = start_guide(fresh())
    return replace(screens, guide=GuidedGame(step))


@pytest.mark.parametrize("seat", SEATS)
def test_screen_readers_receive_the_ladders_on_the_table_and_their_places(seat: str) -> None:
    view = setup_for_seat(seat)
    scene = Scene(0, (*STANDING, replace(CARRIED[2], look="held")), (), SceneHud())
    places = scene_places(view, scene, 1.0)
    areas = {words: area for _, words, area in places.describe_objects()}
    assert list(areas) == ["The lid", "The base", "Ladder 1", "Ladder 2", "Ladder 7, in the hand"]
    assert set(areas.values()) < set(places.find_busy_areas())
    held, base = areas["Ladder 7, in the hand"].centre, areas["The base"].centre
    assert held[1] < base[1], "the held ladder isn't above the base"
    assert abs(areas["The lid"].centre[0] - base[0]) > 0.1


@pytest.mark.parametrize("seat", SEATS)
def test_screen_readers_receive_the_lakes_stacks_and_the_lifted_one(seat: str) -> None:
    view = replace(setup_for_seat(seat), ladders=None, base=None)
    low, high = (SceneDome((0.1, 0.0, FLOOR_M * floor), "jade", 1 + floor, 4, floor) for floor in (0, 1))
    lifted = SceneDome((-0.1, 0.0, 0.05), "amber", 3)
    lake = LakeScene((), ((0.1, 0.0, 0.0),) * 32, (low, high), (lifted,))
    scene = Scene(0, (), (), SceneHud(), board=lake)
    areas = {words: area for _, words, area in scene_places(view, scene, 1.0).describe_objects()}
    assert list(areas) == ["Star 5: jade 2, jade 1", "Lifted: amber 3"]
    stack, held = areas.values()
    assert abs(stack.centre[0] - held.centre[0]) > 0.1
    assert held.centre[1] < stack.centre[1], "the lifted stack isn't above the others"


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("zoom", [1.0, 1.2, 1.7])
@pytest.mark.parametrize("step", range(len(STEPS) + 1))
def test_the_card_covers_nothing_that_it_mentions(seat: str, zoom: float, step: int) -> None:
    view = setup_for_seat(seat)
    screens = replace(guided_screens(step), aspect=WIDTH / HEIGHT)
    for ladder in CARRIED:
        scene = Scene(0, (*STANDING, ladder), (), SceneHud())
        places = scene_places(view, scene, zoom).find_busy_areas()
        screens = place_card(screens, places)
        card = build_page(screens)["card"].rect
        inside = [_clip(rect) for rect in places]
        assert max(overlap_area(card, rect) for rect in inside) == 0.0, ladder
        for widget in build_page(screens).widgets:
            assert overlap_area(widget.rect, card) == pytest.approx(widget.rect.width * widget.rect.height)


def _clip(rect: Rect) -> Rect:
    left, top = max(rect.x, 0.0), max(rect.y, 0.0)
    right, low = min(rect.x + rect.width, 1.0), min(rect.y + rect.height, 1.0)
    return Rect(left, top, max(0.0, right - left), max(0.0, low - top))


def test_the_card_stays_in_place_as_long_as_possible() -> None:
    screens = guided_screens()
    before = build_page(screens)["card"].rect
    assert place_card(screens, (Rect(0.4, 0.6, 0.2, 0.2),)) == screens
    moved = place_card(screens, (before,))
    assert overlap_area(build_page(moved)["card"].rect, before) < overlap_area(before, before)
    assert place_card(moved, (Rect(0.4, 0.9, 0.1, 0.05),)) == moved


def test_without_free_space_the_card_stays_in_the_window() -> None:
    moved = place_card(guided_screens(), (Rect(0.0, 0.0, 1.0, 0.9),))
    card = build_page(moved)["card"].rect
    assert card.x >= 0.0
    assert card.y + card.height <= 1.0


@pytest.mark.parametrize("device", Device)
def test_the_guide_names_the_device_in_use(device: Device) -> None:
    taking = guided_screens(next(k for k, step in enumerate(STEPS) if step.key == "take"))
    changed = set_device(taking, device)
    words = {"hand": "pinch", "mouse": "Click", "keys": "Enter", "pad": "Press A"}
    assert words[device.value] in build_page(changed)["heading"].text


def test_a_pinch_in_view_switches_back_to_hand_play() -> None:
    taking = replace(guided_screens(4), device=Device.KEYS)
    changed, _ = advance_guide(taking, GuideFacts(hand_seen=True, pinching=True), 0.1)
    assert changed.device is Device.HAND


def test_without_a_camera_the_guide_starts_with_the_mouse_and_skips_hand_lessons() -> None:
    alone = replace(fresh(), camera=replace(fresh().camera, way=CameraWay.NONE))
    screens, _ = start_guide(alone)
    assert screens.page is PageName.GUIDE
    assert screens.device is Device.MOUSE
    assert screens.guide is not None
    assert not STEPS[screens.guide.step].needs_hand


def offered_ghosts(count: int) -> tuple[Ghost, ...]:
    rng = np.random.default_rng(count)
    turns = [
        quat_from_axis_angle(tuple(rng.normal(size=3)), float(rng.uniform(0.0, 3.0))) for _ in range(count)
    ]
    places = rng.uniform((-0.06, -0.06, 0.10), (0.06, 0.06, 0.18), (count, 3))
    return tuple(
        Ghost("L07", Pose((x, y, z), turn), fate=Fate.HOLDS, number=number)
        for number, ((x, y, z), turn) in enumerate(zip(places.tolist(), turns, strict=True), 1)
    )


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("zoom", [1.0, 1.7])
@pytest.mark.parametrize("left_handed", [False, True])
def test_a_number_covers_no_panel_lid_ladder_text_or_other_number(
    seat: str, zoom: float, left_handed: bool
) -> None:
    view, screens = setup_for_seat(seat), replace(fresh(), aspect=WIDTH / HEIGHT, page=PageName.TABLE)
    screens = replace(screens, preferences=replace(screens.preferences, left_handed=left_handed))
    panels = [SCORE_AREA, DIE_AREA, FOOTER_AREA, *reserve_areas(tall=False, text_scale=1.0, chooses=True)]
    for count in (1, 3, 6):
        scene = Scene(0, (*STANDING, OFFERED), (), SceneHud(), ghosts=offered_ghosts(count))
        scene_areas = scene_places(view, scene, zoom)
        middle = scene_areas.to_window((0.5, 0.5))
        caption = Rect(middle[0] - 0.1, middle[1] - 0.25, 0.2, 0.2)
        numbers = [rect for _, rect in scene_areas.place_numbers(screens, (caption,))]
        assert len(numbers) == count
        caption = caption.mirrored if left_handed else caption  # pages are laid out for right-handed players
        lid = scene_areas.find_busy_areas()[2]
        lid = lid.mirrored if left_handed else lid
        for number in numbers:
            assert (
                min(number.x, number.y, 1.0 - number.x - number.width, 1.0 - number.y - number.height) >= 0.0
            )
            others = [other for other in numbers if other is not number]
            busy = (*panels, lid, caption, *others)
            assert not [rect for rect in busy if overlap_area(number, rect) > 0.0]
            for piece in scene.pieces:
                for rail in LADDERS[piece.piece].rails:
                    points = [pose_apply(piece.pose, point) for point in rail]
                    for (x, y), (u, v) in pairwise(scene_areas.project(points)):
                        for share in np.linspace(0.0, 1.0, 60):
                            spot = (x + share * (u - x), y + share * (v - y))
                            assert not number.contains((1.0 - spot[0], spot[1]) if left_handed else spot)


@pytest.mark.parametrize("seat", SEATS)
def test_a_number_is_nearest_to_its_own_place(seat: str) -> None:
    view, screens = setup_for_seat(seat), replace(fresh(), aspect=WIDTH / HEIGHT, page=PageName.TABLE)
    wrong = 0
    for count in (2, 3, 4, 5, 6):
        ghosts = offered_ghosts(count)
        scene = Scene(0, (*STANDING, OFFERED), (), SceneHud(), ghosts=ghosts)
        places = scene_places(view, scene, 1.0)
        for ghost, (_, rect) in zip(ghosts, places.place_numbers(screens), strict=True):
            away = {other.number: _measure_distance(places, other, rect.centre) for other in ghosts}
            wrong += min(away, key=away.__getitem__) != ghost.number
    assert wrong <= 1, "where ladders cross there may be no position nearer to one of them"


def _measure_distance(places: ScenePlaces, ghost: Ghost, spot: Vec2) -> float:
    """Return the distance from a spot to a ladder, as a fraction of the window's height."""
    rails = [
        list(places.project([pose_apply(ghost.pose, point) for point in rail]))
        for rail in LADDERS[ghost.piece].rails
    ]
    points = [
        (x + share * (u - x), y + share * (v - y))
        for rail in rails
        for (x, y), (u, v) in pairwise(rail)
        for share in np.linspace(0.0, 1.0, 60)
    ]
    return min(math.hypot((x - spot[0]) * WIDTH / HEIGHT, y - spot[1]) for x, y in points)


def test_pointing_at_a_number_points_at_its_place() -> None:
    screens = replace(fresh(), aspect=WIDTH / HEIGHT, page=PageName.TABLE, in_game=True)
    screens, _ = machine.offer_choices(
        screens, OpenChoices((TableChoice("place 1", "1"), TableChoice("place 2", "2")))
    )
    numbers = (("place 2", Rect(0.4, 0.4, 0.03, 0.04)), ("place 7", Rect(0.5, 0.5, 0.03, 0.04)))
    screens = replace(screens, numbers=numbers)
    assert [w.text for w in build_page(screens).widgets if w.kind is WidgetKind.NUMBER] == ["2"]
    front = Front(machine.move_pointer(screens, (0.41, 0.42))[0])
    assert front.highlighted_choice == "place 2"
    assert front.is_over_button
    assert machine.press_pointer(screens, (0.41, 0.42))[1] == (Ask(Request.TAKE_CHOICE, "place 2"),)
    assert machine.press_pointer(screens, (0.51, 0.52))[1] == (), "a place that isn't offered can be taken"
    assert front.handle_key("2", True) is None
    assert front.drain_actions() == (Ask(Request.TAKE_CHOICE, "place 2"),)
    assert front.handle_key("3", True) is Act.THREE


@pytest.mark.parametrize("chooses", [False, True], ids=["grips", "chooses"])
def test_labels_of_places_leave_the_lid_free_unless_they_are_a_list(chooses: bool) -> None:
    """Only the label of the place under the pointer is shown; players who choose get a list, which covers the lid."""
    first = fresh()
    preferences = replace(first.preferences, way=Way.MOUSE, choosing=chooses)
    screens = replace(
        first, aspect=WIDTH / HEIGHT, page=PageName.TABLE, in_game=True, preferences=preferences
    )
    places = tuple(TableChoice(f"place {number}", f"words {number}") for number in range(1, 7))
    numbers = tuple((place.name, Rect(0.3 + 0.04 * k, 0.4, 0.03, 0.04)) for k, place in enumerate(places))
    screens, _ = machine.offer_choices(screens, OpenChoices((*places, TableChoice("more", "More places"))))
    screens = replace(screens, numbers=numbers)
    view = setup_for_seat("table")
    scene = Scene(0, STANDING, (), SceneHud())
    (lid,) = (area for name, _, area in scene_places(view, scene, 1.0).describe_objects() if name == "lid")
    widgets = [widget for widget in build_page(screens).widgets if widget.rect.x > 0.5]
    over = [widget.name for widget in widgets if overlap_area(widget.rect, lid) > 0.0]
    assert bool(over) is chooses, over
    assert sum(widget.kind is WidgetKind.NUMBER for widget in build_page(screens).widgets) == 6
    if not chooses:
        words = [widget.text for widget in build_page(screens).widgets if widget.name == "beside"]
        assert words == ["words 1"], "the label isn't that of the best place"
        x, y = numbers[3][1].centre
        looking, _ = machine.move_pointer(screens, (x, y))
        assert build_page(looking)["beside"].text == "words 4"
        beside = build_page(looking)["beside"].rect.centre
        hovering, _ = machine.move_pointer(looking, beside)
        assert build_page(hovering)["beside"].text == "words 4", "the label disappears under the mouse"
        assert machine.press_pointer(hovering, beside)[1] == (Ask(Request.TAKE_CHOICE, "place 4"),)
        assert machine.press_pointer(screens, (x, y))[1] == (Ask(Request.TAKE_CHOICE, "place 4"),)
