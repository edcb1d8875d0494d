"""Shaders, textures, render targets, meshes and uniform blocks, freed once nothing refers to them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

import moderngl
import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import DisplayError
from armoon.processes.system import get_system_name
from armoon.resources import resource_text

#: Off, because a check of glGetError would double the cost of each of thousands of calls per second.
pyglet.options.debug_gl = False
# These modules load GTK, Pillow and FFmpeg to read picture and sound files, which armoon never does with pyglet.
for _unused in ("image.codecs.gdkpixbuf2", "image.codecs.pil", "media.codecs.ffmpeg_lib"):
    sys.modules.setdefault(f"pyglet.{_unused}", None)  # type: ignore[arg-type]  # None makes the import fail

GL_MAJOR, GL_MINOR = 3, 3
#: The moderngl context for each pyglet context.
_contexts: WeakKeyDictionary[Any, moderngl.Context] = WeakKeyDictionary()


class Blend(Enum):
    """Blend modes: moderngl's factors for colour and, if different, alpha, and its equation."""

    OVER = ((moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA), moderngl.FUNC_ADD)
    """Draws over the target according to alpha."""
    LAYERED = (
        (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA),
        moderngl.FUNC_ADD,
    )
    """Like ``OVER``, and accumulates the alpha for a separate layer, which is drawn over the frame later."""
    PREMULTIPLIED = ((moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA), moderngl.FUNC_ADD)
    """Draws over the target, with colours already multiplied by alpha."""
    DARKEN = ((moderngl.ZERO, moderngl.SRC_COLOR), moderngl.FUNC_ADD)
    """Multiplies the target's colour."""
    GREATEST = ((moderngl.ONE, moderngl.ONE), moderngl.MAX)
    """Keeps the maximum in each channel."""


def get_context() -> moderngl.Context:
    """Free unreferenced objects, and return the current OpenGL context. Raises DisplayError if there is none."""
    window_context = pyglet.gl.current_context
    if window_context is None:
        raise DisplayError("Nothing can be drawn before a window or surface is open.", remedy="Open one.")
    context = _contexts.get(window_context)
    if context is None:
        moderngl.init_context()
        context = _contexts[window_context] = moderngl.get_context()
        context.gc_mode = "context_gc"
        context.depth_func = "<"
    if context.objects:
        context.gc()
    return context


