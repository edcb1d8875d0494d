"""Build the rendered hand and write it into the package."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from armoon.synthetic_camera.hand_model import SHIPPED
from hand_model.mesh import build_hand_mesh
from hand_model.skin_detail import paint_skin_detail

np.savez_compressed(SHIPPED, detail=paint_skin_detail(), **asdict(build_hand_mesh()))
