"""Types of arrays in the tests; for arrays of floats use `armoon.geometry.Array`."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Picture: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]


def differs(a: Picture, b: Picture, by: int = 24) -> Mask:
    """Return a mask (h, w) of the pixels in which two pictures (h, w, 3) differ by more than ``by`` in some channel."""
    mask: Mask = np.abs(a.astype(int) - b.astype(int)).max(axis=2) > by
    return mask
