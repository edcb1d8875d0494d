"""A thin layer of raw OpenGL 3.3 over pyglet: programs, buffers, textures and framebuffers.

pyglet's own ``ShaderProgram`` is not used for the 3D picture: it raises KeyError for shadow samplers and for
uniforms that the compiler removed, and its errors extend ``BaseException``. Everything here works on the
context that is current; arrays are numpy's and go to OpenGL without a copy.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyglet

from armoon.errors import DisplayError
from armoon.gl.shader_text import for_tier, shader_source

#: Checking glGetError after each of the thousands of calls of a second doubles their cost.
pyglet.options.debug_gl = False

from pyglet import gl  # noqa: E402  (the option above has to come first)

#: Binding 0 belongs to pyglet's ``WindowBlock``, which its labels read.
VIEW_BLOCK_BINDING = 1
PIECES_BLOCK_BINDING = 2

_UPDATE_DRIVER = "Update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw without it."


def pointer(array: npt.NDArray[Any]) -> ctypes.c_void_p:
    """The address of a contiguous array's data."""
    return array.ctypes.data_as(ctypes.c_void_p)


def _compile(kind: int, name: str, source: str) -> int:
    shader = gl.glCreateShader(kind)
    data = source.encode("utf-8")
    text = ctypes.cast(ctypes.c_char_p(data), ctypes.POINTER(gl.GLchar))
    gl.glShaderSource(shader, 1, ctypes.pointer(text), (gl.GLint * 1)(len(data)))
    gl.glCompileShader(shader)
    status = gl.GLint()
    gl.glGetShaderiv(shader, gl.GL_COMPILE_STATUS, status)
    if not status.value:
        log = ctypes.create_string_buffer(4096)
        gl.glGetShaderInfoLog(shader, len(log), None, log)
        message = log.value.decode("utf-8", "replace").strip()
        raise DisplayError(f"The shader {name} doesn't compile: {message}.", remedy=_UPDATE_DRIVER)
    return int(shader)


class Program:
    """A linked pair of shaders. Uniforms that the compiler removed are silently skipped."""

    def __init__(self, vertex: str, fragment: str, *, samplers: Sequence[str] = (), level: int = 0) -> None:
        """Compile and link two packaged files; ``samplers`` get texture units 0, 1, ... in order.

        ``level`` is the tier's. Raises DisplayError with the compiler's message.
        """
        texts = [for_tier(shader_source(name), level) for name in (vertex, fragment)]
        self._build(vertex, texts[0], fragment, texts[1])
        for name, binding in (("View", VIEW_BLOCK_BINDING), ("Pieces", PIECES_BLOCK_BINDING)):
            block = gl.glGetUniformBlockIndex(self._id, _name(name))
            if block != gl.GL_INVALID_INDEX:
                gl.glUniformBlockBinding(self._id, block, binding)
        self._locations: dict[str, int] = {}
        self.use()
        for unit, name in enumerate(samplers):
            gl.glUniform1i(self._location(name), unit)

    def _build(self, vertex: str, vertex_text: str, fragment: str, fragment_text: str) -> None:
        parts = [
            _compile(gl.GL_VERTEX_SHADER, vertex, vertex_text),
            _compile(gl.GL_FRAGMENT_SHADER, fragment, fragment_text),
        ]
        self._id = int(gl.glCreateProgram())
        for part in parts:
            gl.glAttachShader(self._id, part)
        gl.glLinkProgram(self._id)
        status = gl.GLint()
        gl.glGetProgramiv(self._id, gl.GL_LINK_STATUS, status)
        if not status.value:
            log = ctypes.create_string_buffer(4096)
            gl.glGetProgramInfoLog(self._id, len(log), None, log)
            message = log.value.decode("utf-8", "replace").strip()
            raise DisplayError(f"{vertex} and {fragment} don't link: {message}.", remedy=_UPDATE_DRIVER)
        for part in parts:
            gl.glDeleteShader(part)

    def _location(self, name: str) -> int:
        if name not in self._locations:
            self._locations[name] = int(gl.glGetUniformLocation(self._id, _name(name)))
        return self._locations[name]

    def use(self) -> None:
        """Make this the current program."""
        gl.glUseProgram(self._id)

    @property
    def alive(self) -> bool:
        """Whether the driver still has it; it forgets all when the context is lost."""
        return bool(gl.glIsProgram(self._id))

    def set(self, name: str, *values: float) -> None:
        """Set a float, vec2, vec3 or vec4 uniform of the current program."""
        setter = (gl.glUniform1f, gl.glUniform2f, gl.glUniform3f, gl.glUniform4f)[len(values) - 1]
        setter(self._location(name), *values)


