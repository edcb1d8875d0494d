"""The lake's shore for who has no camera: sand around the water, grass behind it, and woods under the night's sky."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from armoon.games.lake.table.layout import BLUNTNESS, CENTRE_X_M, CENTRE_Y_M, HALF_DEPTH_M, HALF_WIDTH_M
from armoon.view.scene.scenery import MOON, Scenery, ground_grid, mist, night_sky, noise, opaque, smooth

#: Left and near edge, width and depth of what is painted, metres, and in how many pixels.
_AREA, _PIXELS = (-1.25, -0.65, 2.6, 1.75), (1344, 896)
_DEEP, _WET, _SAND, _GRASS, _DARK_GRASS = (
    np.array(colour)
    for colour in (
        (0.07, 0.13, 0.22),
        (0.27, 0.25, 0.25),
        (0.50, 0.44, 0.38),
        (0.235, 0.340, 0.240),
        (0.120, 0.185, 0.175),
    )
)
#: Far woods, and nearer ones.
_WOODS = ((0.120, 0.140, 0.250), (0.070, 0.100, 0.150))


@lru_cache(maxsize=1)
def lake_shore() -> Scenery:
    """Return the shore; where domes stand it is of sand, which moonlight warms."""
    x, y = ground_grid(_AREA, *_PIXELS)
    across, away = np.abs(x - CENTRE_X_M) / HALF_WIDTH_M, np.abs(y - CENTRE_Y_M) / HALF_DEPTH_M
    # 1 where the domes stand, less on the water.
    out = (across**BLUNTNESS + away**BLUNTNESS) ** (1.0 / BLUNTNESS)
    ragged = noise(x.shape, (70, 90), 1) - 0.5
    grain = 0.86 + 0.28 * np.random.default_rng(2).random(x.shape, dtype=np.float32)
    blades = noise(x.shape, (x.shape[0] // 3, x.shape[1] // 2), 3)
    shown = _DARK_GRASS + (_GRASS - _DARK_GRASS) * (0.55 * mist(x.shape, 4) + 0.45 * blades)[..., None]
    steps = (
        (_SAND * grain[..., None], 1.42, 0.20, 0.35),
        (_WET, 0.965, 0.05, 0.02),
        (_DEEP, 0.90, 0.06, 0.02),
    )
    for colour, edge, soft, wild in steps:
        inside = smooth(0.5 + (edge + wild * ragged - out) / soft)[..., None]
        shown = shown + inside * (colour - shown)
    pool = np.exp(-((out / 1.7) ** 4))[..., None]
    shown = shown * (0.72 + 0.42 * pool) + pool * np.array([0.035, 0.022, 0.0])
    picture = opaque(shown)
    picture[..., 3] = np.round(255.0 * smooth((0.86 + 0.30 * noise(x.shape, (12, 24), 5) - y) / 0.10))
    return Scenery(picture, _AREA, night_sky(*_WOODS), MOON)
