"""In a picture of any size and shape, no panel of the head-up display overlaps another or leaves the picture."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from support.hud_kit import FULL, USUAL
from support.screens_kit import every_page, resize

from armoon.app.instant_replay import FINALE_FROM_TICKS, circle_winner
from armoon.app.pictures import MAX_ZOOM
from armoon.camera.profiles import SEATS
from armoon.games.moon.scene import BASE_HALF_M, find_frame
from armoon.geometry import project_table_points
from armoon.gl import HeadlessSurface
from armoon.screens.machine import build_page
from armoon.screens.state import Screens
from armoon.settings.preferences import TEXT_SCALES
from armoon.values.acts import Act
from armoon.values.choices import FramingName, TextSize
from armoon.values.page import Rect
from armoon.values.scene import Scene, SceneHud, TearFlight
from armoon.view.scene.camera_picture import Framing, crop_camera

pytestmark = pytest.mark.gl

SIZES = ((480, 270), (640, 480), (1280, 720), (2560, 1080), (270, 480), (720, 720), (2160, 3840))
HUDS: dict[str, Any] = {}
#: The smallest and the largest text.
EXTREME_SIZES = (TextSize.NORMAL, TextSize.ENORMOUS)
#: Left and lower edge, width and height, pixels.
Box = tuple[float, float, float, float]
#: Replaced texts of the fullest display in English, and its replaced values in the lake game.
ENGLISH: dict[str, Any] = {
    "title": "turn 28 · 134 points",
    "die_text": "Place higher than every other ladder",
    "hint": "Benedicta von und zu Hohenstein, roll the die: space, a click or a shaken fist",
    "contact_text": "touching 1 ladder, of 1 or 2",
    "ladders_left_text": "28 ladders left",
    "height_text": "31.4 cm",
    "verdict_text": "Benedicta von und zu Hohenstein pays: it touched three ladders, not two · Seesaw, Candle",
    "banner": "Paused: the camera has moved and the table is out of sight. Uncover the sheet, or look for it again.",
    "keys": "Arrows: carry · R F: up, down · Q E W S A D: rotate · Enter: let go · B: put back · C: keep waiting",
}
LAKE: dict[str, Any] = {
    "tears_left": None,
    "score_texts": (),
    "height_text": "",
    "ladders_left_text": "",
    "die": None,
}

#: The acts that add buttons to the table.
BOTH_ACTS = frozenset({Act.UNDO, Act.LOOK_BACK})
SURFACE = (64, 64, HUDS)


def make_hud(surface: HeadlessSurface, size: tuple[int, int]) -> Any:
    from armoon.view.hud import Hud

    surface.make_current()
    return Hud(*size)


def list_overlaps(boxes: Sequence[Box], others: Sequence[Box] = ()) -> list[tuple[Box, Box]]:
    pairs = itertools.product(boxes, others) if others else itertools.combinations(boxes, 2)
    return [
        (one, other)
        for one, other in pairs
        if min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0]) > 0.75
        and min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1]) > 0.75
    ]


def list_huds(game: str, language: str) -> Iterator[tuple[str, SceneHud]]:
    """Yield displays: a usual moment, with a verdict, paused, and as full as possible."""
    full = FULL if language == "fr" else replace(FULL, **ENGLISH)
    if game == "lake":
        full = replace(full, **LAKE)
    banner = full.banner
    yield "full", replace(full, banner="")
    yield "no verdict", replace(full, verdict_text="", verdict_good=None, banner="")
    yield (
        "last verdict",
        replace(full, verdict_text="", verdict_good=None, banner="", last_text=full.verdict_text),
    )
    yield "no hint", replace(full, hint="", hint_swatch=None, banner="")
    yield "no keys", replace(full, keys="", banner="")
    yield "verdict alone", replace(full, hint="", keys="", banner="")
    three = replace(full, players=full.players[:3], banner="")
    yield "three players", three
    yield "stopped", replace(three, verdict_text="", verdict_good=None, banner=banner)
    yield "everything", full


@pytest.mark.parametrize(
    ("text_size", "size"),
    [
        *((TextSize.NORMAL, SIZES[k]) for k in (0, 1, 3, 4)),
        *((text_size, SIZES[k]) for text_size in TextSize if text_size not in EXTREME_SIZES for k in (0, 5)),
        *((TextSize.ENORMOUS, SIZES[k]) for k in (1, 4)),  # another test has all sizes
    ],
    ids=lambda value: f"{value[0]}x{value[1]}" if isinstance(value, tuple) else value,
)
def test_no_panel_overlaps_another_or_a_choice(
    surface: HeadlessSurface, size: tuple[int, int], text_size: TextSize
) -> None:
    """Each game is tested in one language, with and without choices beside the table."""
    usual, drawn = make_hud(surface, size), make_hud(surface, size)
    buttons = {
        chooses: [box for name, box in list_buttons(size, text_size) if ("choosing" in name) <= chooses]
        for chooses in (False, True)
    }
    grown = 0
    games = (("moon", "en"), ("moon", "fr"), ("lake", "fr"), ("lake", "en"))
    for (game, language), chooses in itertools.product(games[SIZES.index(size) % 2 :: 2], (False, True)):
        drawn.set_lettering(TEXT_SCALES[text_size], has_choice_buttons=chooses)
        usual.set_lettering(1.0, has_choice_buttons=chooses)
        for name, hud in list_huds(game, language):
            where = (game, language, chooses, name)
            drawn.lay_out(hud)
            check_panels(drawn, size, buttons[chooses], where)
            if "banner" in drawn.texts:
                continue
            assert {"title", "die", "contact"} <= drawn.texts.keys(), where
            assert ("verdict" in drawn.texts) is bool(hud.verdict_text), where
            for key, words in (("keys", hud.keys), ("hint", hud.hint)):
                assert key in drawn.texts or not words, (*where, key)
            usual.lay_out(hud)
            for key in ("title", "die", "player 0", "hint", "left", "keys"):
                if key in drawn.texts and key in usual.texts:
                    assert drawn.texts[key].size >= 0.93 * usual.texts[key].size, (*where, key)
                    grown += drawn.texts[key].size > 1.1 * usual.texts[key].size
    assert (grown > 0) is (TEXT_SCALES[text_size] > 1.1)


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)], ids=str)
def test_a_banner_stays_in_the_upper_half(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    drawn = make_hud(surface, size)
    for chooses in (False, True):
        drawn.set_lettering(1.0, has_choice_buttons=chooses)
        stopped = next(hud for name, hud in list_huds("moon", "en") if name == "stopped")
        drawn.lay_out(stopped)
        lines = [line for key, line in drawn.texts.items() if key.startswith("banner")]
        assert lines
        assert all(line.y - line.size > 0.5 * size[1] for line in lines), chooses


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("text_size", EXTREME_SIZES)
def test_the_winner_is_written_large(
    surface: HeadlessSurface, size: tuple[int, int], text_size: TextSize
) -> None:
    drawn = make_hud(surface, size)
    drawn.set_lettering(TEXT_SCALES[text_size], has_choice_buttons=False)
    name = "Benedicta von und zu Hohenstein wins"
    drawn.lay_out(SceneHud("The Flying Dutchman", winner_text=name, verdict_text="All ladders are placed"))
    check_panels(drawn, size, (), size)
    assert join_lines(drawn)["winner"].split() == name.split()
    sizes = {key.split(".")[0]: line.size for key, line in drawn.texts.items()}
    assert sizes["winner"] > sizes["title"]
    drawn.lay_out(replace(USUAL, winner_text=name))
    assert "winner" not in join_lines(drawn), (
        "while the players' lines are there, the verdict names the winner"
    )


@pytest.mark.parametrize("size", [(640, 360), (640, 480), (1280, 720), (1920, 1080)], ids=str)
def test_the_winners_name_is_above_the_tower(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    drawn, camera = make_hud(surface, size), SEATS["table"](*size).camera
    drawn.lay_out(SceneHud("The Flying Dutchman", winner_text="Ben and Cleo share the victory"))
    name = next(place for name, place in drawn.text_areas.items() if name == "winner")
    for top_m in (0.12, 0.16, 0.2, 0.25, 0.3):
        over = Scene(0, (), (), SceneHud("The Heron", winner_text="Ann wins"), structure_top_m=top_m)
        circling = circle_winner(over, FINALE_FROM_TICKS)
        assert circling.seen_from is not None
        tops = [(0.05 * math.cos(angle), 0.05 * math.sin(angle), top_m) for angle in range(6)]
        foot = (0.0, -BASE_HALF_M, 0.0)
        y = project_table_points(camera, circling.seen_from, [*tops, foot])[:, 1] / camera.height
        assert name.y + name.height - 0.01 < y[:-1].min(), top_m
        assert y[-1] < 0.95, top_m


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_tear_arrives_at_its_players_name(surface: HeadlessSurface, size: tuple[int, int]) -> None:
    drawn = make_hud(surface, size)
    drawn.lay_out(USUAL)
    start = (0.6 * size[0], 0.8 * size[1])
    for seat in range(len(USUAL.players)):
        places = []
        for along in (0.0, 0.5, 0.9, 1.0):
            drawn.draw_tear(TearFlight(seat, along), start)
            left, low, right, high = drawn._flying_shapes.boxes[-1]
            places.append(((left + right) / 2.0, (low + high) / 2.0))
        name = drawn.texts[f"player {seat}"]
        assert places[0] == pytest.approx(start, abs=1.0)
        assert abs(places[-1][1] - name.y) < 0.8 * name.size, "the tear arrives in the line of the name"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_hint_and_keys_share_a_panel_in_a_wide_picture_under_the_verdict(
    surface: HeadlessSurface, size: tuple[int, int]
) -> None:
    drawn = make_hud(surface, size)
    for hud in (USUAL, replace(USUAL, hint=FULL.hint, keys=FULL.keys), replace(FULL, banner="")):
        drawn.lay_out(hud)
        assert {"verdict", "hint", "keys"} <= join_lines(drawn).keys()
        joined = {"hint", "keys"} if size[0] < size[1] else {"verdict", "hint", "keys"}
        assert [names for names in list_words_on_panels(drawn, size) if joined & names] == [joined], hud.hint


def list_words_on_panels(drawn: Any, size: tuple[int, int]) -> list[set[str]]:
    middles = {
        name: (place.centre[0] * size[0], (1.0 - place.centre[1]) * size[1])
        for name, place in drawn.text_areas.items()
        if name in ("verdict", "hint", "keys")
    }
    return [
        {name for name, (x, y) in middles.items() if left <= x <= left + width and low <= y <= low + height}
        for left, low, width, height in drawn.boxes
    ]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("size", [(640, 360), (640, 480), (1280, 720), (1920, 1080), (3840, 2160)], ids=str)
def test_a_verdict_over_a_hint_leaves_the_base_visible(
    surface: HeadlessSurface, size: tuple[int, int], seat: str
) -> None:
    drawn, profile = make_hud(surface, size), SEATS[seat](*size)
    drawn.lay_out(replace(USUAL, keys=""))
    (low,) = (place.y for name, place in drawn.text_areas.items() if name == "verdict")
    framing = Framing(profile.camera, profile.table_from_camera)
    framing.max_zoom = MAX_ZOOM[FramingName.NEAR]
    for top_m in (0.12, 0.16, 0.19):
        scene = Scene(0, (), (), SceneHud(), structure_top_m=top_m, framed=find_frame(top_m))
        camera = crop_camera(profile.camera, framing.follow(scene, size[0] / size[1]))
        front = project_table_points(camera, profile.table_from_camera, [(0.0, -BASE_HALF_M, 0.0)])[0, 1]
        assert front / camera.height < low + 0.01, top_m


def show_at(drawn: Any, hud: SceneHud, tick: int, **options: bool) -> set[str]:
    drawn.lay_out(hud, tick, **options)
    return {name for name in ("left", "height") if name in drawn.texts}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_ladders_left_and_height_fade_some_time_after_a_change(
    surface: HeadlessSurface, size: tuple[int, int]
) -> None:
    drawn, both = make_hud(surface, size), {"left", "height"}
    quiet = replace(USUAL, verdict_text="", verdict_good=None)
    assert show_at(drawn, quiet, 0) == both
    before = drawn.text_areas
    assert show_at(drawn, quiet, 240) == both
    assert show_at(drawn, quiet, 310) == both
    assert all(line.colour[3] < 255 for name, line in drawn.texts.items() if name in both), "both texts fade"
    assert show_at(drawn, quiet, 400) == set()
    after = drawn.text_areas
    assert after == {name: place for name, place in before.items() if name not in both}
    assert show_at(drawn, replace(quiet, height_text="22.0 cm"), 500) == both
    assert show_at(drawn, replace(quiet, height_text="22.0 cm"), 900) == set()
    show_at(drawn, SceneHud(), 901)
    assert show_at(drawn, replace(quiet, height_text="22.0 cm"), 902) == both, "a pause shows them again"
    assert show_at(drawn, quiet, 1000, calm=True) == both
    assert show_at(drawn, quiet, 1301, calm=True) == set(), "nothing fades with reduced motion"


def test_ladders_left_and_height_stay_in_large_text_or_by_choice(surface: HeadlessSurface) -> None:
    drawn = make_hud(surface, (1280, 720))
    for scale, is_fixed, expected in (
        (1.0, False, set()),
        (1.0, True, {"left", "height"}),
        (2.5, False, {"left", "height"}),
    ):
        drawn.set_lettering(scale, has_choice_buttons=False, is_fixed=is_fixed)
        show_at(drawn, USUAL, 0)
        assert show_at(drawn, USUAL, 5000) == expected
    lake = replace(USUAL, ladders_left_text="", height_text="Blue is neutral")
    drawn.set_lettering(1.0, has_choice_buttons=False)
    show_at(drawn, lake, 0)
    assert show_at(drawn, lake, 5000) == {"height"}, "the neutral colour stays for the whole game"


def list_moments(language: str) -> Iterator[tuple[str, SceneHud]]:
    full = FULL if language == "fr" else replace(FULL, **ENGLISH)
    quiet = replace(full, banner="", verdict_text="", verdict_good=None)
    yield "turn", replace(quiet, die=None, die_text="", contact_text="", contact_good=None)
    yield "rolled", replace(quiet, contact_text="", contact_good=None)
    yield "held", quiet
    yield "judged", replace(full, banner="", contact_text="", contact_good=None)
    yield "next turn", replace(quiet, last_text=full.verdict_text)
    yield "paused", replace(quiet, banner=full.banner)
    yield "paused at the verdict", replace(full, hint="", hint_swatch=None)
    for name, hud in list_huds("lake", language):
        yield f"lake, {name}", hud


@pytest.mark.parametrize("chooses", [False, True], ids=["no places", "places listed"])
@pytest.mark.parametrize("language", ["fr", pytest.param("en", marks=pytest.mark.long)])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_disappears_in_the_largest_text(
    surface: HeadlessSurface, size: tuple[int, int], language: str, chooses: bool
) -> None:
    usual, drawn = make_hud(surface, size), make_hud(surface, size)
    usual.set_lettering(1.0, has_choice_buttons=chooses)
    drawn.set_lettering(TEXT_SCALES[TextSize.ENORMOUS], has_choice_buttons=chooses)
    buttons = [box for name, box in list_buttons(size, TextSize.ENORMOUS) if ("choosing" in name) <= chooses]
    for name, hud in list_moments(language):
        usual.lay_out(hud)
        drawn.lay_out(hud)
        assert join_lines(usual).items() <= join_lines(drawn).items(), name
        check_panels(drawn, size, buttons, name)


def join_lines(drawn: Any) -> dict[str, str]:
    texts: dict[str, str] = {}
    for key, line in drawn.texts.items():
        name = key.split(".")[0]
        texts[name] = f"{texts.get(name, '')} {line.text}".replace("\N{NO-BREAK SPACE}", " ")
    return texts


def check_panels(drawn: Any, size: tuple[int, int], buttons: Sequence[Box], where: object) -> None:
    """Assert that no panel overlaps another or a button, none leaves the picture, and every line is inside one."""
    assert list_overlaps(drawn.boxes) == [], where
    assert list_overlaps(drawn.boxes, buttons) == [], where
    for x, y, width, height in drawn.boxes:
        assert min(x, y) >= 0.0, where
        assert x + width <= size[0] + 0.5, where
        assert y + height <= size[1] + 0.5, where
    check_lines(drawn, where)


def check_lines(drawn: Any, where: object) -> None:
    for key, line in drawn.texts.items():
        width = line.width
        left = line.x - {"center": width / 2.0, "right": width}.get(line.anchor, 0.0)
        inside = [
            box
            for box in drawn.boxes
            if box[0] <= left + 1.0
            and left + width <= box[0] + box[2] + 1.0
            and box[1] <= line.y - 0.4 * line.size
            and line.y + 0.4 * line.size <= box[1] + box[3]
        ]
        assert inside, (where, key, line)
        assert line.size >= 4.7, (where, key, line)


@functools.cache
def list_tables() -> tuple[tuple[str, Screens], ...]:
    return tuple(
        (name, state) for name, state in every_page() if name.startswith("table") and not state.practice
    )


def list_buttons(size: tuple[int, int], text_size: TextSize) -> Iterator[tuple[str, Box]]:
    for name, state in list_tables():
        resized = next(resize(replace(state, possible=BOTH_ACTS), size, text_size=text_size))
        for widget in build_page(resized).widgets:
            yield name, to_box(widget.rect, size)


def to_box(rect: Rect, size: tuple[int, int]) -> Box:
    low = (1.0 - rect.y - rect.height) * size[1]
    return (rect.x * size[0], low, rect.width * size[0], rect.height * size[1])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("hud", [USUAL, FULL], ids=["usual", "full"])
def test_the_page_of_a_verdict_overlaps_no_panel(
    surface: HeadlessSurface, size: tuple[int, int], hud: SceneHud
) -> None:
    drawn = make_hud(surface, size)
    drawn.draw_hud(replace(hud, banner="").upper)
    assert {"title", "die"} <= {key.split(".")[0] for key in drawn.texts}
    for name, state in every_page():
        if name == "verdict":
            page = build_page(next(resize(state, size, text_size=TextSize.NORMAL)))
            buttons = [to_box(widget.rect, size) for widget in page.widgets]
            assert len(buttons) > 4
            assert list_overlaps(drawn.boxes, buttons) == []
