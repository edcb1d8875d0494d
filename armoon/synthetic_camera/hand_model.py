"""The rendered hand, mesh and skin detail together: packaged ready made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]
Texels = npt.NDArray[np.uint8]

SHIPPED = Path(__file__).with_name("hand.npz")
#: The box around the resting hand in the hand frame; it cuts the forearm inside the sleeve.
BOX_LOW = np.array([-0.115, -0.085, -0.055])
BOX_HIGH = np.array([0.216, 0.127, 0.045])
#: Edge of a texel of the skin's detail: creases are about 1 mm wide.
TEXEL_M = 0.0012


@dataclass(frozen=True, eq=False)
class HandMesh:
    """One right hand at rest, with its sleeve, ready for the vertex shader."""

    positions: Floats
    """(n, 3) in the hand frame."""
    normals: Floats
    """(n, 3), unit."""
    bones: Floats
    """(n, 4) bone numbers, the strongest first."""
    weights: Floats
    """(n, 4), each row sums to 1."""
    surface: Floats
    """(n, 2): openness to the sky 0 to 1; 0 for skin, 1 for cloth."""
    triangles: Indices
    """(m, 3), counter-clockwise seen from outside."""


@dataclass(frozen=True, eq=False)
class HandModel:
    """The data for the renderer: a mesh and the solid texture of its skin."""

    mesh: HandMesh
    detail: Texels
    """(nz, ny, nx, 4) over the mesh's box: brightness (200 plain), redness, palm side, nail."""


def load_hand_model() -> HandModel:
    """Read the hand that comes along."""
    with np.load(SHIPPED, allow_pickle=False) as arrays:
        mesh = HandMesh(**{field.name: arrays[field.name] for field in fields(HandMesh)})
        return HandModel(mesh, arrays["detail"])
