"""Draws the lake, its stars and its domes, through the renderer's hook for other games' bodies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from armoon.games.lake.table.layout import shore
from armoon.games.lake.table.scene import DOME_RADIUS_M, LakeScene, SceneDome, SceneMark
from armoon.games.lake.view.mesh import FLAT_LAYOUT, dome_mesh, flat_mesh
from armoon.geometry import Array
from armoon.gl.memory import Mesh
from armoon.gl.program import Program
from armoon.values.choices import Palette
from armoon.values.look import PALETTES, USUAL_LOOK, Look, rgb
from armoon.values.poses import Vec3
from armoon.values.scene import Scene
from armoon.view.scene.board import BODY_SAMPLERS, Sight
from armoon.view.scene.light import FAULT, GOLD, Rgba
from armoon.view.scene.parts import hull_of

#: Its shaders lie beside it.
_HERE = Path(__file__).parent
#: Linear colours, apart in lightness as well: amber is the lightest, then jade, ruby and sapphire.
COLOURS: dict[str, Vec3] = {
    "amber": (0.92, 0.52, 0.06),
    "jade": (0.16, 0.52, 0.26),
    "ruby": (0.62, 0.05, 0.08),
    "sapphire": (0.025, 0.07, 0.38),
}
#: Each colour has a pattern of its own on the wall: none, upright lines, a belt, dots (see dome.frag).
_PATTERNS = {name: number for number, name in enumerate(COLOURS)}
GLOWS: dict[str, Rgba] = {
    "plain": (0.0, 0.0, 0.0, 0.0),
    "liftable": (*GOLD, 0.10),
    "hover": (1.0, 0.86, 0.50, 0.50),
    "held": (*GOLD, 0.16),
    "target": (0.90, 1.0, 0.80, 0.55),
    "refused": (*FAULT, 0.40),
}
#: position 3, normal 3, place on the dome 3, colour and strength 4, glow 4
_DOME_LAYOUT = (3, 3, 3, 4, 4)
_PULSE_S = 1.4
#: Holds a dome over the middle of its rim, with its knobs.
_BOX = hull_of(
    np.array([-DOME_RADIUS_M, -DOME_RADIUS_M, 0.0]), np.array([DOME_RADIUS_M, DOME_RADIUS_M, 0.020])
)
#: Display colours to linear ones.
_GAMMA = 2.2
#: Strength and pattern share a number; patterns from four on are the same, drawn boldly.
_PATTERN_STEP = 8


class LakeBoard:
    """The lake on the graphics card; what doesn't change from picture to picture isn't sent again."""

    example = LakeScene(
        shore(),
        (),
        tuple(SceneDome((0.03 * strength, 0.0, 0.0), "amber", strength) for strength in range(1, 5)),
        (SceneDome((0.03, 0.0, 0.05), "jade", 1),),
        (SceneMark("star", (0.0, 0.0, 0.0), 0.01),),
    )

    def __init__(self) -> None:
        """Needs a current context, and ``set_level`` before the first picture."""
        self._domes: dict[tuple[int, bool], Program] = {}
        self._flats: dict[int, Program] = {}
        self._level = 0
        self._meshes = Mesh(_DOME_LAYOUT), Mesh(_DOME_LAYOUT)
        self._placed: dict[int, tuple[SceneDome, ...]] = {}
        self._flat = Mesh(FLAT_LAYOUT)
        self._marked: tuple[SceneMark, ...] | None = None
        self._look = USUAL_LOOK
        self._there, self._time_s = False, 0.0

    def set_level(self, level: int) -> None:
        """Compile for a tier's level. Raises DisplayError."""
        if level not in self._flats:
            self._flats[level] = _program("flat", level)
            for hands in (True, False):
                self._domes[level, hands] = _program("dome", level, hands=hands)
        self._level = level

    def wear(self, look: Look) -> None:
        """Pawns have these colours from the next ``place`` on."""
        if look != self._look:
            self._look, self._placed = look, {}

    def place(self, scene: Scene, time_s: float) -> None:
        """Take the lake from the scene; nothing is drawn where there is none."""
        lake = scene.board if isinstance(scene.board, LakeScene) else None
        self._time_s = time_s
        self._there = lake is not None
        for moving, domes in enumerate(((), ()) if lake is None else (lake.domes, lake.moving)):
            if domes != self._placed.get(moving):
                self._placed[moving] = domes
                self._meshes[moving].upload(*_domes_mesh(domes, self._look))
        if lake is not None and lake.marks != self._marked:
            self._marked = lake.marks
            self._flat.upload(*flat_mesh(lake))

    @property
    def standing(self) -> object:
        """The domes that stand where the rules say."""
        return self._placed[False]

    def hulls(self, *, moving: bool) -> Array:
        """Corners (n, 8, 3) of boxes around the domes."""
        return _boxes(self._placed[moving])

    def relit(self, before: object) -> Array | None:
        """Return boxes around the standing domes whose look alone has changed."""
        former, now = cast("tuple[SceneDome, ...]", before), self._placed[False]
        if [replace(dome, look="") for dome in former] != [replace(dome, look="") for dome in now]:
            return None
        return _boxes([dome for dome, then in zip(now, former, strict=True) if dome != then])

    def draw_shadow(self, caster: Program, *, moving: bool) -> None:
        """Draw the domes with ``caster``."""
        self._meshes[moving].draw(caster)

    def draw_flat(self, sight: Sight) -> None:
        """Draw the water, and the marks on it."""
        if self._there:
            flat = self._flats[self._level]
            flat.set("pulse", 0.80 + 0.20 * math.sin(2.0 * math.pi * self._time_s / _PULSE_S))
            self._flat.draw(flat)

    def draw(self, sight: Sight, *, moving: bool, hands: bool) -> None:
        """Draw the domes."""
        self._meshes[moving].draw(self._domes[self._level, hands])


