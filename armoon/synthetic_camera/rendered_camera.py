"""The rendered webcam: draws hands in exactly known poses over the table, as a given camera would record them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from armoon import geometry, gl
from armoon.camera.sources import Image
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera import look as stage_look
from armoon.values.paper import PaperLadder
from armoon.values.poses import Pose, Vec3

#: (left, top, width, height) in whole pixels.
PixelBox = tuple[int, int, int, int]

#: Centres of spheres that bound the sleeve, from the cuff to its end, in the hand frame.
_SLEEVE = np.array([(x, 0.0, 0.0) for x in np.linspace(-0.06, -0.62, 10)])
_SLEEVE_RADIUS_M = 0.075
#: Flesh beyond the landmarks' radii (pads, knuckles, the ball of the thumb), in metres.
_FLESH_M = 0.008
#: Margin around a paper ladder for its blurred edges, in metres.
_PAPER_MARGIN_M = 0.005
#: Distance from the lens below which the whole picture is redrawn, in metres.
_NEAREST_M = 0.10

_POINTS = np.column_stack([np.vstack([anatomy.REST, _SLEEVE]), np.ones(len(anatomy.REST) + len(_SLEEVE))])
_BONES = np.append(anatomy.LANDMARK_BONE, [anatomy.FOREARM_BONE] * len(_SLEEVE))
_REACH = np.append(anatomy.RADII + _FLESH_M, [_SLEEVE_RADIUS_M] * len(_SLEEVE))


def find_pixel_box(
    camera: geometry.CameraModel,
    camera_from_table: geometry.Array,
    hands: Sequence[geometry.Array],
    hand_scale: float,
    extra_points: Sequence[geometry.Array] = (),
) -> PixelBox | None:
    """Return a box around hands (bones (17, 4, 4)) and points (n, 3), table frame; None if they are all outside."""
    hulls = [np.einsum("nij,nj->ni", bones[_BONES, :3], _POINTS) for bones in hands]
    points = np.concatenate([*hulls, *extra_points])
    reach = np.full(len(points), _PAPER_MARGIN_M)
    reach[: len(_REACH) * len(hands)] = np.tile(_REACH * hand_scale, len(hands))
    in_camera = points @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
    nearest = in_camera[:, 2] - reach
    if nearest.min() < _NEAREST_M:
        return (0, 0, camera.width, camera.height)
    pixels = camera.project(in_camera)
    margin = reach * max(camera.fx, camera.fy) / nearest
    low = np.floor((pixels - margin[:, None]).min(axis=0))
    high = np.ceil((pixels + margin[:, None]).max(axis=0)) + 1.0
    left, top = np.maximum(low, 0.0).astype(int)
    right, bottom = np.minimum(high, (camera.width, camera.height)).astype(int)
    if right <= left or bottom <= top:
        return None
    return (int(left), int(top), int(right - left), int(bottom - top))


#: Padding around the points that cast a shadow, for flesh and sleeve, in metres.
_PADDING_M = 0.045
#: Depth of the box along the light's rays, in metres, more than that of two hands and a sleeve.
_DEPTH_M = 1.4

#: A box along the light's rays: clip_from_table (4, 4), z away from the light; the corners (4, 4), homogeneous, of its
#: intersection with the table, as a triangle strip; half its width, metres.
LightBox = tuple[geometry.Array, geometry.Array, float]


def make_light_box(points: geometry.Array, to_light: Vec3) -> LightBox:
    """Return the smallest padded square box along the light's rays around points (n, 3), table frame."""
    pose = geometry.pose_looking_at(to_light, (0.0, 0.0, 0.0), up=(0.0, 1.0, 0.0))
    rays = geometry.mat_from_pose(pose)[:3, :3]
    in_light = points @ rays
    low, high = in_light.min(axis=0), in_light.max(axis=0)
    centre = 0.5 * (low + high)
    half_width = 0.5 * float((high - low)[:2].max()) + _PADDING_M
    shrink = 1.0 / np.array([half_width, half_width, 0.5 * _DEPTH_M])
    clip_from_table = np.eye(4)
    clip_from_table[:3, :3] = shrink[:, None] * rays.T
    clip_from_table[:3, 3] = -shrink * centre

    to_light_unit = geometry.unit(to_light)
    corners = np.ones((4, 4))
    for corner, (x, y) in zip(corners, ((-1, -1), (1, -1), (-1, 1), (1, 1)), strict=True):
        edge = rays @ (centre + half_width * np.array([x, y, 0.0]))
        corner[:3] = edge - to_light_unit * (edge[2] / to_light_unit[2])
    return clip_from_table, corners, half_width


