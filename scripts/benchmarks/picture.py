"""Measure the cost of drawing a tower and a hand in each tier and size, and the accuracy of the hand's mask."""

from __future__ import annotations

import contextlib
import itertools
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from armoon.camera.profiles import CameraSeat, make_table_seat
from armoon.clock import FixedStep
from armoon.engine.setup import Intake, make_setup
from armoon.games.moon.kind import create_rising_moon
from armoon.games.moon.match import MoonMatch
from armoon.games.moon.saving import MoonSetup
from armoon.games.moon.scene import compose_scene
from armoon.geometry import CameraModel, mat_from_pose, pose_apply, pose_inverse, project_table_points
from armoon.hands.tracker import HandTracker
from armoon.synthetic_camera.anatomy import (
    TABLE_ROTATION,
    HandState,
    compute_bones,
    find_grip_angles,
    make_hand_matrix,
    place_palm,
    rotate,
)
from armoon.synthetic_camera.look import HandMesh, load_hand
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.choices import AirRelease
from armoon.values.poses import Pose, Vec3
from armoon.values.scene import DieFace, Scene, SceneHand, SceneHud, ScenePiece, ScenePlayer
from benchmarks import Save
from benchmarks.towers import SIZES as TOWER_SIZES
from benchmarks.towers import Structure, load_tower

#: Place of the grip, the hand's motion from picture to picture, in metres, and number of pictures.
_GRIP: Vec3 = (0.07, -0.03, 0.21)
_STEP_M, _STEPS = 0.002, 8
_HUD = SceneHud(
    "armoon",
    (ScenePlayer("Lune", 1, False), ScenePlayer("Basile", 0, True), ScenePlayer("Ada", 2, False)),
    4,
    DieFace.TWO_LADDERS,
    "Touch exactly two ladders",
    "Open your fingers to let go",
    "Touching 1 of 2",
    None,
    "16 ladders left",
    "21.4 cm",
)


def build_scene(count: int) -> tuple[Structure, Scene]:
    stored = max(size for size in TOWER_SIZES if size <= count)
    tower = load_tower(stored)
    in_tower = {piece for piece, _, _ in tower.standing}
    standing = [ScenePiece(piece, pose) for piece, pose, _ in tower.standing]
    spare = [ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in in_tower]
    for i, piece in enumerate(spare[: count - stored]):
        # Flat on the table: the ladder's length along x.
        place = Pose((-0.16, -0.12 + 0.045 * i, 0.004), (0.5, 0.5, 0.5, 0.5))
        standing.append(ScenePiece(piece, place))
    return tower, Scene(0, tuple(standing), (), _HUD, structure_top_m=0.2)


def add_moving_hand(tower: Structure, scene: Scene, seat: CameraSeat, *, carries: bool) -> list[Scene]:
    """Return copies of a scene with a moving hand over the tower; ``carries``: the hand holds another ladder."""
    in_scene = {piece.piece for piece in scene.pieces}
    spare = next(ladder.piece for ladder in tower.ladders.ladders if ladder.piece not in in_scene)
    scenes = []
    for step in range(_STEPS):
        grip = (_GRIP[0] + _STEP_M * step, _GRIP[1], _GRIP[2])
        with_it = replace(scene, hands=(make_reaching_hand(seat.camera, seat.table_from_camera, grip),))
        if carries:
            held = ScenePiece(spare, Pose(grip, (0.27, 0.65, 0.27, 0.65)), "held")
            low = (grip[0], grip[1], 0.16)
            with_it = replace(with_it, pieces=(*scene.pieces, held), drop_line=(low, (low[0], low[1], 0.0)))
        scenes.append(with_it)
    return scenes


def make_reaching_hand(camera: CameraModel, table_from_camera: Pose, grip: Vec3) -> SceneHand:
    """Return a hand that reaches from the right to a point in the table frame."""
    wrist = np.add(grip, (0.115, -0.015, 0.02))
    places = [wrist]
    for finger in range(5):
        tip = np.add(grip, (0.0, 0.010 * max(finger - 1, 0), -0.006 * finger + 0.01))
        side = np.array([0.0, 0.016 * (finger - 2), 0.030 - 0.012 * finger])
        places += [wrist + (tip - wrist) * share + side * (1.0 - share) for share in (0.35, 0.60, 0.82, 1.0)]
    points = project_table_points(camera, table_from_camera, np.array(places))
    to_camera = pose_inverse(table_from_camera)
    depths = tuple(pose_apply(to_camera, (float(x), float(y), float(z)))[2] for x, y, z in places)
    pixels = tuple((float(x), float(y)) for x, y in points)
    return SceneHand(pixels, depths, grip, 0.9, 0.015)


