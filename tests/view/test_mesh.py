"""Drawn bodies agree with the boxes that physics judges."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from armoon.games.moon.rules.editions import EDITIONS, EditionName
from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Base, Box, Ladder
from armoon.values.poses import IDENTITY_QUAT, Pose
from armoon.view.scene.ladder_mesh import BAR_STEP, END_GRAIN, ladder_mesh
from armoon.view.scene.meshes import FLOOR_M, HALF_WIDTH_M, WALL_HEIGHT_M, cloud_mesh, lid_mesh, socle_mesh
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set

LADDERS = make_ladder_set(5).ladders


def outside_distance(boxes: tuple[Box, ...], points: Array) -> Array:
    """Signed distance (n,) from points to the nearest box; inside it is minus the depth under the surface."""
    best = np.full(len(points), np.inf)
    for box in boxes:
        local = (points - np.asarray(box.centre)) @ mat_from_quat(box.rotation)
        q = np.abs(local) - np.asarray(box.half_extents)
        gap = np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)
        best = np.minimum(best, gap)
    return best


def surface_samples(ladder: Ladder, count: int, rng: np.random.Generator) -> Array:
    """Points on the boxes' faces that no other box hides."""
    points = []
    for box in ladder.boxes:
        half = np.asarray(box.half_extents)
        local = rng.uniform(-1.0, 1.0, (count, 3)) * half
        axis = rng.integers(0, 3, count)
        local[np.arange(count), axis] = np.sign(local[np.arange(count), axis]) * half[axis]
        points.append(local @ mat_from_quat(box.rotation).T + np.asarray(box.centre))
    all_points = np.concatenate(points)
    seen: Array = all_points[outside_distance(ladder.boxes, all_points) > -1e-7]
    return seen


def triangle_distance(points: Array, corners: Array) -> Array:
    """Distance (n,) from points to the nearest of triangles (m, 3, 3), by projection and clamped edges."""
    best = np.full(len(points), np.inf)
    for a, b, c in corners:
        normal = np.cross(b - a, c - a)
        area = np.linalg.norm(normal)
        if area < 1e-14:
            continue
        normal /= area
        away = (points - a) @ normal
        foot = points - away[:, None] * normal
        inside = np.ones(len(points), dtype=bool)
        edge_gap = np.full(len(points), np.inf)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= np.cross(q - p, foot - p) @ normal >= 0.0
            t = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
            edge_gap = np.minimum(edge_gap, np.linalg.norm(points - p - t[:, None] * (q - p), axis=1))
        best = np.minimum(best, np.where(inside, np.abs(away), edge_gap))
    return best


@pytest.mark.parametrize("bevelled", [False, True])
@pytest.mark.parametrize("ladder", LADDERS[::6], ids=lambda ladder: ladder.piece)
def test_drawn_ladder_lies_where_its_boxes_are_but_for_bends_and_bevels(
    ladder: Ladder, bevelled: bool
) -> None:
    vertices, triangles = ladder_mesh(ladder, bevelled=bevelled)
    # A bend cuts a corner by 0.25 mm and stands out as far inside of it; a bevel takes 0.18 mm of an edge.
    bend, bevel = 0.26e-3, 0.19e-3 if bevelled else 0.0
    assert outside_distance(ladder.boxes, vertices[:, :3].astype(float)).max() < bend
    samples = surface_samples(ladder, 30, np.random.default_rng(1))
    assert len(samples) > 100
    gaps = triangle_distance(samples, vertices[:, :3].astype(float)[triangles])
    assert gaps.max() < bend + bevel
    assert np.median(gaps) < 0.1e-3


def test_a_rail_bends_over_a_stretch_and_ends_where_it_was_cut() -> None:
    ladder = max(LADDERS, key=_sharpest_rad)
    bend = _sharpest_rad(ladder)
    assert bend > 0.3
    vertices, triangles = ladder_mesh(ladder, bevelled=True)
    # From triangle to triangle along a rail the wood never turns by nearly as much as its axis does there.
    sides = vertices[:, 6] < END_GRAIN / 2.0
    ends = vertices[~sides]
    # A rung's pegs, which come through the rails, have sharp edges.
    rungs = sum(box.role == "rung" for box in ladder.boxes)
    assert len(ends) == 8 * 2 * (2 + rungs) + 4 * 2 * 2 * rungs
    turns = [
        float(np.arccos(np.clip(vertices[a, 3:6] @ vertices[b, 3:6], -1.0, 1.0)))
        for a, b in np.concatenate([triangles[:, :2], triangles[:, 1:]])
        if sides[a] and sides[b] and abs(vertices[a, 7] - vertices[b, 7]) < 1e-6
    ]
    assert max(turns) < 0.5 * bend


def _sharpest_rad(ladder: Ladder) -> float:
    """By how much the axis of a rail turns at its sharpest joint."""
    turns = [0.0]
    for rail in ladder.rails:
        ways = np.diff(np.asarray(rail), axis=0)
        ways /= np.linalg.norm(ways, axis=1, keepdims=True)
        turns += [float(np.arccos(min(1.0, a @ b))) for a, b in itertools.pairwise(ways)]
    return max(turns)


