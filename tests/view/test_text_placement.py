"""Texts in the picture overlap no ladder, no panel and no line to a place."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from support.hud_kit import USUAL
from support.table_pictures import (
    CAMERA,
    HEIGHT,
    HELD,
    JUDGED,
    RENDERERS,
    TABLE_FROM_CAMERA,
    TOWER,
    WIDTH,
    draw,
    renderer,
    scene,
)

from armoon.geometry import Array, mat_from_pose, project_table_points
from armoon.gl import HeadlessSurface
from armoon.values.page import CHOICES
from armoon.values.poses import Pose, Quat, Vec3
from armoon.values.scene import Fate, Ghost, HeightLine, Scene, ScenePiece
from armoon.view.aids import DisplayAids

pytestmark = pytest.mark.gl
SURFACE = (WIDTH, HEIGHT, RENDERERS)
FALLS = "Would fall, with nothing under it"
UPRIGHT: Quat = (0.27, 0.65, 0.27, 0.65)
FLAT: Quat = (0.0, 0.0, 0.0, 1.0)


def sample_wood(shown: Scene) -> Array:
    """Return closely spaced points along every rail, rung and line to a place (n, 2), pixels from the lower left."""
    points = [] if shown.place_line is None else [np.linspace(*shown.place_line, 50)]
    for piece in shown.pieces:
        ladder, matrix = TOWER.ladders[piece.piece], mat_from_pose(piece.pose)
        bars = [pair for rail in ladder.rails for pair in itertools.pairwise(rail)] + list(ladder.rungs)
        for start, end in np.array(bars):
            along = start + np.linspace(0.0, 1.0, 25)[:, None] * (end - start)
            points.append(along @ matrix[:3, :3].T + matrix[:3, 3])
    pixels = np.asarray(project_table_points(CAMERA, TABLE_FROM_CAMERA, np.concatenate(points)))
    return np.column_stack([pixels[:, 0] + 0.5, HEIGHT - 0.5 - pixels[:, 1]])


def check_text_boxes(shown: Scene) -> int:
    shown_renderer, points = renderer(shown), sample_wood(shown)
    for left, low, width, height in shown_renderer.marks.text_boxes:
        # A box has room for accents and tails; the letters are in its middle half.
        low, height = low + 0.25 * height, 0.5 * height
        overlapping = ((points > (left, low)) & (points < (left + width, low + height))).all(axis=1)
        assert not overlapping.any(), (left, low, width, height)
        for x, y, w, h in shown_renderer.hud.boxes:
            assert left >= x + w or left + width <= x or low >= y + h or low + height <= y
        assert left >= 0.0
        assert left + width <= WIDTH
        assert low + height <= HEIGHT
    return len(shown_renderer.marks.text_boxes)


@pytest.mark.parametrize("rotation", [UPRIGHT, FLAT], ids=["upright", "flat"])
@pytest.mark.parametrize(
    "place", [(0.07, -0.03, 0.16), (0.0, 0.0, 0.20), (-0.05, 0.02, 0.15), (0.12, -0.02, 0.05)], ids=str
)
def test_a_ghosts_label_covers_no_ladder(surface: HeadlessSurface, place: Vec3, rotation: Quat) -> None:
    """The held ladder is right above the ghost, in the label's default position."""
    x, y, z = place
    ghost = Ghost(HELD, Pose(place, rotation), fate=Fate.FAILS, label=FALLS, is_landing=True)
    held = ScenePiece(HELD, Pose((x, y, z + 0.07), rotation), "held")
    hud = replace(USUAL, players=USUAL.players[:1], verdict_text="", verdict_good=None)
    shown = scene(held, hud=hud, ghosts=(ghost,), drop_line=((x, y, z + 0.05), (x, y, 0.0)))
    shown = replace(shown, place_line=(held.pose.position, (x + 0.02, y, z + 0.01)))
    draw(surface, shown)
    assert check_text_boxes(shown) == 1
    before = renderer(shown).marks.text_boxes
    draw(surface, shown)
    assert renderer(shown).marks.text_boxes == before, "the label stays in place"


def test_labels_of_several_places_and_of_heights_cover_no_ladder(surface: HeadlessSurface) -> None:
    ghosts = tuple(
        Ghost(HELD, Pose((x, 0.0, 0.2), UPRIGHT), fate=Fate.HOLDS, label=f"{number}: would hold 5 times in 8")
        for number, x in enumerate((-0.06, 0.0, 0.06), 1)
    )
    shown = scene(ghosts=ghosts)
    draw(surface, shown)
    assert check_text_boxes(shown) >= 2
    draw(surface, JUDGED)
    check_text_boxes(JUDGED)


@pytest.mark.parametrize(
    "aids", [DisplayAids(has_choice_buttons=True), DisplayAids(listed=True)], ids=["hint", "list"]
)
def test_a_label_is_outside_the_column_of_choices(surface: HeadlessSurface, aids: DisplayAids) -> None:
    """The ghost is right of the tower, like the buttons."""
    ghost = Ghost(HELD, Pose((0.16, 0.0, 0.16), UPRIGHT), fate=Fate.DOUBTFUL, label="In doubt: a slip")
    shown = scene(ghosts=(ghost,))
    column = CHOICES[False]
    draw(surface, shown, aids=aids)
    ((left, low, width, height),) = renderer(shown).marks.text_boxes
    beside = left + width <= column.x * WIDTH
    assert beside or low + height <= (1.0 - column.y - column.height) * HEIGHT


@pytest.mark.parametrize("across_m", [0.24, -0.24])
def test_a_heights_text_stays_inside_the_picture(surface: HeadlessSurface, across_m: float) -> None:
    lines = tuple(HeightLine((across_m, 0.0, z), "15.2 cm", None) for z in (0.185, 0.19))
    shown = scene(height_lines=lines)
    draw(surface, shown)
    boxes = renderer(shown).marks.text_boxes
    assert len(boxes) == 2
    for left, _, width, _ in boxes:
        assert left >= 0.0
        assert left + width <= WIDTH


@pytest.mark.parametrize("good", [True, False, None])
def test_texts_are_readable_over_any_table(surface: HeadlessSurface, good: bool | None) -> None:
    """All texts have a dark background, because red text over brown wood would be hard to read."""
    shown = scene(height_lines=(HeightLine((0.0, 0.0, 0.12), "12.0 cm", good),))
    picture = draw(surface, shown)
    ((left, low, width, height),) = renderer(shown).marks.text_boxes
    rows = slice(round(HEIGHT - low - 0.7 * height), round(HEIGHT - low - 0.3 * height))
    light = (picture[rows, round(left) : round(left + width)] / 255.0) ** 2.2 @ [0.0722, 0.7152, 0.2126]
    assert np.percentile(light, 30.0) < 0.05, "the background is dark"
    assert (np.percentile(light, 97.0) + 0.05) / (np.percentile(light, 30.0) + 0.05) > 3.0
