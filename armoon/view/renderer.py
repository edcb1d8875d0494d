"""The picture of a scene over the camera frame that its hands were read from.

Order of drawing: the hand's mask and the shadow map; the camera frame, the moon, shadows on the table, the
solids and the marks with four samples a pixel; then, after these are resolved, the head-up display.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pyglet import gl

from armoon.errors import DisplayError
from armoon.geometry import CameraModel, mat_from_pose, pose_inverse
from armoon.pieces import Base, LadderSet
from armoon.scene import Scene
from armoon.values import Pose
from armoon.view.gl import (
    VIEW_BLOCK_BINDING,
    Framebuffer,
    Mesh,
    Program,
    Texture,
    UniformBlock,
    bind_textures,
    bound_framebuffer,
)
from armoon.view.hand_mask import HandMask
from armoon.view.hud import Hud
from armoon.view.light import LAMP, SCREEN, Light
from armoon.view.marks import Marks
from armoon.view.moon import Moon
from armoon.view.projection import clip_from_table
from armoon.view.solids import SHADOW_GROUND, Solids

TIERS = ("lite",)
#: Where the lid lies on the table unless the layout says otherwise.
LID = Pose((0.17, 0.0, 0.0))
#: Samples a pixel: thin rails crawl without them; four cost 1.6 ms at 640x360 on two cores without a GPU.
SAMPLES = 4
#: Scenes count ticks of this length (armoon.clock); only pulses hang on it.
_TICK_S = 1.0 / 60.0
_VIEW_FLOATS = 72


class Renderer:
    """Draws scenes of one game, for one seat of the camera, into the framebuffer that is bound."""

    def __init__(
        self,
        ladders: LadderSet,
        base: Base,
        camera: CameraModel,
        table_from_camera: Pose,
        mirrored: bool,
        width: int,
        height: int,
        tier: str = "lite",
        *,
        lid: Pose = LID,
        light: Light | None = None,
        moon: bool = True,
    ) -> None:
        """Needs a current OpenGL context. ``width`` and ``height`` are the drawn picture's, in pixels.

        Raises DisplayError when a shader doesn't compile or the driver refuses what is needed.
        """
        if tier not in TIERS:
            raise ValueError(f"no tier {tier!r}: one of {TIERS}")
        self._camera, self._table_from_camera, self._mirrored = camera, table_from_camera, mirrored
        matrix = clip_from_table(camera, table_from_camera, mirrored)
        self._clip_from_table = matrix
        self._light = light or (SCREEN if mirrored else LAMP)
        self._view = UniformBlock(VIEW_BLOCK_BINDING, _VIEW_FLOATS)
        self._feed_program = Program("feed.vert", "feed.frag", samplers=("feed",))
        self._feed: Texture | None = None
        self._whole = Mesh((2,))
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float32)
        self._whole.upload(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))
        self._solids = Solids(ladders, base, lid, mirrored)
        self._hand_mask = HandMask(camera, mirrored, width, height)
        self._moon = Moon(matrix, width, height)
        self._moon_shines = moon
        self._marks = Marks(matrix, width, height)
        self.hud = Hud(width, height)
        self._targets: tuple[Framebuffer, Framebuffer] | None = None
        self._make_targets(width, height)

    def resize(self, width: int, height: int) -> None:
        """Draw pictures of this size from now on."""
        if (width, height) == (self.width, self.height):
            return
        self._make_targets(width, height)
        self._hand_mask.resize(width, height)
        for part in (self._moon, self._marks, self.hud):
            part.resize(width, height)

    def _make_targets(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        if self._targets is not None:
            for target in self._targets:
                target.delete()
        try:
            sampled = Framebuffer(width, height, samples=SAMPLES)
        except DisplayError:  # a driver without multisampling still plays, with jagged edges
            sampled = Framebuffer(width, height)
        self._targets = (sampled, Framebuffer(width, height))

    def draw(self, scene: Scene, frame_bgr: npt.NDArray[np.uint8], origin: tuple[int, int] = (0, 0)) -> None:
        """Draw ``scene`` over ``frame_bgr`` (h, w, 3), with the picture's lower left corner at ``origin``."""
        assert self._targets is not None
        sampled, resolved = self._targets
        window = bound_framebuffer()
        time_s = scene.tick * _TICK_S
        self._reset_state()
        self._write_view(time_s)
        feed = self._upload_frame(frame_bgr)
        self._hand_mask.draw(scene.hands)
        self._solids.place(scene, time_s)
        self._solids.draw_shadow_map()

        sampled.bind()
        gl.glClear(gl.GL_DEPTH_BUFFER_BIT)
        bind_textures(feed.id)
        self._feed_program.use()
        self._whole.draw()
        if self._moon_shines:
            self._moon.draw(scene.structure_top_m, scene.hud.tears_left, self._hand_mask.texture)
        self._solids.draw_table_shadow(self._hand_mask.texture)
        self._solids.draw(feed, self._hand_mask.texture)
        self._marks.draw(scene, time_s)

        # Multisampled colours may only be resolved into the same format, which a window need not have.
        sampled.copy_to(resolved.id)
        resolved.copy_to(window, *origin)
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, window)
        gl.glViewport(*origin, self.width, self.height)
        self.hud.draw(scene.hud)

    def _reset_state(self) -> None:
        """pyglet's labels and the caller may have left anything behind."""
        for flag in (gl.GL_DEPTH_TEST, gl.GL_CULL_FACE, gl.GL_BLEND, gl.GL_SCISSOR_TEST):
            gl.glDisable(flag)
        gl.glEnable(gl.GL_MULTISAMPLE)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDepthFunc(gl.GL_LESS)

    def _write_view(self, time_s: float) -> None:
        camera, light = self._camera, self._light
        k1, k2, p1, p2, k3 = camera.distortion
        x, y, w, d = SHADOW_GROUND
        values = self._view.values
        values[0:16] = self._clip_from_table.T.ravel()
        values[16:32] = mat_from_pose(pose_inverse(self._table_from_camera)).T.ravel()
        values[32:] = [
            *(camera.fx, camera.fy, camera.cx, camera.cy),
            *(camera.width, camera.height, self.width, self.height),
            *(k1, k2, p1, p2),
            *(k3, -1.0 if self._mirrored else 1.0, time_s, light.evening),
            *(*self._table_from_camera.position, 0.0),
            *(*light.towards, 0.0),
            *(*light.key, 0.0),
            *(*light.sky, 0.0),
            *(*light.bounce, 0.0),
            *(x, y, 1.0 / w, 1.0 / d),
        ]
        self._view.upload()

    def _upload_frame(self, frame_bgr: npt.NDArray[np.uint8]) -> Texture:
        height, width = frame_bgr.shape[:2]
        frame = np.ascontiguousarray(frame_bgr)
        if self._feed is None or (self._feed.width, self._feed.height) != (width, height):
            if self._feed is not None:
                self._feed.delete()
            self._feed = Texture(width, height, 3, frame)
        else:
            self._feed.upload(frame)
        return self._feed
