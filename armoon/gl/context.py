"""The current OpenGL context, and how a drawing blends with the one below it.

Importing this decides nothing: the first opened window or surface decides whether pyglet draws to a screen.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

import moderngl
import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import ArmoonError, DisplayError
from armoon.resources import resource_text

#: Checking glGetError after each of the thousands of calls of a second doubles their cost.
pyglet.options.debug_gl = False
# These would load GTK, FFmpeg and Pillow to read files of pictures and sounds; pyglet reads none here.
for _unused in ("image.codecs.gdkpixbuf2", "image.codecs.pil", "media.codecs.ffmpeg_lib"):
    sys.modules.setdefault(f"pyglet.{_unused}", None)  # type: ignore[arg-type]  # None: there is no such module

GL_MAJOR, GL_MINOR = 3, 3
#: What helps when OpenGL is missing or refuses its work.
REMEDY = "Update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw without it."

_known: WeakKeyDictionary[Any, moderngl.Context] = WeakKeyDictionary()


class Blend(Enum):
    """How colours meet: moderngl's factors (for colour, then for alpha where it differs) and its equation."""

    OVER = ((moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA), moderngl.FUNC_ADD)
    """Laid over by its alpha."""
    LAYERED = (
        (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA),
        moderngl.FUNC_ADD,
    )
    """As ``OVER``; the alpha is what a layer of its own will be laid over the frame with."""
    PREMULTIPLIED = ((moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA), moderngl.FUNC_ADD)
    """Laid over by its alpha, which its colours are multiplied with already."""
    DARKEN = ((moderngl.ZERO, moderngl.SRC_COLOR), moderngl.FUNC_ADD)
    """What was there is multiplied with it."""
    GREATEST = ((moderngl.ONE, moderngl.ONE), moderngl.MAX)
    """The greater of both in each channel."""


def current() -> moderngl.Context:
    """Return the context that OpenGL calls go to. What was made in it and dropped since is freed by and by."""
    from pyglet import gl

    opened = gl.current_context
    if opened is None:
        raise DisplayError("Nothing can be drawn before a window or surface is open.", remedy=REMEDY)
    made = _known.get(opened)
    if made is None:
        moderngl.init_context()
        made = _known[opened] = moderngl.get_context()
        made.gc_mode = "context_gc"
        made.depth_func = "<"
    if made.objects:
        made.gc()
    return made


def begin_pass(
    blend: Blend | None = None,
    *,
    depth: bool = False,
    cull: Literal["front", "back"] | None = None,
    write_colour: bool = True,
    write_depth: bool = True,
    push_back: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Draw in this manner from now on, into the target that is open.

    Without ``blend`` each pixel replaces what was there. With ``depth`` the nearest wins. ``cull`` leaves these
    faces out. ``push_back`` moves everything farther: by an amount per slope, and by constant steps.
    """
    context = current()
    flags = moderngl.NOTHING
    if blend is not None:
        flags |= moderngl.BLEND
        context.blend_func, context.blend_equation = blend.value
    if depth:
        flags |= moderngl.DEPTH_TEST
    if cull is not None:
        flags |= moderngl.CULL_FACE
        context.cull_face = cull
    context.enable_only(flags)
    context.polygon_offset = push_back
    target = context.fbo
    colours: Any = (write_colour,) * len(target.color_mask)  # none of a target of depths alone
    if (target.color_mask, target.depth_mask) != (colours, write_depth):
        target.color_mask, target.depth_mask = colours, write_depth
        target.use()  # masks count from then on


def front_faces(*, clockwise: bool) -> None:
    """Which winding, in clip space with y up, faces the eye."""
    current().front_face = "cw" if clockwise else "ccw"


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


def for_tier(source: str, *, full: bool, hands: bool = True) -> str:
    """Return the text with ``FULL`` defined for the full tier, ``NO_HANDS`` without hands.

    Its lines keep their numbers.
    """
    version, rest = source.split("\n", 1)
    defined = ("#define FULL\n" if full else "") + ("" if hands else "#define NO_HANDS\n")
    return f"{version}\n{defined}#line 2\n{rest}"


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
        full: bool = False,
        hands: bool = True,
    ) -> None:
        """Compile and link two files, see ``shader_source``; ``samplers`` get texture units 0, 1, ... in order.

        ``full``: for the full tier; without ``hands`` the shader has no test for hiding hands. Raises DisplayError
        with the compiler's message.
        """
        context = current()
        texts = [for_tier(shader_source(name), full=full, hands=hands) for name in (vertex, fragment)]
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
