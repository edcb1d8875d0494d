"""Names for arrays in the tests' signatures; `armoon.geometry.Array` is an array of floats."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Picture: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]


def differs(a: Picture, b: Picture, by: int = 24) -> Mask:
    """Return where two pictures (h, w, 3) differ by more than this many grey levels in some channel, (h, w)."""
    apart: Mask = np.abs(a.astype(int) - b.astype(int)).max(axis=2) > by
    return apart
