"""Still objects are drawn only once, but every picture looks as if everything were drawn in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support import table_pictures as table
from support.arrays import Picture

from armoon.games.lake.layout import LakeScene
from armoon.gl import HeadlessSurface
from armoon.values.poses import Pose
from armoon.values.scene import Mood, Scene, ScenePiece
from armoon.view.scene.light import LAMP

pytestmark = pytest.mark.gl

#: Maximum mean difference in grey levels, minimum difference of a wrong pixel, and maximum share of wrong pixels; the
#: edges of bodies in different layers are blended differently.
MAX_MEAN, WRONG_LEVEL, MAX_WRONG_SHARE = 0.2, 24, 0.002
#: Maximum mean difference without a hand, low enough to notice a missing shadow.
MAX_MEAN_WITHOUT_HAND = 0.012
SURFACE = (table.WIDTH, table.HEIGHT, table.RENDERERS)


def make_piece_above(height_m: float, look: str = "held") -> ScenePiece:
    return ScenePiece(table.HELD, Pose((-0.04, 0.02, height_m), (0.27, 0.65, 0.27, 0.65)), look)


def make_moon_scenes() -> list[Scene]:
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
    held = [table.scene(make_piece_above(0.24 - 0.01 * k), hands=hand, drop_line=drop) for k in range(4)]
    return [
        *([rest] * 2),
        table.scene(hands=hand),
        *held,
        *([replace(held[-1], pieces=(*touched, make_piece_above(0.20)))] * 8),
        *([table.scene(make_piece_above(0.20, "plain"))] * 8),
        *([replace(rest, pieces=(*fallen, make_piece_above(0.20, "plain")))] * 3),
        replace(rest, mood=Mood(dark=1.0), tick=9000),
        replace(rest, home_from_table=Pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.3827, 0.9239)), tick=9001),
    ]


def make_lake_scenes() -> list[Scene]:
    """Return scenes with a dome that is carried over others, put down and pointed at, with and without a hand.

    In the fifth scene the carried dome's shadow falls on another dome.
    """
    held = [table.lake((0.02 * k, -0.09, 0.03 + 0.004 * k)) for k in range(3)]
    domes = table.LAKE.domes
    x, y, z = (np.array(domes[24].foot) + 0.04 * np.array(LAMP.towards)).tolist()
    hovered = replace(table.LAKE, domes=(*domes[:24], replace(domes[24], look="refused"), *domes[25:]))
    hand = (table.hand_at((0.0, 0.08, 0.05)),)
    return [
        table.lake(),
        *held,
        *([replace(table.lake((x, y, z)), hands=(), drop_line=None)] * 2),
        table.lake(hands=hand),
        replace(table.lake(hands=hand), board=hovered),
        table.lake(),
        replace(table.lake(), board=hovered),
        replace(table.lake((x, y, z)), board=hovered, hands=(), drop_line=None),
    ]


def move_all(shown: Scene) -> Scene:
    lake = shown.board
    assert isinstance(lake, LakeScene)
    return replace(shown, board=replace(lake, domes=(), moving=(*lake.domes, *lake.moving)))


def test_the_lake_looks_as_if_every_dome_were_drawn_in_every_picture(surface: HeadlessSurface) -> None:
    originals = [table.draw(surface, shown) for shown in make_lake_scenes()]
    for number, (shown, picture) in enumerate(zip(make_lake_scenes(), originals, strict=True)):
        expected = table.draw(surface, move_all(shown))
        difference = np.abs(picture.astype(int) - expected)
        assert difference.mean() <= (MAX_MEAN if shown.hands else MAX_MEAN_WITHOUT_HAND), f"picture {number}"
        assert (difference.max(axis=2) > WRONG_LEVEL).mean() <= MAX_WRONG_SHARE, f"picture {number}"
    table.RENDERERS.clear()


def draw_scenes(surface: HeadlessSurface) -> list[Picture]:
    return [table.draw(surface, shown) for shown in make_moon_scenes()]


def test_a_game_looks_as_if_everything_were_drawn_in_every_picture(
    surface: HeadlessSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = draw_scenes(surface)
    table.RENDERERS.clear()

    from armoon.view.scene.tier_parts import StillLayer

    monkeypatch.setattr(StillLayer, "split_pieces", lambda self, scene: (list(scene.pieces), []))
    for number, (cached, expected) in enumerate(zip(pictures, draw_scenes(surface), strict=True)):
        difference = np.abs(cached.astype(int) - expected)
        assert difference.mean() <= MAX_MEAN, f"picture {number}"
        assert (difference.max(axis=2) > WRONG_LEVEL).mean() <= MAX_WRONG_SHARE, f"picture {number}"
    table.RENDERERS.clear()
