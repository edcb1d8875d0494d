"""Poses and the camera model satisfy mathematical identities and agree with OpenCV."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armoon import geometry
from armoon.values.poses import Pose, Quat, Vec3

#: Tolerance for products of a few doubles near 1.
TIGHT = 1e-12
coordinate = st.floats(-2.0, 2.0)
vectors: st.SearchStrategy[Vec3] = st.tuples(coordinate, coordinate, coordinate)
axes = vectors.filter(lambda v: math.hypot(*v) > 0.1)
rotations: st.SearchStrategy[Quat] = st.builds(
    geometry.quat_from_axis_angle, axes, st.floats(-math.pi, math.pi)
)
poses: st.SearchStrategy[Pose] = st.builds(Pose, vectors, rotations)


@given(rotations, vectors)
def test_a_quaternion_rotates_like_its_matrix(q: Quat, v: Vec3) -> None:
    assert np.allclose(geometry.quat_rotate(q, v), geometry.mat_from_quat(q) @ v, atol=TIGHT)


@given(rotations)
def test_a_rotation_matrix_is_proper_and_converts_back(q: Quat) -> None:
    matrix = geometry.mat_from_quat(q)
    assert np.allclose(matrix @ matrix.T, np.eye(3), atol=TIGHT)
    assert np.linalg.det(matrix) == pytest.approx(1.0, abs=TIGHT)
    assert geometry.quat_angle(geometry.quat_from_matrix(matrix), q) < 1e-7


@given(rotations, rotations, vectors)
def test_a_product_applies_its_right_factor_first(a: Quat, b: Quat, v: Vec3) -> None:
    assert np.allclose(
        geometry.quat_rotate(geometry.quat_multiply(a, b), v),
        geometry.quat_rotate(a, geometry.quat_rotate(b, v)),
        atol=TIGHT,
    )


def test_angles_follow_the_right_hand_rule() -> None:
    quarter = geometry.quat_from_axis_angle((0.0, 0.0, 3.0), math.pi / 2.0)
    assert np.allclose(geometry.quat_rotate(quarter, (1.0, 0.0, 0.0)), (0.0, 1.0, 0.0), atol=TIGHT)


@given(axes, st.floats(0.0, math.pi))
def test_the_angle_between_rotations_is_the_angle_of_the_connecting_rotation(
    axis: Vec3, angle: float
) -> None:
    start = geometry.quat_from_axis_angle((1.0, 2.0, 3.0), 0.7)
    turned = geometry.quat_multiply(geometry.quat_from_axis_angle(axis, angle), start)
    assert geometry.quat_angle(start, turned) == pytest.approx(angle, abs=1e-7)
    x, y, z, w = turned
    assert geometry.quat_angle(start, (-x, -y, -z, -w)) == pytest.approx(angle, abs=1e-7)  # the same rotation


@given(rotations, rotations, st.floats(0.0, 1.0))
def test_slerp_takes_the_shorter_arc_at_constant_speed(a: Quat, b: Quat, t: float) -> None:
    angle = geometry.quat_angle(a, b)
    between = geometry.quat_slerp(a, b, t)
    assert math.hypot(*between) == pytest.approx(1.0, abs=TIGHT)
    if angle < math.pi - 1e-3:  # between opposite rotations both arcs have the same length
        assert geometry.quat_angle(a, between) == pytest.approx(t * angle, abs=1e-6)
        assert geometry.quat_angle(between, b) == pytest.approx((1.0 - t) * angle, abs=1e-6)


@given(poses, poses, st.floats(0.0, 1.0))
def test_interpolated_poses_move_straight_and_rotate_the_shorter_way(a: Pose, b: Pose, part: float) -> None:
    between = geometry.pose_between(a, b, part)
    assert between.rotation == geometry.quat_slerp(a.rotation, b.rotation, part)
    straight = np.asarray(a.position) * (1.0 - part) + np.asarray(b.position) * part
    assert np.allclose(between.position, straight, atol=TIGHT)


@given(poses, poses, vectors)
def test_a_composed_pose_applies_both_poses_in_turn(a: Pose, b: Pose, p: Vec3) -> None:
    assert np.allclose(
        geometry.pose_apply(geometry.pose_compose(a, b), p),
        geometry.pose_apply(a, geometry.pose_apply(b, p)),
        atol=1e-11,
    )
    assert np.allclose(
        geometry.mat_from_pose(geometry.pose_compose(a, b)),
        geometry.mat_from_pose(a) @ geometry.mat_from_pose(b),
        atol=1e-11,
    )


@given(poses)
def test_a_pose_converts_to_a_matrix_and_back(pose: Pose) -> None:
    converted = geometry.pose_from_mat(geometry.mat_from_pose(pose))
    assert converted.position == pytest.approx(pose.position, abs=TIGHT)
    assert geometry.quat_angle(converted.rotation, pose.rotation) < 1e-7


def test_a_camera_sees_its_target_in_the_middle_of_an_upright_picture() -> None:
    camera = geometry.CameraModel.from_field_of_view(640, 360, math.radians(67.0))
    seat = geometry.pose_looking_at((0.1, -0.6, 0.3), (0.0, 0.0, 0.1))
    middle, right, above, beyond = geometry.project_table_points(
        camera, seat, [(0.0, 0.0, 0.1), (0.05, 0.0, 0.1), (0.0, 0.0, 0.15), (0.0, 0.1, 0.1)]
    )
    assert middle == pytest.approx((319.5, 179.5), abs=1e-9)
    assert right[0] > middle[0]
    assert above[1] < middle[1]
    assert beyond[1] < middle[1]  # away on the table is up in the picture


@given(poses, st.lists(vectors, min_size=1, max_size=8))
def test_projection_agrees_with_opencv(table_from_camera: Pose, points: list[Vec3]) -> None:
    camera = geometry.CameraModel(640, 360, 482.5, 470.0, 322.0, 175.0)
    camera_from_table = geometry.mat_from_pose(geometry.pose_inverse(table_from_camera))
    rotated = np.array(points) @ camera_from_table[:3, :3].T + camera_from_table[:3, 3]
    before = rotated[:, 2] > 0.05
    own = geometry.project_table_points(camera, table_from_camera, points)
    assert np.isnan(own[rotated[:, 2] <= 0.0]).all()
    if before.any():
        x, y, z, w = geometry.pose_inverse(table_from_camera).rotation
        sine = math.hypot(x, y, z)
        scale = 2.0 * math.atan2(sine, w) / sine if sine > 0.0 else 0.0
        turn = np.array([x, y, z]) * scale  # OpenCV's rotation vector
        reference, _ = cv2.projectPoints(
            np.array(points)[before], turn, camera_from_table[:3, 3], camera.matrix(), np.zeros(5)
        )
        assert np.allclose(own[before], reference.reshape(-1, 2), rtol=1e-9, atol=1e-6)


@given(st.floats(0.0, 639.0), st.floats(0.0, 359.0), st.floats(0.1, 3.0))
def test_a_pixels_ray_projects_onto_the_pixel(u: float, v: float, depth: float) -> None:
    camera = geometry.CameraModel(640, 360, 482.5, 470.0, 322.0, 175.0)
    ray = camera.ray((u, v))
    assert np.linalg.norm(ray) == pytest.approx(1.0, abs=TIGHT)
    assert camera.project([ray * depth])[0] == pytest.approx((u, v), abs=1e-9)


def test_a_field_of_view_spans_the_picture_from_edge_to_edge() -> None:
    camera = geometry.CameraModel.from_field_of_view(640, 360, math.radians(90.0))
    left = camera.ray((-0.5, camera.cy))  # the outer edge of the first pixel
    assert math.degrees(math.atan2(-left[0], left[2])) == pytest.approx(45.0)