#: Texture coordinates of ``anatomy.list_corners``, from the print's upper left.
_TEXCOORDS = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])


class PaperRenderer:
    """Draws paper ladders. Needs a current OpenGL context."""

    def __init__(self) -> None:
        self._mesh = gl.Mesh((3, 2))
        self._program = gl.ShaderProgram(
            "stage_paper.vert", "stage_paper.frag", samplers=("shadow_map", "ink")
        )
        self._depth_program = gl.ShaderProgram("stage_paper.vert", "stage_depth.frag")
        self._prints: dict[PaperLadder, gl.Texture] = {}

    def draw_depth(self, paper: anatomy.HeldPaper, common: Mapping[str, Any]) -> None:
        self._draw(paper, self._depth_program, {**common, "facing": (0.0, 0.0, 0.0)})

    def draw_paper(self, paper: anatomy.HeldPaper, shadow_map: gl.Texture, common: Mapping[str, Any]) -> None:
        """Draw a paper ladder for the camera; ``common``: uniforms shared with the hand's shader."""
        ink = self._prints.get(paper.ladder)
        if ink is None:
            pixels = anatomy.draw_paper_print(paper.ladder)
            height, width = pixels.shape
            ink = self._prints[paper.ladder] = gl.make_texture(width, height, 1, pixels[:, :, np.newaxis])
        gl.bind_textures(shadow_map, ink)
        normal = geometry.mat_from_quat(paper.table_from_card.rotation)[:, 2]
        away = np.array(common["eye"]) - np.array(paper.table_from_card.position)
        back = float(normal @ away) < 0.0
        facing = tuple((-normal if back else normal).tolist())
        self._draw(paper, self._program, {**common, "facing": facing, "back": float(back)})

    def _draw(self, paper: anatomy.HeldPaper, program: gl.ShaderProgram, values: Mapping[str, Any]) -> None:
        self._mesh.upload(np.column_stack([anatomy.list_corners(paper), _TEXCOORDS]), gl.quad_triangles(1))
        program.set_all(values)
        self._mesh.draw(program)


_NEAR_M, _FAR_M = 0.04, 5.0
_SHADOW_PX = 512
#: Samples per pixel: aliasing at the hand's outline would look artificial.
_EDGE_SAMPLES = 4
#: Depth offset (per slope, and constant) that keeps shadow casters from shadowing themselves.
_DEPTH_OFFSET = (2.0, 4.0)
#: End of the forearm in its shadow, hand frame, in metres.
_SHADOW_ELBOW = np.array([-0.24, 0.0, 0.0])
#: Radius of the penumbra on the table, in metres.
_PENUMBRA_M = 0.011
#: Standard deviation of a webcam's blur, at any picture size.
_LENS_SIGMA_PX = 0.6
#: Pixels by which the noise tile exceeds the picture in each direction; each frame uses a random part of the tile.
_NOISE_SPARE_PX = 64
#: A webcam's processing blurs part of its noise: standard deviation of that blur, in pixels, and share of the noise.
_NOISE_GRAIN_PX = 1.2
_NOISE_GRAIN_SHARE = 0.4
#: Centre of the jewellery ring, on the ring finger between knuckle and middle joint, in the hand frame.
_RING_MIDDLE = anatomy.REST[4 * anatomy.RING_FINGER + 1] + 0.024 * anatomy.FINGER_ALONG[anatomy.RING_FINGER]


