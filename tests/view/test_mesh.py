"""Drawn bodies agree with the collision boxes of the physics."""

from __future__ import annotations

import numpy as np
import pytest

from armoon.geometry import Array, mat_from_quat
from armoon.values.pieces import Box, Ladder
from armoon.view.scene.ladder_mesh import make_ladder_mesh
from armoon.view.scene.solids import load_base_mesh
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set

LADDERS = make_ladder_set(5).ladders


def measure_box_gaps(boxes: tuple[Box, ...], points: Array) -> Array:
    """Return the signed distance (n,) from points to the nearest box, negative inside."""
    best = np.full(len(points), np.inf)
    for box in boxes:
        local = (points - np.asarray(box.centre)) @ mat_from_quat(box.rotation)
        q = np.abs(local) - np.asarray(box.half_extents)
        gap = np.linalg.norm(np.maximum(q, 0.0), axis=1) + np.minimum(q.max(axis=1), 0.0)
        best = np.minimum(best, gap)
    return best


def sample_surface(ladder: Ladder, count: int, rng: np.random.Generator) -> Array:
    points = []
    for box in ladder.boxes:
        half = np.asarray(box.half_extents)
        local = rng.uniform(-1.0, 1.0, (count, 3)) * half
        axis = rng.integers(0, 3, count)
        local[np.arange(count), axis] = np.sign(local[np.arange(count), axis]) * half[axis]
        points.append(local @ mat_from_quat(box.rotation).T + np.asarray(box.centre))
    all_points = np.concatenate(points)
    outer: Array = all_points[measure_box_gaps(ladder.boxes, all_points) > -1e-7]
    return outer


def measure_triangle_gaps(points: Array, corners: Array) -> Array:
    """Return the distance (n,) from points to the nearest of triangles (m, 3, 3)."""
    best = np.full(len(points), np.inf)
    for a, b, c in corners:
        normal = np.cross(b - a, c - a)
        area = np.linalg.norm(normal)
        if area < 1e-14:
            continue
        normal /= area
        distances = (points - a) @ normal
        projected = points - distances[:, None] * normal
        inside = np.ones(len(points), dtype=bool)
        edge_gap = np.full(len(points), np.inf)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= np.cross(q - p, projected - p) @ normal >= 0.0
            t = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0.0, 1.0)
            edge_gap = np.minimum(edge_gap, np.linalg.norm(points - p - t[:, None] * (q - p), axis=1))
        best = np.minimum(best, np.where(inside, np.abs(distances), edge_gap))
    return best


@pytest.mark.parametrize("bevelled", [False, True])
@pytest.mark.parametrize("ladder", LADDERS[::12], ids=lambda ladder: ladder.piece)
def test_a_drawn_ladder_matches_its_boxes_except_for_bends_and_bevels(ladder: Ladder, bevelled: bool) -> None:
    vertices, triangles = make_ladder_mesh(ladder, bevelled=bevelled)
    # A bend cuts a corner by 0.25 mm and protrudes as far on the inside; a bevel cuts an edge by 0.18 mm.
    bend, bevel = 0.26e-3, 0.19e-3 if bevelled else 0.0
    assert measure_box_gaps(ladder.boxes, vertices[:, :3].astype(float)).max() < bend
    samples = sample_surface(ladder, 30, np.random.default_rng(1))
    assert len(samples) > 100
    gaps = measure_triangle_gaps(samples, vertices[:, :3].astype(float)[triangles])
    assert gaps.max() < bend + bevel
    assert np.median(gaps) < 0.1e-3


@pytest.mark.parametrize("bevelled", [False, True])
def test_triangles_and_normals_face_outwards(bevelled: bool) -> None:
    for ladder in LADDERS[:6]:
        vertices, triangles = make_ladder_mesh(ladder, bevelled=bevelled)
        a, b, c = (vertices[triangles[:, k], :3] for k in range(3))
        faces = np.cross(b - a, c - a)
        normals = vertices[triangles, 3:6].mean(axis=1)
        solid = np.linalg.norm(faces, axis=1) > 1e-10
        assert (np.einsum("ij,ij->i", faces, normals)[solid] > 0.0).all()
        assert np.allclose(np.linalg.norm(vertices[:, 3:6], axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(("socle", "max_gap_m"), [(False, 0.0155), (True, 0.0055)])
def test_the_drawn_base_matches_its_boxes(socle: bool, max_gap_m: float, full: bool) -> None:
    """A cloud's bulges and a socle's round discs cover every box and extend slightly beyond the boxes."""
    base = make_base(LADDERS[:2])
    vertices, triangles = load_base_mesh(socle=socle, full=full)
    places = vertices[:, :3].astype(float)
    assert triangles.max() < len(vertices)
    assert places[:, 2].min() >= 0.0
    assert np.abs(measure_box_gaps(base.boxes, places[np.unique(triangles)])).max() < max_gap_m
    for box in base.boxes:
        reach = np.asarray(box.centre) + box.half_extents
        assert (places.max(axis=0) > reach - max_gap_m).all()
