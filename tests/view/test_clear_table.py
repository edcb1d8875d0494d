"""In any window, nothing covers tower, lid, die or held ladder, and nothing is cropped."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.app_kit import advance, play_to_draw, setup_for
from support.lake_table_kit import lake_setup
from support.screens_kit import fresh, in_game
from support.table_pictures import GRIP, LOWEST, STANDING

from armoon.app.free_places import ScenePlaces
from armoon.app.pictures import MAX_ZOOM, Pictures, make_renderer
from armoon.camera.sources import make_blank
from armoon.games.contract import Game, load_kind
from armoon.games.moon.scene import find_frame
from armoon.gl import HeadlessSurface
from armoon.messages import text
from armoon.screens.machine import build_page
from armoon.screens.pages.table import game_area, overlap_area, place_card
from armoon.screens.state import GuidedGame, OpenChoices, PageName
from armoon.settings.preferences import TEXT_SCALES
from armoon.values.choices import FramingName, Language, TextSize, Way
from armoon.values.page import Rect, WidgetKind
from armoon.values.places import TableChoice
from armoon.values.poses import Pose
from armoon.values.scene import Ghost, Scene, ScenePiece
from armoon.view.aids import DisplayAids
from armoon.view.window import letterbox

pytestmark = pytest.mark.gl
#: Way to play, text size, whether left-handed, and language of each player.
PLAYERS = (
    (Way.MOUSE, TextSize.NORMAL, False, Language("en")),
    (Way.SWITCH, TextSize.NORMAL, True, Language("fr")),
    (Way.MOUSE, TextSize.DOUBLE, True, Language("fr")),
    (Way.SWITCH, TextSize.DOUBLE, False, Language("en")),
)
#: Window sizes, each with some of the players.
WINDOWS = [
    (size, PLAYERS[k])
    for size, players in (
        ((640, 360), (1, 2)),
        ((640, 480), (3,)),
        ((1024, 768), (0,)),
        ((1280, 720), (0,)),
        ((2560, 1080), (0, 1)),
        ((720, 1280), (1, 2)),
        ((1080, 1920), (3,)),
    )
    for k in players
]
PAGES = {"guide": PageName.GUIDE, "verdict": PageName.VERDICT, "final": PageName.FINAL}
STATES = ("turn", "practice", "hint", "held", "places", "lake", *PAGES)
#: States that are also tested over a camera's picture, unless a page with large text fills a tall window.
LIVE_STATES = ("turn", "guide", "verdict")
CASES = [
    (state, live, size, player)
    for state, live in (*((state, False) for state in STATES), *((state, True) for state in LIVE_STATES))
    for size, player in WINDOWS
    if not (live and state == "verdict" and size[0] < size[1] and player[1] is TextSize.DOUBLE)
]
RENDERERS: dict[Any, Any] = {}
SURFACE = (64, 64, RENDERERS)


class FakeWindow:
    """A fake window of any size, with a real window's letterbox."""

    fills_window = True

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size

    @property
    def picture_rect(self) -> tuple[int, int, int, int]:
        return letterbox(self.size, 16 / 9, fills=self.fills_window)

    def begin_frame(self) -> tuple[int, int, int, int]:
        return self.picture_rect

    def end_frame(self) -> None:
        pass


#: Maximum covered share of a body's bounding box, because its corners are empty.
MAX_COVERED_SHARE = 0.03


@pytest.fixture(scope="module")
def games() -> Iterator[dict[tuple[str, bool], Game[Any]]]:
    """Yield the moon with a ladder in the lid and a die beside the base, and the lake, for either hand."""
    drawn_games = {}
    for left in (False, True):
        match = play_to_draw(setup_for(left_handed=left).match())
        for _ in range(3):
            advance(match)
        drawn_games["moon", left] = load_kind("moon").create_game(match)
        drawn_games["moon", left]._roll_tick -= 1000  # type: ignore[attr-defined]
        drawn_games["lake", left] = load_kind("lake").create_game(lake_setup(left_handed=left).match())
    yield drawn_games
    for game in drawn_games.values():
        game.close()


def make_state(state: str, scene: Scene) -> Scene:
    """Return the scene with a tower of twelve ladders and the contents of the state."""
    if state in ("lake", "guide"):
        return scene
    lid = next(piece for piece in scene.pieces if piece.look == "offered")
    tower = tuple(piece for piece in STANDING if piece.piece != lid.piece)
    top_m = 0.20
    across_m = 0.17 if lid.pose.position[0] > 0.0 else -0.17
    hud = replace(scene.hud, keys="W" * 40)
    scene = replace(
        scene, pieces=(*tower, lid), structure_top_m=top_m, framed=find_frame(top_m, across_m), hud=hud
    )
    ghosts = tuple(
        Ghost(lid.piece, Pose((0.05 - 0.02 * k, 0.03 - 0.06 * (k % 2), top_m), p.pose.rotation), number=k + 1)
        for k, p in enumerate(tower[2:8])
    )
    if state == "held":
        held = ScenePiece(lid.piece, Pose(GRIP, (0.27, 0.65, 0.27, 0.65)), "held")
        return replace(scene, pieces=(*tower, held), drop_line=(LOWEST, (*LOWEST[:2], 0.0)))
    if state == "hint":
        return replace(scene, ghosts=(replace(ghosts[0], number=0, label="W" * 24),))
    if state == "places":
        return replace(scene, ghosts=ghosts)
    return replace(scene, hud=hud.upper) if state == "verdict" else scene


