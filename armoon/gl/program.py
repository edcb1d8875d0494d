"""Shader programs from the packaged shaders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from armoon.errors import ArmoonError, DisplayError
from armoon.gl.context import REMEDY, current
from armoon.resources import resource_text

PRELUDE = "prelude.glsl"
#: Where the shaders' uniform blocks are bound. Binding 0 belongs to pyglet's ``WindowBlock``, which its labels read.
BLOCKS = {"View": 1, "Pieces": 2}


def shader_source(file: str | Path) -> str:
    """Return a shader's text; one without a version of its own stands behind the shared prelude.

    ``file``: a name in the packaged ``shaders``, or the place of one that a game brings. Compilers then count
    lines from the prelude's first.
    """
    try:
        text = file.read_text(encoding="utf-8") if isinstance(file, Path) else resource_text("shaders", file)
        return text if text.startswith("#version") else resource_text("shaders", PRELUDE) + text
    except OSError as error:
        raise DisplayError(
            f"The shader {file} can't be read ({error.strerror}).",
            remedy="Install armoon again; `armoon doctor` checks the result.",
        ) from error
    except ArmoonError as error:
        raise DisplayError(error.what, remedy=error.remedy) from error


def for_tier(source: str, level: int, *, hands: bool = True) -> str:
    """Return the same text with ``TIER`` (and without hands ``NO_HANDS``) defined behind its version line.

    Its lines keep their numbers.
    """
    version, rest = source.split("\n", 1)
    none = "" if hands else "#define NO_HANDS\n"
    return f"{version}\n#define TIER {level}\n{none}#line 2\n{rest}"


def _complaint(report: str, vertex: str, fragment: str) -> str:
    """One sentence out of moderngl's report, which has a heading for the shader and a rule under it."""
    heading, _, log = report.partition("===")
    words = " ".join(log.strip("= \n").split()).rstrip(".") or report.strip()
    if "Linker" in heading:
        return f"{vertex} and {fragment} don't link: {words}."
    return f"The shader {fragment if 'fragment_shader' in heading else vertex} doesn't compile: {words}."


class Program:
    """A linked pair of shaders. Uniforms that the compiler removed are silently skipped."""

    def __init__(
        self,
        vertex: str | Path,
        fragment: str | Path,
        *,
        samplers: Sequence[str] = (),
        level: int = 0,
        hands: bool = True,
    ) -> None:
        """Compile and link two files, see ``shader_source``; ``samplers`` get texture units 0, 1, ... in order.

        ``level`` is the tier's; without ``hands`` the shader has no test for hiding hands. Raises DisplayError with the
        compiler's message.
        """
        context = current()
        texts = [for_tier(shader_source(name), level, hands=hands) for name in (vertex, fragment)]
        try:
            self.linked = context.program(vertex_shader=texts[0], fragment_shader=texts[1])
        except moderngl.Error as error:
            raise DisplayError(
                _complaint(str(error), Path(vertex).name, Path(fragment).name), remedy=REMEDY
            ) from error
        self._uniforms: dict[str, Any] = {}
        self._bare: moderngl.VertexArray | None = None
        for name in self.linked:
            member = self.linked[name]
            if isinstance(member, moderngl.UniformBlock):
                member.binding = BLOCKS[name]
            elif isinstance(member, moderngl.Uniform):
                self._uniforms[name] = member
        for unit, name in enumerate(samplers):
            if name in self._uniforms:
                self._uniforms[name].value = unit

    def set_all(self, values: Mapping[str, Any]) -> None:
        """Set uniforms by their names, see ``set``."""
        for name, value in values.items():
            self.set(name, value)

    def set(self, name: str, *values: float | Sequence[float] | npt.NDArray[Any]) -> None:
        """Set a uniform: one to four floats, a matrix (3, 3) or (4, 4), or rows (n, 4) for a vec4[n]."""
        uniform = self._uniforms.get(name)
        if uniform is None:
            return
        data = np.asarray(values[0] if len(values) == 1 else values, dtype=np.float32)
        # GL reads matrices by columns.
        uniform.write(np.ascontiguousarray(data.T if uniform.matrix else data))

    def draw_corners(self, count: int) -> None:
        """Draw a strip with this many corners, which the vertex shader makes for itself from ``gl_VertexID``."""
        if self._bare is None:
            self._bare = current().vertex_array(self.linked, [])
        self._bare.render(moderngl.TRIANGLE_STRIP, vertices=count)