def begin_pass(
    blend: Blend | None = None,
    *,
    depth: bool = False,
    cull: Literal["front", "back"] | None = None,
    write_colour: bool = True,
    write_depth: bool = True,
    push_back: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Set the draw mode of the bound target.

    Without ``blend``, pixels are replaced; with ``depth``, the nearest is kept; ``cull`` skips these faces;
    ``push_back`` is a polygon offset (per slope, constant) that moves everything farther away.
    """
    context = get_context()
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
    colours: Any = (write_colour,) * len(target.color_mask)  # empty for a target with depth only
    if (target.color_mask, target.depth_mask) != (colours, write_depth):
        target.color_mask, target.depth_mask = colours, write_depth
        target.use()  # masks take effect when the target is bound


def set_front_faces(*, clockwise: bool) -> None:
    get_context().front_face = "cw" if clockwise else "ccw"


PRELUDE = "prelude.glsl"
#: Binding points of the shaders' uniform blocks. Binding 0 is pyglet's ``WindowBlock``, which its labels use.
BLOCKS = {"View": 1, "Pieces": 2}


def load_shader(file: str | Path) -> str:
    """Return a shader's text, preceded by the shared prelude unless it has a version line.

    ``file`` is the name of a packaged shader, or a path. Compilers count lines from the start of the prelude.
    """
    try:
        if isinstance(file, Path):
            text = file.read_text(encoding="utf-8")
        else:
            text = resource_text("shaders", file, DisplayError)
        return text if text.startswith("#version") else resource_text("shaders", PRELUDE, DisplayError) + text
    except OSError as error:
        raise DisplayError(
            "fault.display.shader", remedy="fault.remedy.reinstall", file=file, why=error
        ) from error


def define_tier(source: str, *, full: bool, hands: bool = True) -> str:
    """Define ``FULL`` for the full tier, and ``NO_HANDS`` without hands, in a shader's text; keep its line numbers."""
    version, rest = source.split("\n", 1)
    defined = ("#define FULL\n" if full else "") + ("" if hands else "#define NO_HANDS\n")
    return f"{version}\n{defined}#line 2\n{rest}"


def _make_shader_error(report: str, vertex: str, fragment: str) -> DisplayError:
    heading, _, log = report.partition("===")
    reason = " ".join(log.strip("= \n").split()).rstrip(".") or report.strip()
    file = fragment if "fragment_shader" in heading else vertex
    key = "fault.display.link" if "Linker" in heading else "fault.display.compile"
    return DisplayError(key, remedy="fault.remedy.gl", file=file, first=vertex, second=fragment, why=reason)


class ShaderProgram:
    """A linked pair of shaders. Setting a uniform that the compiler removed has no effect."""

    def __init__(
        self,
        vertex: str | Path,
        fragment: str | Path,
        *,
        samplers: Sequence[str] = (),
        full: bool = False,
        hands: bool = True,
    ) -> None:
        """Compile and link two files for ``load_shader``; ``samplers`` get texture units 0, 1, ... in order.

        ``full`` compiles for the full tier; without ``hands``, the shader doesn't test whether a hand hides a pixel.
        Raises DisplayError with the compiler's message.
        """
        context = get_context()
        texts = [define_tier(load_shader(name), full=full, hands=hands) for name in (vertex, fragment)]
        try:
            self.program = context.program(vertex_shader=texts[0], fragment_shader=texts[1])
        except moderngl.Error as error:
            raise _make_shader_error(str(error), Path(vertex).name, Path(fragment).name) from error
        self._uniforms: dict[str, Any] = {}
        self._empty_array: moderngl.VertexArray | None = None
        for name in self.program:
            member = self.program[name]
            if isinstance(member, moderngl.UniformBlock):
                member.binding = BLOCKS[name]
            elif isinstance(member, moderngl.Uniform):
                self._uniforms[name] = member
        for unit, name in enumerate(samplers):
            if name in self._uniforms:
                self._uniforms[name].value = unit

    def set_all(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            self.set(name, value)

    def set(self, name: str, *values: float | Sequence[float] | npt.NDArray[Any]) -> None:
        """Set a uniform to one to four floats, a matrix (3, 3) or (4, 4), or rows (n, 4) for a vec4[n]."""
        uniform = self._uniforms.get(name)
        if uniform is None:
            return
        data = np.asarray(values[0] if len(values) == 1 else values, dtype=np.float32)
        # GL reads matrices column by column.
        uniform.write(np.ascontiguousarray(data.T if uniform.matrix else data))

    def draw_strip(self, count: int) -> None:
        """Draw a triangle strip of ``count`` vertices, which the vertex shader computes from ``gl_VertexID``."""
        if self._empty_array is None:
            self._empty_array = get_context().vertex_array(self.program, [])
        self._empty_array.render(moderngl.TRIANGLE_STRIP, vertices=count)


Texture = moderngl.Texture
Target = moderngl.Framebuffer

#: Texture filters: interpolation between four texels, or the nearest one.
LINEAR = (moderngl.LINEAR, moderngl.LINEAR)
NEAREST = (moderngl.NEAREST, moderngl.NEAREST)
#: OpenGL's constant for RGBA in half floats.
_RGBA16F = 0x881A


def make_texture(
    width: int,
    height: int,
    channels: int,
    data: npt.NDArray[Any] | None = None,
    *,
    mipmaps: int = 0,
    repeat: bool = False,
    half_floats: bool = False,
) -> Texture:
    """Return a texture of 8-bit channels or half floats, which is clamped at its edges or repeated.

    ``data`` is (height, width, channels) or None; 3 channels are BGR, as in camera pictures. ``mipmaps`` is the number
    of smaller levels.
    """
    kind = np.float32 if half_floats else np.uint8
    texture = get_context().texture(
        (width, height),
        channels,
        None if data is None else np.ascontiguousarray(data, dtype=kind),
        dtype="f4" if half_floats else "f1",
        internal_format=_RGBA16F if half_floats else None,
    )
    if channels == 3:
        texture.swizzle = "BGR1"
    texture.repeat_x = texture.repeat_y = repeat
    if mipmaps:
        build_mipmaps(texture, mipmaps)
    return texture


def write_bgra(into: Texture, pixels: npt.NDArray[np.uint8]) -> None:
    """Fill a texture with pixels (height, width, 4) in the window's byte order, which needs no conversion."""
    from pyglet import gl

    into.use(0)
    order = (gl.GL_BGRA, gl.GL_UNSIGNED_INT_8_8_8_8_REV)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, *into.size, 0, *order, pixels.ctypes.data)


def build_mipmaps(picture: Texture, levels: int) -> None:
    picture.build_mipmaps(0, levels)
    # Use the nearer of two levels: interpolating both would double the cost of every lookup.
    picture.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)


