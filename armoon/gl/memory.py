"""Memory on the graphics side: textures, render targets, meshes and uniform blocks.

Textures and targets are moderngl's own. Nothing needs to be deleted: unreferenced ones are freed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import DisplayError
from armoon.gl.context import GL_MAJOR, GL_MINOR, REMEDY, Program, current
from armoon.processes.system import this_system

Texture = moderngl.Texture
Target = moderngl.Framebuffer

#: How a texture is looked up: blended from four texels, or the nearest.
LINEAR = (moderngl.LINEAR, moderngl.LINEAR)
NEAREST = (moderngl.NEAREST, moderngl.NEAREST)
#: OpenGL's number of this format.
_RGBA16F = 0x881A


def texture(
    width: int,
    height: int,
    channels: int,
    data: npt.NDArray[Any] | None = None,
    *,
    mipmaps: int = 0,
    repeat: bool = False,
    half_floats: bool = False,
) -> Texture:
    """Return a texture of 8-bit channels (or of four half floats, from floats), clamped at its edges (or repeated).

    ``data`` (height, width, channels) or nothing; 3 channels are BGR, as cameras give them. ``mipmaps`` is the
    number of smaller levels.
    """
    kind = np.float32 if half_floats else np.uint8
    made = current().texture(
        (width, height),
        channels,
        None if data is None else np.ascontiguousarray(data, dtype=kind),
        dtype="f4" if half_floats else "f1",
        internal_format=_RGBA16F if half_floats else None,
    )
    if channels == 3:
        made.swizzle = "BGR1"
    made.repeat_x = made.repeat_y = repeat
    if mipmaps:
        build_mipmaps(made, mipmaps)
    return made


def write_bgra(into: Texture, pixels: npt.NDArray[np.uint8]) -> None:
    """Fill a texture with pixels (height, width, 4) in the order of bytes that windows have.

    A copy from it to a window then converts nothing; moderngl has no such textures.
    """
    from pyglet import gl

    into.use(0)
    order = (gl.GL_BGRA, gl.GL_UNSIGNED_INT_8_8_8_8_REV)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, *into.size, 0, *order, pixels.ctypes.data)


def build_mipmaps(picture: Texture, levels: int) -> None:
    """Fill this many smaller levels from the largest."""
    picture.build_mipmaps(0, levels)
    # Between two levels the nearer is taken: blending both would double the cost of every lookup.
    picture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)


def solid_texture(texels: npt.NDArray[np.uint8]) -> moderngl.Texture3D:
    """Return a 3-D RGBA texture from texels (nz, ny, nx, 4)."""
    depth, height, width, channels = texels.shape
    made = current().texture3d((width, height, depth), channels, np.ascontiguousarray(texels))
    made.repeat_x = made.repeat_y = made.repeat_z = False
    return made


def depth_texture(width: int, height: int, *, compared: bool, framed: bool = False) -> Texture:
    """Return a texture of depths. ``compared``: shaders read it as sampler2DShadow, else its plain depths.

    ``framed``: nothing is near outside of it; else its edge goes on there.
    """
    made = current().depth_texture((width, height))
    made.compare_func = "<=" if compared else ""
    made.filter = (moderngl.LINEAR, moderngl.LINEAR)
    made.repeat_x = made.repeat_y = False
    if framed:
        from pyglet import gl

        made.use(0)
        for axis in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, axis, gl.GL_CLAMP_TO_BORDER)
        farthest = (gl.GLfloat * 4)(1.0, 1.0, 1.0, 1.0)
        gl.glTexParameterfv(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_BORDER_COLOR, farthest)
    return made


def bind_textures(*textures: Texture | moderngl.Texture3D | None) -> None:
    """Put textures on units 0, 1, ...; None leaves out a unit that the shader doesn't look at."""
    for unit, one in enumerate(textures):
        if one is not None:
            one.use(unit)


def target(*, colour: Texture | None = None, depth: Texture | None = None) -> Target:
    """Something to draw into: a picture, a depth map or both. Raises DisplayError if OpenGL refuses it."""
    try:
        return current().framebuffer([] if colour is None else [colour], depth)
    except moderngl.Error as error:
        raise _refused(error) from error