WIDTH, HEIGHT, RATE_HZ = 640, 360, 30.0
#: Number of frames with a still hand before its mask is measured; in these, filters settle.
STILL_FRAMES = 12
#: Places of the grip (table frame), rotations about the vertical axis in degrees, and grips (0 open, 1 closed).
POSES: tuple[tuple[Vec3, float, float], ...] = (
    ((0.06, -0.02, 0.14), 0.0, 0.0),
    ((0.06, -0.02, 0.14), 0.0, 1.0),
    ((0.12, 0.00, 0.08), 20.0, 0.6),
    ((-0.02, 0.02, 0.22), -20.0, 1.0),
    ((0.02, -0.08, 0.18), 10.0, 0.3),
    ((0.10, 0.06, 0.20), -10.0, 0.0),
)


def measure_hand() -> dict[str, float]:
    """Return the fit of a rendered, tracked hand's mask over the poses: intersection over union."""
    # Imported late, because importing pyglet decides whether a screen is used.
    from armoon.gl import HeadlessSurface

    seat = make_table_seat(WIDTH, HEIGHT)
    setup = MoonSetup(seed=3, edition="bombyx-2017", players=("Ann", "Ben"), auto_roll_s=1000.0)
    with contextlib.ExitStack() as stack:
        surface = stack.enter_context(contextlib.closing(HeadlessSurface(WIDTH, HEIGHT)))
        from armoon.view.scene.renderer import Renderer

        camera = stack.enter_context(
            contextlib.closing(RenderedCamera(seat.camera, seat.table_from_camera, None))
        )
        match = MoonMatch(make_setup(seat, "bench", air=AirRelease.FALLS), setup)
        stack.callback(match.close)
        tracker = stack.enter_context(HandTracker())
        surface.make_current()
        renderer = Renderer(
            match.ladders, match.base, seat.camera, seat.table_from_camera, seat.mirrored, WIDTH, HEIGHT
        )
        steps, mesh, found = FixedStep(-1.0 / RATE_HZ), load_hand(), list[float]()
        for number, (place, turn_deg, grip) in enumerate(POSES):
            rotation = rotate(TABLE_ROTATION, (0.0, 0.0, 1.0), math.radians(turn_deg))
            hand = HandState(place_palm(place, rotation, grip), grip)
            for index in range(number * STILL_FRAMES, (number + 1) * STILL_FRAMES):
                frame, time_s = camera.render([hand]), index / RATE_HZ
                hands = tracker.track(frame, time_s, index)
                match.advance(Intake(time_s, steps.advance(time_s), hands))
            scene = compose_scene(match, steps.fraction(), None)
            if not scene.hands:
                continue
            surface.make_current()
            renderer.draw_scene(scene, frame)
            mask = np.ascontiguousarray(renderer.hand_mask._mask[..., 0])
            drawn = cv2.resize(mask, (WIDTH, HEIGHT), interpolation=cv2.INTER_LINEAR) > 127
            true = draw_true_mask(mesh, hand, seat.camera, seat.table_from_camera)
            found.append(float((drawn & true).sum() / (drawn | true).sum()))
    return {
        "hand_mask_iou": statistics.fmean(found or [0.0]),
        "hand_mask_iou_least": min(found, default=0.0),
        "hand_poses_seen": len(found),
    }


def draw_true_mask(
    mesh: HandMesh, hand: HandState, camera: CameraModel, table_from_camera: Pose
) -> npt.NDArray[np.bool_]:
    """Return the pixels (h, w) that the rendered camera's hand and sleeve cover, by projecting every triangle."""
    bones = make_hand_matrix(hand.palm, hand.side) @ compute_bones(find_grip_angles(hand.grip))
    rest = np.column_stack([mesh.positions, np.ones(len(mesh.positions))])
    carried = np.einsum("nkij,nj->nki", bones[mesh.bones.astype(np.intp)][..., :3, :], rest)
    places = np.einsum("nk,nki->ni", mesh.weights, carried)
    to_camera = mat_from_pose(pose_inverse(table_from_camera))
    in_camera = places @ to_camera[:3, :3].T + to_camera[:3, 3]
    pixels = in_camera[:, :2] / in_camera[:, 2:] * [camera.fx, camera.fy] + [camera.cx, camera.cy]
    mask = np.zeros((camera.height, camera.width), dtype=np.uint8)
    before = (in_camera[:, 2] > 0.05)[mesh.triangles].all(axis=1)
    # OpenCV takes sixteenths of a pixel; +-2000 px is outside the picture.
    corners = np.round(np.clip(pixels, -2000.0, 2000.0) * 16.0).astype(np.int32)
    for triangle in corners[mesh.triangles[before]]:
        cv2.fillConvexPoly(mask, triangle, (255,), shift=4)
    return np.asarray(mask > 0)


SIZES = ((640, 360), (1280, 720))
LADDERS = (2, 12, 28)
#: Maximum and minimum number of timed frames, and seconds after which the minimum suffices.
MAX_FRAMES, MIN_FRAMES, ENOUGH_S = 60, 5, 2.0
#: Targets of the plain tier with 12 ladders and a hand at 640x360 and at 1280x720, wall time and processor time, on two
#: idle cores without a graphics card.
PLAIN_MS, PLAIN_CPU_MS, PLAIN_LARGE_MS, PLAIN_LARGE_CPU_MS = 8.0, 13.0, 16.0, 26.0
#: Target of the full tier at 1280x720 on a graphics card.
FULL_MS = 4.0
MASK_IOU = 0.90


