"""Warm-up drawing: drivers only finish compiling at the first draw, so that is done before the first page."""

from __future__ import annotations

import string

from armoon.gl.memory import open_target, target, texture
from armoon.values.page import Page, Rect, Widget, WidgetKind
from armoon.view.pages.pages import PageView

#: Onto so small a square.
_SIDE_PX = 64
#: The usual letters in the usual sizes: a row's, the same bold, and a running text's.
_LETTERS = string.ascii_letters + " éèêà.,:’"
_WIDGETS = (
    Widget("row", WidgetKind.BUTTON, Rect(0.01, 0.1, 0.98, 0.1), _LETTERS),
    Widget("bold", WidgetKind.BUTTON, Rect(0.01, 0.3, 0.98, 0.1), _LETTERS, focused=True),
    Widget("text", WidgetKind.TEXT, Rect(0.01, 0.5, 0.98, 0.2), _LETTERS),
)


def page_view(width: int, height: int) -> PageView:
    """Return a view of pages that has drawn one already. Raises DisplayError as ``PageView`` does."""
    view = PageView(width, height)
    before, into = open_target(), target(colour=texture(_SIDE_PX, _SIDE_PX, 4))
    into.use()
    view.draw(Page("once", _WIDGETS, 0.5, moon=True))
    before.use()
    return view
