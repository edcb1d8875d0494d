"""Every ruling of the lake game has a test: docstrings and heads of playthroughs cite rulings by number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from support.lake_play import files, read

from armoon.games.lake.rules.rulings import RULINGS

HERE = Path(__file__).parent
CITED = re.compile(r"\bL[1-9][0-9]?\b")


def cited_by_tests() -> set[str]:
    """Rulings in the docstrings of test functions of the lake."""
    found: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= set(CITED.findall(ast.get_docstring(node) or ""))
    return found


def cited_by_playthroughs() -> set[str]:
    return {ruling for path in files() for ruling in read(path).rulings}


@pytest.mark.parametrize("ruling", RULINGS)
def test_ruling_has_a_test_and_a_playthrough(ruling: str) -> None:
    assert ruling in cited_by_tests()
    assert ruling in cited_by_playthroughs()


def test_tests_cite_no_unknown_ruling() -> None:
    assert cited_by_tests() <= set(RULINGS)