def run(save: Save) -> None:
    console = Console()
    device, rows = measure_tiers(lambda line: console.print(line))
    console.print(_make_table(device, rows))
    hand = measure_hand()
    console.print(
        f"Hand mask against the rendered camera's truth: IoU {hand['hand_mask_iou']:.3f} (target: at least "
        f"{MASK_IOU}), worst of {hand['hand_poses_seen']} poses {hand['hand_mask_iou_least']:.3f}."
    )
    console.print(_describe_targets(rows))
    save({"device": device, "tiers": rows, **_select_plain_figures(rows), **hand})


def measure_tiers(report: Callable[[str], None]) -> tuple[str, list[dict[str, Any]]]:
    """Return the graphics device, and one row for each tier, size and number of ladders, with a hand over them."""
    from armoon.gl import HeadlessSurface

    rows: list[dict[str, Any]] = []
    device = ""
    for width, height in SIZES:
        seat = make_table_seat(width, height)
        surface = HeadlessSurface(width, height)
        camera = RenderedCamera(seat.camera, seat.table_from_camera, None)
        frame = camera.render([])
        camera.close()
        try:
            surface.make_current()
            from pyglet.gl import gl_info

            from armoon.view.scene.tiers import TIERS

            device = str(gl_info.get_renderer())
            for tier in TIERS:
                for count, carries in (*((count, False) for count in LADDERS), (12, True)):
                    report(
                        f"{tier} at {width}x{height} with {count} ladders{' and a carried one' * carries} ..."
                    )
                    rows.append(_measure_row(tier, count, width, height, frame, carries=carries))
        finally:
            surface.close()
    return device, rows


def _measure_row(
    tier: str, count: int, width: int, height: int, frame: npt.NDArray[np.uint8], *, carries: bool
) -> dict[str, Any]:
    from armoon.view.scene.renderer import Renderer

    seat = make_table_seat(width, height)
    tower, scene = build_scene(count)
    renderer = Renderer(
        tower.ladders,
        tower.base,
        seat.camera,
        seat.table_from_camera,
        False,
        width,
        height,
        tier,
        backdrop=create_rising_moon(),
    )
    scenes = itertools.cycle(add_moving_hand(tower, scene, seat, carries=carries))
    whole, processor = _measure_ms(lambda: renderer.draw_scene(next(scenes), frame))
    return {
        "tier": renderer.tier,
        "width": width,
        "height": height,
        "ladders": count,
        "carries": carries,
        "ms": whole,
        "cpu_ms": processor,
    }


def _measure_ms(draw: Callable[[], None]) -> tuple[float, float]:
    """Return the median wall time and the median processor time of all threads for a finished picture, in ms."""
    from armoon.gl import get_context

    draw()
    get_context().finish()
    spent: list[float] = []
    worked: list[float] = []
    end = time.perf_counter() + ENOUGH_S
    while len(spent) < MIN_FRAMES or (len(spent) < MAX_FRAMES and time.perf_counter() < end):
        start, start_work = time.perf_counter(), time.process_time()
        draw()
        get_context().finish()
        spent.append(1000.0 * (time.perf_counter() - start))
        worked.append(1000.0 * (time.process_time() - start_work))
    return statistics.median(spent), statistics.median(worked)


def _make_table(device: str, rows: list[dict[str, Any]]) -> Table:
    columns = ("tier", "size", "ladders", "ms", "processor")
    table = Table(*columns, title=f"Milliseconds per picture on {device}")
    for row in rows:
        table.add_row(
            row["tier"],
            f"{row['width']}x{row['height']}",
            f"{row['ladders']}{' + 1' * row['carries']}",
            f"{row['ms']:.1f}",
            f"{row['cpu_ms']:.1f}",
        )
    return table


def _select_plain_figures(rows: list[dict[str, Any]]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for row in rows:
        if (row["tier"], row["ladders"], row["carries"]) == ("plain", 12, False):
            name = {640: "plain_640", 1280: "plain_720"}[row["width"]]
            figures |= {f"{name}_ms": row["ms"], f"{name}_cpu_ms": row["cpu_ms"]}
    return figures


def _describe_targets(rows: list[dict[str, Any]]) -> str:
    def cost(tier: str, width: int) -> str:
        row = next(
            r for r in rows if (r["tier"], r["width"], r["ladders"]) == (tier, width, 12) and not r["carries"]
        )
        return f"{row['ms']:.1f} ms, processor {row['cpu_ms']:.1f}"

    return (
        f"plain with 12 ladders and a hand at 640x360: {cost('plain', 640)} (target: at most {PLAIN_MS:.0f} and "
        f"{PLAIN_CPU_MS:.0f} without a graphics card on an idle machine); at 1280x720: {cost('plain', 1280)} "
        f"(at most {PLAIN_LARGE_MS:.0f} and {PLAIN_LARGE_CPU_MS:.0f}); "
        f"full at 1280x720: {cost('full', 1280)} (at most {FULL_MS:.0f} with a card)."
    )
