"""Nothing on the glass and no button covers tower, lid or die, in any window, layout or size of letters."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.app_kit import setup_for, until_drawn
from support.screens_kit import fresh, in_game

from armoon.app.front import subject_of, things_of
from armoon.app.pictures import NEAREST, make_renderer
from armoon.camera.sources import unseen
from armoon.games.moon.kind import KIND
from armoon.games.moon.play import MoonGame
from armoon.gl import HeadlessSurface
from armoon.messages import text
from armoon.screens.guide import Guide
from armoon.screens.input import ChoicesTold
from armoon.screens.machine import page_of
from armoon.screens.pages.table import overlap, placed
from armoon.screens.state import PageName, Screens
from armoon.settings.preferences import TEXT_SCALES
from armoon.values.choices import FramingName, Language, TextSize, Way
from armoon.values.page import Rect
from armoon.values.places import Offered
from armoon.values.poses import Vec2
from armoon.view.helps import Helps
from armoon.view.window import letterbox

pytestmark = pytest.mark.gl
SIZES = ((640, 360), (640, 480), (1280, 720), (540, 960))
MADE: dict[str, Any] = {}
SURFACE = (64, 64, MADE)
#: Of a body's bounding box this part may lie under something: its corners are empty.
CORNER = 0.03


@pytest.fixture(scope="module")
def game() -> Iterator[MoonGame]:
    """A die lies beside the base, and a ladder stands in the lid."""
    match = until_drawn(setup_for().match())
    made = MoonGame(match, on_time=False)
    made._rolled_tick -= 1000
    yield made
    made.close()


def choices() -> ChoicesTold:
    words = text(
        "choose.place_alike",
        rank=6,
        where=text("choose.where.back_right"),
        safe=text("choose.fair"),
        height="24 cm",
    )
    places = tuple(Offered(f"place {rank}", words, weighed=True) for rank in range(1, 7))
    return ChoicesTold((*places, *(Offered(name, text(f"choose.{name}")) for name in ("more", "free"))))


def at_table(
    size: tuple[int, int], letters: TextSize, way: Way, language: Language, page: PageName
) -> Screens:
    state = in_game(fresh(2)).home(page)
    wishes = replace(state.preferences, way=way, text_size=letters, language=language)
    told = choices() if way is Way.SWITCH and page is PageName.TABLE else ChoicesTold()
    guide = Guide(5) if page is PageName.GUIDE else None
    return replace(
        state, preferences=wishes, aspect=size[0] / size[1], height_px=size[1], choices=told, guide=guide
    )


STATES = [
    *itertools.product(SIZES, (TextSize.NORMAL, TextSize.DOUBLE), (Way.MOUSE, Way.SWITCH), (PageName.TABLE,)),
    *itertools.product(SIZES, (TextSize.NORMAL,), (Way.MOUSE, Way.SWITCH), (PageName.GUIDE,)),
]


@pytest.mark.parametrize(
    ("size", "letters", "way", "page"),
    STATES,
    ids=lambda value: f"{value[0]}x{value[1]}" if isinstance(value, tuple) else str(value),
)
def test_nothing_covers_the_game(
    surface: HeadlessSurface,
    game: MoonGame,
    size: tuple[int, int],
    letters: TextSize,
    way: Way,
    page: PageName,
) -> None:
    surface.make_current()
    viewed = KIND.viewed(game.match)
    if "renderer" not in MADE:
        MADE["renderer"] = make_renderer(viewed, 64, 36)
    renderer = MADE["renderer"]
    x, y, width, height = letterbox(size, 16 / 9, fills=True)
    tall = size[0] < size[1]
    for language in Language:
        screens = at_table(size, letters, way, language, page)
        chooses = screens.preferences.chooses
        renderer.resize(width, height)
        renderer.framing.nearest = NEAREST[FramingName.NEAR]
        renderer.begin_anew()
        renderer.helps = Helps(
            listed=chooses,
            chooses=chooses,
            text_scale=TEXT_SCALES[letters],
            calm=True,
            carded=page is PageName.GUIDE,
        )
        scene = game.scene(1.0, "")
        hud = replace(scene.hud, hint="", ladders_left_text="", height_text="")
        scene = replace(scene, hud=hud if page is PageName.GUIDE else replace(scene.hud, keys="W" * 40))
        camera = viewed.camera
        renderer.draw(scene, unseen(camera.width, camera.height), (x, y), glass=size if tall else None)

        def in_window(place: Vec2) -> Vec2:
            across, down = renderer.from_camera(place)
            return (x + across * width) / size[0], (size[1] - y - height + down * height) / size[1]

        bodies = {thing.name: thing.rect for thing in things_of(viewed, scene, in_window)}
        *_, bodies["die"] = subject_of(viewed, replace(scene, pieces=()), in_window)[:3]
        screens = placed(screens, subject_of(viewed, scene, in_window))
        covers: dict[str, Rect] = {widget.name: widget.rect for widget in page_of(screens).widgets}
        covers |= {f"[{name}]": rect for name, rect in renderer.hud.places.items()}
        covered = [
            (name, body)
            for (name, rect), (body, place) in itertools.product(covers.items(), bodies.items())
            if overlap(rect, place) > CORNER * place.width * place.height
        ]
        assert not covered, language
        cut = [name for name, rect in covers.items() if not _inside(rect)]
        assert not cut, language


def _inside(rect: Rect) -> bool:
    ends = (rect.x + rect.width, rect.y + rect.height)
    return min(rect.x, rect.y) > -1e-6 and max(ends) < 1.0 + 1e-6