@pytest.mark.parametrize("bevelled", [False, True])
def test_no_two_ladders_are_painted_alike(bevelled: bool) -> None:
    """By paint alone, whatever their shape: colour, and which ends, stretches or rungs of it are covered."""
    marks = set()
    for ladder in LADDERS:
        vertices, _ = ladder_mesh(ladder, bevelled=bevelled)
        colours = np.unique(vertices[:, 8:11], axis=0)
        assert len(colours) == 1
        covered = []
        for bar in range(2 + len(ladder.rungs)):
            own = vertices[np.round(vertices[:, 7] / BAR_STEP - 0.02) == bar]
            reach = own[np.argsort(own[:, 2]), 11]  # from foot to head; linear between vertices
            covered.append((abs(reach[0]) < 1.0, reach.min() < 0.0 < reach.max(), abs(reach[-1]) < 1.0))
        rungs = [any(rung) for rung in covered[2:]]
        assert any(map(any, covered)), ladder.piece
        marks.add((*colours[0], *covered[:2], any(rungs)))
    assert len(marks) == len(LADDERS)


def test_a_peg_comes_through_the_rail_where_its_rung_ends() -> None:
    for ladder in LADDERS[::5]:
        sharp, bevelled = (
            ladder_mesh(ladder, bevelled=bevelled)[0][:, :3].astype(float) for bevelled in (False, True)
        )
        pegs = bevelled[-16 * 2 * len(ladder.rungs) :].reshape(-1, 16, 3)
        ends = np.array([rung[side] for side in (0, 1) for rung in ladder.rungs])
        assert np.linalg.norm(pegs.mean(axis=1) - ends, axis=1).max() < 0.002
        proud = [outside_distance(ladder.boxes, peg).max() for peg in pegs]
        assert min(proud) > 0.1e-3
        assert outside_distance(ladder.boxes, sharp).max() < 0.26e-3


@pytest.mark.parametrize("bevelled", [False, True])
def test_triangles_and_normals_face_outwards(bevelled: bool) -> None:
    for ladder in LADDERS[:6]:
        vertices, triangles = ladder_mesh(ladder, bevelled=bevelled)
        a, b, c = (vertices[triangles[:, k], :3] for k in range(3))
        faces = np.cross(b - a, c - a)
        normals = vertices[triangles, 3:6].mean(axis=1)
        solid = np.linalg.norm(faces, axis=1) > 1e-10
        assert (np.einsum("ij,ij->i", faces, normals)[solid] > 0.0).all()
        assert np.allclose(np.linalg.norm(vertices[:, 3:6], axis=1), 1.0, atol=1e-5)


def test_rails_without_matching_boxes_are_drawn_box_by_box() -> None:
    box = Box((0.0, 0.0, 0.0), IDENTITY_QUAT, (0.002, 0.002, 0.05), "rail")
    ladder = Ladder("L01", True, (box,), 0.003, (1e-6, 1e-6, 1e-6), 0.1, 0.5)
    vertices, _ = ladder_mesh(ladder, bevelled=False)
    assert np.abs(vertices[:, :3]).max(axis=0) == pytest.approx(box.half_extents)


def test_cloud_stays_near_its_boxes_and_on_the_table() -> None:
    boxes = (
        Box((0.0, 0.0, 0.011), IDENTITY_QUAT, (0.05, 0.04, 0.011), "base"),
        Box((0.05, 0.0, 0.009), IDENTITY_QUAT, (0.03, 0.03, 0.009), "base"),
    )
    vertices, triangles = cloud_mesh(Base(boxes, 0.022, ()))
    assert vertices[:, 2].min() >= 0.0
    assert outside_distance(boxes, vertices[:, :3].astype(float)).max() < 0.012
    assert vertices[:, :3].max(axis=0)[0] == pytest.approx(0.08, abs=0.01)
    assert triangles.max() < len(vertices)


def test_the_socle_is_where_ladders_touch_it() -> None:
    base = make_base((), "default")
    vertices, triangles = socle_mesh(base)
    places = vertices[:, :3].astype(float)
    assert places[:, 2].min() == 0.0
    assert places[:, 2].max() == pytest.approx(base.height_m)
    assert outside_distance(base.boxes, places).max() < 0.006  # at the step between wall and shoulder
    a, b, c = (places[triangles[:, k]] for k in range(3))
    faces = np.cross(b - a, c - a)
    solid = np.linalg.norm(faces, axis=1) > 1e-10
    assert (np.einsum("ij,ij->i", faces, vertices[triangles, 3:6].mean(axis=1))[solid] > 0.0).all()


@pytest.mark.parametrize("edition", EditionName)
def test_an_edition_that_speaks_of_a_cloud_shows_one(edition: EditionName) -> None:
    assert EDITIONS[edition].socle == (EDITIONS[edition].words["base"] != "word.cloud")


def test_lid_is_a_tray_where_its_pose_says() -> None:
    vertices, _ = lid_mesh(Pose((0.17, 0.01, 0.0)))
    assert vertices[:, 0].min() == pytest.approx(0.17 - HALF_WIDTH_M)
    assert vertices[:, 2].max() == pytest.approx(WALL_HEIGHT_M)
    middle = vertices[(np.abs(vertices[:, 5] - 1.0) < 1e-6) & (vertices[:, 2] < FLOOR_M + 1e-6)]
    assert middle[:, 2].max() == pytest.approx(FLOOR_M)