def sampled_target(width: int, height: int, samples: int = 0, colours: Target | None = None) -> Target:
    """Colour and depth of its own, with this many samples a pixel; ``copy_colour`` reads its pixels.

    Or with the ``colours`` of another of its size and samples, to spare memory. Raises DisplayError if OpenGL
    refuses it.
    """
    context, size = current(), (width, height)
    try:
        colour = colours.color_attachments if colours else (context.renderbuffer(size, samples=samples),)
        return context.framebuffer(colour, context.depth_renderbuffer(size, samples=samples))
    except moderngl.Error as error:
        raise _refused(error) from error


def _refused(error: moderngl.Error) -> DisplayError:
    return DisplayError(f"OpenGL refuses a drawing surface ({' '.join(str(error).split())}).", remedy=REMEDY)


def open_target() -> Target:
    """Where drawing goes to now."""
    return current().fbo


def copy_colour(
    source: Target,
    into: Target,
    x: int = 0,
    y: int = 0,
    *,
    part: tuple[int, int, int, int] | None = None,
    upside_down: bool = False,
) -> None:
    """Copy colours, samples averaged, with the lower left corner at (x, y) of ``into``, which is open then.

    Of a ``part`` only (left, first row, width, height), which lands at its own place. ``upside_down``: the source's
    first row is the top one.

    By hand, because moderngl copies depths as well, and only to the corner.
    """
    from pyglet import gl

    _copy(source, into, x, y, part or (0, 0, *source.size), gl.GL_COLOR_BUFFER_BIT, upside_down=upside_down)


def copy_depths(source: Target, into: Target, part: tuple[int, int, int, int]) -> None:
    """Copy depths of a part (left, first row, width, height) to ``into``, which is open then.

    Sample for sample if both have as many; into a target without samples one of each pixel's.
    """
    from pyglet import gl

    _copy(source, into, 0, 0, part, gl.GL_DEPTH_BUFFER_BIT)


def _copy(
    source: Target,
    into: Target,
    x: int,
    y: int,
    part: tuple[int, int, int, int],
    what: int,
    *,
    upside_down: bool = False,
) -> None:
    from pyglet import gl

    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, into.glo)
    left, low, w, h = part
    right, top = left + w, low + h
    rows = (y + top, y + low) if upside_down else (y + low, y + top)
    gl.glBlitFramebuffer(left, low, right, top, x + left, rows[0], x + right, rows[1], what, gl.GL_NEAREST)
    into.use()


def read_bgr(width: int, height: int, *, upright: bool = False) -> npt.NDArray[np.uint8]:
    """Return the open target's lower left pixels as (height, width, 3), its top row first.

    ``upright``: its bottom row.

    By hand, because moderngl can't read a window, and no pixels as BGR.
    """
    from pyglet import gl

    pixels = np.empty((height, width, 3), dtype=np.uint8)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_BGR, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
    return pixels if upright else np.ascontiguousarray(pixels[::-1])


def read_light(source: Target) -> npt.NDArray[np.float32]:
    """Linear light (h, w, 4) out of half floats, the bottom row first."""
    pixels = np.frombuffer(source.read(components=4, dtype="f4"), np.float32)
    return pixels.reshape(source.height, source.width, 4)


def limit_to(box: tuple[int, int, int, int] | None, *targets: Target) -> None:
    """Touch no pixel of these outside (left, first row, width, height) from now on; None lifts the limit."""
    for one in targets:
        one.scissor = box  # type: ignore[assignment]  # takes None, which its stubs don't know


class UniformBlock:
    """A std140 uniform block that is written whole."""

    def __init__(self, binding: int, floats: int) -> None:
        """Reserve ``floats`` floats at a binding point, see ``BLOCKS``."""
        self._binding = binding
        self.values = np.zeros(floats, dtype=np.float32)
        self._buffer = current().buffer(reserve=self.values.nbytes, dynamic=True)

    def upload(self) -> None:
        """Send ``values`` and make this the block at its binding point."""
        self._buffer.write(self.values)
        self._buffer.bind_to_uniform_block(self._binding)


