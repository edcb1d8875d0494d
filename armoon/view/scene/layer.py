"""A layer for virtual things alone, which is laid over the frame with the camera's own blur and noise."""

from __future__ import annotations

from pyglet import gl

from armoon.gl.drawing import Framebuffer, Mesh, Program, Texture, bind_textures

#: A webcam's own softness, one standard deviation in its pixels (measured of common webcams: 0.5 to 0.8).
CAMERA_BLUR_PX = 0.6
#: What four samples a pixel already blur: a box of one pixel.
_SAMPLING_BLUR_PX = 0.29


class Layer:
    """A picture with transparency, multisampled while it is drawn."""

    def __init__(self, width: int, height: int, samples: int, level: int) -> None:
        """Raises DisplayError if the driver refuses it."""
        self._program = Program("feed.vert", "layer.frag", samplers=("layer",), level=level)
        self._samples = samples
        self._make(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        for target in (self._sampled, self._resolved):
            target.delete()
        self._texture.delete()
        self._make(width, height)

    def _make(self, width: int, height: int) -> None:
        self._sampled = Framebuffer(width, height, samples=self._samples)
        self._texture = Texture(width, height, 4)
        self._resolved = Framebuffer(width, height, texture=self._texture)

    def begin(self) -> None:
        """Draw into the empty layer from now on."""
        self._sampled.bind()
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)

    def lay_over(self, target: Framebuffer, whole: Mesh, drawn_per_camera_px: float) -> None:
        """Blend the layer over ``target``; ``whole`` is a quad over the whole picture."""
        self._sampled.copy_to(self._resolved.id)
        target.bind()
        camera_blur = CAMERA_BLUR_PX * drawn_per_camera_px
        blur = max(camera_blur**2 - _SAMPLING_BLUR_PX**2, 0.0) ** 0.5
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA)
        bind_textures(self._texture.id)
        self._program.use()
        self._program.set("blur", blur)
        whole.draw()
        gl.glDisable(gl.GL_BLEND)
