"""The house's rooms and arrows (docs/architecture.md), enforced by reading every import."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "armoon"
if not PACKAGE.is_dir():  # away from the checkout the tests run against the installed wheel
    import armoon

    PACKAGE = Path(armoon.__file__).resolve().parent

PLAIN = {"values", "pieces", "facts", "intents", "orders", "scene", "lake_scene"}
ALL = {"*"}

#: room: (rooms it may import, third-party packages it may import). The standard library is always allowed.
TABLE: dict[str, tuple[set[str], set[str]]] = {
    "values": (set(), set()),
    "pieces": ({"values"}, set()),
    "facts": ({"values", "pieces"}, set()),
    "intents": ({"values"}, set()),
    "orders": ({"values", "pieces"}, set()),
    "lake_scene": ({"values"}, set()),
    "scene": ({"values", "pieces", "lake_scene"}, set()),
    "errors": (set(), set()),
    "clock": (set(), set()),
    "mailbox": (set(), set()),
    "resources": ({"errors"}, set()),
    "messages": ({"errors"}, {"tomli", "tomllib"}),
    "settings": ({"errors", "rules", "values"}, {"platformdirs", "tomli", "tomllib"}),
    "geometry": ({"values"}, {"numpy"}),
    "rules": (set(), set()),
    "camera": ({"geometry", "values", "errors", "clock", "resources", "mailbox"}, {"cv2", "numpy"}),
    "hands": ({"geometry", "values", "intents", "errors", "mailbox"}, {"mediapipe", "cv2", "numpy"}),
    "world": (PLAIN | {"geometry", "errors", "clock"}, {"pybullet", "numpy"}),
    "referee": (PLAIN | {"rules", "clock"}, {"numpy"}),
    "stage": ({"geometry", "values", "errors", "resources", "camera"}, {"numpy", "pyglet", "cv2"}),
    "view": (PLAIN | {"page", "geometry", "errors", "resources"}, {"numpy", "pyglet"}),
    "figures": (PLAIN | {"geometry"}, {"numpy"}),
    "players": (PLAIN | {"world", "rules", "geometry", "clock"}, {"numpy"}),
    "party": (PLAIN | {"rules", "errors"}, {"av", "numpy"}),
    "access": ({"geometry", "intents", "values", "settings"}, set()),
    "page": ({"values"}, set()),
    "screens": ({"values", "intents", "page", "messages", "settings", "rules"}, set()),
    "sound": (PLAIN | {"page", "referee", "rules"}, {"numpy", "pyglet"}),
    "match": (
        PLAIN | {"hands", "world", "figures", "referee", "rules", "saves", "geometry", "clock", "errors"},
        {"numpy"},
    ),
    "compose": (PLAIN | {"figures", "match", "hands", "rules", "referee", "geometry", "messages"}, {"numpy"}),
    "logbook": (PLAIN | {"hands", "rules", "referee", "errors"}, {"numpy"}),
    "saves": (PLAIN | {"rules", "errors"}, set()),
    "replay": (
        PLAIN
        | {"match", "lake", "logbook", "hands", "rules", "referee", "saves", "geometry", "errors", "clock"},
        {"numpy"},
    ),
    "demo": (
        PLAIN | {"stage", "players", "camera", "geometry", "errors", "clock", "world"},
        {"numpy"},
    ),
    "doctor": (ALL, {"numpy", "cv2", "pyglet", "mediapipe", "pybullet", "av", "rich", "platformdirs"}),
    "app": (ALL, {"numpy", "cv2", "rich"}),
    "cli": (ALL, {"typer", "rich"}),
    "games_cli": (PLAIN | {"saves", "rules", "referee", "world", "messages", "errors"}, {"rich"}),
    "lake": (
        PLAIN | {"hands", "match", "rules", "geometry", "clock", "errors", "messages", "lake_texts"},
        set(),
    ),
    "lake_texts": ({"rules", "messages"}, set()),
    "lake_cli": ({"lake_texts", "rules", "players", "messages"}, set()),
    "calibrate_cli": ({"camera", "errors", "values"}, {"cv2", "numpy"}),
    "bench": (
        ALL,
        {"numpy", "cv2", "rich", "typer", "mediapipe", "pybullet", "pyglet", "mujoco", "rapier3d"},
    ),
    "__init__": (set(), set()),
    "__main__": ({"cli"}, set()),
}
#: What starts things. Only one of them may import another: no room below knows who composes it.
TOPS = {"app", "cli", "bench", "__main__"}


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
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert room in TABLE, f"{room}: a new room needs a row here and in docs/architecture.md"
    rooms, packages = TABLE[room]
    for name in imports_of(path):
        top, _, rest = name.partition(".")
        if top == "armoon":
            target = rest.partition(".")[0] or "__init__"
            if target in ("__init__", "__version__") or target == room:
                continue
            if room not in ("cli", "__main__", "bench"):
                assert target not in TOPS, f"{path.name} imports {target}"
            assert "*" in rooms or target in rooms, f"{room} may not import {target}"
        elif top not in sys.stdlib_module_names:
            assert top in packages, f"{room} may not import {top}"


def test_every_row_names_known_rooms() -> None:
    for room, (rooms, _) in TABLE.items():
        unknown = rooms - set(TABLE) - ALL
        assert not unknown, f"{room} names unknown rooms {unknown}"


def test_files_were_found() -> None:
    assert len(FILES) > 10
