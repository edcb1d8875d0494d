"""The rendered webcam draws objects at their poses, and repeats its frames exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from support.arrays import Mask, differs

from armoon import geometry
from armoon.camera.profiles import CameraSeat, make_mirror_seat, make_table_seat
from armoon.errors import DisplayError
from armoon.resources import resource_text
from armoon.synthetic_camera import anatomy
from armoon.synthetic_camera.look import SkinTone, StageLook
from armoon.synthetic_camera.rendered_camera import RenderedCamera
from armoon.values.choices import SeatName
from armoon.values.poses import Vec3

pytestmark = pytest.mark.gl

WIDTH, HEIGHT = 320, 180
QUIET = StageLook(noise_sigma=0.0)
TABLE, MIRROR = make_table_seat(WIDTH, HEIGHT), make_mirror_seat(WIDTH, HEIGHT)


def pose_open_hand(point: Vec3 = (0.05, 0.0, 0.12), grip: float = 0.0) -> anatomy.HandState:
    return anatomy.HandState(anatomy.place_palm(point, anatomy.TABLE_ROTATION, grip), grip)


def pose_raised_hand(point: Vec3 = (0.0, 0.0, 0.18), grip: float = 0.0) -> anatomy.HandState:
    return anatomy.HandState(anatomy.place_palm(point, anatomy.MIRROR_ROTATION, grip), grip)


Opener = Callable[..., RenderedCamera]
Poser = Callable[..., anatomy.HandState]


@pytest.fixture
def open_camera() -> Iterator[Opener]:
    opened: list[RenderedCamera] = []

    def open_one(seat: CameraSeat = TABLE, look: StageLook = QUIET) -> RenderedCamera:
        opened.append(RenderedCamera(seat.camera, seat.table_from_camera, look))
        return opened[-1]

    yield open_one
    for camera in opened:
        camera.close()


def find_changes(camera: RenderedCamera, hands: Sequence[anatomy.HandState], least: int = 12) -> Mask:
    """Return a mask (h, w) of pixels that the hands change by more than a few grey levels."""
    return differs(camera.render([]), camera.render(hands), least)


def sample_mask(mask: Mask, pixels: geometry.Array) -> Mask:
    columns, rows = np.round(pixels).astype(int).T
    covered: Mask = mask[rows, columns]
    return covered


def keep_inside(pixels: geometry.Array) -> geometry.Array:
    inside: geometry.Array = pixels[((pixels > 1) & (pixels < (WIDTH - 2, HEIGHT - 2))).all(axis=1)]
    return inside


@pytest.mark.parametrize("grip", [0.0, 0.5, 1.0])
@pytest.mark.parametrize(("seat", "pose"), [(TABLE, pose_open_hand), (MIRROR, pose_raised_hand)])
def test_the_hand_covers_every_landmark(
    open_camera: Opener, seat: CameraSeat, pose: Poser, grip: float
) -> None:
    hand = pose(grip=grip)
    pixels = geometry.project_table_points(seat.camera, seat.table_from_camera, anatomy.get_landmarks(hand))
    assert len(keep_inside(pixels)) == 21
    assert sample_mask(find_changes(open_camera(seat), [hand]), pixels).mean() > 0.9


def test_a_mirrored_hand_has_the_mirrored_outline(open_camera: Opener) -> None:
    """The level camera is symmetrical about x = 0, so the two outlines are mirror images."""
    hand = pose_raised_hand((0.02, 0.0, 0.16))
    camera = open_camera(MIRROR)
    right, left = find_changes(camera, [hand]), find_changes(camera, [anatomy.mirror_hand(hand)])[:, ::-1]
    assert (right & left).sum() / (right | left).sum() > 0.9
    # A hand that is turned inside out would be dark, because its outside would be hidden.
    shades = [
        camera.render([h])[mask].mean()
        for h, mask in ((hand, right), (anatomy.mirror_hand(hand), left[:, ::-1]))
    ]
    assert shades[1] == pytest.approx(shades[0], rel=0.15)


def test_the_shadow_darkens_the_table_away_from_the_light(open_camera: Opener) -> None:
    """The lamp is beyond the table's left end, so the shadow is nearer and to the right of the hand."""
    camera = open_camera()
    hand = pose_open_hand((-0.05, 0.05, 0.16), grip=1.0)
    empty, drawn = camera.render([]).astype(int), camera.render([hand]).astype(int)
    knuckles = anatomy.get_landmarks(hand)[[5, 9]].mean(axis=0)
    to_light = np.array([-0.52, 0.28, 0.80])
    below = knuckles - to_light * (knuckles[2] / to_light[2])
    ((x, y),) = np.round(geometry.project_table_points(TABLE.camera, TABLE.table_from_camera, below)).astype(
        int
    )
    patch = (slice(y - 2, y + 3), slice(x - 2, x + 3))
    assert drawn[patch].mean() < 0.7 * empty[patch].mean()
    ((u, v),) = np.round(
        geometry.project_table_points(TABLE.camera, TABLE.table_from_camera, (-0.25, -0.05, 0.0))
    ).astype(int)
    assert np.abs(drawn[v, u] - empty[v, u]).max() <= 2


