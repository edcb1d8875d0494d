"""The content and sizes of the printed kit, as read from its files, and its detection by a camera."""

from __future__ import annotations

import numpy as np
import pytest
from support.printed_kit import find_tags, map_points, rasterise, read_pdf_pages, render_webcam_view

from armoon import printing
from armoon.geometry import Array
from armoon.kit import LENGTH_M, make_kit_page
from armoon.messages import LANGUAGES, speaking
from armoon.values import paper as kit

DOT_MM = 25.4 / 300.0
TAG_SIDES_M = {
    kit.LID_TAG: kit.LID_TAG_M,
    **dict.fromkeys(kit.DIE_TAGS, kit.DIE_TAG_M),
    **{tag.number: tag.side_m for ladder in kit.PAPER_LADDERS for tag in (*ladder.tags, ladder.thumb)},
}
PAGES = [(language, paper) for language in LANGUAGES for paper in printing.PAPERS]


def make_page(language: str, paper: str) -> printing.PaperPage:
    with speaking(language):
        return make_kit_page(paper)


@pytest.mark.parametrize(("language", "paper"), PAGES)
def test_the_pdf_contains_every_tag_in_its_size(language: str, paper: str) -> None:
    ((width, height, rectangles),) = read_pdf_pages(printing.write_pdf([make_page(language, paper)]))
    assert (width, height) == pytest.approx([1000 * side for side in printing.PAPERS[paper]], abs=0.01)
    tags = find_tags(rasterise(width, height, rectangles))
    assert set(tags) == set(TAG_SIDES_M)
    for number, corners in tags.items():
        sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1) * DOT_MM
        # The detector returns the outermost black dots, so the measured side is one dot shorter.
        assert sides + DOT_MM == pytest.approx(1000 * TAG_SIDES_M[number], abs=1.5 * DOT_MM)


@pytest.mark.parametrize(("language", "paper"), PAGES)
@pytest.mark.parametrize("ladder", kit.PAPER_LADDERS, ids=lambda ladder: ladder.hand)
def test_a_camera_finds_each_tag_at_its_place_on_the_card(
    language: str, paper: str, ladder: kit.PaperLadder
) -> None:
    picture = printing.paint_page(make_page(language, paper), 300.0 / 0.0254)
    flat = find_tags(picture)
    front = [tag for tag in (*ladder.tags, ladder.thumb) if tag.front]
    back = [tag for tag in ladder.tags if not tag.front]
    origin = {}
    for name, tags, sign in (("front", front, 1.0), ("back", back, -1.0)):
        # Both faces are printed upright, so "up" on the back is "down" in the card's frame.
        places = np.array([np.array(tag.corners)[:, :2] * (1.0, sign) for tag in tags]) * 1000.0
        dots = np.array([flat[tag.number] for tag in tags])
        shift = dots * DOT_MM * (1.0, -1.0) - places
        assert np.ptp(shift.reshape(-1, 2), axis=0).max() < 2.5 * DOT_MM
        origin[name] = shift.reshape(-1, 2).mean(axis=0)
    assert origin["back"] - origin["front"] == pytest.approx([0.0, 1000 * kit.HEIGHT_M], abs=DOT_MM)
    view, homography = render_webcam_view(picture, 0.2)
    visible = find_tags(view)
    for tag in (*front, *back):
        assert np.abs(visible[tag.number] - map_points(homography, flat[tag.number])).max() < 1.5


@pytest.mark.parametrize("turn", [0.0, 1.1, 2.9])
def test_the_whole_print_is_found_in_perspective(turn: float) -> None:
    view, _ = render_webcam_view(printing.paint_page(make_page("en", "a4"), 300.0 / 0.0254), turn)
    assert set(find_tags(view)) == set(TAG_SIDES_M)


@pytest.mark.parametrize(("language", "paper"), PAGES)
def test_everything_is_on_the_paper_and_no_text_overlaps_a_tag(language: str, paper: str) -> None:
    page = make_page(language, paper)
    boxes = page.list_shapes(printing.PageBox)
    for words in page.list_shapes(printing.PageText):
        width = printing.measure_width(words.text, words.points)
        left = words.x - width / 2.0 if words.centred else words.x
        height = 0.75 * words.points * 0.0254 / 72.0
        assert left >= printing.MARGIN_M, words.text
        assert left + width <= page.width_m - printing.MARGIN_M + 1e-9, words.text
        assert printing.MARGIN_M - 0.001 <= words.y <= page.height_m - printing.MARGIN_M
        for box in boxes:
            beside = box.x > left + width or box.x + box.width < left
            above = box.y > words.y + height or box.y + box.height < words.y
            assert beside or above, words.text
    for x, y in (point for path in page.list_shapes(printing.Path) for point in path.points):
        assert printing.MARGIN_M - 1e-9 <= x <= page.width_m - printing.MARGIN_M + 1e-9
        assert printing.MARGIN_M - 1e-9 <= y <= page.height_m - printing.MARGIN_M + 1e-9


def test_the_ruler_is_100_mm_and_the_strips_190_by_60() -> None:
    page = make_page("en", "a4")
    ((_, _, rectangles),) = read_pdf_pages(printing.write_pdf([page]))
    widths = np.array(rectangles)[:, 2] - np.array(rectangles)[:, 0]
    assert widths.max() == pytest.approx(100.0, abs=0.03)
    strokes = sorted(left for (left, _, _, _), width in zip(rectangles, widths, strict=True) if width < 0.22)
    assert len(strokes) == 101
    assert strokes[-1] - strokes[0] == pytest.approx(100.0, abs=0.001)
    outlines = [
        np.ptp(np.array(path.points), axis=0) for path in page.list_shapes(printing.Path) if path.closed
    ]
    strips = [size for size in outlines if size == pytest.approx([LENGTH_M, 2 * kit.HEIGHT_M])]
    assert len(strips) == 2


def test_the_net_folds_into_the_die_that_the_detector_expects() -> None:
    """Fold the net over its edges, and compute the outward and right direction of each face."""
    dots = find_tags(printing.paint_page(make_page("en", "a4"), 300.0 / 0.0254))
    middles = {number: dots[number].mean(axis=0) * DOT_MM for number in kit.DIE_TAGS}
    first = middles[kit.DIE_TAGS[0]]
    cells: dict[tuple[int, int], int] = {}
    for number, place in middles.items():
        across, down = np.rint((place - first) / 1000.0 / kit.DIE_EDGE_M)
        cells[int(across), int(down)] = number
    assert len(cells) == 6
    folded: dict[int, tuple[Array, Array]] = {}

    def fold(cell: tuple[int, int], out: Array, right: Array, sign: Array) -> None:
        folded[cells[cell]] = out, right
        x, y = cell
        over = {
            (x + 1, y): (right, -out, sign),
            (x - 1, y): (-right, out, sign),
            (x, y - 1): (sign, right, -out),
            (x, y + 1): (-sign, right, out),
        }
        for beside, frame in over.items():
            if beside in cells and cells[beside] not in folded:
                fold(beside, *frame)

    fold((0, 0), *np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    for number, (out, right) in zip(kit.DIE_TAGS, kit.DIE_FACES, strict=True):
        assert np.array_equal(folded[number], [out, right])
    outward = [out for out, _ in kit.DIE_FACES]
    assert len(set(outward)) == 6, "the six faces form a cube"
    for one, other in zip(outward[::2], outward[1::2], strict=True):
        assert np.array_equal(one, -np.array(other)), "matching symbols are on opposite faces"
