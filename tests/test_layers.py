"""Enforces the layers of docs/architecture.md: no import goes to the same or a higher layer, and none forms a cycle."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from armoon.games import GAMES

#: Maps a package's dotted name to its layer and the third-party packages that its files can import.
Layers = Mapping[str, tuple[int, set[str]]]


@dataclass(frozen=True)
class File:
    """A file of the package with its imports: at the top, in functions, and for types only."""

    module: str
    """Dotted name below the package; ``__init__`` for the package's own file."""
    modules: frozenset[str]
    """The package's other modules, including those named in strings."""
    packages: frozenset[str]
    """Third-party packages."""
    words: frozenset[str]
    """The strings in the file."""
    replaces: bool
    """Whether the code replaces a file with another."""


def read_package(folder: Path) -> tuple[File, ...]:
    """Read every file of a package. Raises AssertionError for a relative import or an unknown module."""
    names = {_name_module(path.relative_to(folder)): path for path in sorted(folder.rglob("*.py"))}
    return tuple(_parse_file(module, path, folder.name, names.keys()) for module, path in names.items())


def find_package(module: str, layers: Layers) -> str | None:
    parts = module.split(".")
    return next((name for n in range(len(parts), 0, -1) if (name := ".".join(parts[:n])) in layers), None)


def find_faults(files: Iterable[File], layers: Layers, free: frozenset[str] = frozenset()) -> list[str]:
    """Return a sentence for each forbidden import, and for each cycle of packages or of files in a package.

    Modules in ``free`` may import other packages of any layer.
    """
    files = tuple(files)
    faults, imports = list[str](), dict[str, set[str]]()
    for file in files:
        package = find_package(file.module, layers)
        if package is None:
            faults.append(f"{file.module}: a new package needs a row here and in docs/architecture.md")
            continue
        layer, allowed = layers[package]
        faults += [f"{file.module} may not import {name}" for name in sorted(file.packages - allowed)]
        for target in sorted(file.modules):
            other = find_package(target, layers)
            if other is None or other == package or file.module in free:
                continue
            imports.setdefault(package, set()).add(other)
            if layers[other][0] >= layer:
                faults.append(
                    f"{file.module} of layer {layer} may not import {target} of layer {layers[other][0]}"
                )
    within = {
        file.module: {
            name for name in file.modules if find_package(name, layers) == find_package(file.module, layers)
        }
        for file in files
    }
    faults += [f"cycle of packages: {', '.join(cycle)}" for cycle in find_cycles(imports)]
    return faults + [f"cycle of files: {', '.join(cycle)}" for cycle in find_cycles(within)]


