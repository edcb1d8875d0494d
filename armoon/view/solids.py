"""What stands on the table: ladders, cloud and lid, their shadows, and the halo of a ladder that matters."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from pyglet import gl

from armoon.geometry import mat_from_pose
from armoon.pieces import Base, LadderSet
from armoon.scene import Scene
from armoon.values import Pose
from armoon.view.cloud_mesh import cloud_mesh
from armoon.view.gl import (
    PIECES_BLOCK_BINDING,
    Framebuffer,
    Mesh,
    Program,
    Texture,
    UniformBlock,
    bind_textures,
)
from armoon.view.ladder_mesh import VERTEX_FLOATS, ladder_mesh
from armoon.view.lid_mesh import lid_mesh
from armoon.view.light import GLOWS, wood_colour
from armoon.view.painted import wood_texture

#: Length of the arrays in the shaders' ``Pieces`` block.
PIECES_MAX = 32
#: The ground that the shadow map covers: left, near edge, width and depth in metres around the base and lid.
SHADOW_GROUND = (-0.24, -0.26, 0.56, 0.52)
SHADOW_MAP_SIZE = 512
#: The offered ladder's light swells and fades once in this many seconds.
_PULSE_S = 1.6
#: Shells of the halo, widest and palest first: metres beyond the wood, strength.
_HALO_SHELLS = ((0.0040, 0.20), (0.0024, 0.32), (0.0011, 0.62))


class Solids:
    """The bodies of one game on the graphics card."""

    def __init__(self, ladders: LadderSet, base: Base, lid: Pose, mirrored: bool) -> None:
        self._ladder_program = Program(
            "ladder.vert", "ladder.frag", samplers=("feed", "hand_mask", "shadow_map", "wood")
        )
        self._body_program = Program("body.vert", "body.frag", samplers=("feed", "hand_mask", "shadow_map"))
        self._halo_program = Program("halo.vert", "halo.frag", samplers=("hand_mask",))
        self._caster_program = Program("caster.vert", "caster.frag")
        self._table_program = Program(
            "table_shadow.vert", "table_shadow.frag", samplers=("hand_mask", "shadow_map")
        )
        self._front = gl.GL_CW if mirrored else gl.GL_CCW
        self._pieces = UniformBlock(PIECES_BLOCK_BINDING, PIECES_MAX * 24)
        self._index = {ladder.piece: i for i, ladder in enumerate(ladders.ladders)}
        self._wood = Texture(256, 256, 2, wood_texture(), mipmaps=6, repeat=True)
        self._ladders, self._ranges = _upload_ladders(ladders)
        self._write_tints(ladders)
        self._cloud, self._lid = Mesh((3, 3, 3)), Mesh((3, 3, 3))
        self._cloud.upload(*cloud_mesh(base))
        self._lid.upload(*lid_mesh(lid))
        self._shadow_map = Texture(SHADOW_MAP_SIZE, SHADOW_MAP_SIZE, 4, mipmaps=4)
        self._shadow_target = Framebuffer(SHADOW_MAP_SIZE, SHADOW_MAP_SIZE, texture=self._shadow_map)
        self._ground = Mesh((2,))
        x, y, w, d = SHADOW_GROUND
        corners = np.array([[x, y], [x + w, y], [x + w, y + d], [x, y + d]], dtype=np.float32)
        self._ground.upload(corners, np.array([[0, 1, 2], [0, 2, 3]], dtype=np.uint32))
        self._shown: list[tuple[int, str]] = []

    def _write_tints(self, ladders: LadderSet) -> None:
        tints = self._pieces.values[PIECES_MAX * 16 : PIECES_MAX * 20].reshape(PIECES_MAX, 4)
        for i, ladder in enumerate(ladders.ladders):
            tints[i] = (*wood_colour(ladder.tone), (i * 0.381966) % 1.0)

    def place(self, scene: Scene, time_s: float) -> None:
        """Send the poses and looks of this picture."""
        models = self._pieces.values[: PIECES_MAX * 16].reshape(PIECES_MAX, 16)
        glows = self._pieces.values[PIECES_MAX * 20 :].reshape(PIECES_MAX, 4)
        self._shown = []
        for piece in scene.pieces:
            i = self._index[piece.piece]
            models[i] = mat_from_pose(piece.pose).T.ravel()
            r, g, b, strength = GLOWS[piece.look]
            if piece.look == "offered":
                strength *= 0.65 + 0.35 * math.sin(2.0 * math.pi * time_s / _PULSE_S)
            glows[i] = (r, g, b, strength)
            self._shown.append((i, piece.look))
        self._pieces.upload()

    def draw_shadow_map(self) -> None:
        """See the bodies from where the light comes from."""
        self._shadow_target.bind()
        gl.glClearColor(0.0, 0.0, 0.0, 0.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)
        gl.glDisable(gl.GL_DEPTH_TEST)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendEquation(gl.GL_MAX)
        self._caster_program.use()
        self._caster_program.set("still", 1.0)
        self._cloud.draw()
        self._lid.draw()
        self._caster_program.set("still", 0.0)
        self._ladders.draw_ranges([self._ranges[i] for i, _ in self._shown])
        gl.glBlendEquation(gl.GL_FUNC_ADD)
        gl.glDisable(gl.GL_BLEND)
        self._shadow_map.build_mipmaps()

    def draw_table_shadow(self, hand_mask: Texture) -> None:
        """Darken the real table where the bodies' shadows fall."""
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_ZERO, gl.GL_SRC_COLOR)
        bind_textures(hand_mask.id, self._shadow_map.id)
        self._table_program.use()
        self._ground.draw()
        gl.glDisable(gl.GL_BLEND)

    def draw(self, feed: Texture, hand_mask: Texture) -> None:
        """Draw the bodies themselves, behind the hand where it is nearer."""
        gl.glEnable(gl.GL_DEPTH_TEST)
        gl.glEnable(gl.GL_CULL_FACE)
        gl.glCullFace(gl.GL_BACK)
        gl.glFrontFace(self._front)
        bind_textures(feed.id, hand_mask.id, self._shadow_map.id, self._wood.id)
        self._ladder_program.use()
        self._ladders.draw_ranges([self._ranges[i] for i, _ in self._shown])
        self._body_program.use()
        self._body_program.set("softness", 1.0)
        self._cloud.draw()
        self._body_program.set("softness", 0.0)
        self._lid.draw()
        self._draw_halos(hand_mask)
        gl.glDisable(gl.GL_CULL_FACE)
        gl.glDisable(gl.GL_DEPTH_TEST)

    def _draw_halos(self, hand_mask: Texture) -> None:
        """Shells around every ladder that stands out, seen from inside so that the wood stays clear."""
        marked = [self._ranges[i] for i, look in self._shown if look != "plain"]
        if not marked:
            return
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glCullFace(gl.GL_FRONT)
        gl.glDepthMask(gl.GL_FALSE)
        bind_textures(hand_mask.id)
        self._halo_program.use()
        for width, strength in _HALO_SHELLS:
            self._halo_program.set("width", width)
            self._halo_program.set("strength", strength)
            self._ladders.draw_ranges(marked)
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDisable(gl.GL_BLEND)


def _upload_ladders(ladders: LadderSet) -> tuple[Mesh, list[tuple[int, int]]]:
    """All ladders in one mesh, and the run of triangles of each."""
    vertices: list[npt.NDArray[np.float32]] = []
    triangles: list[npt.NDArray[np.uint32]] = []
    ranges: list[tuple[int, int]] = []
    corners = faces = 0
    for i, ladder in enumerate(ladders.ladders):
        points, sides = ladder_mesh(ladder, bevelled=False)
        vertices.append(np.column_stack([points, np.full(len(points), i, dtype=np.float32)]))
        triangles.append(sides + np.uint32(corners))
        ranges.append((faces, len(sides)))
        corners += len(points)
        faces += len(sides)
    mesh = Mesh((3, 3, VERTEX_FLOATS - 6, 1))
    mesh.upload(np.concatenate(vertices), np.concatenate(triangles))
    return mesh, ranges
