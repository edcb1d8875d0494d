"""The rendered hand's surface: its mesh, its binding to the bones and the skin's texture."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import Indices

from armoon.synthetic_camera.anatomy import BONES, FOREARM_BONE, REST
from armoon.synthetic_camera.look import BOX_LOW, TEXEL_M, HandMesh, HandModel, load_hand_model

#: Values of the packaged detail texture: nails from here on, and skin without a crease or spot.
NAIL, PLAIN = 160, 200
#: Edge of the cells from which the packaged mesh was computed, in metres.
VOXEL_M = 0.0040


@pytest.fixture(scope="module")
def model() -> HandModel:
    return load_hand_model()


@pytest.fixture(scope="module")
def mesh(model: HandModel) -> HandMesh:
    return model.mesh


def edge_counts(triangles: Indices) -> tuple[Indices, Indices]:
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    return np.unique(np.sort(ends, axis=1), axis=0, return_counts=True)


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
