"""A layer for virtual things alone, which is laid over the frame with the camera's own blur and noise."""

from __future__ import annotations

from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Target, bind_textures, copy_colour, sampled_target, target, texture
from armoon.gl.program import Program

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
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        """Fit to a picture of ``width`` x ``height`` pixels."""
        self._sampled = sampled_target(width, height, self._samples)
        self._texture = texture(width, height, 4)
        self._resolved = target(colour=self._texture)

    def begin(self) -> None:
        """Draw into the empty layer from now on."""
        self._sampled.use()
        self._sampled.clear()

    def lay_over(self, into: Target, whole: Mesh, drawn_per_camera_px: float) -> None:
        """Blend the layer over ``into``; ``whole`` is a quad over the whole picture."""
        copy_colour(self._sampled, self._resolved)
        into.use()
        camera_blur = CAMERA_BLUR_PX * drawn_per_camera_px
        blur = max(camera_blur**2 - _SAMPLING_BLUR_PX**2, 0.0) ** 0.5
        begin_pass(Blend.PREMULTIPLIED)
        bind_textures(self._texture)
        self._program.set("blur", blur)
        whole.draw(self._program)