def make_solid_texture(texels: npt.NDArray[np.uint8]) -> moderngl.Texture3D:
    """Return a 3D RGBA texture of texels (nz, ny, nx, 4)."""
    depth, height, width, channels = texels.shape
    texture = get_context().texture3d((width, height, depth), channels, np.ascontiguousarray(texels))
    texture.repeat_x = texture.repeat_y = texture.repeat_z = False
    return texture


def make_depth_texture(width: int, height: int, *, compared: bool, border: bool = False) -> Texture:
    """Return a depth texture, for sampler2DShadow if ``compared``; with ``border``, the depth outside is 1."""
    texture = get_context().depth_texture((width, height))
    texture.compare_func = "<=" if compared else ""
    texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
    texture.repeat_x = texture.repeat_y = False
    if border:
        from pyglet import gl

        texture.use(0)
        for axis in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, axis, gl.GL_CLAMP_TO_BORDER)
        farthest = (gl.GLfloat * 4)(1.0, 1.0, 1.0, 1.0)
        gl.glTexParameterfv(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_BORDER_COLOR, farthest)
    return texture


def bind_textures(*textures: Texture | moderngl.Texture3D | None) -> None:
    """Bind textures to units 0, 1, ...; None skips a unit that the shader doesn't use."""
    for unit, bound in enumerate(textures):
        if bound is not None:
            bound.use(unit)


def make_target(*, colour: Texture | None = None, depth: Texture | None = None) -> Target:
    """Return a target with colour, depth or both. Raises DisplayError if OpenGL can't create it."""
    try:
        return get_context().framebuffer([] if colour is None else [colour], depth)
    except moderngl.Error as error:
        raise _make_target_error(error) from error


def make_sampled_target(width: int, height: int, samples: int = 0, colours: Target | None = None) -> Target:
    """Return a target with depth and colour, or the colour of ``colours``. Raises DisplayError if OpenGL fails."""
    context, size = get_context(), (width, height)
    try:
        colour = colours.color_attachments if colours else (context.renderbuffer(size, samples=samples),)
        return context.framebuffer(colour, context.depth_renderbuffer(size, samples=samples))
    except moderngl.Error as error:
        raise _make_target_error(error) from error


def _make_target_error(error: moderngl.Error) -> DisplayError:
    return DisplayError("fault.display.surface", remedy="fault.remedy.gl", why=" ".join(str(error).split()))


def get_bound_target() -> Target:
    return get_context().fbo


def copy_colour(
    source: Target,
    into: Target,
    x: int = 0,
    y: int = 0,
    *,
    part: tuple[int, int, int, int] | None = None,
    upside_down: bool = False,
) -> None:
    """Copy colours, averaged over samples and shifted by (x, y), to ``into``, and bind ``into``.

    Copy only a ``part`` (left, first row, width, height), if given. ``upside_down`` reverses the rows. moderngl's copy
    includes depths, and copies only to the corner.
    """
    from pyglet import gl

    _copy(source, into, x, y, part or (0, 0, *source.size), gl.GL_COLOR_BUFFER_BIT, upside_down=upside_down)


def copy_depths(source: Target, into: Target, part: tuple[int, int, int, int]) -> None:
    """Copy depths of a part (left, first row, width, height) to ``into``, sample by sample, and bind ``into``."""
    from pyglet import gl

    _copy(source, into, 0, 0, part, gl.GL_DEPTH_BUFFER_BIT)


def _copy(
    source: Target,
    into: Target,
    x: int,
    y: int,
    part: tuple[int, int, int, int],
    mask: int,
    *,
    upside_down: bool = False,
) -> None:
    from pyglet import gl

    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, into.glo)
    left, low, w, h = part
    right, top = left + w, low + h
    rows = (y + top, y + low) if upside_down else (y + low, y + top)
    gl.glBlitFramebuffer(left, low, right, top, x + left, rows[0], x + right, rows[1], mask, gl.GL_NEAREST)
    into.use()