def find_cycles(edges: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    reached = {name: _find_reachable(name, edges) for name in edges}
    cycles = {
        tuple(sorted(other for other in reached[name] if name in reached.get(other, ())))
        for name in edges
        if name in reached[name]
    }
    return sorted(cycles)


def _find_reachable(start: str, edges: Mapping[str, Iterable[str]]) -> set[str]:
    reached, ahead = set[str](), list(edges[start])
    while ahead:
        name = ahead.pop()
        if name not in reached:
            reached.add(name)
            ahead += edges.get(name, ())
    return reached


def _name_module(within: Path) -> str:
    parts = within.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _parse_file(module: str, path: Path, package: str, modules: Iterable[str]) -> File:
    """Parse a file; ``from a import b`` refers to the module a.b if there is one, otherwise to a."""
    known = set(modules)
    own, packages, words = set[str](), set[str](), set[str]()
    replaces = False
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            replaces |= _is_replacing_file(node)
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
            within = node.value.removeprefix(f"{package}.")
            own |= {within} & known if within != node.value else set()
            continue
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for name, imported in names:
            top, _, rest = name.partition(".")
            if top == package:
                whole = ".".join(part for part in (rest, imported) if part)
                target = whole if whole in known else rest or "__init__"
                assert target in known, f"{path} imports {name}, which isn't a module"
                own.add(target)
            elif top not in sys.stdlib_module_names:
                packages.add(top)
    return File(module, frozenset(own - {module}), frozenset(packages), frozenset(words), replaces)


def _is_replacing_file(call: ast.Call) -> bool:
    # ``str.replace`` takes two values; those of dataclasses and dates take names.
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in {"replace", "rename", "move"}:
        return False
    one_value = func.attr != "move" and len(call.args) == 1 and not call.keywords
    return one_value or ast.unparse(func) in {"os.replace", "os.rename", "shutil.move"}


PACKAGE = Path(__file__).resolve().parent.parent / "armoon"
if not PACKAGE.is_dir():  # away from the checkout the tests run against the installed wheel
    import armoon

    PACKAGE = Path(armoon.__file__).resolve().parent

NONE: set[str] = set()
#: Package: (layer, third-party packages). A file imports packages of lower layers, and of its own package in no cycle.
#: A package is a module or package by its dotted name; a file belongs to the longest name that fits.
LAYERS: Layers = {
    # Every game has these two packages, and the modules below.
    **{f"games.{name}": (16, NONE) for name in GAMES},
    **{f"games.{name}.options": (8, NONE) for name in GAMES},
    "__init__": (0, NONE),
    "values": (0, NONE),
    "errors": (2, NONE),
    "clock": (0, NONE),
    "mailbox": (0, NONE),
    "processes": (0, NONE),
    "resources": (3, NONE),
    "geometry": (3, {"numpy"}),
    "codec": (3, {"msgspec"}),
    "messages": (1, {"tomli", "tomllib"}),
    "printing": (3, {"cv2", "numpy"}),
    "sound": (3, {"numpy", "pyglet", "sounddevice"}),
    "games.shared": (3, NONE),
    "games.sketches": (4, NONE),
    "options": (4, NONE),
    "saves": (4, NONE),
    "broadcast": (4, {"msgspec"}),
    "camera": (4, {"cv2", "numpy", "av"}),
    "gl": (4, {"numpy", "moderngl", "pyglet"}),
    "hands": (5, {"ai_edge_litert", "mediapipe", "cv2", "numpy"}),
    "world": (4, {"pybullet", "numpy"}),
    "speech_output": (4, NONE),
    "speech_recognition": (4, {"numpy", "pocketsphinx"}),
    "games": (5, NONE),
    "kit": (5, {"cv2", "numpy"}),
    "faces": (6, {"mediapipe", "cv2", "numpy"}),
    "placement": (5, {"numpy"}),
    "synthetic_camera": (5, {"numpy", "cv2"}),
    "view": (5, {"cv2", "numpy", "pyglet"}),
    "screen_reader": (5, {"accesskit"}),
    "party.limits": (5, NONE),
    "party.obs": (5, {"keyring", "tomli", "tomllib"}),
    "party.votes": (5, NONE),
    "party.server": (6, {"starlette", "uvicorn", "segno", "simpleobsws", "websockets"}),
    "party": (7, {"av", "cryptography", "numpy", "paho", "segno"}),
    "settings": (6, {"platformdirs", "tomli", "tomllib"}),
    "players": (6, {"numpy"}),
    "engine": (7, NONE),
    "games.contract": (8, NONE),
    "games.library": (9, NONE),
    "sinks": (9, {"numpy", "rich"}),
    "remote": (9, {"cryptography", "msgspec", "websockets", "zeroconf"}),
    "inputs": (9, NONE),
    "screens": (9, NONE),
    "app": (17, {"numpy", "cv2", "rich"}),
    "cli": (18, {"rich", "cv2", "numpy", "pyglet"}),
    "__main__": (19, NONE),
    # The games' own modules; the module of a game's options is loaded for the command line's help.
    "games.moon.editions": (4, NONE),
    "games.moon.figures": (5, {"numpy"}),
    "games.moon.bot_protocol": (4, NONE),
    "games.moon.turn": (5, NONE),
    "games.moon.verdict_effects": (5, NONE),
    "games.moon.recognise": (6, {"numpy"}),
    "games.moon.rules": (6, NONE),
    "games.moon.events": (6, NONE),
    "games.moon.sky": (6, {"numpy"}),
    "games.moon.referee": (7, NONE),
    "games.moon.trials": (7, {"tomli", "tomllib"}),
    "games.moon.plan_search": (7, NONE),
    "games.moon.saving": (9, NONE),
    "games.moon.match": (10, NONE),
    "games.moon.records": (11, NONE),
    "games.moon.rulebook": (10, NONE),
    "games.moon.offers": (11, NONE),
    "games.moon.demo_player": (11, NONE),
    "games.moon.review": (11, {"numpy"}),
    "games.moon.choosing": (12, {"numpy"}),
    "games.moon.built_in_bot": (12, NONE),
    "games.moon.ladder_forecast": (13, {"numpy"}),
    "games.moon.bots": (13, NONE),
    "games.moon.scene": (14, {"numpy"}),
    "games.moon.presenters": (15, NONE),
    "games.lake.rules": (4, NONE),
    "games.lake.layout": (5, NONE),
    "games.lake.bot": (5, NONE),
    "games.lake.board": (6, {"numpy"}),
    "games.lake.rulebook": (6, NONE),
    "games.lake.match": (8, NONE),
    "games.lake.presenters": (9, NONE),
}
#: The lists of games and of option parts, with names of modules that are loaded when they are needed.
THE_LISTS = frozenset({"games", "options.parts"})


@cache
def package_files() -> tuple[File, ...]:
    return read_package(PACKAGE)


def test_imports_go_to_lower_layers_and_form_no_cycle() -> None:
    assert find_faults(package_files(), LAYERS, THE_LISTS) == []


def test_imports_of_higher_layers_and_cycles_are_found_anywhere_in_a_file(tmp_path: Path) -> None:
    files = {
        "low/a": "def g():\n    from toy.low import b",
        "low/b": "if TYPE_CHECKING:\n    import toy.low.a\nstart('toy.high.c')",
        "high/c": "import toy.low.a",
    }
    for name, text in files.items():
        path = tmp_path.joinpath("toy", name).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert find_faults(read_package(tmp_path / "toy"), {"low": (1, NONE), "high": (2, NONE)}) == [
        "low.b of layer 1 may not import high.c of layer 2",
        "cycle of packages: high, low",
        "cycle of files: low.a, low.b",
    ]


TESTS = Path(__file__).resolve().parent
#: Files that import tests to show that each ruling has one.
PROVING = {"games/moon/test_rules_coverage.py", "games/lake/test_coverage.py"}


def test_no_test_imports_another() -> None:
    """Shared helpers are in ``support``, which contains no tests."""
    importing = re.compile(r"^\s*from\s+(\S+)\s+import\s+(\([^)]*\)|.*)", re.MULTILINE)
    importers = [
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("*.py")
        for taken in importing.findall(path.read_text(encoding="utf-8"))
        if re.search(r"\btest_", " ".join(taken))
    ]
    assert set(importers) == PROVING
    assert not list((TESTS / "support").rglob("test_*.py"))


def test_every_test_listed_as_slow_exists() -> None:
    rows = [row.split("::") for row in (TESTS / "slow.txt").read_text(encoding="utf-8").split()]
    sources = {path: (TESTS.parent / path).read_text(encoding="utf-8") for path, _ in rows}
    assert [(path, name) for path, name in rows if f"def {name}(" not in sources[path]] == []


def test_files_are_replaced_by_one_function() -> None:
    """``processes.system`` retries, because Windows refuses to replace a file that is being read."""
    assert [file.module for file in package_files() if file.replaces] == ["processes.system"]


#: Modules in which a game's name is an ordinary word: a shader's moon, and a rule about the first player.
MAY_SAY_MOON = {"view.pages", "games.shared"}


def test_only_a_game_and_the_list_of_games_contain_its_name() -> None:
    for file, game in itertools.product(package_files(), GAMES):
        own = f"games.{game}"
        if file.module in THE_LISTS or f"{file.module}.".startswith(f"{own}."):
            continue
        assert not [name for name in file.modules if f"{name}.".startswith(f"{own}.")], file.module
        if file.module not in MAY_SAY_MOON:
            assert game not in file.words, file.module
