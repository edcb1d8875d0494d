"""The moon behind the table: it rises with the structure, carries the remaining tears, and reacts to events.

It glides to its position and changes its face gradually; for the winner the night comes to life.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from armoon.geometry import Array
from armoon.gl.context import Blend, begin_pass
from armoon.gl.memory import Mesh, Texture, bind_textures, quad_triangles, texture
from armoon.gl.program import Program
from armoon.values.poses import Vec2
from armoon.values.scene import Scene
from armoon.view.pages.panels import DISC, TEAR, Panels
from armoon.view.scene.painted import MOON_DISC, MOON_LEVELS, moon_picture

#: Its shaders lie beside it.
_HERE = Path(__file__).parent
#: Radius of the disc in heights of the picture.
_RADIUS = 0.062
#: Where the moon stands across the picture: left of the structure and of a player's face, clear of the score.
_ACROSS = 0.285
#: Lowest and highest place of its centre, in heights from the bottom.
_LOWEST, _HIGHEST = 0.60, 0.885
#: The moon stands this far above the structure's top, metres; it stays out of reach.
_AHEAD_M = 0.07
#: Time constants of gliding and of expressions, and the largest single step.
_GLIDE_S, _FACE_S, _LONGEST_S = 0.7, 0.22, 0.1
_TICK_S = 1.0 / 60.0
#: The winner's stars: how many, how large in heights of the picture, and how soon all are there.
_STARS, _STAR, _KINDLE_S = 70, 0.0032, 2.5
#: They stand in this upper part of the picture.
_STARS_FROM = 0.45
_SHINE = (1.0, 0.95, 0.82)
_TEAR_TOP = (0.62, 0.80, 1.0, 0.95)
_TEAR_LOW = (0.22, 0.42, 0.92, 0.95)


class RisingMoon:
    """The moon of one picture, through the renderer's hook for backdrops."""

    def __init__(self) -> None:
        """Needs a current context, and ``fit`` before the first picture."""
        self._program = Program(_HERE / "sky.vert", _HERE / "sky.frag", samplers=("moon", "hand_mask"))
        picture = moon_picture()
        self._texture = texture(picture.shape[1], picture.shape[0], 4, picture, mipmaps=MOON_LEVELS)
        self._mesh = Mesh((2, 2))
        self._tears = Panels()
        self._stars = Panels()
        self._places = np.random.default_rng(5).random((_STARS, 4))
        self._drawn: tuple[Vec2, int] | None = None
        self._height: float | None = None
        self._face = self._feast = 0.0
        self._tick = 0

    def fit(self, clip_from_table: Array, width: int, height: int) -> None:
        """Fit the view to this matrix (4, 4) and pictures of this size in pixels."""
        self._clip_from_table = clip_from_table
        self._width, self._picture_height = width, height
        self._drawn = None

    @property
    def spring(self) -> Vec2:
        """Where its tears come from, drawn pixels from the lower left."""
        x, y = (0.0, 0.0) if self._drawn is None else self._drawn[0]
        return (x, y - 1.42 * _RADIUS * self._picture_height)

    def draw(self, scene: Scene, hand_mask: Texture, *, calm: bool = False) -> None:
        """Draw the moon at its height, and one drop for each tear that is left; ``calm``: without gliding."""
        passed_s = min(_LONGEST_S, max(0.0, (scene.tick - self._tick) * _TICK_S))
        self._tick = scene.tick
        self._follow(scene, passed_s, at_once=calm)
        if self._feast > 0.0:
            self._draw_stars(scene.tick * _TICK_S, calm=calm)
        tears_left = scene.hud.tears_left
        assert self._height is not None
        place = (_ACROSS * self._width, round(self._height * self._picture_height, 1))
        if self._drawn != (place, tears_left):
            self._arrange(place, tears_left)
            self._drawn = (place, tears_left)
        begin_pass(Blend.OVER)
        bind_textures(self._texture, hand_mask)
        self._program.set("face", self._face, min(1.0, 1.6 * abs(self._face)))
        self._mesh.draw(self._program)
        self._tears.draw()

    def _follow(self, scene: Scene, passed_s: float, *, at_once: bool) -> None:
        """Glide to where the structure wants the moon, and to the scene's mood."""
        wanted, mood = self._centre(scene.structure_top_m), scene.mood
        if self._height is None or at_once:
            self._height, self._face, self._feast = wanted, mood.face, mood.feast
            return
        self._height += (wanted - self._height) * (1.0 - math.exp(-passed_s / _GLIDE_S))
        self._face = _stepped(self._face, mood.face, passed_s / _FACE_S)
        self._feast = _stepped(self._feast, mood.feast, passed_s / _KINDLE_S)

    def _centre(self, structure_top_m: float) -> float:
        """Height of the moon's centre, in heights of the picture from the bottom."""
        clip = self._clip_from_table @ np.array([0.0, 0.0, structure_top_m + _AHEAD_M, 1.0])
        return float(np.clip(clip[1] / clip[3] * 0.5 + 0.5, _LOWEST, _HIGHEST))

    def _arrange(self, place: Vec2, tears_left: int) -> None:
        """Place the quad, and the drops in an arc under the disc."""
        radius = _RADIUS * self._picture_height
        x, y = place
        reach = radius / MOON_DISC
        square = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        quad = [[x + u * reach, y + v * reach, u, v] for u, v in square]
        self._mesh.upload(np.array(quad, dtype=np.float32), quad_triangles(1))
        self._tears.clear()
        drop = radius * 0.24
        for i in range(tears_left):
            angle = np.radians((i - (tears_left - 1) / 2.0) * 21.0)
            hangs = (x + np.sin(angle) * radius * 1.42, y - np.cos(angle) * radius * 1.42)
            self._tears.add(TEAR, hangs, (drop, drop), _TEAR_LOW, _TEAR_TOP)
        self._tears.upload()

    def _draw_stars(self, time_s: float, *, calm: bool) -> None:
        """Stars kindle one after the other, and twinkle."""
        self._stars.clear()
        for k, (across, high, size, phase) in enumerate(self._places):
            here = min(1.0, max(0.0, self._feast * 1.4 - 0.4 * k / _STARS))
            twinkle = 1.0 if calm else 0.65 + 0.35 * math.sin(time_s * (2.0 + 3.0 * size) + 6.3 * phase)
            place = (across * self._width, (_STARS_FROM + (1.0 - _STARS_FROM) * high) * self._picture_height)
            radius = (0.5 + size) * _STAR * self._picture_height
            self._stars.add(DISC, place, (2.6 * radius, 2.6 * radius), (*_SHINE, 0.16 * here * twinkle))
            self._stars.add(DISC, place, (radius, radius), (*_SHINE, 0.95 * here * twinkle))
        self._stars.upload()
        self._stars.draw()


def _stepped(now: float, wanted: float, most: float) -> float:
    """Approach a value by at most this much."""
    return now + min(most, max(-most, wanted - now))
