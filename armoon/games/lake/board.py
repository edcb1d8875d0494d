"""Draws the lake, its stars and its domes (``view.scene.board.GameBodies``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from armoon.games.lake import layout
from armoon.geometry import Array
from armoon.gl import Mesh, ShaderProgram, quad_triangles
from armoon.values.choices import Palette
from armoon.values.look import PALETTES, USUAL_LOOK, Look, rgb
from armoon.values.poses import Vec3
from armoon.values.scene import Scene
from armoon.view.scene.board import BODY_SAMPLERS, BodyInputs
from armoon.view.scene.layer import make_box_corners
from armoon.view.scene.light import FAULT, GOLD, MOONLIGHT, Rgba
from armoon.view.scene.scenery import MOON, Scenery, load_picture

_ART = Path(__file__).with_name("art")


@cache
def _load_dome_shapes() -> dict[str, npt.NDArray[Any]]:
    """Return ``vertices_N`` (n, 6: position relative to the rim's centre, normal), ``triangles_N`` (m, 3)."""
    with np.load(_ART / "domes.npz") as archive:
        return dict(archive)


#: Floats per vertex of a flat mark: position 3; corner 2 and kind 1; colour 4.
FLAT_LAYOUT = (3, 3, 4)
_WATER = 0.0
_KINDS = {"star": 1.0, "counted": 2.0, "target": 3.0, "chevron": 4.0, "sign": 5.0}
#: Heights of water and marks above the table, metres: too small to see, but enough to draw the marks over the water.
_WATER_HEIGHT_M, _MARK_HEIGHT_M = 0.0003, 0.0007
_WATER_COLOUR: Rgba = (0.05, 0.13, 0.27, 0.80)
#: Colours of marks by direction: 1 is clockwise, -1 counter-clockwise; the chevrons' shape also shows it.
_MARK_COLOURS: dict[int, Rgba] = {0: (0.93, 0.90, 0.80, 0.55), 1: (*GOLD, 1.0), -1: (*MOONLIGHT, 1.0)}


def build_flat_mesh(lake: layout.LakeScene) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    water, faces = _build_water(lake)
    quads = [_build_quad(mark) for mark in lake.marks if mark.kind in _KINDS]
    if quads:
        faces = np.concatenate([faces, quad_triangles(len(quads)) + np.uint32(len(water))])
    return np.concatenate([water, *quads]).astype(np.float32), faces


def _build_water(lake: layout.LakeScene) -> tuple[Array, npt.NDArray[np.uint32]]:
    outline = np.array(lake.shore)
    count = len(outline)
    rows = np.zeros((count + 1, 10))
    rows[:count, :3] = outline
    rows[count, :3] = outline.mean(axis=0)
    rows[:, 2] = _WATER_HEIGHT_M
    rows[:count, 3] = 1.0
    rows[:, 5] = _WATER
    rows[:, 6:] = _WATER_COLOUR
    corners = np.arange(count)
    return rows, np.column_stack([np.full(count, count), corners, (corners + 1) % count]).astype(np.uint32)


def _build_quad(mark: layout.SceneMark) -> Array:
    cos_m, sin_m = math.cos(mark.heading) * mark.size_m, math.sin(mark.heading) * mark.size_m
    x, y, _ = mark.place
    colour = _MARK_COLOURS[mark.direction]
    kind = _KINDS[mark.kind]
    return np.array(
        [
            [x + u * cos_m - v * sin_m, y + u * sin_m + v * cos_m, _MARK_HEIGHT_M, u, v, kind, *colour]
            for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )


#: Linear colours that also differ in lightness: amber is the lightest, then jade, ruby and sapphire.
COLOURS: dict[str, Vec3] = {
    "amber": (0.92, 0.52, 0.06),
    "jade": (0.16, 0.52, 0.26),
    "ruby": (0.62, 0.05, 0.08),
    "sapphire": (0.025, 0.07, 0.38),
}
#: Number of each colour's wall pattern: none, vertical lines, a belt, dots (see dome.frag).
_PATTERNS = {name: number for number, name in enumerate(COLOURS)}
GLOWS: dict[str, Rgba] = {
    "plain": (0.0, 0.0, 0.0, 0.0),
    "liftable": (*GOLD, 0.10),
    "hover": (1.0, 0.86, 0.50, 0.50),
    "held": (*GOLD, 0.16),
    "target": (0.90, 1.0, 0.80, 0.55),
    "refused": (*FAULT, 0.40),
}
#: Floats per vertex of a dome: position 3; normal 3; position on the dome 3; colour 3, strength and pattern 1; glow 4.
_DOME_LAYOUT = (3, 3, 3, 4, 4)
_PULSE_S = 1.4
#: Bounding box of a dome with its knobs, relative to its rim's centre.
_BOX = make_box_corners(
    np.array([-layout.DOME_RADIUS_M, -layout.DOME_RADIUS_M, 0.0]),
    np.array([layout.DOME_RADIUS_M, layout.DOME_RADIUS_M, 0.020]),
)
#: Exponent that converts display colours to linear ones.
_GAMMA = 2.2
#: The vertex stores strength + 8 × pattern as one number. Patterns 4 to 7 are bold versions of 0 to 3.
_PATTERN_STEP = 8


class LakeBoard:
    """Draws the lake, uploading only the meshes that changed."""

    example = layout.LakeScene(
        layout.build_shore(),
        (),
        tuple(layout.SceneDome((0.03 * strength, 0.0, 0.0), "amber", strength) for strength in range(1, 5)),
        (layout.SceneDome((0.03, 0.0, 0.05), "jade", 1),),
        (layout.SceneMark("star", (0.0, 0.0, 0.0), 0.01),),
    )

    def __init__(self) -> None:
        """Allocate the meshes in the current context; call ``set_tier`` before the first picture."""
        self._dome_programs: dict[tuple[bool, bool], ShaderProgram] = {}
        self._flat_programs: dict[bool, ShaderProgram] = {}
        self._is_full_tier = False
        self._dome_meshes = Mesh(_DOME_LAYOUT), Mesh(_DOME_LAYOUT)
        self._uploaded_domes: dict[int, tuple[layout.SceneDome, ...]] = {}
        self._flat_mesh = Mesh(FLAT_LAYOUT)
        self._uploaded_marks: tuple[layout.SceneMark, ...] | None = None
        self._look = USUAL_LOOK
        self._is_visible, self._time_s = False, 0.0

    def set_tier(self, *, full: bool) -> None:
        """Compile the programs for the full or the plain tier. Raises DisplayError."""
        if full not in self._flat_programs:
            self._flat_programs[full] = _load_program("flat", full=full)
            for hands in (True, False):
                self._dome_programs[full, hands] = _load_program("dome", full=full, hands=hands)
        self._is_full_tier = full

    def set_look(self, look: Look) -> None:
        if look != self._look:
            self._look, self._uploaded_domes = look, {}

    def place_bodies(self, scene: Scene, time_s: float) -> None:
        lake = scene.board if isinstance(scene.board, layout.LakeScene) else None
        self._time_s = time_s
        self._is_visible = lake is not None
        for moving, domes in enumerate(((), ()) if lake is None else (lake.domes, lake.moving)):
            if domes != self._uploaded_domes.get(moving):
                self._uploaded_domes[moving] = domes
                self._dome_meshes[moving].upload(*_build_domes_mesh(domes, self._look))
        if lake is not None and lake.marks != self._uploaded_marks:
            self._uploaded_marks = lake.marks
            self._flat_mesh.upload(*build_flat_mesh(lake))

    @property
    def still_key(self) -> object:
        return self._uploaded_domes[False]

    def find_hulls(self, *, moving: bool) -> Array:
        return _bound_domes(self._uploaded_domes[moving])

    def find_relit_hulls(self, before: object) -> Array | None:
        old_domes, new_domes = cast("tuple[layout.SceneDome, ...]", before), self._uploaded_domes[False]
        if [replace(dome, look="") for dome in old_domes] != [replace(dome, look="") for dome in new_domes]:
            return None
        return _bound_domes(
            [dome for dome, old_dome in zip(new_domes, old_domes, strict=True) if dome != old_dome]
        )

    def draw_shadow(self, caster: ShaderProgram, *, moving: bool) -> None:
        self._dome_meshes[moving].draw(caster)

    def draw_flat(self, inputs: BodyInputs) -> None:
        if self._is_visible:
            flat = self._flat_programs[self._is_full_tier]
            flat.set("pulse", 0.80 + 0.20 * math.sin(2.0 * math.pi * self._time_s / _PULSE_S))
            self._flat_mesh.draw(flat)

    def draw_bodies(self, inputs: BodyInputs, *, moving: bool, hands: bool) -> None:
        self._dome_meshes[moving].draw(self._dome_programs[self._is_full_tier, hands])


def _bound_domes(domes: Sequence[layout.SceneDome]) -> Array:
    feet = np.array([dome.foot for dome in domes]).reshape(-1, 1, 3)
    return np.asarray(feet + _BOX * np.array([dome.scale for dome in domes]).reshape(-1, 1, 1))


def _load_program(name: str, *, full: bool, hands: bool = True) -> ShaderProgram:
    files = (_ART / f"{name}.vert", _ART / f"{name}.frag")
    return ShaderProgram(*files, samplers=BODY_SAMPLERS, full=full, hands=hands)


def find_linear_colour(name: str, look: Look) -> Vec3:
    """Return a pawn's linear colour: the game's own in the usual palette, otherwise the palette's."""
    if look.palette is Palette.USUAL:
        return COLOURS[name]
    red, green, blue = rgb(PALETTES[look.palette]["pieces"][_PATTERNS[name]])
    return (red**_GAMMA, green**_GAMMA, blue**_GAMMA)


def _build_domes_mesh(
    domes: Sequence[layout.SceneDome], look: Look
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    vertices: list[npt.NDArray[np.float32]] = []
    triangles: list[npt.NDArray[np.uint32]] = []
    count = 0
    for dome in domes:
        shape, faces = (_load_dome_shapes()[f"{kind}_{dome.strength}"] for kind in ("vertices", "triangles"))
        rows = np.empty((len(shape), sum(_DOME_LAYOUT)), dtype=np.float32)
        rows[:, :3] = shape[:, :3] * dome.scale + np.array(dome.foot, dtype=np.float32)
        rows[:, 3:6] = shape[:, 3:6]
        rows[:, 6:9] = shape[:, :3]
        rows[:, 9:12] = find_linear_colour(dome.colour, look)
        bold_offset = len(COLOURS) if look.patterns else 0
        rows[:, 12] = dome.strength + _PATTERN_STEP * (_PATTERNS[dome.colour] + bold_offset)
        rows[:, 13:] = look.adapt_rgba(GLOWS[dome.look])
        vertices.append(rows)
        triangles.append(faces + np.uint32(count))
        count += len(rows)
    if not vertices:
        return np.empty((0, sum(_DOME_LAYOUT)), dtype=np.float32), np.empty((0, 3), dtype=np.uint32)
    return np.concatenate(vertices), np.concatenate(triangles)


@lru_cache(maxsize=1)
def load_shore() -> Scenery:
    ground, woods = (load_picture(_ART / name) for name in ("shore.png", "woods.png"))
    return Scenery(ground, (-1.25, -0.65, 2.6, 1.75), woods, MOON)