def _name(text: str) -> Any:
    return ctypes.cast(ctypes.c_char_p(text.encode()), ctypes.POINTER(gl.GLchar))


def bind_textures(*textures: int) -> None:
    """Put textures on units 0, 1, ... and leave unit 0 active."""
    for unit in range(len(textures) - 1, -1, -1):
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, textures[unit])


class Texture:
    """A 2D texture, of 8-bit channels unless asked for, clamped at its edges (or repeated)."""

    _FORMATS: ClassVar[dict[int, tuple[int, int]]] = {
        1: (gl.GL_R8, gl.GL_RED),
        2: (gl.GL_RG8, gl.GL_RG),
        3: (gl.GL_RGB8, gl.GL_BGR),
        4: (gl.GL_RGBA8, gl.GL_RGBA),
    }

    def __init__(
        self,
        width: int,
        height: int,
        channels: int,
        data: npt.NDArray[np.uint8] | None = None,
        *,
        mipmaps: int = 0,
        repeat: bool = False,
        half_floats: bool = False,
    ) -> None:
        """``data`` (height, width, channels) or nothing; 3 channels are BGR, as cameras give them.

        ``mipmaps`` is the number of smaller levels. ``half_floats``: four of them, to be drawn into only.
        """
        self.width, self.height = width, height
        internal, self._format = self._FORMATS[channels]
        if half_floats:
            internal = gl.GL_RGBA16F
        handle = gl.GLuint()
        gl.glGenTextures(1, handle)
        self.id = int(handle.value)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.id)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D,
            0,
            internal,
            width,
            height,
            0,
            self._format,
            gl.GL_UNSIGNED_BYTE,
            None if data is None else pointer(np.ascontiguousarray(data)),
        )
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAX_LEVEL, mipmaps)
        # Between two levels the nearer is taken: blending both would double the cost of every lookup.
        shrink = gl.GL_LINEAR_MIPMAP_NEAREST if mipmaps else gl.GL_LINEAR
        wrap = gl.GL_REPEAT if repeat else gl.GL_CLAMP_TO_EDGE
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, shrink)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_S, wrap)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_WRAP_T, wrap)
        if mipmaps:
            self.build_mipmaps()

    def build_mipmaps(self) -> None:
        """Fill the smaller levels from the largest."""
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.id)
        gl.glGenerateMipmap(gl.GL_TEXTURE_2D)

    def upload(self, data: npt.NDArray[np.uint8]) -> None:
        """Replace the whole picture by a contiguous array of the texture's size and channels."""
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.id)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glTexSubImage2D(
            gl.GL_TEXTURE_2D,
            0,
            0,
            0,
            self.width,
            self.height,
            self._format,
            gl.GL_UNSIGNED_BYTE,
            pointer(data),
        )

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteTextures(1, gl.GLuint(self.id))