def list_choices(state: str, way: Way) -> OpenChoices:
    where = text("choose.where.back_right")
    words = text("choose.place_alike", rank=6, where=where, safe=text("choose.fair"), height="24 cm")
    listed = tuple(TableChoice(f"place {rank}", words, slow_scan=True) for rank in range(1, 7))
    others = {
        "hint": (("hint", "hint"), ("other_hint", "other.safest")),
        "held": (("stop", "stop"),) if way is Way.SWITCH else (),
        "places": (("more", "more"), ("free", "free")),
        "turn": (("roll", "roll"),) if way is Way.SWITCH else (),
    }.get(state, ())
    acts = tuple(TableChoice(name, text(f"choose.{key}")) for name, key in others)
    return OpenChoices((*(listed if state == "places" else ()), *acts))


@pytest.mark.parametrize(
    ("state", "live", "size", "player"),
    CASES,
    ids=lambda value: "-".join(map(str, value[:2])) if isinstance(value, tuple) else str(value),
)
def test_nothing_covers_the_game(
    surface: HeadlessSurface,
    games: dict[tuple[str, bool], Game[Any]],
    state: str,
    live: bool,
    size: tuple[int, int],
    player: tuple[Way, TextSize, bool, Language],
) -> None:
    way, text_size, left, language = player
    surface.make_current()
    name = "lake" if state == "lake" else "moon"
    game = games[name, left]
    render_setup = load_kind(name).build_render_setup(game.match)
    page = PAGES.get(state, PageName.TABLE)
    screens = in_game(fresh(1 if state == "practice" else 2)).reset_to(page)
    changed = replace(
        screens.preferences, way=way, text_size=text_size, language=language, left_handed=left, calm=True
    )
    screens = replace(
        screens,
        preferences=changed,
        aspect=size[0] / size[1],
        height_px=size[1],
        choices=list_choices(state, way),
        guide=GuidedGame(5) if state == "guide" else None,
        practice=state == "practice",
    )
    renderer = RENDERERS.get((name, left)) or make_renderer(render_setup, 64, 36)
    RENDERERS[name, left] = renderer
    pictures: Any = Pictures(renderer, FakeWindow(size))  # type: ignore[arg-type]
    renderer.resize(*pictures.window.begin_frame()[2:])
    renderer.framing.max_zoom = MAX_ZOOM[FramingName.NEAR]
    renderer.set_viewpoint(None)
    renderer.aids = DisplayAids(
        listed=changed.chooses,
        has_choice_buttons=changed.chooses or bool(screens.choices.choices),
        text_scale=TEXT_SCALES[text_size],
        calm=True,
        room=game_area(screens),
        look=changed.look,
    )
    scene = make_state(state, game.build_scene(1.0, ""))
    if state == "guide":
        scene = replace(scene, hud=replace(scene.hud, hint="", ladders_left_text="", height_text=""))
    camera = render_setup.camera
    picture = make_blank(camera.width, camera.height)
    picture = np.ascontiguousarray(picture) if live else picture
    pictures.draw_picture(scene, picture)
    places = ScenePlaces(render_setup, scene, pictures.to_window)
    bodies = {name: area for name, _, area in places.describe_objects()}
    if name == "moon":
        bodies["die"] = places.find_busy_areas()[2]
    if page is PageName.GUIDE:
        screens = place_card(screens, places.find_busy_areas(left_handed=left))
    if state == "places":
        screens = replace(screens, numbers=places.place_numbers(screens))
    widgets = build_page(screens).widgets
    covers = {widget.name: widget.rect for widget in widgets}
    if page is PageName.FINAL:
        bodies = {}  # this page doesn't show the table
    else:
        covers |= {f"[{name}]": rect for name, rect in renderer.hud.text_areas.items()}
        covers |= {f"drawn {k}": rect for k, rect in enumerate(pictures.find_text_areas())}
        if inset := renderer.marks.inset.place:
            left, low = pictures.window.picture_rect[:2]
            covers["inset"] = to_rect((left + inset[0], low + inset[1], *inset[2:]), size)
    numbers = {widget.name for widget in widgets if widget.kind is WidgetKind.NUMBER}
    covered = [
        (name, body)
        for (name, rect), (body, place) in itertools.product(covers.items(), bodies.items())
        if overlap_area(rect, place) > MAX_COVERED_SHARE * place.width * place.height
        and not (name in numbers and (body == "base" or body.startswith("L")))  # for wood see test_guiding.py
    ]
    assert not covered
    outside = [name for name, rect in covers.items() if not _is_inside(rect)]
    assert not outside
    if page is PageName.TABLE:
        assert {"turn left", "turn right"} <= covers.keys()
    if page is PageName.TABLE and text_size is TextSize.NORMAL:
        buttons = [widget for widget in widgets if widget.kind is not WidgetKind.NUMBER]
        pairs = itertools.product(buttons, [to_rect(box, size) for box in renderer.hud.boxes])
        assert not [(one.name, box) for one, box in pairs if overlap_area(one.rect, box) > 1e-5]


def to_rect(box: tuple[float, float, float, float], size: tuple[int, int]) -> Rect:
    x, y, width, height = box
    return Rect(x / size[0], 1.0 - (y + height) / size[1], width / size[0], height / size[1])


def _is_inside(rect: Rect) -> bool:
    ends = (rect.x + rect.width, rect.y + rect.height)
    return min(rect.x, rect.y) > -1e-6 and max(ends) < 1.0 + 1e-6
