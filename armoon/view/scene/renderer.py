"""The picture of a scene over the camera frame that its hands were read from.

Order of drawing: hand mask and shadow maps; camera frame, backdrop and shadows on the table; the solids, in a layer
with four samples a pixel; marks and the head-up display.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from armoon.camera.sources import is_blank
from armoon.geometry import CameraModel, mat_from_pose, pose_inverse
from armoon.gl import BLOCKS, Target, UniformBlock, copy_colour, open_target, target, texture
from armoon.values.page import BETWEEN, CHOICES, IN_PLACE, LARGE_CHOICES, LARGE_PAUSE, TALL_ASPECT
from armoon.values.pieces import Base, LadderSet
from armoon.values.poses import Pose, Vec2
from armoon.values.scene import BoardScene, Scene, SceneHud
from armoon.view.glass import VIEW_FLOATS, Box
from armoon.view.helps import Helps
from armoon.view.hud import Hud
from armoon.view.marks import Marks
from armoon.view.scene import camera_picture
from armoon.view.scene.board import Backdrop, BodyInputs, GameBodies
from armoon.view.scene.camera_picture import from_camera, to_camera
from armoon.view.scene.hand_mask import HandMask, HandShadow
from armoon.view.scene.light import LAMP, SCREEN, Light, LightEstimate, steady
from armoon.view.scene.scenery import Scenery, Surroundings, wood_texture
from armoon.view.scene.shadows import SHADOW_GROUND
from armoon.view.scene.solids import Hovering, Things
from armoon.view.scene.tier_parts import TierChoice, TierParts
from armoon.view.scene.tiers import FULL

#: Where the lid lies on the table unless the layout says otherwise.
LID = Pose((0.17, 0.0, 0.0))
#: Length of a tick, seconds (armoon.clock); only pulses depend on it.
_TICK_S = 1.0 / 60.0
#: Transparency of a carrying hand, and ticks until it is reached.
_GLASS, _GLASS_TICKS = 0.55, 12
#: Increase of the evening's strength under a dark sky, and ticks until it is reached.
_DUSK, _DUSK_TICKS = 0.60, 120
#: Index of the evening's strength in the shaders' View block.
_EVENING = 47
#: Indices of the values that change by themselves: time, transparency, the noise and its number.
_PASSING = [46, 51, 59, 63]
#: Number of pictures after which the noise repeats.
_NOISE_PICTURES = 61


class Renderer:
    """Draws scenes of one game, for one seat of the camera, into the framebuffer that is bound."""

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
        helps: Helps | None = None,
        socle: bool = False,
        scenery: Callable[[], Scenery] | None = None,
    ) -> None:
        """Needs a current OpenGL context; ``width`` and ``height`` of the picture are in pixels.

        Without ``light`` it is estimated from the frames. ``board``: other bodies; ``socle``: a wooden base, no cloud;
        ``scenery``: surroundings without a camera. If the driver can't draw the full tier, the plain one is used, see
        ``notices``. Raises DisplayError if that can't be drawn either, ValueError for an unknown tier.
        """
        self.helps = helps or Helps()
        self.after_pass: Callable[[str], None] | None = None
        """Called after every pass of a picture with its name, for measuring (upload, maps, solids, marks ...)."""
        self.width, self.height = width, height
        self._mirrored = mirrored
        self._real_lid: tuple[Pose, float] | None = None
        self._things = Things(ladders, base, lid, board, upright, socle)
        self._still = self._things.still
        self._view = UniformBlock(BLOCKS["View"], VIEW_FLOATS)
        self._feed = camera_picture.Feed(mirrored=mirrored)
        self._wood = texture(256, 256, 2, wood_texture(), mipmaps=6, repeat=True)
        matrix = camera_picture.clip_from_table(camera, table_from_camera, mirrored)
        self.hand_mask = HandMask(camera, mirrored, width, height)
        self._hand_shadow = HandShadow(camera, table_from_camera, SHADOW_GROUND)
        self._backdrop = backdrop
        # A camera that faces the player sees no table where the virtual one lies.
        self._hovering = Hovering(base=base is not None, lid=lid) if mirrored and board is None else None
        self._marks = Marks(camera, table_from_camera, matrix, width, height, ladders)
        self.hud = Hud(width, height)
        self._ground: Target | None = None
        self._surroundings = None if scenery is None else Surroundings(scenery())
        self._is_unseen = False
        self._light = light or (SCREEN if mirrored else LAMP)
        self._estimate = LightEstimate(self._light, camera, table_from_camera) if light is None else None
        self._noise = 0.0
        self._glass, self._dusk, self._tick = 0.0, 0.0, 0
        self.framing = camera_picture.Framing(camera, table_from_camera)
        self.set_table(table_from_camera, camera)
        self._tiers = TierChoice(self._parts_of, tier)

    @property
    def ladders(self) -> LadderSet | None:
        return self._things.ladders

    @property
    def has_surroundings(self) -> bool:
        return self._surroundings is not None

    @property
    def example(self) -> BoardScene | None:
        return None if self._things.board is None else self._things.board.example

    @property
    def tier(self) -> str:
        return self._tiers.name

    @property
    def notices(self) -> list[str]:
        return self._tiers.notices

    @property
    def texts(self) -> tuple[str, ...]:
        return self._marks.texts

    @property
    def text_boxes(self) -> tuple[Box, ...]:
        return self._marks.text_boxes

    @property
    def inset_place(self) -> Box | None:
        return self._marks.inset_place

    def set_tier(self, tier: str) -> str:
        """Draw in this tier, or in the plain one if the driver can't; return its name."""
        if tier != self.tier:
            self._tiers.use(tier)
            if self._things.board is not None:
                self._things.board.set_tier(full=self.tier == FULL)
        return self.tier

    def _parts_of(self, *, full: bool) -> TierParts:
        """Compile and reserve a tier's parts. Raises DisplayError if the driver can't."""
        hand_shadow = self._hand_shadow if full else None
        return TierParts(self._things, self._mirrored, hand_shadow, (self.width, self.height), full=full)

    def set_table(self, table_from_camera: Pose, camera: CameraModel) -> None:
        self._whole_camera, self._own_pose = camera, table_from_camera
        self._set_viewpoint(None)

    def set_lid(self, foot: Pose, height_m: float) -> None:
        self._real_lid = foot, height_m

    def restart(self) -> None:
        self._set_viewpoint(None)

    def _set_viewpoint(self, aside: Pose | None) -> None:
        """Set the view's pose; None: the camera's."""
        self._aside = aside
        pose = aside or self._own_pose
        self._crop = camera_picture.whole(self._whole_camera)
        self.framing.set_camera(self._whole_camera, pose)
        self._anew = True
        self._see(pose, self._whole_camera)

    def to_camera(self, place: Vec2) -> Vec2:
        return to_camera(place, self._whole_camera, self._crop, mirrored=self._mirrored)

    def from_camera(self, place: Vec2) -> Vec2:
        return from_camera(place, self._whole_camera, self._crop, mirrored=self._mirrored)

    def _see(self, table_from_camera: Pose, camera: CameraModel) -> None:
        self._camera, self._table_from_camera = camera, table_from_camera
        self._clip_from_table = camera_picture.clip_from_table(camera, table_from_camera, self._mirrored)
        self.hand_mask.set_camera(camera)
        self._hand_shadow.set_camera(camera, table_from_camera)
        self._fit_backdrop()
        self._marks.set_camera(camera, table_from_camera, self._clip_from_table)
        if self._estimate is not None:
            self._estimate.set_camera(camera, table_from_camera)

    def resize(self, width: int, height: int) -> None:
        if (width, height) == (self.width, self.height):
            return
        self.width, self.height = width, height
        self._ground = None
        self.hand_mask.resize(width, height)
        self._fit_backdrop()
        self._marks.resize(width, height)

    def rest(self, but: str = "") -> None:
        """Free the surfaces of all tiers but one, 70 MB each at 1280 x 720; the next picture makes them again."""
        self._tiers.rest(but)

    def _lay_ground(self, origin: Vec2) -> Target:
        """Return the target that the picture is drawn into: the window itself, if it is at its lower left corner."""
        if origin == (0, 0):
            window = open_target()
            window.viewport = (0, 0, self.width, self.height)
            return window
        if self._ground is None:
            self._ground = target(colour=texture(self.width, self.height, 4))
        return self._ground

    def _fit_backdrop(self) -> None:
        if self._backdrop is not None:
            self._backdrop.fit(self._clip_from_table, self.width, self.height, mirrored=self._mirrored)
        if self._hovering is not None:
            self._hovering.fit(self._clip_from_table, self.width, self.height)

    def draw(
        self,
        scene: Scene,
        frame_bgr: npt.NDArray[np.uint8],
        origin: tuple[int, int] = (0, 0),
        glass: tuple[int, int] | None = None,
    ) -> None:
        """Draw over ``frame_bgr`` (h, w, 3), lower left at ``origin``; the glass may fill a window, ``glass``."""
        if scene.seen_from != self._aside:
            self._set_viewpoint(scene.seen_from)
        self.framing.eased = not self.helps.calm
        self._make_room(drawn=self.has_surroundings and is_blank(frame_bgr))
        aspect = self.width / self.height
        column = LARGE_CHOICES if self.helps.text_scale > IN_PLACE else CHOICES
        fills = glass is not None and aspect < 1.0  # a drawn picture in a tall window
        camera = self._whole_camera
        crop = self.framing.follow(scene, min(TALL_ASPECT, camera.width / camera.height) if fills else aspect)
        if fills:
            room = self.helps.room
            end = column[True].y if room is None else room.y + room.height
            crop = camera_picture.filling(crop, aspect, None if scene.framed is None else end)
        if crop != self._crop:
            self._crop = crop
            self._see(self._table_from_camera, camera_picture.cropped_camera(self._whole_camera, crop))
        scene = camera_picture.cropped_scene(_at_once(scene) if self.helps.calm else scene, crop)
        made = self._tiers.parts
        made.fit((self.width, self.height))
        window, ground = open_target(), self._lay_ground(origin)
        time_s = scene.tick * _TICK_S
        frame = camera_picture.cropped_frame(frame_bgr, self._whole_camera, crop)
        helps = self.helps.at(scene.helping)
        self._take_frame(frame, plain=helps.look.contrast)
        self._follow(scene)
        self._write_view(scene.tick)
        self._done("upload")

        self.hand_mask.draw(scene.hands, frame, None if self._is_unseen else scene.card)
        self._marks.set_look(helps.look)
        self.hud.set_look(helps.look)
        board = scene.board is not None
        self.hud.set_lettering(helps.text_scale, chooses=helps.chooses, stays=helps.numbers, board=board)
        hud = _before_the_roll(scene.hud) if scene.die is not None and scene.die.is_rolling else scene.hud
        self.hud.resize(*(glass or (self.width, self.height)))
        self.hud.lay_out(hud, scene.tick, calm=self.helps.calm)
        if self._real_lid is not None:
            made.solids.stand_real_lid(self._real_lid)
        made.solids.place(scene, time_s, halo=helps.halo, look=helps.look)
        sight = BodyInputs(self.hand_mask.texture, self._feed.small_texture, self._wood, made.shadows)
        seen = (self._lasting_view(), helps.halo, helps.look, scene.home_from_table, self._real_lid)
        made.prepare(scene, sight, self._clip_from_table, self._light.towards, seen)
        self._done("maps")

        if self._surroundings is not None and self._is_unseen:
            size = (self.width, self.height)
            if self._surroundings.draw(ground, size, (seen[0], made.full)) and made.full:
                self._feed.small_texture.write(self._surroundings.small())
        else:
            evening = float(self._view.values[_EVENING])
            self._feed.draw(ground, (self.width, self.height), self._camera, evening)
        if self._backdrop is not None:
            panels = _shifted(self.hud.boxes, (0, 0) if glass is None else origin)
            self._backdrop.draw(scene, self.hand_mask.texture, panels, calm=self.helps.calm or self._anew)
            self._anew = False
        if self._hovering is None:
            made.shade_table(self.hand_mask.texture, hands=self.hand_mask.any)
        else:
            self._hovering.draw(self.hand_mask.texture)
        self._done("frame")

        made.draw(ground, sight, self.width / self._camera.width, self.hand_mask)
        self._done("solids")
        listed = helps.listed or helps.chooses
        busy = _shifted(self.hud.busy(listed=listed), (0, 0) if glass is None else origin)
        inset = self._marks.draw_inset(scene, helps, made.solids, ground, busy, self._still)
        self._done("inset")
        self._marks.draw(scene, time_s, helps, inset)
        if ground is not window:
            copy_colour(ground, window, *origin)
        window.viewport = (*origin, self.width, self.height)
        self._done("marks")
        self._marks.letter(scene)
        if glass is not None:
            window.viewport = (0, 0, *glass)
        self.hud.draw(hud, scene.tick, calm=self.helps.calm)
        if scene.hud.tear is not None and self._backdrop is not None:
            x, y = self._backdrop.spring
            spring = (x, y) if glass is None else (x + origin[0], y + origin[1])
            self.hud.draw_tear(scene.hud.tear, spring, calm=self.helps.calm)
        if scene.counters:
            x, y = (0, 0) if glass is None else origin
            places = [self._marks.pixel(counter.place) for counter in scene.counters]
            flying = [(one, (u + x, v + y)) for one, (u, v) in zip(scene.counters, places, strict=True)]
            self.hud.draw_counters(flying, calm=self.helps.calm)
        self._done("hud")

    def _make_room(self, *, drawn: bool) -> None:
        """Frame the game so that buttons, hints and cards have their room.

        A ``drawn`` picture has no edge; a camera's is shown smaller beside a page's card only.
        """
        framing, large = self.framing, self.helps.text_scale > IN_PLACE
        framing.below = camera_picture.BELOW_LARGE if large else camera_picture.BELOW
        framing.above = camera_picture.ABOVE if self.width >= self.height else camera_picture.ABOVE_TALL
        room = self.helps.room if self.width >= self.height else None
        if room is not None:
            framing.below, framing.above = 1.0 - room.y - room.height, room.y
        framing.across = self._between(large=large)
        framing.bounded = not (large or room or (drawn and framing.across))

    def _between(self, *, large: bool) -> Vec2 | None:
        """Return the game's room in parts of the camera's width, if choices are listed."""
        room = self.helps.room
        beside_card = room is not None and room.x > 0.0
        if self.width < self.height or not (self.helps.listed or beside_card or (large and room is None)):
            return None
        left, right = BETWEEN
        if room is not None and beside_card:
            left, right = room.x, room.x + room.width
        elif large:
            left = LARGE_PAUSE[False].x + LARGE_PAUSE[False].width
        return (
            (1.0 - right, 1.0 - left) if self.helps.look.left_handed is not self._mirrored else (left, right)
        )

    def _done(self, part: str) -> None:
        if self.after_pass is not None:
            self.after_pass(part)

    def _follow(self, scene: Scene) -> None:
        """Turn a carrying hand glassy within moments, and back; darken the sky more slowly."""
        wanted = _GLASS if scene.held and self.helps.glass else 0.0
        ticks, self._tick = scene.tick - self._tick, scene.tick
        passed = ticks > 0 and not self.helps.calm
        self._glass += (ticks / _GLASS_TICKS if passed and ticks < _GLASS_TICKS else 1.0) * (
            wanted - self._glass
        )
        dusk = ticks / _DUSK_TICKS if passed and ticks < _DUSK_TICKS else 1.0
        self._dusk += min(1.0, 3.0 * dusk) * (_DUSK * scene.mood.dark - self._dusk)

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
            *(k3, -1.0 if self._mirrored else 1.0, tick * _TICK_S, min(1.25, light.evening + self._dusk)),
            *(*self._table_from_camera.position, self._glass),
            *(*light.towards, light.rim),
            *(*light.key, self._noise),
            *(*light.sky, tick % _NOISE_PICTURES),
            *(*light.bounce, light.bounce_gain),
            *(x, y, 1.0 / w, 1.0 / d),
        ]
        self._view.upload()

    def _lasting_view(self) -> bytes:
        values = self._view.values.copy()
        values[_PASSING] = 0.0
        return values.tobytes()

    def _take_frame(self, frame_bgr: npt.NDArray[np.uint8], *, plain: bool) -> None:
        # In high contrast there is no scenery: the night is plain.
        self._is_unseen = not plain and is_blank(frame_bgr)
        if self._surroundings is not None and self._is_unseen:
            self._light, self._noise = self._surroundings.scenery.light, 0.0
            self._hand_shadow.light_from(self._light.towards)
            return
        self._feed.take(frame_bgr)
        if self._estimate is not None and self._aside is None:
            self._light = steady(self._light, self._estimate.add_frame(frame_bgr, self._feed.small))
            self._noise = self._estimate.noise
        self._hand_shadow.light_from(self._light.towards)


def _at_once(scene: Scene) -> Scene:
    return scene if scene.die is None else replace(scene, die=replace(scene.die, pose=scene.die.rest))


def _shifted(boxes: Sequence[Box], origin: tuple[int, int]) -> list[Box]:
    return [(left - origin[0], low - origin[1], wide, high) for left, low, wide, high in boxes]


def _before_the_roll(hud: SceneHud) -> SceneHud:
    return replace(hud, die=None, die_text="")
