"""A table with twelve ladders and a hand over it, and pictures of its scenes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from benchmarks.picture import make_reaching_hand
from benchmarks.towers import load_tower

from armoon.games.lake.presenters import build_lake_scene
from armoon.games.moon.kind import create_rising_moon
from armoon.geometry import CameraModel, pose_looking_at
from armoon.gl import HeadlessSurface
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import HeightLine, Scene, SceneHand, SceneHud, ScenePiece
from armoon.view.aids import DisplayAids as Aids
from support.arrays import Picture
from support.lake_table_kit import lake_setup

WIDTH, HEIGHT = 320, 180
CAMERA = CameraModel(WIDTH, HEIGHT, 262.0, 262.0, 159.5, 89.5)
TABLE_FROM_CAMERA = pose_looking_at((0.03, -0.50, 0.27), (0.04, 0.0, 0.10))
HUD = SceneHud(tears_left=3)
TOWER = load_tower(12)
STANDING = tuple(ScenePiece(piece, pose) for piece, pose, _ in TOWER.standing)
HIGHEST = max(STANDING, key=lambda piece: piece.pose.position[2])
HELD = next(x.piece for x in TOWER.ladders.ladders if x.piece not in {p.piece for p in STANDING})
RENDERERS: dict[str, Any] = {}


def camera_frame() -> Picture:
    """Return a synthetic camera frame: a wooden table with a wall behind it."""
    rows, columns = np.indices((HEIGHT, WIDTH), dtype=np.float64)
    boards = 0.5 + 0.5 * np.sin(columns / 7.0 + 3.0 * np.sin(rows / 11.0))
    table = np.stack([60.0 + 14.0 * boards, 92.0 + 20.0 * boards, 128.0 + 26.0 * boards], axis=-1)
    wall = np.stack([92.0 + columns / 12.0, 78.0 + columns / 14.0, 74.0 + rows / 6.0], axis=-1)
    return np.where(rows[..., None] > 84, table, wall).astype(np.uint8)


FRAME = camera_frame()


def hand_at(grip: Vec3, *, is_unwanted: bool = False) -> SceneHand:
    return replace(make_reaching_hand(CAMERA, TABLE_FROM_CAMERA, grip), is_unwanted=is_unwanted)


def scene(*more: ScenePiece, hud: SceneHud = HUD, **fields: Any) -> Scene:
    top = HIGHEST.pose.position[2]
    return Scene(7, (*STANDING, *more), fields.pop("hands", ()), hud, structure_top_m=top, **fields)


GRIP = (0.07, -0.03, 0.21)
LOWEST = (0.07, -0.03, 0.16)
CARRYING = scene(
    ScenePiece(HELD, Pose(GRIP, (0.27, 0.65, 0.27, 0.65)), "held"),
    hands=(hand_at(GRIP),),
    drop_line=(LOWEST, (LOWEST[0], LOWEST[1], 0.0)),
)
x, y, z = HIGHEST.pose.position
JUDGED = replace(
    scene(
        contact_points=((x, y, z - 0.01), (x + 0.02, y, z - 0.012)),
        height_lines=(HeightLine((x, y, z + 0.02), good=True), HeightLine((x - 0.03, y, z + 0.004))),
    ),
    pieces=tuple(replace(p, look="touched") if p.piece == HIGHEST.piece else p for p in STANDING),
)
WARNED = scene(hands=(hand_at((0.09, 0.02, 0.12), is_unwanted=True),), zone_radius_m=0.14)


LAKE = build_lake_scene(lake_setup().match())


def lake(carried_to: Vec3 | None = None, **fields: Any) -> Scene:
    board = LAKE
    if carried_to is not None:
        held = replace(LAKE.domes[0], foot=carried_to, look="held", star=None)
        board = replace(LAKE, domes=LAKE.domes[1:], moving=(held,))
        fields |= {"hands": (hand_at(carried_to),), "drop_line": (carried_to, (*carried_to[:2], 0.0))}
    return Scene(7, (), fields.pop("hands", ()), HUD, board=board, **fields)


def renderer(shown: Scene) -> Any:
    return RENDERERS["one" if shown.board is None else "lake"]


def draw(surface: HeadlessSurface, shown: Scene, tier: str = "plain", aids: Aids | None = None) -> Picture:
    from armoon.games.lake.board import LakeBoard
    from armoon.view.scene.light import LAMP
    from armoon.view.scene.renderer import Renderer

    surface.make_current()
    name = "one" if shown.board is None else "lake"
    if name not in RENDERERS:
        camera = (CAMERA, TABLE_FROM_CAMERA, False, WIDTH, HEIGHT)
        RENDERERS[name] = (
            Renderer(TOWER.ladders, TOWER.base, *camera, light=LAMP, backdrop=create_rising_moon())
            if name == "one"
            else Renderer(None, None, *camera, light=LAMP, lid=None, board=LakeBoard())
        )
    drawer = renderer(shown)
    assert drawer.set_tier(tier) == tier, drawer.notices
    drawer.aids = aids or Aids()
    drawer.draw_scene(shown, FRAME)
    return surface.read_bgr()
