"""The solids on the table and their meshes: ladders, base, lid, die, moths, and halos of highlighted ladders."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from armoon import gl
from armoon.geometry import Array, mat_from_pose, mat_from_quat, pose_apply
from armoon.values.look import USUAL_LOOK, Look
from armoon.values.pieces import Base, Box, Ladder, LadderSet, PieceId
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.values.scene import Scene, SceneDie, SceneMoth, ScenePiece
from armoon.view.mark_shapes import DISC, MARK_LAYOUT, MarkShapes
from armoon.view.scene.board import BODY_SAMPLERS, BodyInputs, GameBodies
from armoon.view.scene.ladder_mesh import MESH_LAYOUT, make_ladder_mesh
from armoon.view.scene.layer import make_box_corners, make_mesh_hulls
from armoon.view.scene.light import GLOWS, MOONLIGHT, Rgba, mix_wood_colour

#: Length of the arrays in the shaders' ``Pieces`` block.
PIECES_MAX = 32
#: Period of the pulsing light on an offered ladder, in seconds.
_PULSE_S = 1.6
#: Shells of a halo, from the widest and palest: distance from the wood, in metres, and strength.
_HALO_SHELLS = ((0.0040, 0.20), (0.0024, 0.32), (0.0011, 0.62))
#: Number of hulls along a ladder. Several cover less of the picture than one around a leaning ladder.
_HULL_COUNT = 4
#: Factor of the halo's strength in high contrast.
_CONTRAST_STRENGTH = 1.8
#: Samplers of each program.
_SAMPLERS = {"ladder": BODY_SAMPLERS, "body": BODY_SAMPLERS, "halo": ("hand_mask",)}
#: Looks that help with aiming and can be turned off, unlike those of touched or faulty ladders.
_AIMING_LOOKS = frozenset({"hover", "held"})
#: Looks with a pulsing light.
_PULSING_LOOKS = frozenset({"offered", "waiting"})


@dataclass(frozen=True)
class TableBodies:
    """The bodies on the table in one game, each of them optional."""

    ladders: LadderSet | None
    base: Base | None
    lid: Pose | None
    board: GameBodies | None = None
    upright: tuple[Pose, float] | None = None
    """A lid standing on its edge: its foot, and the height of its upper edge in metres."""
    socle: bool = False

    @property
    def still_boxes(self) -> npt.NDArray[np.float64]:
        """Corners of boxes around base and lid (n, 8, 3), table frame."""
        boxes: list[tuple[Vec3, Vec3]] = []
        if self.base is not None:
            reach = max(abs(v) + max(box.half_extents) for box in self.base.boxes for v in box.centre[:2])
            boxes.append(((-reach, -reach, 0.0), (reach, reach, self.base.height_m)))
        if self.lid is not None:
            (x, y, _), w, d = self.lid.position, HALF_WIDTH_M, HALF_DEPTH_M
            boxes.append(((x - w, y - d, 0.0), (x + w, y + d, WALL_HEIGHT_M)))
        corners = [list(itertools.product(*zip(low, high, strict=True))) for low, high in boxes]
        return np.array(corners, np.float64).reshape(-1, 8, 3)


class Solids:
    """One game's bodies on the GPU, for one tier."""

    def __init__(self, bodies: TableBodies, mirrored: bool, *, full: bool) -> None:
        """Compile the shaders and upload the meshes. Raises DisplayError if a shader of this tier doesn't compile."""
        self._programs = {
            (name, hands): gl.ShaderProgram(
                f"{name}.vert", f"{name}.frag", samplers=samplers, full=full, hands=hands
            )
            for hands in (True, False)
            for name, samplers in _SAMPLERS.items()
        }
        if bodies.board is not None:
            bodies.board.set_tier(full=full)
        self._board = bodies.board
        self._mirrored = mirrored
        self._pieces = gl.UniformBlock(gl.BLOCKS["Pieces"], PIECES_MAX * 24)
        ladders = () if bodies.ladders is None else bodies.ladders.ladders
        self._index = {ladder.piece: i for i, ladder in enumerate(ladders)}
        self.ladders, self._ranges = _upload_ladders(bodies.ladders, bevelled=full)
        tints = self._pieces.values[PIECES_MAX * 16 : PIECES_MAX * 20].reshape(PIECES_MAX, 4)
        for i, ladder in enumerate(ladders):
            tints[i] = (*mix_wood_colour(ladder.tone), (i * 0.381966) % 1.0)
        self._still: list[tuple[gl.Mesh, float]] = []
        self._hulls: list[Array] = []
        self._base_hulls = self._moth_hulls = np.zeros((0, 8, 3))
        self._base: tuple[gl.Mesh, npt.NDArray[np.float32], npt.NDArray[np.uint32]] | None = None
        self._base_rotation = IDENTITY_POSE
        if bodies.base is not None:
            vertices, triangles = load_base_mesh(socle=bodies.socle, full=full)
            self._base = (_upload_body(vertices, triangles), vertices, triangles)
            self._still.append((self._base[0], 0.0 if bodies.socle else 1.0))
            self._base_hulls = make_mesh_hulls(vertices, triangles)
        lids = [] if bodies.lid is None else [make_lid_mesh(bodies.lid)]
        lids += [] if bodies.upright is None else [make_upright_lid_mesh(*bodies.upright)]
        for vertices, triangles in lids:
            self._still.append((_upload_body(vertices, triangles), 0.0))
        self._upright = self._still[-1] if bodies.upright is not None else None
        self._real_lid: tuple[tuple[Pose, float], gl.Mesh] | None = None
        for vertices, _ in lids:
            places = vertices[:, :3].astype(np.float64)
            self._hulls.append(make_box_corners(places.min(axis=0), places.max(axis=0)))
        self._ladder_hulls = [_make_ladder_hulls(ladder) for ladder in ladders]
        self._looks: dict[PieceId, str] = {}
        self._placed: dict[PieceId, ScenePiece] = {}
        """The ladders as last written to the uniform block, for the settings in ``_placed_with``."""
        self._placed_with: object = None
        self._shown: list[ScenePiece] = []
        self._base_shown = self._others_shown = True
        self._has_stripes = False
        self._moths, self._die_mesh = gl.Mesh((3, 3, 3)), gl.Mesh((3, 3, 3))
        self._die: SceneDie | None = None

    def set_real_lid(self, lid: tuple[Pose, float]) -> None:
        """Replace the drawn upright lid with a real one (foot, upper edge in metres), which hides bodies behind it."""
        if self._real_lid is not None and self._real_lid[0] == lid:
            return
        if self._upright in self._still:
            self._still = [mesh for mesh in self._still if mesh is not self._upright]
        foot, height_m = lid
        middle = pose_apply(foot, (0.0, WALL_HEIGHT_M / 2.0, 0.0))
        self._real_lid = lid, _upload_body(*make_upright_lid_mesh(Pose(middle, foot.rotation), height_m))

    def place_bodies(self, scene: Scene, time_s: float, *, halo: bool, look: Look = USUAL_LOOK) -> None:
        """Upload the poses and looks of a scene; without ``halo``, ladders with ``_AIMING_LOOKS`` don't glow."""
        self._has_stripes = look.patterns
        if self._placed_with != (halo, look):
            self._placed, self._placed_with = {}, (halo, look)
        models = self._pieces.values[: PIECES_MAX * 16].reshape(PIECES_MAX, 16)
        glows = self._pieces.values[PIECES_MAX * 20 :].reshape(PIECES_MAX, 4)
        for piece in scene.pieces:
            if piece == self._placed.get(piece.piece) and piece.look not in _PULSING_LOOKS:
                continue
            self._placed[piece.piece] = piece
            i = self._index[piece.piece]
            name = piece.look if halo or piece.look not in _AIMING_LOOKS else "plain"
            model = mat_from_pose(piece.pose)
            if piece.size != 1.0:
                model[:3, :3] *= piece.size
            models[i] = model.T.ravel()
            r, g, b, strength = look.adapt_rgba(GLOWS[name])
            strength *= piece.glow * (_CONTRAST_STRENGTH if look.contrast else 1.0)
            if name in _PULSING_LOOKS:
                strength *= 0.65 + 0.35 * math.sin(2.0 * math.pi * time_s / _PULSE_S)
            glows[i] = (r, g, b, strength)
            self._looks[piece.piece] = name
        self.select_bodies(scene.pieces)
        self._pieces.upload()
        self._rotate_base(scene.home_from_table)
        moths = make_moths_mesh(scene.moths, time_s)
        self._moths.upload(*moths)
        self._moth_hulls = make_mesh_hulls(*moths)
        if scene.die is not None and scene.die != self._die:
            vertices, triangles = make_die_mesh(scene.die)
            self._die_mesh.upload(vertices, triangles)
            self._die_hull = make_box_corners(vertices[:, :3].min(axis=0), vertices[:, :3].max(axis=0))
        self._die = scene.die
        if self._board is not None:
            self._board.set_look(look)
            self._board.place_bodies(scene, time_s)

    def select_bodies(self, pieces: Sequence[ScenePiece], *, base: bool = True, others: bool = True) -> None:
        """Select the bodies to draw: these ladders, base and lid (``base``), and other moving bodies (``others``)."""
        self._shown, self._base_shown, self._others_shown = list(pieces), base, others

    @property
    def _die_shown(self) -> bool:
        return self._die is not None and (self._others_shown if self._die.is_rolling else self._base_shown)

    def _rotate_base(self, home_from_table: Pose) -> None:
        if self._base is None or home_from_table == self._base_rotation:
            return
        mesh, vertices, triangles = self._base
        matrix = mat_from_pose(home_from_table).astype(np.float32)
        rotated = vertices.copy()
        rotated[:, :3] = vertices[:, :3] @ matrix[:3, :3].T + matrix[:3, 3]
        rotated[:, 3:6] = vertices[:, 3:6] @ matrix[:3, :3].T
        mesh.upload(rotated, triangles)
        self._base_hulls = make_mesh_hulls(rotated, triangles)
        self._base_rotation = home_from_table

    def find_hulls(self) -> Array:
        """Return the corners of boxes around all shown bodies (n, 8, 3), table frame."""
        hulls = [*self._hulls, *self._base_hulls] if self._base_shown else []
        for board, moving in self._shown_boards:
            hulls += list(board.find_hulls(moving=moving))
        if self._others_shown:
            hulls += list(self._moth_hulls)
        if self._die_shown:
            hulls.append(self._die_hull)
        for piece in self._shown:
            matrix = mat_from_pose(piece.pose)
            ladder_hulls = self._ladder_hulls[self._index[piece.piece]] * max(1.0, piece.size)
            hulls += list(ladder_hulls @ matrix[:3, :3].T + matrix[:3, 3])
        return np.array(hulls).reshape(-1, 8, 3)

    @property
    def still_key(self) -> tuple[SceneDie | None, object]:
        die = None if self._die is None or self._die.is_rolling else self._die
        return die, None if self._board is None else self._board.still_key

    def find_relit_hulls(self, before: tuple[SceneDie | None, object]) -> Array | None:
        """Return hulls of bodies that only changed their look since ``before``; None if anything else changed."""
        if self._board is None or before[0] != self.still_key[0]:
            return None
        return self._board.find_relit_hulls(before[1])

    @property
    def _shown_boards(self) -> list[tuple[GameBodies, bool]]:
        kinds = ((False, self._base_shown), (True, self._others_shown))
        return [(self._board, moving) for moving, shown in kinds if shown and self._board is not None]

    def draw_casters(self, caster: gl.ShaderProgram) -> None:
        """Draw the selected bodies with a program; set its uniform ``still`` to 0 for ladders, else 1."""
        caster.set("still", 1.0)
        for mesh, _ in self._still if self._base_shown else ():
            mesh.draw(caster)
        if self._others_shown:
            self._moths.draw(caster)
        for board, moving in self._shown_boards:
            board.draw_shadow(caster, moving=moving)
        if self._die_shown:
            self._die_mesh.draw(caster)
        caster.set("still", 0.0)
        self.ladders.draw_ranges(caster, self._find_ranges(self._shown))

    def _find_ranges(self, pieces: Iterable[ScenePiece]) -> list[tuple[int, int]]:
        return [self._ranges[self._index[piece.piece]] for piece in pieces]

    def draw_flat(self, inputs: BodyInputs) -> None:
        if self._board is not None:
            gl.begin_pass(gl.Blend.PREMULTIPLIED)
            inputs.bind()
            self._board.draw_flat(inputs)

    def draw_solids(self, inputs: BodyInputs, *, hands: bool) -> None:
        """Draw the selected bodies, with ``hands`` behind nearer hands."""
        ladder, body, halo = (self._programs[name, hands] for name in _SAMPLERS)
        gl.set_front_faces(clockwise=self._mirrored)
        inputs.bind()
        if self._real_lid is not None:
            # Draw only the lid's depth, because the camera's picture shows it.
            gl.begin_pass(depth=True, cull="back", write_colour=False)
            body.set("softness", 0.0)
            self._real_lid[1].draw(body)
        gl.begin_pass(depth=True, cull="back")
        self.ladders.draw_ranges(ladder, self._find_ranges(self._shown))
        for mesh, softness in self._still if self._base_shown else ():
            body.set("softness", softness)
            mesh.draw(body)
        if self._others_shown:
            body.set("softness", 0.0)
            self._moths.draw(body)
        if self._die_shown:
            body.set("softness", 0.0)
            self._die_mesh.draw(body)
        for board, moving in self._shown_boards:
            board.draw_bodies(inputs, moving=moving, hands=hands)
        self._draw_halos(halo, inputs.hand_mask)
        gl.begin_pass()

    def _draw_halos(self, halo: gl.ShaderProgram, hand_mask: gl.Texture) -> None:
        """Draw only the back faces of shells around highlighted ladders, so that the wood stays uncovered."""
        looks = [(piece, self._looks[piece.piece]) for piece in self._shown]
        highlighted = self._find_ranges(piece for piece, look in looks if look not in ("plain", "fault"))
        faults = self._find_ranges(piece for piece, look in looks if look == "fault")
        if not highlighted and not faults:
            return
        gl.begin_pass(gl.Blend.LAYERED, depth=True, cull="front", write_depth=False)
        gl.bind_textures(hand_mask)
        for width, strength in _HALO_SHELLS:
            halo.set("width", width)
            halo.set("strength", strength)
            for striped, ranges in ((0.0, highlighted), (float(self._has_stripes), faults)):
                if ranges:
                    halo.set("striped", striped)
                    self.ladders.draw_ranges(halo, ranges)


