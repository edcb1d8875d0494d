"""Reads the imports of a package, and says where they go up a floor or round in a circle."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

#: Room by its dotted name: its floor, and the third-party packages that its files may import.
Floors = Mapping[str, tuple[int, set[str]]]


@dataclass(frozen=True)
class File:
    """What one file of the package imports, anywhere in it: at its top, in functions, for types only."""

    module: str
    """Dotted name below the package; ``__init__`` for the package's own file."""
    modules: frozenset[str]
    """The package's other modules; those that are started by their name, too."""
    packages: frozenset[str]
    """Third-party packages."""
    words: frozenset[str]
    """Its strings."""


def read_package(folder: Path) -> tuple[File, ...]:
    """Read every file of a package. AssertionError for a relative import, or one of no module."""
    names = {_module(path.relative_to(folder)): path for path in sorted(folder.rglob("*.py"))}
    return tuple(_read(module, path, folder.name, names.keys()) for module, path in names.items())


def room_of(module: str, floors: Floors) -> str | None:
    """Return the room that a module belongs to: the longest row that fits."""
    parts = module.split(".")
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in floors), None)


def faults(files: Iterable[File], floors: Floors, free: frozenset[str] = frozenset()) -> list[str]:
    """Return a sentence for each import that the table forbids, and for each circle of rooms or of a room's files.

    A module named in ``free`` may name modules of any floor in strings.
    """
    files = tuple(files)
    found, rooms = list[str](), dict[str, set[str]]()
    for file in files:
        room = room_of(file.module, floors)
        if room is None:
            found.append(f"{file.module}: a new room needs a row here and in docs/architecture.md")
            continue
        floor, packages = floors[room]
        found += [f"{file.module} may not import {name}" for name in sorted(file.packages - packages)]
        for target in sorted(file.modules):
            other = room_of(target, floors)
            if other is None or other == room or file.module in free:
                continue
            rooms.setdefault(room, set()).add(other)
            if floors[other][0] >= floor:
                found.append(
                    f"{file.module} on floor {floor} may not import {target} on floor {floors[other][0]}"
                )
    inside = {
        file.module: {name for name in file.modules if room_of(name, floors) == room_of(file.module, floors)}
        for file in files
    }
    found += [f"circle of rooms: {', '.join(circle)}" for circle in circles(rooms)]
    return found + [f"circle of files: {', '.join(circle)}" for circle in circles(inside)]


def circles(arrows: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """Return the largest sets of names that all reach each other."""
    reached = {name: _reached(name, arrows) for name in arrows}
    knots = {
        tuple(sorted(other for other in reached[name] if name in reached.get(other, ())))
        for name in arrows
        if name in reached[name]
    }
    return sorted(knots)


def _reached(start: str, arrows: Mapping[str, Iterable[str]]) -> set[str]:
    found, ahead = set[str](), list(arrows[start])
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += arrows.get(name, ())
    return found


def _module(inside: Path) -> str:
    parts = inside.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _read(module: str, path: Path, package: str, modules: Iterable[str]) -> File:
    """Read one file; a ``from`` import counts for the module that it names, else for the one that it takes from."""
    known = set(modules)
    own, packages, words = set[str](), set[str](), set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
            inside = node.value.removeprefix(f"{package}.")
            own |= {inside} & known if inside != node.value else set()
            continue
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for name, taken in names:
            top, _, rest = name.partition(".")
            if top == package:
                whole = ".".join(part for part in (rest, taken) if part)
                target = whole if whole in known else rest or "__init__"
                assert target in known, f"{path} imports {name}, which is no module"
                own.add(target)
            elif top not in sys.stdlib_module_names:
                packages.add(top)
    return File(module, frozenset(own - {module}), frozenset(packages), frozenset(words))
