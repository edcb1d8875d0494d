"""Every shader is valid GLSL by the reference compiler, for OpenGL 3.3 and for macOS's 4.1, in both tiers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import armoon
from armoon.gl import for_tier, shader_source
from armoon.resources import resource_path

FOLDER = resource_path("shaders", "prelude.glsl").parent
#: The view's and the stage's shaders, and those of each game.
FILES = {
    str(path.relative_to(folder)): path
    for folder in (FOLDER, Path(armoon.__file__).parent / "games")
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".vert", ".frag")
}
VALIDATOR = shutil.which("glslangValidator")
#: Shaders whose text differs between the tiers.
TIERED = [name for name, path in FILES.items() if "ifdef FULL" in path.read_text(encoding="utf-8")]


def text_of(name: str, *, full: bool) -> str:
    return for_tier(shader_source(FILES[name]), full=full)


@pytest.mark.skipif(
    VALIDATOR is None, reason="glslangValidator is missing (Debian: apt install glslang-tools)"
)
@pytest.mark.parametrize("version", ["330", "410"])
@pytest.mark.parametrize("name", FILES)
def test_a_shader_is_valid(name: str, version: str, tmp_path: Path) -> None:
    assert VALIDATOR is not None
    for full in (False, True):
        text = text_of(name, full=full).replace("#version 330", f"#version {version}", 1)
        file = tmp_path / f"{full}_{Path(name).name}"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run([VALIDATOR, str(file)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{name}, full {full}, GLSL {version}: {done.stdout}"
        if name not in TIERED:
            break
