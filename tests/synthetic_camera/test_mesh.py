"""The rendered hand's surface: its mesh, its binding to the bones, the skin's texture and the cache."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hand_model.flesh import ball, gradient, hand_distance, melt, round_cone
from hand_model.mesh import VOXEL_M, build_hand_mesh
from hand_model.skin_detail import NAIL, PLAIN, paint_skin_detail
from hand_model.surface_nets import surface_nets
from support.arrays import Indices

from armoon.geometry import Array
from armoon.synthetic_camera.anatomy import BONES, FOREARM_BONE, RADII, REST
from armoon.synthetic_camera.hand_model import BOX_LOW, TEXEL_M, HandMesh, HandModel, load_hand_model


@pytest.fixture(scope="module")
def model() -> HandModel:
    return load_hand_model()


@pytest.fixture(scope="module")
def mesh(model: HandModel) -> HandMesh:
    return model.mesh


def grid(low: float, high: float, n: int) -> Array:
    axis = np.linspace(low, high, n)
    points: Array = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    return points


def signed_volume(points: Array, triangles: Indices) -> float:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def edge_counts(triangles: Indices) -> tuple[Indices, Indices]:
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(ends, axis=1), axis=0, return_counts=True)


def test_surface_nets_close_a_ball_and_face_outwards() -> None:
    n, radius = 25, 0.7
    values = ball(grid(-1.0, 1.0, n), (0.0, 0.0, 0.0), radius).reshape(n, n, n)
    points, triangles = surface_nets(values, np.full(3, -1.0), 2.0 / (n - 1))
    assert np.linalg.norm(points, axis=1) == pytest.approx(radius, abs=0.01)
    assert signed_volume(points, triangles) == pytest.approx(4.0 / 3.0 * np.pi * radius**3, rel=0.03)
    _, uses = edge_counts(triangles)
    assert set(uses) == {2}


def test_surface_nets_of_a_plane_lie_on_it_and_stay_open() -> None:
    n = 9
    points, triangles = surface_nets(grid(-1.0, 1.0, n)[:, 2].reshape(n, n, n) - 0.1, np.full(3, -1.0), 0.25)
    assert points[:, 2] == pytest.approx(0.1)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    assert np.all(np.cross(b - a, c - a)[:, 2] > 0.0)
    assert 1 in edge_counts(triangles)[1]


def test_a_round_cone_is_the_hull_of_its_balls() -> None:
    points = np.random.default_rng(1).uniform(-1.0, 2.0, (400, 3))
    start, end, wide, narrow = np.zeros(3), np.array([1.0, 0.2, 0.0]), 0.4, 0.15
    shares = np.linspace(0.0, 1.0, 400)[:, None, None]
    centres = start + shares * (end - start)
    radii = wide + shares[..., 0] * (narrow - wide)
    nearest = (np.linalg.norm(points - centres, axis=2) - radii).min(axis=0)
    assert round_cone(points, start, end, wide, narrow) == pytest.approx(nearest, abs=2e-3)


def test_melting_rounds_only_where_the_parts_meet() -> None:
    a, b = np.array([0.0, 0.0, 0.3]), np.array([0.0, 0.3, 0.0])
    melted = melt(a, b, 0.1)
    assert melted[0] == pytest.approx(-0.025)
    assert melted[1:] == pytest.approx([0.0, 0.0])


def test_all_landmarks_lie_in_the_flesh() -> None:
    assert np.all(hand_distance(REST) < -0.55 * RADII)


def test_skin_lies_on_the_distance_fields_surface(mesh: HandMesh) -> None:
    skin = mesh.positions[mesh.surface[:, 1] == 0.0].astype(float)
    assert np.abs(hand_distance(skin)).max() < 3e-4
    slope = gradient(hand_distance, skin)
    normals = mesh.normals[mesh.surface[:, 1] == 0.0]
    along = np.einsum("ij,ij->i", normals, slope) / np.linalg.norm(slope, axis=1)
    assert along.min() > 0.99


def test_skin_is_closed_but_for_the_arm_inside_the_sleeve(mesh: HandMesh) -> None:
    skin = np.flatnonzero(mesh.surface[:, 1] == 0.0)
    ends, uses = edge_counts(mesh.triangles[(mesh.triangles <= skin.max()).all(axis=1)].astype(int))
    assert np.all((uses == 1) | (uses % 2 == 0))  # four where fingers touch within one cell
    assert (uses > 2).mean() < 0.001
    rim = mesh.positions[ends[uses == 1].ravel(), 0]
    assert rim.max() < BOX_LOW[0] + 2.0 * VOXEL_M


def test_triangles_face_the_way_their_normals_do(mesh: HandMesh) -> None:
    a, b, c = (mesh.positions[mesh.triangles[:, k]] for k in range(3))
    face = np.cross(b - a, c - a)
    facing = np.einsum("ij,ij->i", face, mesh.normals[mesh.triangles].sum(axis=1))
    assert (facing > 0.0).mean() > 0.999


def test_the_sleeve_faces_outwards(mesh: HandMesh) -> None:
    sleeve = (mesh.surface[:, 1] == 1.0) & (mesh.positions[:, 0] < -0.10)
    outward = mesh.positions[sleeve] * (0.0, 1.0, 1.0)
    assert np.all(np.einsum("ij,ij->i", mesh.normals[sleeve], outward) > 0.0)


def test_weights_are_shares(mesh: HandMesh) -> None:
    assert mesh.weights.min() >= 0.0
    assert mesh.weights.sum(axis=1) == pytest.approx(np.ones(len(mesh.weights)), abs=1e-5)
    assert mesh.bones.min() >= 0
    assert mesh.bones.max() == BONES - 1


@pytest.mark.parametrize("finger", range(5))
def test_a_fingertip_follows_its_own_last_bone_alone(mesh: HandMesh, finger: int) -> None:
    tip = np.linalg.norm(mesh.positions - REST[4 * finger + 4], axis=1) < 0.010
    assert tip.sum() > 20
    assert np.all(mesh.bones[tip, 0] == 2 + 3 * finger + 2)
    assert mesh.weights[tip, 0].min() > 0.9


def test_no_skin_beyond_the_knuckles_follows_two_fingers(mesh: HandMesh) -> None:
    beyond = mesh.positions[:, 0] > 0.115
    finger = (mesh.bones[beyond] - 2) // 3
    pulled = mesh.weights[beyond] > 0.0
    strongest = finger[:, :1]
    assert np.all((finger == strongest) | ~pulled)


def test_the_sleeve_follows_the_forearm(mesh: HandMesh) -> None:
    sleeve = mesh.surface[:, 1] == 1.0
    assert np.all(mesh.bones[sleeve, 0] == FOREARM_BONE)
    assert mesh.weights[sleeve, 0] == pytest.approx(1.0)


def test_folds_are_darker_than_the_back_of_the_hand(mesh: HandMesh) -> None:
    def openness(point: tuple[float, float, float]) -> float:
        return float(mesh.surface[np.linalg.norm(mesh.positions - point, axis=1).argmin(), 0])

    between_fingers = tuple((REST[9] + REST[5]) / 2.0 + (0.006, 0.0, 0.0))
    assert openness(between_fingers) < 0.75 * openness((0.055, 0.0, 0.02))


def test_nails_are_on_the_back_and_creases_darken(model: HandModel) -> None:
    z, y, x = np.nonzero(model.detail[..., 3] >= NAIL)
    centres = BOX_LOW + TEXEL_M * (np.column_stack([x, y, z]) + 0.5)
    for f in range(1, 5):
        near = np.linalg.norm(centres - REST[4 * f + 4], axis=1) < 0.012
        assert near.sum() > 20
        assert centres[near, 2].mean() > REST[4 * f + 4, 2] + 0.003
    brightness = model.detail[..., 0]
    assert (brightness < 0.8 * PLAIN).sum() > 1000
    assert np.median(brightness) == PLAIN


def test_building_again_gives_the_same_mesh() -> None:
    one, again = build_hand_mesh(), build_hand_mesh()
    assert all(np.array_equal(getattr(one, f.name), getattr(again, f.name)) for f in fields(HandMesh))


def test_the_hand_that_comes_along_is_what_the_code_builds(model: HandModel) -> None:
    """After a change to the hand's code: ``scripts/build-hand``."""
    again = build_hand_mesh()
    for field in fields(HandMesh):
        shipped, now = getattr(model.mesh, field.name), getattr(again, field.name)
        assert shipped.shape == now.shape
        assert np.allclose(shipped, now, atol=1e-6), field.name
    assert np.abs(model.detail.astype(int) - paint_skin_detail()).max() <= 1