@dataclass(frozen=True, eq=False)
class _PlacedHand:
    bones: geometry.Array
    """(17, 4, 4): from each bone's rest pose to the table frame."""
    mirrored: bool
    paper: anatomy.HeldPaper | None


class RenderedCamera:
    """A simulated camera. A frame depends only on the hands, the look and the number of earlier frames."""

    def __init__(
        self, camera: geometry.CameraModel, table_from_camera: Pose, look: stage_look.StageLook | None = None
    ) -> None:
        """Compile the shaders and render the background. Raises DisplayError without OpenGL."""
        self.camera = camera
        self.table_from_camera = table_from_camera
        self.look = look or stage_look.StageLook()
        mesh = stage_look.load_hand()
        self._surface = gl.HeadlessSurface(16, 16)
        self._setting = stage_look.choose_setting(table_from_camera)
        self._background = stage_look.StageBackground(
            camera, table_from_camera, self._setting, self.look.light_gain
        )
        self._camera_from_table = geometry.mat_from_pose(geometry.pose_inverse(table_from_camera))
        self._clip_from_table = _make_clip_matrix(camera) @ self._camera_from_table

        parts = [mesh.positions, mesh.normals, mesh.bones, mesh.weights, mesh.surface]
        self._hand_mesh = gl.Mesh([part.shape[1] for part in parts])
        self._hand_mesh.upload(np.column_stack(parts), mesh.triangles)
        self._paper_renderer: PaperRenderer | None = None
        self._detail = gl.make_solid_texture(mesh.detail)
        depth, height, width, _ = mesh.detail.shape
        self._detail_size = stage_look.TEXEL_M * np.array([width, height, depth])
        self._shadow_map = gl.make_depth_texture(_SHADOW_PX, _SHADOW_PX, compared=True, border=True)
        self._shadow_target = gl.make_target(depth=self._shadow_map)
        w, h = camera.width, camera.height
        self._picture = gl.make_target(colour=gl.make_texture(w, h, 4))
        self._multisampled = gl.make_sampled_target(w, h, _EDGE_SAMPLES)
        self._layer_texture = gl.make_texture(w, h, 4)
        self._layer = gl.make_target(colour=self._layer_texture)
        self._depth_program = gl.ShaderProgram("stage_skin.vert", "stage_depth.frag")
        self._skin_program = gl.ShaderProgram(
            "stage_skin.vert", "stage_skin.frag", samplers=("shadow_map", "detail")
        )
        self._table_program = gl.ShaderProgram("stage_shadow.vert", "stage_depth.frag")
        self._layer_program = gl.ShaderProgram("stage_full.vert", "stage_layer.frag", samplers=("layer",))
        self._shadow_program = gl.ShaderProgram(
            "stage_shadow.vert", "stage_shadow.frag", samplers=("shadow_map", "without_key")
        )

        self._random = np.random.default_rng(self.look.seed)
        self._noise = _make_noise_tile(self._random, camera, self.look.noise_sigma)
        self._lens = _make_distortion_maps(camera)

    def render(self, hands: Sequence[anatomy.HandState]) -> Image:
        """Return the next frame (h, w, 3) BGR, top row first, C-contiguous."""
        self._surface.make_current()
        gl.copy_colour(self._background.with_key, self._picture)
        if hands:
            placed_hands = [self._place_hand(hand) for hand in hands]
            box = self._aim_light(placed_hands)
            self._draw_shadow_map(placed_hands, box)
            self._picture.use()
            self._draw_table_shadow(box)
            box_px = find_pixel_box(
                self.camera,
                self._camera_from_table,
                [hand.bones for hand in placed_hands],
                self.look.hand_scale,
                [anatomy.list_corners(hand.paper) for hand in placed_hands if hand.paper is not None],
            )
            if box_px:
                gl.limit_drawing(box_px, self._multisampled, self._layer, self._picture)
                self._draw_hands(placed_hands, box)
                self._picture.use()
                gl.begin_pass(gl.Blend.PREMULTIPLIED)
                gl.bind_textures(self._layer_texture)
                self._layer_program.draw_strip(3)
                gl.limit_drawing(None, self._multisampled, self._layer, self._picture)
        return self._simulate_sensor(gl.read_bgr(self.camera.width, self.camera.height, bottom_first=True))

    def close(self) -> None:
        self._surface.close()

    def _place_hand(self, hand: anatomy.HandState) -> _PlacedHand:
        matrix = anatomy.make_hand_matrix(hand.palm, hand.side, self.look.hand_scale)
        paper, grip, stretch = hand.paper is not None, hand.grip, hand.stretch
        angles = anatomy.find_paper_angles(grip) if paper else anatomy.find_grip_angles(grip, stretch)
        bones = anatomy.compute_bones(angles, stretch)
        return _PlacedHand(matrix @ bones, hand.side == "left", hand.paper)

    def _aim_light(self, placed_hands: Sequence[_PlacedHand]) -> LightBox:
        bone_numbers = np.append(anatomy.LANDMARK_BONE, anatomy.FOREARM_BONE)
        rest = np.column_stack([np.vstack([anatomy.REST, _SHADOW_ELBOW]), np.ones(len(bone_numbers))])
        points = [np.einsum("nij,nj->ni", hand.bones[bone_numbers, :3], rest) for hand in placed_hands]
        return make_light_box(np.concatenate(points), self._setting.to_light)

    def _draw_shadow_map(self, placed_hands: Sequence[_PlacedHand], box: LightBox) -> None:
        self._shadow_target.use()
        self._shadow_target.clear()
        gl.begin_pass(depth=True, cull="back", push_back=_DEPTH_OFFSET)
        common: dict[str, Any] = {"clip_from_table": box[0], "light_from_table": box[0]}
        self._draw_meshes(placed_hands, self._depth_program, common)
        for paper in [hand.paper for hand in placed_hands if hand.paper is not None]:
            self._paper_renderer = self._paper_renderer or PaperRenderer()
            self._paper_renderer.draw_depth(paper, common)

    def _draw_table_shadow(self, box: LightBox) -> None:
        light_from_table, corners, half_width_m = box
        gl.begin_pass(gl.Blend.PREMULTIPLIED)
        gl.bind_textures(self._shadow_map, self._background.without_key)
        self._shadow_program.set_all(
            {
                "clip_from_table": self._clip_from_table,
                "light_from_table": light_from_table,
                "table_edges": self._setting.table_edges,
                "softness": 0.5 * _PENUMBRA_M / half_width_m,
                "corners": corners,
            }
        )
        self._shadow_program.draw_strip(4)

    def _draw_hands(self, placed_hands: Sequence[_PlacedHand], box: LightBox) -> None:
        self._multisampled.use()
        self._multisampled.clear()
        self._draw_table_depth()
        gl.begin_pass(depth=True, cull="back")
        common = {
            "clip_from_table": self._clip_from_table,
            "light_from_table": box[0],
            "eye": self.table_from_camera.position,
            "to_light": geometry.unit(self._setting.to_light),
            "tone": stage_look.SKIN_ALBEDO[self.look.skin],
            "cloth": self.look.cloth,
            "varnish": (*(self.look.varnish or (0.0, 0.0, 0.0)), float(self.look.varnish is not None)),
            "ring": (*stage_look.RING_ALBEDO, float(self.look.ring)),
            "ring_middle": _RING_MIDDLE,
            "ring_along": anatomy.FINGER_ALONG[anatomy.RING_FINGER],
            "detail_low": stage_look.BOX_LOW,
            "detail_size": self._detail_size,
            "size": (self.camera.width, self.camera.height),
            "gain": self.look.light_gain,
            "fill": self._setting.fill,
        }
        gl.bind_textures(self._shadow_map, self._detail)
        self._draw_meshes(placed_hands, self._skin_program, common)
        gl.begin_pass(depth=True)
        for paper in [hand.paper for hand in placed_hands if hand.paper is not None]:
            self._paper_renderer = self._paper_renderer or PaperRenderer()
            self._paper_renderer.draw_paper(paper, self._shadow_map, common)
        gl.copy_colour(self._multisampled, self._layer)

    def _draw_table_depth(self) -> None:
        """Draw only the table's depth, which hides everything below it, such as an arm raised from behind its edge."""
        left, right, near, far = self._setting.table_edges
        corners = np.array([(x, y, 0.0, 1.0) for y in (near, far) for x in (left, right)])
        gl.begin_pass(depth=True, write_colour=False)
        self._table_program.set_all(
            {"clip_from_table": self._clip_from_table, "light_from_table": np.eye(4), "corners": corners}
        )
        self._table_program.draw_strip(4)

    def _draw_meshes(
        self, placed_hands: Sequence[_PlacedHand], program: gl.ShaderProgram, common: dict[str, Any]
    ) -> None:
        program.set_all(common)
        for hand in placed_hands:
            program.set("bones", hand.bones[:, :3].reshape(-1, 4))
            # Clip space y points down in the picture and flips the winding; a mirrored hand flips it back.
            gl.set_front_faces(clockwise=not hand.mirrored)
            self._hand_mesh.draw(program)

    def _simulate_sensor(self, picture: Image) -> Image:
        recorded = cv2.GaussianBlur(picture, (3, 3), _LENS_SIGMA_PX, dst=picture)
        if self._lens is not None:
            recorded = cv2.remap(recorded, *self._lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if self._noise is not None:
            y, x = self._random.integers(0, _NOISE_SPARE_PX, 2)
            noise = self._noise[y : y + self.camera.height, x : x + self.camera.width]
            recorded = cv2.add(recorded, noise, dtype=cv2.CV_8U)
        return np.ascontiguousarray(recorded, dtype=np.uint8)


def _make_clip_matrix(camera: geometry.CameraModel) -> geometry.Array:
    """Return clip_from_camera (4, 4), top row first; pixel centres are integers in OpenCV and halves in OpenGL."""
    w, h = camera.width, camera.height
    depth_scale = (_FAR_M + _NEAR_M) / (_FAR_M - _NEAR_M)
    return np.array(
        [
            [2.0 * camera.fx / w, 0.0, (2.0 * camera.cx + 1.0) / w - 1.0, 0.0],
            [0.0, 2.0 * camera.fy / h, (2.0 * camera.cy + 1.0) / h - 1.0, 0.0],
            [0.0, 0.0, depth_scale, -2.0 * _FAR_M * _NEAR_M / (_FAR_M - _NEAR_M)],
            [0.0, 0.0, 1.0, 0.0],
        ]
    )


def _make_noise_tile(
    random: np.random.Generator, camera: geometry.CameraModel, sigma: float
) -> npt.NDArray[np.int16] | None:
    """Return sensor noise in grey levels, larger than the picture; None without noise."""
    if sigma <= 0.0:
        return None
    shape = (camera.height + _NOISE_SPARE_PX, camera.width + _NOISE_SPARE_PX, 3)
    white = random.standard_normal(shape, dtype=np.float32)
    unfiltered = random.standard_normal(shape, dtype=np.float32)
    grain = np.asarray(cv2.GaussianBlur(unfiltered, (0, 0), _NOISE_GRAIN_PX), dtype=np.float32)
    noise = np.sqrt(1.0 - _NOISE_GRAIN_SHARE) * white + np.sqrt(_NOISE_GRAIN_SHARE) * grain / grain.std()
    return np.asarray(np.round(sigma * noise), dtype=np.int16)


def _make_distortion_maps(
    camera: geometry.CameraModel,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]] | None:
    """Return the undistorted position of each recorded pixel; None for a lens without distortion."""
    if not any(camera.distortion):
        return None
    u, v = np.meshgrid(np.arange(camera.width), np.arange(camera.height))
    recorded = np.stack([u, v], axis=-1).reshape(-1, 1, 2).astype(np.float64)
    matrix = camera.matrix()
    undistorted = cv2.undistortPoints(recorded, matrix, np.array(camera.distortion), P=matrix)
    x, y = undistorted.reshape(camera.height, camera.width, 2).astype(np.float32).transpose(2, 0, 1)
    return np.ascontiguousarray(x), np.ascontiguousarray(y)
