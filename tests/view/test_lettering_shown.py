"""Pages, the window and films draw all words through one place, which shows what others wrote and obeys nothing."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import armoon
from armoon.gl.memory import HeadlessSurface

WHITE = (255, 255, 255, 255)
#: Who may make glyphs.
LETTERING = "view/pages/lettering.py"
SURFACE = (320, 48)


@pytest.mark.gl
def test_controls_and_directions_are_drawn_as_what_they_are(surface: HeadlessSurface) -> None:
    from armoon.view.lettering import Lettering, Line

    surface.make_current()
    letters = Lettering()
    letters.resize(320, 48)
    letters.show({"name": Line("\u202eAnn\n\x1b\x07", 4.0, 24.0, 20.0, WHITE)})
    (_, label) = letters._labels["name"]
    assert label.text == "\\u202eAnn\\n\\x1b\\x07"
    assert letters.width("Ann\x1b", 20.0) == letters.width("Ann\\x1b", 20.0)


def test_nobody_else_makes_glyphs() -> None:
    found = []
    package = Path(armoon.__file__).parent
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pyglet.text")
            if imported or (isinstance(node, ast.Attribute) and node.attr in ("get_glyphs", "HTMLLabel")):
                found.append(path.relative_to(package).as_posix())
    assert set(found) == {LETTERING}