class Framebuffer:
    """Something to draw into: a colour texture, or multisampled colour and depth to be resolved."""

    def __init__(self, width: int, height: int, *, texture: Texture | None = None, samples: int = 0) -> None:
        """With ``texture``: colour only, into it. Without: own colour and depth, ``samples`` per pixel."""
        self.width, self.height = width, height
        handle = gl.GLuint()
        gl.glGenFramebuffers(1, handle)
        self.id = int(handle.value)
        self._renderbuffers: list[int] = []
        before = bound_framebuffer()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.id)
        if texture is not None:
            gl.glFramebufferTexture2D(
                gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, texture.id, 0
            )
        else:
            self._attach(gl.GL_COLOR_ATTACHMENT0, gl.GL_RGBA8, samples)
            self._attach(gl.GL_DEPTH_ATTACHMENT, gl.GL_DEPTH_COMPONENT24, samples)
        status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, before)
        if status != gl.GL_FRAMEBUFFER_COMPLETE:
            raise DisplayError(
                f"OpenGL refuses a drawing surface of {width}x{height} pixels (status {status:#x}).",
                remedy="Make the window smaller, or update the graphics driver.",
            )

    def _attach(self, attachment: int, internal: int, samples: int) -> None:
        handle = gl.GLuint()
        gl.glGenRenderbuffers(1, handle)
        gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, handle)
        gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, internal, self.width, self.height)
        gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, attachment, gl.GL_RENDERBUFFER, handle)
        self._renderbuffers.append(int(handle.value))

    def bind(self) -> None:
        """Draw into this from now on, over its whole area."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.id)
        gl.glViewport(0, 0, self.width, self.height)

    def copy_to(self, target: int, x: int = 0, y: int = 0) -> None:
        """Copy (and resolve) the colours into framebuffer ``target`` with the lower left corner at (x, y)."""
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self.id)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, target)
        w, h = self.width, self.height
        gl.glBlitFramebuffer(0, 0, w, h, x, y, x + w, y + h, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteFramebuffers(1, gl.GLuint(self.id))
        for handle in self._renderbuffers:
            gl.glDeleteRenderbuffers(1, gl.GLuint(handle))


class UniformBlock:
    """A std140 uniform block that is written whole."""

    def __init__(self, binding: int, floats: int) -> None:
        """Reserve ``floats`` floats at a binding point."""
        self._binding = binding
        self.values = np.zeros(floats, dtype=np.float32)
        handle = gl.GLuint()
        gl.glGenBuffers(1, handle)
        self._id = int(handle.value)
        gl.glBindBuffer(gl.GL_UNIFORM_BUFFER, self._id)
        gl.glBufferData(gl.GL_UNIFORM_BUFFER, self.values.nbytes, None, gl.GL_DYNAMIC_DRAW)

    def upload(self) -> None:
        """Send ``values`` and make this the block at its binding point."""
        gl.glBindBufferBase(gl.GL_UNIFORM_BUFFER, self._binding, self._id)
        gl.glBufferSubData(gl.GL_UNIFORM_BUFFER, 0, self.values.nbytes, pointer(self.values))


class Mesh:
    """Interleaved float vertices and triangles, drawn whole or in ranges."""

    def __init__(self, layout: Sequence[int], *, dynamic: bool = False) -> None:
        """``layout``: floats per attribute, in the order of the shader's locations 0, 1, ..."""
        self._layout = tuple(layout)
        self._usage = gl.GL_DYNAMIC_DRAW if dynamic else gl.GL_STATIC_DRAW
        self._triangles = 0
        array = gl.GLuint()
        gl.glGenVertexArrays(1, array)
        self._array = int(array.value)
        buffers = (gl.GLuint * 2)()
        gl.glGenBuffers(2, buffers)
        self._vertices, self._indices = int(buffers[0]), int(buffers[1])
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self._indices)
        stride, offset = sum(self._layout) * 4, 0
        for location, size in enumerate(self._layout):
            gl.glEnableVertexAttribArray(location)
            gl.glVertexAttribPointer(location, size, gl.GL_FLOAT, gl.GL_FALSE, stride, offset)
            offset += size * 4
        gl.glBindVertexArray(0)

    def upload(self, vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> None:
        """Replace vertices (n, floats) and triangles (m, 3)."""
        vertices = np.ascontiguousarray(vertices, dtype=np.float32)
        triangles = np.ascontiguousarray(triangles, dtype=np.uint32)
        self._triangles = len(triangles)
        gl.glBindVertexArray(self._array)
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self._vertices)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, vertices.nbytes, pointer(vertices), self._usage)
        gl.glBufferData(gl.GL_ELEMENT_ARRAY_BUFFER, triangles.nbytes, pointer(triangles), self._usage)

    def draw(self) -> None:
        """Draw all triangles."""
        if self._triangles:
            gl.glBindVertexArray(self._array)
            gl.glDrawElements(gl.GL_TRIANGLES, self._triangles * 3, gl.GL_UNSIGNED_INT, 0)

    def draw_ranges(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Draw runs of triangles, each given as (first, count)."""
        gl.glBindVertexArray(self._array)
        for first, count in ranges:
            gl.glDrawElements(gl.GL_TRIANGLES, count * 3, gl.GL_UNSIGNED_INT, first * 12)


def quad_triangles(quads: int) -> npt.NDArray[np.uint32]:
    """Triangles (2 * quads, 3) over vertices that come four to a quad, counter-clockwise."""
    corner = np.arange(quads, dtype=np.uint32)[:, None] * 4
    fan = np.array([[0, 1, 2, 0, 2, 3]], dtype=np.uint32)
    return np.asarray((corner + fan).reshape(-1, 3), dtype=np.uint32)


def bound_framebuffer() -> int:
    """The framebuffer that drawing goes to now."""
    value = gl.GLint()
    gl.glGetIntegerv(gl.GL_DRAW_FRAMEBUFFER_BINDING, value)
    return int(value.value)


def read_bgr(width: int, height: int) -> npt.NDArray[np.uint8]:
    """The bound framebuffer's lower left pixels as (height, width, 3), top row first."""
    pixels = np.empty((height, width, 4), dtype=np.uint8)
    gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 4)
    gl.glReadPixels(0, 0, width, height, gl.GL_BGRA, gl.GL_UNSIGNED_BYTE, pointer(pixels))
    return np.ascontiguousarray(pixels[::-1, :, :3])


def first_error() -> int:
    """OpenGL's pending error code, 0 if there is none; for tests."""
    return int(gl.glGetError())