def test_the_table_hides_objects_under_it(open_camera: Opener) -> None:
    hand = pose_open_hand((0.0, 0.25, -0.12))
    pixels = geometry.project_table_points(TABLE.camera, TABLE.table_from_camera, anatomy.get_landmarks(hand))
    assert len(keep_inside(pixels)) == 21
    assert not sample_mask(find_changes(open_camera(), [hand], least=0), pixels).any()


@pytest.mark.parametrize("tone", ["light", "tan", "dark"])
def test_skin_tones_differ_in_brightness_but_not_in_shape(open_camera: Opener, tone: SkinTone) -> None:
    hand = pose_raised_hand()
    reference, camera = open_camera(MIRROR), open_camera(MIRROR, replace(QUIET, skin=tone))
    mask = find_changes(reference, [hand])
    shape = find_changes(camera, [hand])
    assert (mask & shape).sum() / (mask | shape).sum() > 0.9
    blue, green, red = camera.render([hand])[mask & shape].mean(axis=0)
    assert red > green > blue  # skin is warm under every tone
    bright = {"light": (160, 240), "tan": (130, 200), "dark": (90, 170)}[tone]
    assert bright[0] < red < bright[1]


def test_equal_seeds_give_equal_frames(open_camera: Opener) -> None:
    hands = [[pose_open_hand(grip=grip)] for grip in (0.0, 0.4, 1.0)]
    noisy = StageLook(seed=5)
    first, second, other = (open_camera(TABLE, look) for look in (noisy, noisy, StageLook(seed=6)))
    a, b, c = ([camera.render(state) for state in hands] for camera in (first, second, other))
    assert all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))
    assert not np.array_equal(a[0], c[0])
    assert not np.array_equal(first.render([]), first.render([]))


def test_noise_has_the_requested_strength(open_camera: Opener) -> None:
    noisy, quiet = open_camera(TABLE, StageLook(noise_sigma=2.3)), open_camera()
    difference = noisy.render([]).astype(float) - quiet.render([])
    assert difference.std() == pytest.approx(2.3, abs=0.15)
    assert difference.mean() == pytest.approx(0.0, abs=0.1)


def test_cameras_do_not_disturb_each_other(open_camera: Opener) -> None:
    table, mirror = open_camera(TABLE), open_camera(MIRROR)
    before = table.render([pose_open_hand()]), mirror.render([pose_raised_hand()])
    after = table.render([pose_open_hand()]), mirror.render([pose_raised_hand()])
    assert np.array_equal(before[0], after[0])
    assert np.array_equal(before[1], after[1])
    mirror.close()
    assert np.array_equal(table.render([pose_open_hand()]), before[0])


def test_every_camera_shows_the_hand_at_its_pose(open_camera: Opener) -> None:
    """This camera is off-centre and rotated, has unequal focal lengths, and looks from above."""
    camera = geometry.CameraModel(WIDTH, HEIGHT, 210.0, 235.0, 140.0, 110.0)
    seat = CameraSeat(
        SeatName.TABLE,
        False,
        camera,
        geometry.pose_looking_at((0.15, -0.25, 0.55), (0.02, 0.0, 0.1), (0.3, 1.0, 0.0)),
    )
    hand = pose_open_hand((0.0, 0.0, 0.12), grip=0.3)
    pixels = geometry.project_table_points(seat.camera, seat.table_from_camera, anatomy.get_landmarks(hand))
    assert sample_mask(find_changes(open_camera(seat), [hand]), keep_inside(pixels)).mean() > 0.9


def test_a_distorting_lens_bends_the_picture_like_opencv(open_camera: Opener) -> None:
    bent = replace(TABLE.camera, distortion=(-0.25, 0.06, 0.001, -0.001, 0.0))
    hand = pose_open_hand((0.16, 0.0, 0.16))
    in_camera = geometry.pose_inverse(TABLE.table_from_camera)
    points = anatomy.get_landmarks(hand) @ geometry.mat_from_pose(in_camera)[:3, :3].T + in_camera.position
    zero = np.zeros(3)
    pixels, _ = cv2.projectPoints(points, zero, zero, bent.matrix(), np.array(bent.distortion))
    straight = TABLE.camera.project(points)
    assert np.abs(pixels[:, 0] - straight).max() > 3.0
    tips = [4, 8, 12, 16, 20]  # thin enough to be missed if the picture weren't bent
    mask = find_changes(open_camera(replace(TABLE, camera=bent)), [hand])
    assert sample_mask(mask, keep_inside(pixels[tips, 0].astype(float))).all()


def test_a_shader_that_does_not_compile_is_a_display_error(
    open_camera: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "armoon.gl.resource_text",
        lambda folder, name, error: resource_text(folder, name, error).replace("void main", "void man e"),
    )
    with pytest.raises(DisplayError, match=r"stage_full\.vert.*syntax error"):
        open_camera()
