"""A depth texture to draw into: how high bodies reach, seen along the light or from straight above."""

from __future__ import annotations

from pyglet import gl

from armoon.errors import DisplayError
from armoon.gl.drawing import bound_framebuffer


class DepthMap:
    """A square depth texture with its framebuffer."""

    def __init__(self, size: int, *, compared: bool) -> None:
        """``compared``: shaders read it as sampler2DShadow, else its plain depths. Raises DisplayError."""
        self.size = size
        handle = gl.GLuint()
        gl.glGenTextures(1, handle)
        self.id = int(handle.value)
        kind = gl.GL_TEXTURE_2D
        gl.glBindTexture(kind, self.id)
        gl.glTexImage2D(
            kind, 0, gl.GL_DEPTH_COMPONENT24, size, size, 0, gl.GL_DEPTH_COMPONENT, gl.GL_FLOAT, None
        )
        for wrap in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(kind, wrap, gl.GL_CLAMP_TO_EDGE)
        for way in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(kind, way, gl.GL_LINEAR)
        if compared:
            gl.glTexParameteri(kind, gl.GL_TEXTURE_COMPARE_MODE, gl.GL_COMPARE_REF_TO_TEXTURE)
            gl.glTexParameteri(kind, gl.GL_TEXTURE_COMPARE_FUNC, gl.GL_LEQUAL)
        target = gl.GLuint()
        gl.glGenFramebuffers(1, target)
        self._target = int(target.value)
        before = bound_framebuffer()
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._target)
        gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, kind, self.id, 0)
        gl.glDrawBuffer(gl.GL_NONE)
        gl.glReadBuffer(gl.GL_NONE)
        status = gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, before)
        if status != gl.GL_FRAMEBUFFER_COMPLETE:
            raise DisplayError(
                f"OpenGL refuses a depth map of {size}x{size} (status {status:#x}).",
                remedy="Update the graphics driver, or play in the lite tier.",
            )

    def begin(self) -> None:
        """Clear it, and let what is drawn leave its depth in it."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self._target)
        gl.glViewport(0, 0, self.size, self.size)
        gl.glDisable(gl.GL_BLEND)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
