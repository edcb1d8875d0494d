"""There is one way to find a place for a ladder: nobody but the search itself drops ladders to see where they hold."""

from __future__ import annotations

import ast
from pathlib import Path

import armoon

PACKAGE = Path(armoon.__file__).parent


def named_in(path: Path) -> set[str]:
    """What a module imports by name, or takes from a module by its name."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    taken = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return taken | {alias.name for node in imports for alias in node.names}


def test_a_place_is_shown_by_one_value() -> None:
    """Hint, bots' plans, landing ladders and best runs: all show the scene's own ghost."""
    made = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if any(
            isinstance(node, ast.ClassDef) and node.name == "Ghost"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    }
    assert made == {"values/scene.py"}
    showing = {
        path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if "Ghost" in named_in(path)
    }
    assert {
        "games/moon/choosing/hint.py",
        "games/moon/presenters/scene.py",
    } <= showing
