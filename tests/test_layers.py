"""The house's rooms and arrows (docs/architecture.md), enforced by reading every import."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from armoon.games import GAMES

PACKAGE = Path(__file__).resolve().parent.parent / "armoon"
if not PACKAGE.is_dir():  # away from the checkout the tests run against the installed wheel
    import armoon

    PACKAGE = Path(armoon.__file__).resolve().parent

ALL = {"*"}

#: room: (rooms it may import, third-party packages it may import). The standard library is always allowed. A room
#: is a module or package by its dotted name; a file belongs to the longest name that fits.
TABLE: dict[str, tuple[set[str], set[str]]] = {
    "values": (set(), set()),
    "errors": (set(), set()),
    "clock": (set(), set()),
    "mailbox": (set(), set()),
    "child": (set(), set()),
    "resources": ({"errors"}, set()),
    "codec": ({"errors", "values"}, {"msgspec"}),
    "messages": ({"errors", "values"}, {"tomli", "tomllib"}),
    "settings": (
        {"errors", "codec", "values", "messages", "games", "screens"},
        {"platformdirs", "tomli", "tomllib"},
    ),
    "geometry": ({"values"}, {"numpy"}),
    "camera": (
        {"geometry", "values", "errors", "clock", "resources", "mailbox", "codec"},
        {"cv2", "numpy", "av"},
    ),
    "hands": ({"geometry", "values", "errors", "mailbox", "codec"}, {"mediapipe", "cv2", "numpy"}),
    "faces": ({"values", "errors", "hands"}, {"mediapipe", "cv2", "numpy"}),
    "world": ({"values", "geometry", "errors", "clock", "child"}, {"pybullet", "numpy"}),
    "placement": ({"values", "geometry", "world", "child"}, {"numpy"}),
    "gl": ({"errors", "resources"}, {"numpy", "moderngl", "pyglet"}),
    "synthetic_camera": ({"geometry", "values", "errors", "resources", "camera", "gl"}, {"numpy", "cv2"}),
    "view": ({"values", "geometry", "errors", "resources", "gl"}, {"numpy", "pyglet"}),
    "players": (
        {"values", "child", "world", "synthetic_camera", "camera", "geometry", "errors", "clock", "games"},
        {"numpy"},
    ),
    "broadcast": ({"values", "errors", "codec", "messages"}, {"msgspec"}),
    "party": (
        {"values", "errors", "codec", "messages", "broadcast", "party.votes", "party.obs", "party.server"},
        {"av", "numpy", "paho", "segno"},
    ),
    "party.obs": ({"codec", "errors", "broadcast", "messages"}, {"keyring", "tomli", "tomllib"}),
    "party.votes": ({"values", "broadcast"}, set()),
    "party.server": (
        {"codec", "messages", "broadcast", "party.votes", "party.obs"},
        {"starlette", "uvicorn", "segno", "simpleobsws", "websockets"},
    ),
    "inputs": ({"geometry", "values", "settings", "games", "view"}, set()),
    "screens": ({"values", "messages", "settings", "games"}, set()),
    "sound": (
        {"errors", "values", "games.moon.referee", "games.moon.rules"},
        {"numpy", "pyglet", "sounddevice"},
    ),
    "speech_output": ({"values", "messages", "errors", "sound", "child"}, set()),
    "speech_recognition": ({"messages", "errors", "child", "sound"}, {"numpy", "pocketsphinx"}),
    "screen_reader": ({"values", "messages", "errors", "speech_output"}, {"accesskit"}),
    "saves": ({"values", "errors", "codec", "games.shared"}, set()),
    "sinks": (
        {
            "values",
            "engine",
            "broadcast",
            "sound",
            "speech_output",
            "screen_reader",
            "party",
            "messages",
            "errors",
        },
        {"numpy", "rich"},
    ),
    "engine": (
        {
            "values",
            "hands",
            "world",
            "geometry",
            "clock",
            "errors",
            "codec",
            "camera",
            "saves",
            "settings",
            "messages",
            "games",
        },
        {"numpy"},
    ),
    "games": (
        {
            "camera",
            "values",
            "geometry",
            "errors",
            "codec",
            "messages",
            "engine",
            "saves",
            "settings",
            "screens",
            "players",
            "sound",
            "view",
            "broadcast",
            "games.shared",
        },
        set(),
    ),
    "games.shared": ({"values"}, set()),
    "games.moon.rules": ({"values", "games.shared"}, set()),
    "games.moon.referee": ({"values", "clock", "games.moon.rules"}, {"numpy"}),
    "games.moon.figures": ({"values", "geometry"}, {"numpy"}),
    "games.moon.sight": ({"values", "players"}, set()),
    "games.moon.lid": ({"values", "geometry", "world"}, set()),
    "games.moon.player": (
        {
            "values",
            "world",
            "placement",
            "geometry",
            "clock",
            "players",
            "games.moon.rules",
            "games.moon.sight",
            "games.moon.lid",
            "codec",
        },
        {"numpy"},
    ),
    "games.moon.review": (
        {
            "games",
            "values",
            "messages",
            "engine",
            "placement",
            "world",
            "games.moon",
            "games.moon.bots",
            "games.moon.rules",
            "games.shared",
        },
        {"numpy"},
    ),
    "games.moon.trials": (
        {
            "values",
            "errors",
            "clock",
            "camera",
            "hands",
            "engine",
            "codec",
            "messages",
            "settings",
            "saves",
            "placement",
            "world",
            "games",
            "games.moon",
            "games.moon.rules",
            "games.moon.bots",
            "games.moon.bots.levels",
            "games.shared",
            "players",
        },
        {"tomli", "tomllib"},
    ),
    "games.moon.bots.levels": ({"values"}, set()),
    "games.moon.bots.lines": ({"values"}, set()),
    "games.moon.bots": (
        {
            "values",
            "errors",
            "geometry",
            "clock",
            "child",
            "camera",
            "messages",
            "world",
            "placement",
            "hands",
            "engine",
            "games.moon",
            "games.moon.rules",
            "games.shared",
            "players",
        },
        {"numpy"},
    ),
    "games.moon.view": ({"games.moon", "values", "view", "gl", "geometry"}, {"numpy"}),
    "games.moon": (ALL, {"numpy", "rich"}),
    "games.lake.rules": ({"games.shared"}, set()),
    "games.lake.bots": ({"child", "games.lake", "games.shared", "values", "clock"}, {"numpy"}),
    "games.lake.view": ({"games.lake", "values", "view", "gl", "geometry"}, {"numpy"}),
    "games.lake": (ALL, {"numpy", "rich"}),
    "app": (ALL, {"numpy", "cv2", "rich"}),
    "cli": (
        ALL,
        {"typer", "rich", "cv2", "numpy", "pyglet", "mediapipe", "pybullet", "av", "platformdirs"},
    ),
    "__init__": (set(), set()),
    "__main__": ({"cli"}, set()),
}
#: What starts things. Only one of them may import another: no room below knows who composes it.
TOPS = {"app", "cli", "__main__"}


def room_of(module: str) -> str | None:
    """The room that a dotted name below ``armoon`` belongs to: the longest row that fits."""
    parts = module.split(".")
    names = (".".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((name for name in names if name in TABLE), None)


def may(rooms: set[str], target: str) -> bool:
    """Whether these rows, or rooms around them, name the target."""
    return "*" in rooms or any(target == room or target.startswith(f"{room}.") for room in rooms)


def imports_of(path: Path) -> set[str]:
    """Dotted names of every module that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            found |= {f"armoon.{a.name}" for a in node.names} if module == "armoon" else {module}
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_arrows(path: Path) -> None:
    inside = path.relative_to(PACKAGE).with_suffix("")
    module = ".".join(
        inside.parent.parts if inside.name == "__init__" and inside.parent.parts else inside.parts
    )
    room = room_of(module)
    assert room is not None, f"{module}: a new room needs a row here and in docs/architecture.md"
    rooms, packages = TABLE[room]
    for name in imports_of(path):
        top, _, rest = name.partition(".")
        if top == "armoon":
            target = room_of(rest) if rest else "__init__"
            if target in ("__init__", room) or rest == "__version__":
                continue
            assert target is not None, f"{path.name} imports {name}, which is no room"
            if room not in ("cli", "__main__"):
                assert target not in TOPS, f"{path.name} imports {target}"
            assert may(rooms, target), f"{room} may not import {target}"
        elif top not in sys.stdlib_module_names:
            assert top in packages, f"{room} may not import {top}"


