"""The rendered hand's surface: its mesh, its binding to the bones and the skin's texture."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrays import Indices

from armoon.synthetic_camera.look import BOX_LOW, HandMesh, load_hand

#: Values of the packaged detail texture: nails from here on, and skin without a crease or spot.
NAIL, PLAIN = 160, 200
#: Edge of the cells from which the packaged mesh was computed, in metres.
VOXEL_M = 0.0040


@pytest.fixture(scope="module")
def mesh() -> HandMesh:
    return load_hand()


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
