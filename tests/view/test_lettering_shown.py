"""Pages, the window and films draw all words through one place, which shows what others wrote and obeys nothing."""

from __future__ import annotations

import pytest

from armoon.gl import HeadlessSurface

WHITE = (255, 255, 255, 255)
SURFACE = (320, 48)


@pytest.mark.gl
def test_controls_and_directions_are_drawn_as_what_they_are(surface: HeadlessSurface) -> None:
    from armoon.view.lettering import Lettering, TextLine

    surface.make_current()
    letters = Lettering()
    letters.resize(320, 48)
    letters.show({"name": TextLine("\u202eAnn\n\x1b\x07", 4.0, 24.0, 20.0, WHITE)})
    (_, label) = letters._labels["name"]
    assert label.text == "\\u202eAnn\\n\\x1b\\x07"
    assert letters.width("Ann\x1b", 20.0) == letters.width("Ann\\x1b", 20.0)
