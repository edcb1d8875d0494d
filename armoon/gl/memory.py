"""What lies on the graphics side: textures, targets to draw into, and meshes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon.errors import DisplayError
from armoon.gl.context import REMEDY, gl

TEXTURE_2D: int = gl.GL_TEXTURE_2D
TEXTURE_3D: int = gl.GL_TEXTURE_3D


def _pointer(array: npt.NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def _generate(make: Any) -> int:
    name = gl.GLuint()
    make(1, name)
    return int(name.value)


def picture_texture(width: int, height: int) -> int:
    """An RGBA texture of 8 bits a channel to draw into."""
    texture = _generate(gl.glGenTextures)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, width, height, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, None)
    _sampling(gl.GL_TEXTURE_2D, gl.GL_LINEAR, gl.GL_CLAMP_TO_EDGE)
    return texture


def light_texture(width: int, height: int, pixels: npt.NDArray[np.float32] | None = None) -> int:
    """An RGBA texture of half floats for linear light, from pixels (h, w, 4) if given."""
    texture = _generate(gl.glGenTextures)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
    data = None if pixels is None else _pointer(np.ascontiguousarray(pixels))
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA16F, width, height, 0, gl.GL_RGBA, gl.GL_FLOAT, data)
    _sampling(gl.GL_TEXTURE_2D, gl.GL_LINEAR, gl.GL_CLAMP_TO_EDGE)
    return texture


def solid_texture(texels: npt.NDArray[np.uint8]) -> int:
    """A 3-D RGBA texture from texels (nz, ny, nx, 4)."""
    texture = _generate(gl.glGenTextures)
    depth, height, width, _ = texels.shape
    gl.glBindTexture(gl.GL_TEXTURE_3D, texture)
    gl.glTexImage3D(
        gl.GL_TEXTURE_3D, 0, gl.GL_RGBA8, width, height, depth, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE,
        _pointer(np.ascontiguousarray(texels)),
    )  # fmt: skip
    _sampling(gl.GL_TEXTURE_3D, gl.GL_LINEAR, gl.GL_CLAMP_TO_EDGE)
    return texture


def depth_texture(size: int) -> int:
    """A square shadow map: lookups compare with it, and everything outside it is lit."""
    texture = _generate(gl.glGenTextures)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture)
    kind, store = gl.GL_DEPTH_COMPONENT, gl.GL_DEPTH_COMPONENT24
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, store, size, size, 0, kind, gl.GL_UNSIGNED_INT, None)
    _sampling(gl.GL_TEXTURE_2D, gl.GL_LINEAR, gl.GL_CLAMP_TO_BORDER)
    gl.glTexParameterfv(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_BORDER_COLOR, (gl.GLfloat * 4)(1.0, 1.0, 1.0, 1.0))
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_COMPARE_MODE, gl.GL_COMPARE_REF_TO_TEXTURE)
    gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_COMPARE_FUNC, gl.GL_LEQUAL)
    return texture


def _sampling(target: int, filtering: int, wrap: int) -> None:
    gl.glTexParameteri(target, gl.GL_TEXTURE_MIN_FILTER, filtering)
    gl.glTexParameteri(target, gl.GL_TEXTURE_MAG_FILTER, filtering)
    for axis in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T, gl.GL_TEXTURE_WRAP_R):
        gl.glTexParameteri(target, axis, wrap)


class Target:
    """Something to draw into: a picture, a shadow map, or a picture with several samples a pixel."""

    def __init__(
        self, width: int, height: int, *, colour: int | None = None, depth: int | None = None
    ) -> None:
        """``colour`` and ``depth`` are textures of this size, at least one of them."""
        self.width, self.height = width, height
        self._name = _generate(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._name)
        for texture, place in ((colour, gl.GL_COLOR_ATTACHMENT0), (depth, gl.GL_DEPTH_ATTACHMENT)):
            if texture is not None:
                gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, place, gl.GL_TEXTURE_2D, texture, 0)
        if colour is None:
            gl.glDrawBuffer(gl.GL_NONE)
            gl.glReadBuffer(gl.GL_NONE)
        self._check()

    @classmethod
    def multisampled(cls, width: int, height: int, samples: int) -> Target:
        """A target with colour, depth and smooth edges; ``copy_colour_from`` it to get at its pixels."""
        target = cls.__new__(cls)
        target.width, target.height = width, height
        target._name = _generate(gl.glGenFramebuffers)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, target._name)
        for store, place in (
            (gl.GL_RGBA8, gl.GL_COLOR_ATTACHMENT0),
            (gl.GL_DEPTH_COMPONENT24, gl.GL_DEPTH_ATTACHMENT),
        ):
            buffer = _generate(gl.glGenRenderbuffers)
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, buffer)
            gl.glRenderbufferStorageMultisample(gl.GL_RENDERBUFFER, samples, store, width, height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, place, gl.GL_RENDERBUFFER, buffer)
        target._check()
        return target

    def _check(self) -> None:
        status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
        if status != gl.GL_FRAMEBUFFER_COMPLETE:
            size = f"{self.width}x{self.height}"
            raise DisplayError(f"OpenGL refuses a {size} target ({status:#x}).", remedy=REMEDY)

    def bind(self) -> None:
        """Draw here from now on."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._name)
        gl.glViewport(0, 0, self.width, self.height)

    def copy_colour_from(self, source: Target) -> None:
        """Copy another target of the same size, its samples averaged; this one stays bound."""
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source._name)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, self._name)
        box = (0, 0, self.width, self.height)
        gl.glBlitFramebuffer(*box, *box, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        self.bind()

    def read_bgr(self) -> npt.NDArray[np.uint8]:
        """The picture (h, w, 3), the row with the lowest clip y first."""
        pixels = np.empty((self.height, self.width, 3), dtype=np.uint8)
        self._read(gl.GL_BGR, gl.GL_UNSIGNED_BYTE, pixels)
        return pixels

    def read_light(self) -> npt.NDArray[np.float32]:
        """The linear light (h, w, 4), the row with the lowest clip y first."""
        pixels = np.empty((self.height, self.width, 4), dtype=np.float32)
        self._read(gl.GL_RGBA, gl.GL_FLOAT, pixels)
        return pixels

    def _read(self, channels: int, kind: int, pixels: npt.NDArray[Any]) -> None:
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, self._name)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glReadPixels(0, 0, self.width, self.height, channels, kind, _pointer(pixels))