class Mesh:
    """Interleaved float vertices and triangles, drawn whole or in ranges, with any program."""

    def __init__(self, layout: Sequence[int]) -> None:
        """``layout``: floats per attribute, in the order of the shader's locations 0, 1, ..."""
        self._layout = tuple(layout)
        self._vertices = current().buffer(reserve=4, dynamic=True)
        self._triangles = current().buffer(reserve=4, dynamic=True)
        self._count = 0
        self._arrays: dict[Program, moderngl.VertexArray] = {}

    def upload(self, vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> None:
        """Replace vertices (n, floats) and triangles (m, 3)."""
        self._count = len(triangles)
        if not self._count:
            return
        for buffer, data in (
            (self._vertices, np.ascontiguousarray(vertices, dtype=np.float32)),
            (self._triangles, np.ascontiguousarray(triangles, dtype=np.uint32)),
        ):
            buffer.orphan(data.nbytes)
            buffer.write(data)

    def draw(self, program: Program) -> None:
        """Draw all triangles."""
        if self._count:
            self._array(program).render(vertices=self._count * 3)

    def draw_ranges(self, program: Program, ranges: Sequence[tuple[int, int]]) -> None:
        """Draw runs of triangles, each given as (first, count)."""
        array = self._array(program)
        for first, count in ranges:
            array.render(vertices=count * 3, first=first * 3)

    def _array(self, program: Program) -> moderngl.VertexArray:
        made = self._arrays.get(program)
        if made is None:
            layout = " ".join(f"{floats}f" for floats in self._layout)
            made = current().vertex_array(
                program.linked,
                [(self._vertices, layout, *range(len(self._layout)))],
                self._triangles,
                skip_errors=True,
            )
            self._arrays[program] = made
        return made


def whole_picture() -> Mesh:
    """Return a quad over everything, in clip space."""
    mesh = Mesh((2,))
    mesh.upload(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32), quad_triangles(1))
    return mesh


def quad_triangles(quads: int) -> npt.NDArray[np.uint32]:
    """Triangles (2 * quads, 3) over vertices that come four to a quad, counter-clockwise."""
    corner = np.arange(quads, dtype=np.uint32)[:, None] * 4
    fan = np.array([[0, 1, 2, 0, 2, 3]], dtype=np.uint32)
    return np.asarray((corner + fan).reshape(-1, 3), dtype=np.uint32)


class HeadlessSurface:
    """A picture of ``width`` x ``height`` pixels in an EGL context, or without EGL in a hidden window.

    It is current after it was made.
    """

    def __init__(self, width: int, height: int) -> None:
        """Make a surface without a window.

        Raises DisplayError where EGL or OpenGL 3.3 is missing, or a real window was opened before.
        """
        egl = sys.platform == "linux"
        if egl and "pyglet.gl" in sys.modules and not pyglet.options.headless:
            raise DisplayError(
                "This process already draws to a real display, so it can't draw offscreen as well.",
                remedy="Start the program again for the offscreen picture.",
            )
        pyglet.options.headless = egl
        self.width, self.height = width, height
        try:
            from pyglet import gl, window

            # RGB888 has to be asked for: pyglet's default offscreen config may give 16-bit colour.
            config = gl.Config(
                double_buffer=False,
                red_size=8,
                green_size=8,
                blue_size=8,
                alpha_size=8,
                depth_size=24,
                major_version=GL_MAJOR,
                minor_version=GL_MINOR,
                forward_compatible=True,
            )
            self._window: Any = window.Window(width, height, config=config, vsync=False, visible=False)
            current()
        except Exception as error:  # pyglet raises whatever EGL, ctypes or the driver gave it
            raise DisplayError(
                f"No offscreen OpenGL {GL_MAJOR}.{GL_MINOR} can be opened ({error}).",
                remedy=this_system().gl_cure,
            ) from error

    def make_current(self) -> None:
        """Let OpenGL calls go to this surface."""
        self._window.switch_to()

    def read_bgr(self) -> npt.NDArray[np.uint8]:
        """Return the picture (height, width, 3), top row first."""
        return read_bgr(self.width, self.height)

    def close(self) -> None:
        """Give the context back; may be called twice."""
        if self._window is not None:
            self._window.close()
            self._window = None
