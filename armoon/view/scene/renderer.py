"""Draws a scene over the camera frame in which its hands were tracked.

Order of drawing: hand mask and shadow maps; camera frame, backdrop and shadows on the table; solids, in a layer with
four samples per pixel; marks and the head-up display.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from armoon.camera.sources import is_blank
from armoon.geometry import CameraModel, mat_from_pose, pose_compose, pose_inverse
from armoon.gl import BLOCKS, Target, UniformBlock, copy_colour, get_bound_target, make_target, make_texture
from armoon.values.page import CHOICES, GAME_X, IN_PLACE, LARGE_CHOICES, LARGE_PAUSE, TALL_ASPECT
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import BoardScene, Scene
from armoon.view.aids import DisplayAids
from armoon.view.hud import Hud
from armoon.view.marks import Marks
from armoon.view.panels import VIEW_FLOATS, Box
from armoon.view.scene import camera_picture
from armoon.view.scene.board import Backdrop, BodyInputs, GameBodies
from armoon.view.scene.hand_mask import HandMask, HandShadow
from armoon.view.scene.light import LAMP, SCREEN, Light, LightEstimate, steady_light
from armoon.view.scene.scenery import Scenery, Surroundings, load_wood_texture
from armoon.view.scene.shadows import SHADOW_GROUND
from armoon.view.scene.solids import HoverShadows, TableBodies
from armoon.view.scene.tier_parts import TierChoice, TierParts
from armoon.view.scene.tiers import FULL

#: Default pose of the lid.
LID = Pose((0.17, 0.0, 0.0))
#: Length of a tick, in seconds (armoon.clock), for animations only.
_TICK_S = 1.0 / 60.0
#: Transparency of a carrying hand, and duration of the fade, in ticks.
_TRANSPARENCY, _FADE_TICKS = 0.55, 12
#: Strength of the additional grade under a dark sky, and duration of the change, in ticks.
_DARK_GRADE, _DUSK_TICKS = 0.60, 120
#: Index of the grade in the shaders' View block.
_GRADE = 47
#: Indices in the View block of values that don't change cached pictures: time, transparency, noise and its seed.
_UNCACHED = [46, 51, 59, 63]
#: Number of ticks after which the noise repeats.
_NOISE_PERIOD = 61


class Renderer:
    """Draws one game's scenes, for one seat of the camera, into the bound framebuffer."""

    def __init__(
        self,
        ladders: LadderSet | None,
        base: Base | None,
        camera: CameraModel,
        table_from_camera: Pose,
        mirrored: bool,
        width: int,
        height: int,
        tier: str = "plain",
        *,
        lid: Pose | None = LID,
        upright: tuple[Pose, float] | None = None,
        light: Light | None = None,
        board: GameBodies | None = None,
        backdrop: Backdrop | None = None,
        aids: DisplayAids | None = None,
        socle: bool = False,
        scenery: Callable[[], Scenery] | None = None,
    ) -> None:
        """Create a renderer for pictures of this size, in pixels. Needs a current OpenGL context.

        Without ``light``, the light is estimated from the frames. ``upright``: a standing lid, see ``TableBodies``;
        ``board``: other bodies; ``socle``: a wooden base instead of the cloud; ``scenery``: surroundings without a
        camera. If the driver can't draw the full tier, the plain one is used; see ``notices``. Raises DisplayError if
        the driver can draw neither.
        """
        self.aids = aids or DisplayAids()
        self.after_pass: Callable[[str], None] | None = None
        """Called after every drawing pass, with the pass's name, for measurements."""
        self.width, self.height = width, height
        self._mirrored = mirrored
        self._real_lid: tuple[Pose, float] | None = None
        self._bodies = TableBodies(ladders, base, lid, board, upright, socle)
        self._still_boxes = self._bodies.still_boxes
        self._view = UniformBlock(BLOCKS["View"], VIEW_FLOATS)
        self._picture = camera_picture.CameraPicture(mirrored=mirrored)
        self._wood = make_texture(256, 256, 2, load_wood_texture(), mipmaps=6, repeat=True)
        matrix = camera_picture.get_clip_from_table(camera, table_from_camera, mirrored)
        self.hand_mask = HandMask(camera, mirrored, width, height)
        self._hand_shadow = HandShadow(camera, table_from_camera, SHADOW_GROUND)
        self._backdrop = backdrop
        # A camera that faces the player shows no table below the base.
        hovers = mirrored and board is None
        self._hover_shadows = HoverShadows(base=base is not None, lid=lid) if hovers else None
        self.marks = Marks(camera, table_from_camera, matrix, width, height, ladders)
        self.hud = Hud(width, height)
        self._separate_target: Target | None = None
        self._surroundings = None if scenery is None else Surroundings(scenery())
        self._is_blank = False
        self._light = light or (SCREEN if mirrored else LAMP)
        self._estimate = LightEstimate(self._light, camera, table_from_camera) if light is None else None
        self._noise = 0.0
        self._fade, self._dark_grade, self._tick = 0.0, 0.0, 0
        self.framing = camera_picture.Framing(camera, table_from_camera)
        self.set_table(table_from_camera, camera)
        self._tiers = TierChoice(self._make_tier_parts, tier)

    @property
    def ladders(self) -> LadderSet | None:
        return self._bodies.ladders

    @property
    def has_surroundings(self) -> bool:
        return self._surroundings is not None

    @property
    def example_board(self) -> BoardScene | None:
        return None if self._bodies.board is None else self._bodies.board.example

    @property
    def tier(self) -> str:
        return self._tiers.name

    @property
    def notices(self) -> list[str]:
        return self._tiers.notices

    def set_tier(self, tier: str) -> str:
        """Switch to this tier, or to the plain one if the driver can't draw it; return the new tier's name."""
        if tier != self.tier:
            self._tiers.select(tier)
            if self._bodies.board is not None:
                self._bodies.board.set_tier(full=self.tier == FULL)
        return self.tier

    def _make_tier_parts(self, *, full: bool) -> TierParts:
        hand_shadow = self._hand_shadow if full else None
        return TierParts(self._bodies, self._mirrored, hand_shadow, (self.width, self.height), full=full)

    def set_table(self, table_from_camera: Pose, camera: CameraModel) -> None:
        self._whole_camera, self._camera_pose = camera, table_from_camera
        self.set_viewpoint(None)

    def set_lid(self, foot: Pose, height_m: float) -> None:
        self._real_lid = foot, height_m

    def set_viewpoint(self, viewpoint: Pose | None) -> None:
        """View the table from this pose; None: from the camera's."""
        self._viewpoint = viewpoint
        pose = viewpoint or self._camera_pose
        self._crop = camera_picture.make_whole_crop(self._whole_camera)
        self.framing.set_camera(self._whole_camera, pose)
        self._is_new_view = True
        self._set_camera(pose, self._whole_camera)

    def to_camera(self, place: Vec2) -> Vec2:
        return camera_picture.to_camera(place, self._whole_camera, self._crop, mirrored=self._mirrored)

    def from_camera(self, place: Vec2) -> Vec2:
        return camera_picture.from_camera(place, self._whole_camera, self._crop, mirrored=self._mirrored)

    def _set_camera(self, table_from_camera: Pose, camera: CameraModel) -> None:
        self._camera, self._table_from_camera = camera, table_from_camera
        self._clip_from_table = camera_picture.get_clip_from_table(camera, table_from_camera, self._mirrored)
        self.hand_mask.set_camera(camera)
        self._hand_shadow.set_camera(camera, table_from_camera)
        self._fit_backdrop()
        self.marks.set_camera(camera, table_from_camera, self._clip_from_table)
        if self._estimate is not None:
            self._estimate.set_camera(camera, table_from_camera)

    def resize(self, width: int, height: int) -> None:
        if (width, height) == (self.width, self.height):
            return
        self.width, self.height = width, height
        self._separate_target = None
        self.hand_mask.resize(width, height)
        self._fit_backdrop()
        self.marks.resize(width, height)

    def free_surfaces(self, kept: str = "") -> None:
        """Free the surfaces of all tiers except ``kept``, 70 MB each at 1280x720; drawing allocates them again."""
        self._tiers.free_surfaces(kept)

    def _get_drawing_target(self, origin: Vec2) -> Target:
        """Return the picture's target: the window if ``origin`` is its lower left corner, else a separate one."""
        if origin == (0, 0):
            window = get_bound_target()
            window.viewport = (0, 0, self.width, self.height)
            return window
        if self._separate_target is None:
            self._separate_target = make_target(colour=make_texture(self.width, self.height, 4))
        return self._separate_target

    def _fit_backdrop(self) -> None:
        if self._backdrop is not None:
            self._backdrop.fit_view(self._clip_from_table, self.width, self.height, mirrored=self._mirrored)
        if self._hover_shadows is not None:
            self._hover_shadows.fit_view(self._clip_from_table, self.width, self.height)

    def draw_scene(
        self,
        scene: Scene,
        frame_bgr: npt.NDArray[np.uint8],
        origin: tuple[int, int] = (0, 0),
        whole: tuple[int, int] | None = None,
    ) -> None:
        """Draw a scene over ``frame_bgr`` (h, w, 3), with its lower left corner at ``origin``.

        ``whole``: the whole window's size, by default the picture's. All lengths are in pixels.
        """
        if scene.seen_from != self._viewpoint:
            self.set_viewpoint(scene.seen_from)
        self.framing.is_eased = not self.aids.calm
        self._set_margins(drawn=self.has_surroundings and is_blank(frame_bgr))
        aspect = self.width / self.height
        column = LARGE_CHOICES if self.aids.text_scale > IN_PLACE else CHOICES
        # A picture that is drawn in a tall window fills it.
        fills = whole is not None and whole[0] < whole[1] and aspect < 1.0 and scene.room is None
        whole = whole or (self.width, self.height)
        camera = self._whole_camera
        crop = self.framing.follow(scene, min(TALL_ASPECT, camera.width / camera.height) if fills else aspect)
        if fills:
            room = self.aids.room
            end = column[True].y if room is None else room.y + room.height
            crop = camera_picture.fill_aspect(crop, aspect, None if scene.framed is None else end)
        if crop != self._crop:
            self._crop = crop
            self._set_camera(self._table_from_camera, camera_picture.crop_camera(self._whole_camera, crop))
        if self.aids.calm and scene.die is not None:
            scene = replace(scene, die=replace(scene.die, pose=scene.die.rest))
        scene = camera_picture.crop_scene(scene, crop)
        parts = self._tiers.parts
        parts.resize_targets((self.width, self.height))
        window, picture = get_bound_target(), self._get_drawing_target(origin)
        time_s = scene.tick * _TICK_S
        frame = camera_picture.crop_frame(frame_bgr, self._whole_camera, crop)
        aids = self.aids.with_visual_aids(scene.visual_aids)
        self._set_frame(frame, plain=aids.look.contrast)
        self._advance_fades(scene)
        self._write_view(scene.tick)
        self._report_pass("upload")

        prop = None
        if scene.prop is not None and not self._is_blank:
            prop = pose_compose(pose_inverse(self._table_from_camera), scene.prop.grip)
        self.hand_mask.paint_hands(scene.hands, frame, prop)
        self.marks.set_look(aids.look)
        self.hud.set_look(aids.look)
        board = scene.board is not None
        self.hud.set_lettering(
            aids.text_scale, has_choice_buttons=aids.has_choice_buttons, is_fixed=aids.numbers, board=board
        )
        hud = scene.hud
        if scene.die is not None and scene.die.is_rolling:
            hud = replace(hud, die=None, die_text="")
        self.hud.resize(*whole)
        self.hud.lay_out(hud, scene.tick, calm=self.aids.calm)
        if self._real_lid is not None:
            parts.solids.set_real_lid(self._real_lid)
        parts.solids.place_bodies(scene, time_s, halo=aids.halo, look=aids.look)
        inputs = BodyInputs(self.hand_mask.texture, self._picture.small_texture, self._wood, parts.shadows)
        values = self._view.values.copy()
        values[_UNCACHED] = 0.0
        view_key = (values.tobytes(), aids.halo, aids.look, scene.home_from_table, self._real_lid)
        parts.prepare_scene(scene, inputs, self._clip_from_table, self._light.towards, view_key)
        self._report_pass("maps")

        if self._surroundings is not None and self._is_blank:
            size = (self.width, self.height)
            if self._surroundings.draw_surroundings(picture, size, (view_key[0], parts.full)) and parts.full:
                self._picture.small_texture.write(self._surroundings.read_small())
        else:
            grade = float(self._view.values[_GRADE])
            self._picture.draw_frame(picture, (self.width, self.height), self._camera, grade)
        if self._backdrop is not None:
            panels = _shift_boxes(self.hud.boxes, origin)
            calm = self.aids.calm or self._is_new_view
            self._backdrop.draw_backdrop(scene, self.hand_mask.texture, panels, calm=calm)
            self._is_new_view = False
        if self._hover_shadows is None:
            parts.shade_table(self.hand_mask.texture, hands=self.hand_mask.has_hands)
        else:
            self._hover_shadows.draw_shadows(self.hand_mask.texture)
        self._report_pass("frame")

        parts.draw_all(picture, inputs, self.width / self._camera.width, self.hand_mask)
        self._report_pass("solids")
        listed = aids.listed or aids.has_choice_buttons
        busy = _shift_boxes(self.hud.list_busy_boxes(listed=listed), origin)
        inset = self.marks.draw_inset(scene, aids, parts.solids, picture, busy, self._still_boxes)
        self._report_pass("inset")
        self.marks.draw_marks(scene, time_s, aids, inset)
        if picture is not window:
            copy_colour(picture, window, *origin)
        window.viewport = (*origin, self.width, self.height)
        self._report_pass("marks")
        self.marks.draw_texts(scene)
        window.viewport = (0, 0, *whole)
        self.hud.draw_hud(hud, scene.tick, calm=self.aids.calm)
        if scene.hud.tear is not None and self._backdrop is not None:
            x, y = self._backdrop.tear_start
            self.hud.draw_tear(scene.hud.tear, (x + origin[0], y + origin[1]), calm=self.aids.calm)
        if flights := scene.points_flights:
            x, y = origin
            places = [self.marks.to_pixel(points.place) for points in flights]
            flying = [(points, (u + x, v + y)) for points, (u, v) in zip(flights, places, strict=True)]
            self.hud.draw_points(flying, calm=self.aids.calm)
        self._report_pass("hud")

    def _set_margins(self, *, drawn: bool) -> None:
        """Set the framing's margins for buttons, hints and cards.

        A ``drawn`` picture has no edges. A camera's picture may end inside the window only beside a page's card.
        """
        framing, large = self.framing, self.aids.text_scale > IN_PLACE
        framing.room_below = camera_picture.MARGIN_BELOW_LARGE if large else camera_picture.MARGIN_BELOW
        framing.room_above = (
            camera_picture.MARGIN_ABOVE if self.width >= self.height else camera_picture.MARGIN_ABOVE_TALL
        )
        room = self.aids.room if self.width >= self.height else None
        if room is not None:
            framing.room_below, framing.room_above = 1.0 - room.y - room.height, room.y
        framing.sides = self._find_side_bounds(large=large)
        framing.is_bounded = not (large or room or (drawn and framing.sides))

    def _find_side_bounds(self, *, large: bool) -> Vec2 | None:
        """Return the ends of the game's area relative to the picture's width; None if nothing is beside it."""
        room = self.aids.room
        beside_card = room is not None and room.x > 0.0
        if self.width < self.height or not (self.aids.listed or beside_card or (large and room is None)):
            return None
        left, right = GAME_X
        if room is not None and beside_card:
            left, right = room.x, room.x + room.width
        elif large:
            left = LARGE_PAUSE[False].x + LARGE_PAUSE[False].width
        is_swapped = self.aids.look.left_handed is not self._mirrored
        return (1.0 - right, 1.0 - left) if is_swapped else (left, right)

    def _report_pass(self, name: str) -> None:
        if self.after_pass is not None:
            self.after_pass(name)

    def _advance_fades(self, scene: Scene) -> None:
        """Change a carrying hand's transparency quickly, and the sky's darkness slowly."""
        target = _TRANSPARENCY if scene.held and self.aids.see_through else 0.0
        ticks, self._tick = scene.tick - self._tick, scene.tick
        passed = ticks > 0 and not self.aids.calm
        self._fade += (ticks / _FADE_TICKS if passed and ticks < _FADE_TICKS else 1.0) * (target - self._fade)
        step = ticks / _DUSK_TICKS if passed and ticks < _DUSK_TICKS else 1.0
        self._dark_grade += min(1.0, 3.0 * step) * (_DARK_GRADE * scene.mood.dark - self._dark_grade)

    def _write_view(self, tick: int) -> None:
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
            *(k3, -1.0 if self._mirrored else 1.0, tick * _TICK_S, min(1.25, light.grade + self._dark_grade)),
            *(*self._table_from_camera.position, self._fade),
            *(*light.towards, light.rim),
            *(*light.key, self._noise),
            *(*light.sky, tick % _NOISE_PERIOD),
            *(*light.bounce, light.bounce_gain),
            *(x, y, 1.0 / w, 1.0 / d),
        ]
        self._view.upload()

    def _set_frame(self, frame_bgr: npt.NDArray[np.uint8], *, plain: bool) -> None:
        # In high contrast, the background is plain instead of scenery.
        self._is_blank = not plain and is_blank(frame_bgr)
        if self._surroundings is not None and self._is_blank:
            self._light, self._noise = self._surroundings.scenery.light, 0.0
            self._hand_shadow.set_light(self._light.towards)
            return
        self._picture.set_frame(frame_bgr)
        if self._estimate is not None and self._viewpoint is None:
            self._light = steady_light(self._light, self._estimate.add_frame(frame_bgr, self._picture.small))
            self._noise = self._estimate.noise
        self._hand_shadow.set_light(self._light.towards)


def _shift_boxes(boxes: Sequence[Box], origin: tuple[int, int]) -> list[Box]:
    return [(left - origin[0], low - origin[1], width, height) for left, low, width, height in boxes]