def _boxes(domes: Sequence[SceneDome]) -> Array:
    """Corners (n, 8, 3) around each."""
    feet = np.array([dome.foot for dome in domes]).reshape(-1, 1, 3)
    return np.asarray(feet + _BOX * np.array([dome.scale for dome in domes]).reshape(-1, 1, 1))


def _program(name: str, level: int, *, hands: bool = True) -> Program:
    files = (_HERE / f"{name}.vert", _HERE / f"{name}.frag")
    return Program(*files, samplers=BODY_SAMPLERS, level=level, hands=hands)


def glaze(name: str, look: Look) -> Vec3:
    """Return the linear colour of pawns of that name: the house's own glaze, or the palette's colour on the glass."""
    if look.palette is Palette.USUAL:
        return COLOURS[name]
    red, green, blue = rgb(PALETTES[look.palette].pieces[_PATTERNS[name]])
    return (red**_GAMMA, green**_GAMMA, blue**_GAMMA)


def _domes_mesh(
    domes: Sequence[SceneDome], look: Look
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """All domes in one mesh: vertices (n, 17) and triangles (m, 3)."""
    vertices: list[npt.NDArray[np.float32]] = []
    triangles: list[npt.NDArray[np.uint32]] = []
    count = 0
    for dome in domes:
        shape, faces = dome_mesh(dome.strength)
        rows = np.empty((len(shape), sum(_DOME_LAYOUT)), dtype=np.float32)
        rows[:, :3] = shape[:, :3] * dome.scale + np.array(dome.foot, dtype=np.float32)
        rows[:, 3:6] = shape[:, 3:6]
        rows[:, 6:9] = shape[:, :3]
        rows[:, 9:12] = glaze(dome.colour, look)
        bold = len(COLOURS) if look.patterns else 0
        rows[:, 12] = dome.strength + _PATTERN_STEP * (_PATTERNS[dome.colour] + bold)
        rows[:, 13:] = look.painted(GLOWS[dome.look])
        vertices.append(rows)
        triangles.append(faces + np.uint32(count))
        count += len(rows)
    if not vertices:
        return np.empty((0, sum(_DOME_LAYOUT)), dtype=np.float32), np.empty((0, 3), dtype=np.uint32)
    return np.concatenate(vertices), np.concatenate(triangles)
