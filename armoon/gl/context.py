"""The current OpenGL context, and how a drawing blends with the one below it.

Importing this decides nothing: the first opened window or surface decides whether pyglet draws to a screen.
"""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any, Literal
from weakref import WeakKeyDictionary

import moderngl
import pyglet

from armoon.errors import DisplayError

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
