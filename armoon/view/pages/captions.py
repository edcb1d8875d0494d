"""The place of captions on a page: over a table below its upper row, or else along the very edge."""

from __future__ import annotations

from collections.abc import Callable

from armoon.values.page import TEXT_PX, Page, letter_px
from armoon.view.pages.page_shapes import Box

#: Pages that leave the table free, by their names; a game without pages has one without a name.
OVER_TABLE = ("", "table", "guide")
#: From the upper edge, parts of the height: where the first begins over a table, in a wide window and in a tall one.
_TOP = {False: 0.165, True: 0.245}
#: There: the middle and the most of the width. Players' lines are on the left, in a tall window over much of it.
_ACROSS = {False: (0.515, 0.36), True: (0.70, 0.56)}
#: Below the buttons along a page's lower edge there is room for one line, parts of the height.
_EDGE = {False: 0.044, True: 0.027}
#: A line's height in its letters', the room beside its words, and how much of the height letters take at most.
_LINE, _ROOM, _HIGHEST = 1.5, 1.2, 0.045


def caption_boxes(
    page: Page, width: int, height: int, measure: Callable[[str, float], float]
) -> list[tuple[str, float, Box]]:
    """Each caption with the size of its letters and the box around it, pixels from the lower left corner.

    ``measure`` says how wide words are in letters of a size.
    """
    tall = width < height
    over_table = page.name in OVER_TABLE
    size = min(letter_px(TEXT_PX, width, height) * page.text_scale, _HIGHEST * height)
    shown = (*page.captions, page.notice) if page.notice else page.captions
    top, (middle, widest) = _TOP[tall] * height, _ACROSS[tall]
    if not over_table:
        shown, size = shown[-1:], min(size, _EDGE[tall] * height / _LINE)
        top, middle, widest = height - _LINE * size, 0.5, 0.96
    boxes = []
    for number, words in enumerate(shown):
        room = (widest * width - _ROOM * size) / max(1.0, measure(words, size))
        fits = size * min(1.0, room)
        wide = measure(words, fits) + _ROOM * fits
        low = height - top - (number + 1) * _LINE * size
        boxes.append((words, fits, Box(middle * width - wide / 2.0, low, wide, _LINE * size * 0.94)))
    return boxes