def test_every_row_names_known_rooms() -> None:
    for room, (rooms, _) in TABLE.items():
        unknown = rooms - set(TABLE) - ALL
        assert not unknown, f"{room} names unknown rooms {unknown}"


def test_files_were_found() -> None:
    assert len(FILES) > 10


TESTS = Path(__file__).resolve().parent
#: They prove that a ruling has its test by importing that test.
PROVING = {"games/moon/test_rules_coverage.py", "games/lake/test_coverage.py"}


def test_no_test_imports_another() -> None:
    """What tests share lies in ``support``, which has no tests."""
    found = []
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
                found += [path.relative_to(TESTS).as_posix() for part in parts if part.startswith("test_")]
    assert set(found) == PROVING
    assert not list((TESTS / "support").rglob("test_*.py"))


#: May name a game: the list of games.
MAY_NAME = (("games", "__init__.py"),)
#: Words of the sky that stand outside: the sampler of a page's night, and the way to find who begins.
WORDS_OF_THE_SKY = {("view", "pages", "sky.py"), ("games", "shared", "seating.py")}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_a_game_and_the_list_of_games_know_its_name(path: Path) -> None:
    parts = path.relative_to(PACKAGE).parts
    if any(parts[: len(named)] == named for named in MAY_NAME):
        return
    for game in GAMES:
        if parts[:2] == ("games", game):
            continue
        inside = f"armoon.games.{game}"
        assert not [name for name in imports_of(path) if name == inside or name.startswith(f"{inside}.")]
        if parts not in WORDS_OF_THE_SKY:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            words = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
            assert game not in words