class Geometry:
    """Vertex attributes and triangles on the graphics side."""

    def __init__(
        self, attributes: Sequence[npt.NDArray[np.float32]], triangles: npt.NDArray[np.uint32]
    ) -> None:
        """Attributes (n, 1 to 4) take the shader's locations 0, 1, ... in this order; triangles (m, 3)."""
        self._count = triangles.size
        self._name = _generate(gl.glGenVertexArrays)
        gl.glBindVertexArray(self._name)
        for location, values in enumerate(attributes):
            _upload(gl.GL_ARRAY_BUFFER, np.ascontiguousarray(values, dtype=np.float32))
            gl.glVertexAttribPointer(location, values.shape[1], gl.GL_FLOAT, gl.GL_FALSE, 0, None)
            gl.glEnableVertexAttribArray(location)
        _upload(gl.GL_ELEMENT_ARRAY_BUFFER, np.ascontiguousarray(triangles, dtype=np.uint32))
        gl.glBindVertexArray(0)

    def draw(self) -> None:
        """Draw all triangles."""
        gl.glBindVertexArray(self._name)
        gl.glDrawElements(gl.GL_TRIANGLES, self._count, gl.GL_UNSIGNED_INT, None)


def _upload(target: int, values: npt.NDArray[Any]) -> None:
    gl.glBindBuffer(target, _generate(gl.glGenBuffers))
    gl.glBufferData(target, values.nbytes, _pointer(values), gl.GL_STATIC_DRAW)


class NoVertices:
    """Draws shapes whose vertex shader makes its own corners from ``gl_VertexID``."""

    def __init__(self) -> None:
        self._name = _generate(gl.glGenVertexArrays)

    def draw_triangle(self) -> None:
        """One triangle."""
        gl.glBindVertexArray(self._name)
        gl.glDrawArrays(gl.GL_TRIANGLES, 0, 3)

    def draw_quad(self) -> None:
        """A strip of four corners."""
        gl.glBindVertexArray(self._name)
        gl.glDrawArrays(gl.GL_TRIANGLE_STRIP, 0, 4)