def _make_ladder_hulls(ladder: Ladder) -> Array:
    """Return hulls along a ladder with its halo (n, 8, 3), piece frame."""
    points = np.concatenate([_find_corners(box) for box in ladder.boxes])
    reach = _HALO_SHELLS[0][0]
    least, greatest = points.min(axis=0) - reach, points.max(axis=0) + reach
    cuts = np.linspace(least[2], greatest[2], _HULL_COUNT + 1)
    ends = [
        (np.array([*least[:2], foot]), np.array([*greatest[:2], head]))
        for foot, head in itertools.pairwise(cuts)
    ]
    return np.array([make_box_corners(low, high) for low, high in ends])


def _find_corners(box: Box) -> Array:
    half = np.array(box.half_extents)
    matrix = mat_from_pose(Pose(box.centre, box.rotation))
    return np.asarray(make_box_corners(-half, half) @ matrix[:3, :3].T + matrix[:3, 3])


def _upload_body(vertices: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> gl.Mesh:
    mesh = gl.Mesh((3, 3, 3))
    mesh.upload(vertices, triangles)
    return mesh


def _upload_ladders(ladders: LadderSet | None, *, bevelled: bool) -> tuple[gl.Mesh, list[tuple[int, int]]]:
    mesh = gl.Mesh((*MESH_LAYOUT, 1))
    vertices: list[npt.NDArray[np.float32]] = []
    triangles: list[npt.NDArray[np.uint32]] = []
    ranges: list[tuple[int, int]] = []
    corners = faces = 0
    for i, ladder in enumerate(() if ladders is None else ladders.ladders):
        points, sides = make_ladder_mesh(ladder, bevelled=bevelled)
        vertices.append(np.column_stack([points, np.full(len(points), i, dtype=np.float32)]))
        triangles.append(sides + np.uint32(corners))
        ranges.append((faces, len(sides)))
        corners += len(points)
        faces += len(sides)
    if vertices:
        mesh.upload(np.concatenate(vertices), np.concatenate(triangles))
    return mesh, ranges


#: Distance of the shadows below base and lid, and their half widths and half depths, in metres.
_HOVER_M = 0.030
_BASE_SHADOW_M, _LID_SHADOW_M = (0.088, 0.070), (0.056, 0.040)
_SHADE: Rgba = (0.02, 0.03, 0.10, 0.62)
#: Faint moonlight in the gap between a body and its shadow, which makes the gap visible.
_GLOW: Rgba = (*MOONLIGHT, 0.10)


class HoverShadows:
    """The shadows that make base and lid seem to hover."""

    def __init__(self, *, base: bool, lid: Pose | None) -> None:
        self._program = gl.ShaderProgram("mark.vert", "hovering.frag", samplers=("hand_mask",))
        self._mesh = gl.Mesh(MARK_LAYOUT)
        places: list[tuple[Vec3, tuple[float, float]]] = [((0.0, 0.0, 0.0), _BASE_SHADOW_M)] if base else []
        if lid is not None:
            places.append((lid.position, _LID_SHADOW_M))
        self._places = places

    def fit_view(self, clip_from_table: Array, width: int, height: int) -> None:
        shapes = MarkShapes(clip_from_table, width, height)
        quads: list[Array] = []
        for (x, y, z), (a, b) in self._places:
            for below, size, colour in ((1.0, 1.0, _SHADE), (0.45, 1.12, _GLOW)):
                centre = (x, y, z - below * _HOVER_M)
                axes = (a * size, 0.0, 0.0), (0.0, b * size, 0.0)
                quads.append(shapes.make_flat(centre, *axes, colour, DISC))
        if quads:
            self._mesh.upload(np.concatenate(quads).astype(np.float32), gl.quad_triangles(len(quads)))

    def draw_shadows(self, hand_mask: gl.Texture) -> None:
        if self._places:
            gl.begin_pass(gl.Blend.OVER)
            gl.bind_textures(hand_mask)
            self._mesh.draw(self._program)


@cache
def _load_meshes() -> dict[str, npt.NDArray[Any]]:
    """Return packaged meshes by name; vertices have 9 columns: position, normal, colour.

    The die's unit is half its edge. Moths are in centimetres, with three rows for each triangle: ``moth_body``, the
    upper side of the right ``moth_wing``, and ``moth_dye``, the strength of the player's colour.
    """
    with np.load(Path(__file__).with_name("meshes.npz")) as archive:
        return dict(archive)


def load_base_mesh(*, socle: bool, full: bool) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return cached vertices (n, 9: position, normal, colour), table frame, and triangles (m, 3)."""
    name = f"{'socle' if socle else 'cloud'}_{'full' if full else 'plain'}"
    return _load_meshes()[f"{name}_vertices"], _load_meshes()[f"{name}_triangles"]


#: Half the outer width and depth of the lid, in metres, with room for the widest ladder (45 mm) and fingers.
HALF_WIDTH_M, HALF_DEPTH_M = 0.045, 0.028
WALL_HEIGHT_M = 0.024
#: Half width of the upright lid, in metres, small enough to fit beside the base.
UPRIGHT_HALF_WIDTH_M = 0.055
WALL_M = 0.0022
#: Height of the raised floor, in metres, just below the offered ladder's foot.
FLOOR_M = 0.0195
LACQUER: Vec3 = (0.020, 0.034, 0.115)
LACQUER_INSIDE: Vec3 = (0.050, 0.075, 0.200)
GOLD_RIM: Vec3 = (0.62, 0.46, 0.20)


def make_lid_mesh(lid: Pose) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return vertices (n, 9: position, normal, colour), table frame, and triangles (m, 3)."""
    w, d, t = HALF_WIDTH_M, HALF_DEPTH_M, WALL_M
    rim = WALL_HEIGHT_M - 0.0015
    parts: list[tuple[Vec3, Vec3, Vec3]] = [
        ((0.0, 0.0, FLOOR_M / 2), (w - t, d - t, FLOOR_M / 2), LACQUER_INSIDE)
    ]
    for low, high, colour in ((0.0, rim, LACQUER), (rim, WALL_HEIGHT_M, GOLD_RIM)):
        z, half = (low + high) / 2.0, (high - low) / 2.0
        for side in (-1.0, 1.0):
            parts.append(((side * (w - t / 2), 0.0, z), (t / 2, d, half), colour))
            parts.append(((0.0, side * (d - t / 2), z), (w - t, t / 2, half), colour))
    return _build_lid(parts, lid)


def _build_lid(
    parts: list[tuple[Vec3, Vec3, Vec3]], lid: Pose
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    blocks = [_make_box(centre, half, colour) for centre, half, colour in parts]
    vertices = np.concatenate(blocks)
    rotation = mat_from_quat(lid.rotation)
    vertices[:, 0:3] = vertices[:, 0:3] @ rotation.T + np.asarray(lid.position)
    vertices[:, 3:6] = vertices[:, 3:6] @ rotation.T
    corner = np.arange(len(vertices) // 4)[:, None] * 4
    triangles = (corner + np.array([[0, 1, 2, 0, 2, 3]])).reshape(-1, 3)
    return vertices.astype(np.float32), triangles.astype(np.uint32)


def make_upright_lid_mesh(
    foot: Pose, height_m: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return a mesh like ``make_lid_mesh`` of a lid that stands on its edge; ``height_m``: the upper edge's height."""
    w, d, t, half = UPRIGHT_HALF_WIDTH_M, WALL_HEIGHT_M / 2.0, WALL_M, height_m / 2.0
    parts: list[tuple[Vec3, Vec3, Vec3]] = [((0.0, d - t / 2, half), (w, t / 2, half), LACQUER_INSIDE)]
    for side in (-1.0, 1.0):
        parts.append(((side * (w - t / 2), -t / 2, half), (t / 2, d - t / 2, half), LACQUER))
        edge = half + side * (half - t / 2)
        parts.append(((0.0, -t / 2, edge), (w - t, d - t / 2, t / 2), GOLD_RIM if side > 0 else LACQUER))
    return _build_lid(parts, foot)


def _make_box(centre: Vec3, half: Vec3, colour: Vec3) -> npt.NDArray[np.float64]:
    faces = []
    for axis, side in itertools.product(range(3), (-1, 1)):
        u, v = (axis + side) % 3, (axis - side) % 3  # counter-clockwise, seen from outside
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            point, normal = np.array(centre, dtype=np.float64), np.zeros(3)
            point[axis] += side * half[axis]
            point[u] += a * half[u]
            point[v] += b * half[v]
            normal[axis] = side
            faces.append(np.concatenate([point, normal, colour]))
    return np.array(faces)


#: Linear colour of the die.
_BONE: Vec3 = (0.86, 0.78, 0.60)
#: Share by which the sides of a die at rest fade to the die's colour; minimum z of the normals of its upper face.
_SIDE_FADE, _MIN_UPWARD = 0.88, 0.9


def make_die_mesh(die: SceneDie) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return vertices (n, 9), table frame, and triangles (m, 3); a die at rest has paler sides."""
    vertices, triangles = _load_meshes()["die_vertices"], _load_meshes()["die_triangles"]
    turn = mat_from_quat(die.pose.rotation).T
    placed = vertices.copy()
    placed[:, :3] = vertices[:, :3] @ turn * (die.edge_m / 2.0) + np.array(die.pose.position)
    placed[:, 3:6] = vertices[:, 3:6] @ turn
    if not die.is_rolling:
        is_side = placed[:, 5:6] < _MIN_UPWARD
        placed[:, 6:] += np.where(is_side, _SIDE_FADE, 0.0) * (np.array(_BONE) - placed[:, 6:])
    return placed.astype(np.float32), triangles


_LEGS: Vec3 = (0.30, 0.10, 0.10)
#: Colour of a moth's wings without a player's colour.
_GOLD: Vec3 = (0.80, 0.55, 0.10)
#: Wing beats per second: slow for a moth, but fast enough to look like flying with a load.
WING_BEAT_HZ = 5.0
#: Amplitude of the wings, and their mean elevation.
SWING_RAD, RAISED_RAD = math.radians(38.0), math.radians(14.0)
#: Height of a moth above the held ladder, in metres.
MOTH_ABOVE_M = 0.030
#: Tilt of a moth's body away from the viewer, which makes its back visible.
MOTH_LEAN_RAD = math.radians(28.0)

Rows = npt.NDArray[np.float64]


def make_moths_mesh(
    moths: Sequence[SceneMoth], time_s: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
    """Return vertices (n, 9: position, normal, colour), table frame, and triangles (m, 3)."""
    corners = [_make_moth(moth, time_s) for moth in moths]
    if not corners:
        return np.empty((0, 9), dtype=np.float32), np.empty((0, 3), dtype=np.uint32)
    vertices = np.concatenate(corners).astype(np.float32)
    return vertices, np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3)


def _make_moth(moth: SceneMoth, time_s: float) -> Rows:
    beat = math.sin(math.tau * WING_BEAT_HZ * time_s)
    wings = [_make_wing(moth.colour or _GOLD, side, RAISED_RAD + SWING_RAD * beat) for side in (1.0, -1.0)]
    parts = np.concatenate([*wings, _load_meshes()["moth_body"]])
    c, s = math.cos(MOTH_LEAN_RAD), math.sin(MOTH_LEAN_RAD)
    lean: Rows = np.array([[1.0, 0.0, 0.0], [0.0, s, -c], [0.0, c, s]])
    placed = parts.copy()
    bob = 0.003 * math.sin(math.tau * WING_BEAT_HZ * time_s + 2.0)
    x, y, z = moth.place
    placed[:, 0:3] = parts[:, 0:3] @ lean.T * 0.01 + np.array([x, y, z + MOTH_ABOVE_M + bob])
    placed[:, 3:6] = parts[:, 3:6] @ lean.T
    return np.concatenate([placed, _make_legs(np.array(moth.place), bob)])


def _make_wing(colour: Vec3, side: float, raised_rad: float) -> Rows:
    top, dye = _load_meshes()["moth_wing"].copy(), _load_meshes()["moth_dye"]
    top[dye > 0.0, 6:] = np.minimum(1.0, dye[dye > 0.0, None] * colour)
    below = top.copy()
    below[:, 2] *= -1.0
    below[:, 5] *= -1.0
    # Lower faces need the opposite winding, and so does the mirrored left wing.
    below = below.reshape(-1, 3, 9)[:, ::-1].reshape(-1, 9)
    rows: Rows = np.concatenate([top, below])
    c, s = math.cos(raised_rad), math.sin(raised_rad)
    turn = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
    rows[:, 0:3] = rows[:, 0:3] @ turn.T
    rows[:, 3:6] = rows[:, 3:6] @ turn.T
    if side < 0.0:
        rows[:, 0] *= -1.0
        rows[:, 3] *= -1.0
        rows = rows.reshape(-1, 3, 9)[:, ::-1].reshape(-1, 9)
    return rows


def _make_legs(hold: Rows, bob: float) -> Rows:
    rows = []
    top = hold + np.array([0.0, 0.0, MOTH_ABOVE_M + bob])
    for side in (-1.0, 1.0):
        a = top + np.array([0.004 * side, 0.0, -0.002])
        b = hold + np.array([0.0025 * side, 0.0, 0.0])
        width = np.array([0.0007, 0.0, 0.0])
        for ring in ((a - width, b - width, b + width), (a - width, b + width, a + width)):
            rows += [[*point, 0.0, -1.0, 0.0, *_LEGS] for point in ring]
    vertices: Rows = np.array(rows)
    return vertices
