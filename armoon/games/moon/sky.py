"""The moon behind the tower: it grows with the tower, shows the remaining tears, and avoids all panels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.clock import TICK_S
from armoon.geometry import Array
from armoon.gl import Blend, Mesh, ShaderProgram, Texture, begin_pass, bind_textures, quad_triangles
from armoon.values.page import Rect
from armoon.values.poses import Vec2, Vec3
from armoon.values.scene import Scene
from armoon.view.panels import DISC, TEAR, Box, Panels
from armoon.view.scene.scenery import MOON_DISC, MOON_LEVELS, load_moon_picture

_ART = Path(__file__).with_name("art")
#: Radius of the disc, as a share of the picture's shorter side, over low and high structures; maximum height of a low
#: structure and minimum height of a high one, metres. The radius is interpolated in between.
_RADII, _LOW_HIGH_M = (0.088, 0.150), (0.12, 0.30)
#: Radius of the disc beside a player's face, and x of its centre as a share of the width, clear of the score.
_SMALL_RADIUS, _SMALL_X = 0.062, 0.285
#: Minimum height of the disc's centre, and minimum distance of the disc from the upper edge, as shares of the height.
_MIN_HEIGHT, _EDGE_MARGIN = 0.60, 0.02
#: Distance of the moon's lower edge from the structure's top, metres.
_CLEARANCE_M = 0.055
#: Displacements across and up (shares of the height) and scales of the disc that are tried to avoid panels; minimum
#: distance of panels from the disc's centre, in radii.
_STEPS_ACROSS = [round(0.04 * step, 2) for step in range(-14, 15)]
_STEPS_UP = [round(0.04 * step, 2) for step in range(-3, 7)]
_SCALES, _CLEAR_RADII = (1.0, 0.86, 0.74, 0.62, 0.52, 0.42), 1.08
#: Fraction of the painted glow's extent that is drawn.
_GLOW = 0.80
#: Time constants of usual movement, of moving out from under a panel, and of expressions; maximum time step; seconds.
_GLIDE_S, _AWAY_S, _EXPRESSION_S, _MAX_STEP_S = 0.7, 0.07, 0.22, 0.1
#: Time that a drop takes to run down the crying moon's face, seconds.
_CRY_S = 1.3
#: Stars for a victory: number, size as a share of the picture's height, and seconds until all are lit.
_STAR_COUNT, _STAR_SIZE, _LIGHT_UP_S = 70, 0.0032, 2.5
#: Lower edge of these stars, as a share of the picture's height.
_LOWEST_STAR = 0.45
_SHINE = (1.0, 0.95, 0.82)
_TEAR_TOP = (0.62, 0.80, 1.0, 0.95)
_TEAR_LOW = (0.22, 0.42, 0.92, 0.95)


class RisingMoon:
    """A backdrop for the renderer that draws the moon."""

    def __init__(self) -> None:
        """Create the drawing in the current OpenGL context; ``fit_view`` must be called before the first picture."""
        self._program = ShaderProgram(_ART / "sky.vert", _ART / "sky.frag", samplers=("hand_mask", "moon"))
        picture = load_moon_picture()
        self._texture = gl.make_texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=MOON_LEVELS)
        self._mesh = Mesh((2, 2))
        self._tears = Panels(hands=True)
        self._stars = Panels(hands=True)
        self._falling_tears = Panels(hands=True)
        self._star_places = np.random.default_rng(5).random((_STAR_COUNT, 4))
        self._drawn_state: tuple[Vec3, int] | None = None
        self._moon: Array | None = None
        """Centre and radius of the disc, in pixels from the lower left."""
        self._target: tuple[object, Array] = (None, np.zeros(3))
        self._face = self._celebration = 0.0
        self._tick = 0

    def fit_view(self, clip_from_table: Array, width: int, height: int, *, mirrored: bool = False) -> None:
        """Set the view's matrix (4, 4) and picture size in pixels. ``mirrored``: the picture shows a player's face."""
        self._clip_from_table, self._mirrored = clip_from_table, mirrored
        self._width, self._picture_height = width, height
        self._drawn_state = None

    @property
    def tear_start(self) -> Vec2:
        x, y, radius = self.disc
        return (x, y - 1.42 * radius)

    @property
    def disc(self) -> Vec3:
        return (0.0, 0.0, 0.0) if self._drawn_state is None else self._drawn_state[0]

    def draw_backdrop(
        self, scene: Scene, hand_mask: Texture, panels: Sequence[Box] = (), *, calm: bool = False
    ) -> None:
        """Draw the moon clear of the panels, with a drop for each remaining tear. ``calm``: without animation."""
        elapsed_s = min(_MAX_STEP_S, max(0.0, (scene.tick - self._tick) * TICK_S))
        self._tick = scene.tick
        self._move_moon(scene, panels, elapsed_s, at_once=calm)
        bind_textures(hand_mask, self._texture)
        if self._celebration > 0.0:
            self._draw_stars(scene.tick * TICK_S, calm=calm)
        tears_left = scene.hud.tears_left
        assert self._moon is not None
        x, y, radius = (round(float(part), 1) for part in self._moon)
        place = (x, y, radius)
        if self._drawn_state != (place, tears_left):
            self._build_meshes(place, tears_left)
            self._drawn_state = (place, tears_left)
        begin_pass(Blend.OVER)
        self._program.set("face", self._face, min(1.0, 1.6 * abs(self._face)))
        self._mesh.draw(self._program)
        self._tears.draw()
        if self._face < 0.0:
            self._draw_falling_tears(scene.tick * TICK_S, calm=calm)

    def _move_moon(self, scene: Scene, panels: Sequence[Box], elapsed_s: float, *, at_once: bool) -> None:
        top_m, mood, room = scene.structure_top_m, scene.mood, scene.room
        key = (top_m, room, tuple(panels), self._width, self._picture_height, self._clip_from_table.tobytes())
        if key != self._target[0]:
            self._target = (key, self._avoid_panels(self._place_above_tower(top_m, room), panels))
        target = self._target[1]
        if self._moon is None or at_once:
            self._moon, self._face, self._celebration = target, mood.face, mood.celebration
            return
        glide_s = _GLIDE_S if _are_clear(panels, self._moon[None, :2], self._moon[2])[0] else _AWAY_S
        self._moon = self._moon + (target - self._moon) * (1.0 - math.exp(-elapsed_s / glide_s))
        self._face = _step_towards(self._face, mood.face, elapsed_s / _EXPRESSION_S)
        self._celebration = _step_towards(self._celebration, mood.celebration, elapsed_s / _LIGHT_UP_S)

    def _place_above_tower(self, top_m: float, room: Rect | None) -> Array:
        size = np.array([self._width, self._picture_height])
        growth = np.clip((top_m - _LOW_HIGH_M[0]) / (_LOW_HIGH_M[1] - _LOW_HIGH_M[0]), 0.0, 1.0)
        is_beside_face = self._mirrored and room is None
        scale = _SMALL_RADIUS if is_beside_face else _RADII[0] + (_RADII[1] - _RADII[0]) * growth
        radius = scale * size.min()
        clip = self._clip_from_table @ np.array([0.0, 0.0, top_m + _CLEARANCE_M, 1.0])
        x, y = (clip[:2] / clip[3] * 0.5 + 0.5) * size
        if is_beside_face:
            x = _SMALL_X * self._width
        top = 0.0 if room is None else room.y
        highest = (1.0 - top) * size[1] - radius - _EDGE_MARGIN * size.min()
        return np.array([x, min(max(y + radius, _MIN_HEIGHT * size[1]), highest), radius])

    def _avoid_panels(self, target: Array, panels: Sequence[Box]) -> Array:
        """Return the place clear of panels that is nearest to the target, at a smaller size if necessary."""
        if not panels:
            return target
        top, edge = self._picture_height, _EDGE_MARGIN * self._picture_height
        steps = np.array([(across, up) for across in _STEPS_ACROSS for up in _STEPS_UP])
        steps = steps[np.argsort(np.abs(steps) @ [1.0, 1.3], kind="stable")] * top
        for scale in _SCALES:
            radius = scale * target[2]
            x, y = (target[:2] + steps).T
            free = _are_clear(panels, target[:2] + steps, _CLEAR_RADII * radius)
            free &= (x >= radius) & (x <= self._width - radius) & (y >= radius) & (y <= top - radius - edge)
            if free.any():
                first = int(np.argmax(free))
                return np.array([x[first], y[first], radius])
        return np.array([*target[:2], _SCALES[-1] * target[2]])

    def _build_meshes(self, place: Vec3, tears_left: int) -> None:
        x, y, radius = place
        extent = radius / MOON_DISC
        square = ((-_GLOW, -_GLOW), (_GLOW, -_GLOW), (_GLOW, _GLOW), (-_GLOW, _GLOW))
        quad = [[x + u * extent, y + v * extent, u, v] for u, v in square]
        self._mesh.upload(np.array(quad, dtype=np.float32), quad_triangles(1))
        self._tears.clear()
        drop = radius * 0.16
        for i in range(tears_left):
            angle = np.radians((i - (tears_left - 1) / 2.0) * 21.0)
            centre = (x + np.sin(angle) * radius * 1.42, y - np.cos(angle) * radius * 1.42)
            self._tears.add(TEAR, centre, (drop, drop), _TEAR_LOW, _TEAR_TOP)
        self._tears.upload()

    def _draw_falling_tears(self, time_s: float, *, calm: bool) -> None:
        assert self._moon is not None
        x, y, radius = self._moon
        self._falling_tears.clear()
        for delay, side in ((0.0, -1.0), (0.5, 1.0)):
            along = 0.5 if calm else (time_s / _CRY_S + delay) % 1.0
            opacity = -self._face * min(1.0, 6.0 * along, 5.0 * (1.0 - along))
            place = (x + side * 0.32 * radius, y + (0.02 - 0.80 * along * along) * radius)
            drop = 0.13 * radius
            colours = [(*colour[:3], colour[3] * opacity) for colour in (_TEAR_LOW, _TEAR_TOP)]
            self._falling_tears.add(TEAR, place, (drop, drop), *colours)
        self._falling_tears.upload()
        self._falling_tears.draw()

    def _draw_stars(self, time_s: float, *, calm: bool) -> None:
        self._stars.clear()
        for k, (across, up, size, phase) in enumerate(self._star_places):
            scale = min(1.0, max(0.0, self._celebration * 1.4 - 0.4 * k / _STAR_COUNT))
            twinkle = 1.0 if calm else 0.65 + 0.35 * math.sin(time_s * (2.0 + 3.0 * size) + 6.3 * phase)
            place = (
                across * self._width,
                (_LOWEST_STAR + (1.0 - _LOWEST_STAR) * up) * self._picture_height,
            )
            radius = (0.5 + size) * _STAR_SIZE * self._picture_height
            self._stars.add(DISC, place, (2.6 * radius, 2.6 * radius), (*_SHINE, 0.16 * scale * twinkle))
            self._stars.add(DISC, place, (radius, radius), (*_SHINE, 0.95 * scale * twinkle))
        self._stars.upload()
        self._stars.draw()


def _are_clear(panels: Sequence[Box], places: Array, distance: float) -> npt.NDArray[np.bool_]:
    left, low, width, height = np.array(panels, np.float64).reshape(-1, 4).T
    x, y = places[:, :1], places[:, 1:]
    beside = np.maximum(np.maximum(left - x, x - left - width), 0.0)
    above = np.maximum(np.maximum(low - y, y - low - height), 0.0)
    return np.asarray((np.hypot(beside, above) >= distance).all(axis=1))


def _step_towards(now: float, target: float, max_step: float) -> float:
    return now + min(max_step, max(-max_step, target - now))
