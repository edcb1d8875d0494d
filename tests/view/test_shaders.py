"""The reference compiler accepts every shader, in both tiers, for OpenGL 3.3 and for macOS's 4.1."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import armoon
from armoon.gl import define_tier, load_shader
from armoon.resources import resource_path

FOLDER = resource_path("shaders", "prelude.glsl").parent
#: The shaders of the view, of the rendered camera and of each game.
FILES = [
    path
    for folder in (FOLDER, Path(armoon.__file__).parent / "games")
    for path in sorted(folder.rglob("*"))
    if path.suffix in (".vert", ".frag")
]
VALIDATOR = shutil.which("glslangValidator")


@pytest.mark.skipif(
    VALIDATOR is None, reason="glslangValidator is missing (Debian: apt install glslang-tools)"
)
@pytest.mark.parametrize("version", ["330", "410"])
def test_every_shader_is_valid(version: str, tmp_path: Path) -> None:
    assert VALIDATOR is not None
    for number, path in enumerate(FILES):
        for full in (False, True):
            text = define_tier(load_shader(path), full=full).replace("#version 330", f"#version {version}", 1)
            file = tmp_path / f"{number}_{'full' if full else 'plain'}_{path.name}"
            file.write_text(text, encoding="utf-8")
    files = sorted(map(str, tmp_path.iterdir()))
    assert len(files) > 40
    result = subprocess.run([VALIDATOR, *files], capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"GLSL {version}: {result.stdout}"
