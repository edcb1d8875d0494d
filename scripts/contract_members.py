"""Counts the contract: the public members that a game has to fill or may override, by class.

A member counts if one of the contract's classes defines it, or only declares its type, under a public name. A member
that is itself a group of what a game brings counts as its fields. What is ``@final`` doesn't count: the house gives
it, and no game can fill it. Neither do fields that a class's own ``__init__`` sets. Capabilities (protocols that the
house asks for) are none of these classes: a game that brings none lacks nothing.
"""

from __future__ import annotations

import ast
from pathlib import Path

import armoon

PACKAGE = Path(armoon.__file__).parent
#: The contract's classes, by their files.
CLASSES = {
    "GameOptions": "games/options.py",
    "GameKind": "games/contract/kind.py",
    "Lines": "games/contract/kind.py",
    "Saves": "games/contract/kind.py",
    "Game": "games/contract/kind.py",
    "Played": "engine/played.py",
    "Position": "engine/played.py",
    "Match": "engine/match.py",
}


def members() -> dict[str, tuple[str, ...]]:
    """Return the counted members of each class; one that two classes define is counted in the first."""
    counted = {name: tuple(dict.fromkeys(_counted(_node(name)))) for name in CLASSES}
    kept = set(counted["Played"]) & _finals("Match")
    counted["Played"] = tuple(one for one in counted["Played"] if one not in kept)
    return counted


def _node(name: str) -> ast.ClassDef:
    tree = ast.parse((PACKAGE / CLASSES[name]).read_text(encoding="utf-8"))
    return next(n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == name)


def _counted(node: ast.ClassDef) -> list[str]:
    found = []
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and not _is_final(part):
            found.append(part.name)
        elif isinstance(part, ast.AnnAssign) and ast.unparse(part.annotation) not in CLASSES:
            found.append(ast.unparse(part.target))
    return [name for name in found if not name.startswith("_")]


def _finals(name: str) -> set[str]:
    """Return what a class gives for good: its final members, and the fields that it sets itself."""
    methods = [part for part in _node(name).body if isinstance(part, ast.FunctionDef)]
    begin = next(method for method in methods if method.name == "__init__")
    stored = [n for n in ast.walk(begin) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    return {method.name for method in methods if _is_final(method)} | {one.attr for one in stored}


def _is_final(method: ast.FunctionDef) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "final" for one in method.decorator_list)


if __name__ == "__main__":
    for name, found in members().items():
        print(f"{name:12} {len(found):3}  {' '.join(found)}")
    print(f"{'in all':12} {sum(map(len, members().values())):3}")