def read_bgr(width: int, height: int, *, bottom_first: bool = False) -> npt.NDArray[np.uint8]:
    """Return the bound target's lower left pixels (height, width, 3), top row first unless ``bottom_first``.

    moderngl can read neither a window's pixels nor BGR.
    """
    from pyglet import gl

    pixels = np.empty((height, width, 3), dtype=np.uint8)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
    gl.glReadPixels(0, 0, width, height, gl.GL_BGR, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
    return pixels if bottom_first else np.ascontiguousarray(pixels[::-1])


def read_light(source: Target) -> npt.NDArray[np.float32]:
    """Return linear light (h, w, 4) from half floats, bottom row first."""
    pixels = np.frombuffer(source.read(components=4, dtype="f4"), np.float32)
    return pixels.reshape(source.height, source.width, 4)


def limit_drawing(box: tuple[int, int, int, int] | None, *targets: Target) -> None:
    """Limit drawing to these targets to a box (left, first row, width, height); None removes the limit."""
    for framebuffer in targets:
        framebuffer.scissor = box  # type: ignore[assignment]  # accepts None, contrary to its stubs


class UniformBlock:
    """A std140 uniform block, always uploaded as a whole."""

    def __init__(self, binding: int, floats: int) -> None:
        """Allocate a block of this many floats at a binding point from ``BLOCKS``."""
        self._binding = binding
        self.values = np.zeros(floats, dtype=np.float32)
        self._buffer = get_context().buffer(reserve=self.values.nbytes, dynamic=True)

    def upload(self) -> None:
        self._buffer.write(self.values)
        self._buffer.bind_to_uniform_block(self._binding)


class Mesh:
    """Interleaved float vertices and triangles, which any program can draw completely or in ranges."""

    def __init__(self, layout: Sequence[int]) -> None:
        """``layout`` has the floats per attribute, in the order of the shader's locations 0, 1, ..."""
        self._layout = tuple(layout)
        self._vertices = get_context().buffer(reserve=4, dynamic=True)
        self._triangles = get_context().buffer(reserve=4, dynamic=True)
        self._count = 0
        self._arrays: dict[ShaderProgram, moderngl.VertexArray] = {}

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

    def draw(self, program: ShaderProgram) -> None:
        if self._count:
            self._get_array(program).render(vertices=self._count * 3)

    def draw_ranges(self, program: ShaderProgram, ranges: Sequence[tuple[int, int]]) -> None:
        """Draw runs of triangles, each given as (first, count)."""
        array = self._get_array(program)
        for first, count in ranges:
            array.render(vertices=count * 3, first=first * 3)

    def _get_array(self, program: ShaderProgram) -> moderngl.VertexArray:
        array = self._arrays.get(program)
        if array is None:
            layout = " ".join(f"{floats}f" for floats in self._layout)
            array = get_context().vertex_array(
                program.program,
                [(self._vertices, layout, *range(len(self._layout)))],
                self._triangles,
                skip_errors=True,
            )
            self._arrays[program] = array
        return array


def make_full_quad() -> Mesh:
    mesh = Mesh((2,))
    mesh.upload(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32), quad_triangles(1))
    return mesh


@lru_cache(maxsize=64)
def quad_triangles(quads: int) -> npt.NDArray[np.uint32]:
    """Return triangles (2 * quads, 3), counter-clockwise, for vertices in groups of four; don't modify them."""
    first_corners = np.arange(quads, dtype=np.uint32)[:, None] * 4
    fan = np.array([[0, 1, 2, 0, 2, 3]], dtype=np.uint32)
    return np.asarray((first_corners + fan).reshape(-1, 3), dtype=np.uint32)


def make_surface_config(**options: object) -> Any:
    """Return a pyglet config with 8 bits per colour; the default for offscreen drawing can have fewer."""
    from pyglet import gl

    return gl.Config(
        red_size=8,
        green_size=8,
        blue_size=8,
        depth_size=24,
        major_version=GL_MAJOR,
        minor_version=GL_MINOR,
        forward_compatible=True,
        **options,
    )


class HeadlessSurface:
    """An offscreen surface, sized in pixels, with an EGL context; a hidden window on systems without EGL."""

    def __init__(self, width: int, height: int) -> None:
        """Open the surface. Raises DisplayError without EGL or OpenGL 3.3, or if a real window was opened before."""
        egl = sys.platform == "linux"
        if egl and "pyglet.gl" in sys.modules and not pyglet.options.headless:
            raise DisplayError(
                "This process already draws to a real display, so it can't also draw offscreen.",
                remedy="Start the program again for the offscreen picture.",
            )
        pyglet.options.headless = egl
        self.width, self.height = width, height
        try:
            from pyglet import window

            config = make_surface_config(double_buffer=False, alpha_size=8)
            self._window: Any = window.Window(width, height, config=config, vsync=False, visible=False)
            get_context()
        except Exception as error:  # pyglet passes on errors of EGL, ctypes and the driver
            raise DisplayError(
                "fault.display.offscreen",
                remedy=f"fault.gl_cure.{get_system_name()}",
                version=f"{GL_MAJOR}.{GL_MINOR}",
                why=error,
            ) from error

    def make_current(self) -> None:
        self._window.switch_to()

    def read_bgr(self) -> npt.NDArray[np.uint8]:
        return read_bgr(self.width, self.height)

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None
