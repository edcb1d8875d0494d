"""What the first picture of each page costs beyond its others: letters that are new, panels that are laid out."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

from armoon.screens.machine import first_screens
from armoon.screens.page import page_of
from armoon.screens.state import PageName
from armoon.settings.preferences import Preferences
from armoon.settings.table import Settings
from armoon.values.page import Page

SIZE = (1280, 720)
#: Pictures of each page after the first.
OTHERS = 4
#: Wanted: maximum cost of a page's first picture over that of its others.
BEYOND_MS = 50.0


@dataclass(frozen=True)
class FirstFigures:
    """Milliseconds of the processor, which a busy machine hardly stretches."""

    beyond_ms: dict[str, float]
    """By page, the time of its first picture beyond the median of its others."""

    @property
    def worst_ms(self) -> float:
        """The maximum over all pages."""
        return max(self.beyond_ms.values())


def measure_first() -> FirstFigures:
    """Draw every page that can be looked at without a game, in the order of an evening that begins."""
    from armoon.gl.surface import HeadlessSurface

    surface = HeadlessSurface(*SIZE)
    try:
        surface.make_current()
        from armoon.gl.context import current
        from armoon.view.pages.pages import page_view

        view = page_view(*SIZE)
        beyond = {}
        for page in _pages():
            spent = []
            for _ in range(1 + OTHERS):
                start = time.process_time()
                view.draw(page)
                current().finish()
                spent.append(1000.0 * (time.process_time() - start))
            beyond[page.name] = spent[0] - statistics.median(spent[1:])
        return FirstFigures(beyond)
    finally:
        surface.close()


def _pages() -> Iterator[Page]:
    """Yield the title first, as in an evening."""
    screens = first_screens(Settings(), Preferences())
    for name in sorted(PageName, key=lambda name: name is not PageName.TITLE):
        try:
            yield page_of(screens.to(name))
        except (AssertionError, KeyError, IndexError):
            continue  # there has to be a game for it
