"""Take a photograph of each game for the title's buttons: a tower under the moon, and the lake with dream-towers."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
from benchmarks.structures.towers import CLIMBING, load_tower

from armoon import __version__
from armoon.camera.frame import unseen
from armoon.camera.seat import SEATS
from armoon.engine.setup import table_at
from armoon.games.lake.kind import KIND as LAKE
from armoon.games.lake.presenters.scene import lake_scene
from armoon.games.lake.rules.game import apply, initial, legal
from armoon.games.lake.table.match import LakeMatch
from armoon.games.lake.table.setup import LakeSetup
from armoon.games.moon.kind import rising_moon
from armoon.geometry import CameraModel, pose_looking_at
from armoon.gl.surface import HeadlessSurface
from armoon.values.choices import Air
from armoon.values.poses import Vec3
from armoon.values.scene import Scene, SceneHud, ScenePiece
from armoon.view.scene.scenery import clouds

if TYPE_CHECKING:
    from armoon.view.scene.renderer import Renderer

#: Drawn this large with this focal length, and kept this large; pixels.
WIDTH, HEIGHT, FOCAL, KEPT = 1280, 832, 1280.0, (640, 416)
QUALITY = 88
#: Moves by chance after which the lake has stacks of several floors, and the seed of a lake where they stand well.
MOVES, SEED = 14, 5
CAMERA = CameraModel(WIDTH, HEIGHT, FOCAL, FOCAL, WIDTH / 2.0 - 0.5, HEIGHT / 2.0 - 0.5)


def moon_scene() -> tuple[Renderer, Scene]:
    """Return a tower of twelve that climbs, on a bank of clouds."""
    from armoon.view.scene.renderer import Renderer

    tower = load_tower(CLIMBING)
    eye: Vec3 = (-0.36, -0.36, 0.15)
    renderer = Renderer(
        tower.ladders,
        tower.base,
        CAMERA,
        pose_looking_at(eye, (-0.01, 0.01, 0.126)),
        False,
        WIDTH,
        HEIGHT,
        lid=None,
        backdrop=rising_moon(),
        scenery=clouds,
    )
    pieces = tuple(ScenePiece(piece, pose) for piece, pose, _ in tower.standing)
    # The moon stands so near that it stays in a picture which a wide button cuts above and below.
    top_m = max(pose.position[2] for _, pose, _ in tower.standing) - 0.045
    return renderer, Scene(7, pieces, (), SceneHud(), structure_top_m=top_m)


def lake_picture() -> tuple[Renderer, Scene]:
    """Return the lake in the middle of a game."""
    from armoon.view.scene.renderer import Renderer

    state, chance = initial(("Ann", "Ben"), SEED), random.Random(SEED)
    for _ in range(MOVES):
        state = apply(state, chance.choice(legal(state)))
    table = table_at(SEATS["table"](640, 360), __version__, air=Air.FALLS)
    match = LakeMatch(table, LakeSetup(state))
    viewed = LAKE.viewed(match)
    assert viewed.bodies is not None
    eye = pose_looking_at((0.10, -0.41, 0.23), (0.056, 0.050, 0.010))
    board, scenery = viewed.bodies(), viewed.scenery
    renderer = Renderer(None, None, CAMERA, eye, False, WIDTH, HEIGHT, lid=None, board=board, scenery=scenery)
    return renderer, Scene(7, (), (), SceneHud(), board=lake_scene(match))


def main() -> None:
    """Write both into the folder that is named."""
    folder = Path(sys.argv[1])
    surface = HeadlessSurface(WIDTH, HEIGHT)
    for name, taken in (("moon", moon_scene), ("lake", lake_picture)):
        renderer, scene = taken()
        renderer.set_tier("high")
        renderer.draw(scene, unseen(WIDTH, HEIGHT))
        picture = cv2.resize(surface.read_bgr(), KEPT, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    surface.close()


if __name__ == "__main__":
    main()
