"""What stands still is drawn once: pictures look no different for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support import table_pictures as table
from support.arrays import Picture

from armoon.gl.surface import HeadlessSurface
from armoon.values.poses import Pose
from armoon.values.scene import Mood, Scene, ScenePiece

pytestmark = pytest.mark.gl

#: An edge between two bodies of different layers may differ by a part of a pixel's samples.
MEAN, OFF, FEW = 0.2, 24, 0.002
SURFACE = (table.WIDTH, table.HEIGHT, table.RENDERERS)


def above(height_m: float, look: str = "held") -> ScenePiece:
    """The spare ladder over the structure, on which its shadow falls."""
    return ScenePiece(table.HELD, Pose((-0.04, 0.02, height_m), (0.27, 0.65, 0.27, 0.65)), look)


def evening() -> list[Scene]:
    """Pictures of a game one after the other: each begins with what the one before has left."""
    rest = table.scene()
    fallen = tuple(
        replace(piece, pose=Pose((0.02, -0.12, 0.01))) if piece.piece == table.HIGHEST.piece else piece
        for piece in rest.pieces
    )
    touched = tuple(
        replace(piece, look="touched") if piece.piece == table.HIGHEST.piece else piece
        for piece in rest.pieces
    )
    hand = (table.hand_at((0.0, -0.04, 0.18)),)
    drop = ((0.0, 0.0, 0.2), (0.0, 0.0, 0.1))
    held = [table.scene(above(0.24 - 0.01 * k), hands=hand, drop_line=drop) for k in range(4)]
    return [
        *([rest] * 2),
        table.scene(hands=hand),
        *held,
        *([replace(held[-1], pieces=(*touched, above(0.20)))] * 8),
        *([table.scene(above(0.20, "plain"))] * 8),
        *([replace(rest, pieces=(*fallen, above(0.20, "plain")))] * 3),
        replace(rest, mood=Mood(dark=1.0), tick=9000),
        replace(rest, home_from_table=Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.3827, 0.9239)), tick=9001),
    ]


def drawn(surface: HeadlessSurface) -> list[Picture]:
    return [table.draw(surface, shown) for shown in evening()]


def test_a_game_looks_as_if_everything_were_drawn_in_every_picture(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = drawn(surface)
    table.RENDERERS.clear()

    from armoon.view.scene.still import Still

    monkeypatch.setattr(Still, "follow", lambda self, scene: (list(scene.pieces), []))
    for number, (one, other) in enumerate(zip(pictures, drawn(surface), strict=True)):
        off = np.abs(one.astype(int) - other)
        assert off.mean() <= MEAN, f"picture {number}"
        assert (off.max(axis=2) > OFF).mean() <= FEW, f"picture {number}"
    table.RENDERERS.clear()
