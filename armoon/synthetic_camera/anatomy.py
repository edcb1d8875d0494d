"""The rendered hand's skeleton: joints in mediapipe's order, joint angles, and forward kinematics.

Hand frame of a right hand: origin at the wrist, x to the fingers, y to the thumb, z out of the back; metres. A left
hand is mirrored in y = 0. ``hand_scale`` 1 is a median adult's: 0.187 m from wrist to middle finger tip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from armoon import geometry
from armoon.values import paper as kit
from armoon.values.poses import Pose, Quat, Vec3

Side = Literal["left", "right"]
#: The median hand's stretch: factors of length, breadth and thickness at rest.
NO_STRETCH: Vec3 = (1.0, 1.0, 1.0)

LANDMARKS = 21
WRIST, THUMB_TIP, INDEX_TIP, MIDDLE_KNUCKLE = 0, 4, 8, 9
#: Fingers by number: 0 thumb, 1 index, 2 middle, 3 ring, 4 little. Finger f owns landmarks 4f+1 to 4f+4.
FINGERS = range(5)
RING_FINGER = 3


@dataclass(frozen=True)
class HeldPaper:
    ladder: kit.PaperLadder
    table_from_card: Pose


@dataclass(frozen=True)
class HandState:
    """The pose of one hand at one instant."""

    palm: Pose
    """table_from_hand."""
    grip: float = 0.0
    """0 (open) to 1 (pinched, or with ``paper`` with the thumb on its tag)."""
    side: Side = "right"
    stretch: Vec3 = NO_STRETCH
    paper: HeldPaper | None = None


# The resting thumb is halfway between open and pinched, because far from the rest pose the skin would fold.

_KNUCKLES = {
    1: (0.0920, 0.0250, 0.000),
    2: (0.0955, 0.0025, 0.003),
    3: (0.0895, -0.0185, 0.001),
    4: (0.0795, -0.0375, -0.004),
}
_SPREAD_DEG = {1: 9.0, 2: 1.0, 3: -8.0, 4: -18.0}
_PHALANGES = {
    1: (0.0420, 0.0255, 0.0205),
    2: (0.0460, 0.0295, 0.0215),
    3: (0.0425, 0.0275, 0.0215),
    4: (0.0340, 0.0205, 0.0195),
}
_THUMB_ROOT = (0.023, 0.025, -0.011)
_THUMB_BONES = (
    (0.0440, (0.820, 0.49, -0.28)),
    (0.0325, (0.910, 0.37, -0.21)),
    (0.0245, (0.935, 0.30, -0.19)),
)
#: Radius (21,) of the flesh around each landmark, metres.
RADII = np.array(
    [
        *(0.0220,),
        *(0.0175, 0.0130, 0.0112, 0.0086),
        *(0.0118, 0.0098, 0.0086, 0.0072),
        *(0.0120, 0.0100, 0.0088, 0.0074),
        *(0.0115, 0.0094, 0.0082, 0.0070),
        *(0.0105, 0.0084, 0.0073, 0.0063),
    ]
)


def _make_rest_landmarks() -> geometry.Array:
    points = np.zeros((LANDMARKS, 3))
    points[1] = _THUMB_ROOT
    for k, (length, direction) in enumerate(_THUMB_BONES):
        points[2 + k] = points[1 + k] + length * geometry.unit(direction)
    for f in FINGERS[1:]:
        angle = math.radians(_SPREAD_DEG[f])
        along = np.array([math.cos(angle), math.sin(angle), 0.0])
        points[4 * f + 1] = _KNUCKLES[f]
        for k, length in enumerate(_PHALANGES[f]):
            points[4 * f + 2 + k] = points[4 * f + 1 + k] + length * along
    return points


#: Landmarks (21, 3) of the rest pose in the hand frame.
REST = _make_rest_landmarks()


def _make_finger_frames() -> tuple[geometry.Array, geometry.Array, geometry.Array]:
    along, back = np.zeros((5, 3)), np.zeros((5, 3))
    along[0] = geometry.unit(REST[4] - REST[2])
    outward = np.array([-0.15, 0.45, 0.87])  # the thumbnail faces up and to the thumb's side
    back[0] = geometry.unit(outward - (outward @ along[0]) * along[0])
    for f in FINGERS[1:]:
        along[f] = geometry.unit(REST[4 * f + 4] - REST[4 * f + 1])
        back[f] = (0.0, 0.0, 1.0)
    return along, back, np.cross(along, -back)


#: Unit vectors (5, 3) of the fingers at rest: to the tip, out of the nail, and along the hinges' axis (positive angles
#: bend towards the palm).
FINGER_ALONG, FINGER_BACK, FINGER_HINGE = _make_finger_frames()

PALM_BONE, FOREARM_BONE = 0, 1
BONES = 17


def list_finger_bones(finger: int) -> tuple[int, int, int]:
    """Return the three bones of a finger from palm to tip: thumb 2 to 4, index 5 to 7, and so on."""
    first = 2 + 3 * finger
    return (first, first + 1, first + 2)


#: The bone (21,) of each landmark: a landmark moves with the bone that ends there.
LANDMARK_BONE = np.array([PALM_BONE] + [b for f in FINGERS for b in (PALM_BONE, *list_finger_bones(f))])

# A pose is an array (23,) in radians: thumb root as a rotation vector (3), thumb knuckle, thumb end joint;
# then spread, knuckle, middle joint and end joint of index, middle, ring and little finger; then wrist
# flexion and deviation.

_THUMB_HINGES = (3, 4)
_WRIST = 21


def _make_angles(
    thumb_root: Vec3, thumb_deg: tuple[float, float], fingers_deg: list[tuple[float, ...]]
) -> geometry.Array:
    degrees = [*thumb_deg, *(angle for finger in fingers_deg for angle in finger), 0.0, 0.0]
    return np.concatenate([thumb_root, np.radians(degrees)])


#: A relaxed open hand; the thumb is opened beyond its rest pose.
OPEN_ANGLES = _make_angles(
    (0.0, 0.0, math.radians(22.0)),
    (4.0, 6.0),
    [(-2.0, 8.0, 10.0, 6.0), (0.0, 6.0, 9.0, 6.0), (2.0, 8.0, 10.0, 6.0), (3.0, 10.0, 12.0, 7.0)],
)
#: A pinch with touching pads, found by least squares on ``find_pads``. The index's end joint is bent by about 25
#: degrees and the other fingers are nearly straight, because mediapipe misses pinches of strongly bent fingers. The
#: tips overlap by a few millimetres.
PINCH_ANGLES = _make_angles(
    (0.11272, 0.15346, -0.35793),
    (13.295, 21.285),
    [
        (-4.394, 44.592, 55.504, 24.650),
        (-1.0, 11.0, 17.0, 12.0),
        (3.0, 7.0, 17.0, 12.0),
        (8.0, 2.0, 16.0, 11.0),
    ],
)


#: Joints adjusted to make the pads of a stretched hand meet: the thumb's, and the index finger's except its spread.
_PINCH_JOINTS = np.array([0, 1, 2, 3, 4, 6, 7, 8])
_PINCH_STEPS, _STEP_RAD = 6, 1e-4


def find_grip_angles(grip: float, stretch: Vec3 = NO_STRETCH) -> geometry.Array:
    """Return the joint angles (23,) of a grip between 0 (open) and 1 (pinched)."""
    return OPEN_ANGLES + (_solve_pinch_angles(stretch) - OPEN_ANGLES) * grip


@lru_cache(maxsize=32)
def _solve_pinch_angles(stretch: Vec3) -> geometry.Array:
    """Return angles (23,) near ``PINCH_ANGLES`` that make this hand's pads meet like the median hand's."""
    if stretch == NO_STRETCH:
        return PINCH_ANGLES
    angles, target_offset = PINCH_ANGLES.copy(), _measure_pad_offset(PINCH_ANGLES, NO_STRETCH)
    for _ in range(_PINCH_STEPS):
        offset = _measure_pad_offset(angles, stretch)
        derivatives = []
        for joint in _PINCH_JOINTS:
            changed = angles.copy()
            changed[joint] += _STEP_RAD
            derivatives.append((_measure_pad_offset(changed, stretch) - offset) / _STEP_RAD)
        angles[_PINCH_JOINTS] += np.linalg.pinv(np.array(derivatives).T) @ (target_offset - offset)
    return angles


def _measure_pad_offset(angles: geometry.Array, stretch: Vec3) -> geometry.Array:
    thumb, index = find_pads(angles, stretch)
    return index - thumb


def _make_rotation(axis: geometry.Array, angle: float) -> geometry.Array:
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross)


def _rotate_about_point(rotation: geometry.Array, point: geometry.Array) -> geometry.Array:
    matrix = np.eye(4)
    matrix[:3, :3] = rotation
    matrix[:3, 3] = point - rotation @ point
    return matrix


_Y_AXIS, _Z_AXIS = np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])


def compute_bones(angles: geometry.Array, stretch: Vec3 = NO_STRETCH) -> geometry.Array:
    """Return matrices (17, 4, 4) from each bone's rest pose to its pose in a right hand of scale 1, hand frame."""
    bones = np.tile(np.eye(4), (BONES, 1, 1))
    wrist = _make_rotation(_Y_AXIS, angles[_WRIST]) @ _make_rotation(_Z_AXIS, angles[_WRIST + 1])
    # Bending the wrist moves the forearm, because the palm defines the hand frame.
    bones[FOREARM_BONE, :3, :3] = wrist.T
    root_angle = float(np.linalg.norm(angles[:3]))
    root = _make_rotation(angles[:3] / root_angle, root_angle) if root_angle > 1e-9 else np.eye(3)
    for f in FINGERS:
        if f == 0:
            rotations = [root] + [_make_rotation(FINGER_HINGE[0], angles[i]) for i in _THUMB_HINGES]
        else:
            spread, *bends = angles[4 * f + 1 : 4 * f + 5]
            rotations = [_make_rotation(FINGER_HINGE[f], bend) for bend in bends]
            rotations[0] = _make_rotation(_Z_AXIS, spread) @ rotations[0]
        matrix = bones[PALM_BONE]
        for k, (bone, rotation) in enumerate(zip(list_finger_bones(f), rotations, strict=True)):
            matrix = matrix @ _rotate_about_point(rotation, REST[4 * f + 1 + k] * stretch)
            bones[bone] = matrix
    return bones if stretch == NO_STRETCH else np.asarray(bones @ np.diag((*stretch, 1.0)))


def _move_with_bone(bones: geometry.Array, landmark: int, point: geometry.Array) -> geometry.Array:
    matrix = bones[LANDMARK_BONE[landmark]]
    return np.asarray(matrix[:3, :3] @ point + matrix[:3, 3])


def find_pads(angles: geometry.Array, stretch: Vec3 = NO_STRETCH) -> tuple[geometry.Array, geometry.Array]:
    """Return the centres of the finger pads of thumb and index finger, on the skin, in the hand frame."""
    bones = compute_bones(angles, stretch)
    points = []
    for f, tip in ((0, THUMB_TIP), (1, INDEX_TIP)):
        # The pad is slightly flatter than the tip's radius suggests, and thickest slightly beyond the landmark.
        rest = REST[tip] - 0.95 * RADII[tip] * FINGER_BACK[f] + 0.001 * FINGER_ALONG[f]
        points.append(_move_with_bone(bones, tip, rest))
    return points[0], points[1]


def make_hand_matrix(palm: Pose, side: Side, hand_scale: float = 1.0) -> geometry.Array:
    """Return the matrix (4, 4) from the right hand of scale 1 to the table frame, mirrored for a left hand."""
    mirror = -1.0 if side == "left" else 1.0
    return np.asarray(
        geometry.mat_from_pose(palm) @ np.diag([hand_scale, mirror * hand_scale, hand_scale, 1.0])
    )


def compute_hand_landmarks(grip: float, stretch: Vec3 = NO_STRETCH) -> geometry.Array:
    """Return the landmarks (21, 3) of a right hand of scale 1 in the hand frame."""
    bones = compute_bones(find_grip_angles(grip, stretch), stretch)
    return np.array([_move_with_bone(bones, i, REST[i]) for i in range(LANDMARKS)])


def get_landmarks(state: HandState, hand_scale: float = 1.0) -> geometry.Array:
    """Return the true landmarks (21, 3) in the table frame, in mediapipe's order."""
    matrix = make_hand_matrix(state.palm, state.side, hand_scale)
    return np.asarray(compute_hand_landmarks(state.grip, state.stretch) @ matrix[:3, :3].T + matrix[:3, 3])


def mirror_hand(state: HandState) -> HandState:
    """Return the other hand, mirrored in the plane x = 0 of the table frame."""
    rotation = (
        np.diag([-1.0, 1.0, 1.0]) @ geometry.mat_from_quat(state.palm.rotation) @ np.diag([1.0, -1.0, 1.0])
    )
    x, y, z = state.palm.position
    palm = Pose((-x, y, z), geometry.quat_from_matrix(rotation))
    return replace(state, palm=palm, side="left" if state.side == "right" else "right")


def _find_pinch_in_hand(grip: float, side: Side, hand_scale: float, stretch: Vec3) -> Vec3:
    points = compute_hand_landmarks(grip, stretch)
    x, y, z = (points[THUMB_TIP] + points[INDEX_TIP]) * (0.5 * hand_scale)
    return geometry.vec3((x, -y if side == "left" else y, z))


def find_pinch_point(state: HandState, hand_scale: float = 1.0) -> Vec3:
    """Return the point halfway between thumb tip and index tip, in the table frame."""
    return geometry.pose_apply(
        state.palm, _find_pinch_in_hand(state.grip, state.side, hand_scale, state.stretch)
    )


def place_palm(
    grip_point: Vec3,
    rotation: Quat,
    grip: float = 1.0,
    side: Side = "right",
    hand_scale: float = 1.0,
    stretch: Vec3 = NO_STRETCH,
) -> Pose:
    """Return the palm pose with this rotation and with the pinch point at ``grip_point`` (table frame)."""
    x, y, z = geometry.quat_rotate(rotation, _find_pinch_in_hand(grip, side, hand_scale, stretch))
    return Pose((grip_point[0] - x, grip_point[1] - y, grip_point[2] - z), rotation)


def rotate(rotation: Quat, axis: Vec3, angle: float) -> Quat:
    """Rotate ``rotation`` further, by ``angle`` radians about an axis in the table frame."""
    return geometry.quat_multiply(geometry.quat_from_axis_angle(axis, angle), rotation)


def _make_table_rotation() -> Quat:
    # Fingers left, palm down.
    rotation = geometry.quat_from_matrix([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]])
    tilted = rotate(rotation, (1.0, 0.0, 0.0), math.radians(30.0))
    raised = rotate(tilted, (0.0, 1.0, 0.0), math.radians(10.0))
    return rotate(raised, (0.0, 0.0, 1.0), math.radians(-20.0))


#: A right hand that reaches over the table from the player's right and points left and away, its back to the camera.
#: From here, the tracker follows a slowly rotating pinch through 40 degrees about any axis of the table.
TABLE_ROTATION: Quat = _make_table_rotation()
#: A raised right hand, palm to the camera. From here, the tracker follows a pinch through 60 degrees, but only to -20
#: degrees about z.
MIRROR_ROTATION: Quat = geometry.quat_from_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


#: Pixels per metre of a paper ladder's print, chosen so that tag edges fall on pixel borders.
PX_PER_M = 6000.0
_PAPER, _INK = 255, 0
#: Joint angles of a fist in degrees: spread, knuckle, middle joint and end joint of each finger.
_FIST: list[tuple[float, ...]] = [
    (-6.0, 62.0, 84.0, 50.0),
    (0.0, 74.0, 90.0, 55.0),
    (4.0, 78.0, 92.0, 55.0),
    (9.0, 80.0, 90.0, 55.0),
]
#: Joint angles (23,) of a hand that holds a paper ladder: thumb on its tag, and thumb lifted.
_PRESSED_ANGLES = _make_angles((-0.35, 0.02, -0.16), (4.0, 12.0), _FIST)
_LIFTED_ANGLES = _make_angles((-0.10, -0.85, 0.10), (0.0, -12.0), _FIST)
#: The paper's y in the hand frame, beside the bent index finger, in metres.
_PAPER_Y_M = 0.0385
#: x and z of the thumb's tip on the paper in the hand frame, in metres.
_THUMB_TIP_X_M, _THUMB_TIP_Z_M = 0.093, -0.042


def find_paper_angles(pressed: float) -> geometry.Array:
    """Return the joint angles (23,) of a hand holding a paper ladder; ``pressed``: 0 thumb lifted, 1 on its tag."""
    return _LIFTED_ANGLES + (_PRESSED_ANGLES - _LIFTED_ANGLES) * pressed


def place_palm_on_paper(table_from_card: Pose, side: Side = "right", hand_scale: float = 1.0) -> Pose:
    """Return the pose (table_from_hand) of a palm that holds a paper ladder at ``table_from_card``."""
    mirror = -1.0 if side == "left" else 1.0
    # The card's axes in the hand frame: it points along the hand, with its front to the thumb.
    axes = np.array([(1.0, 0.0, 0.0), (0.0, 0.0, -mirror), (0.0, mirror, 0.0)]).T
    thumb_tip = hand_scale * np.array([_THUMB_TIP_X_M, mirror * _PAPER_Y_M, _THUMB_TIP_Z_M])
    origin = thumb_tip - axes @ np.array([kit.THUMB_X_M, 0.0, 0.0])
    rotation = geometry.mat_from_quat(table_from_card.rotation) @ axes.T
    return Pose(
        geometry.vec3(np.array(table_from_card.position) - rotation @ origin),
        geometry.quat_from_matrix(rotation),
    )


def list_corners(paper: HeldPaper) -> geometry.Array:
    """Return the paper's corners (4, 3), table frame, counter-clockwise from the lower one at the handle."""
    rotation = geometry.mat_from_quat(paper.table_from_card.rotation)
    half = kit.HEIGHT_M / 2.0
    outline = (
        (kit.HANDLE_END_M, -half),
        (kit.FAR_END_M, -half),
        (kit.FAR_END_M, half),
        (kit.HANDLE_END_M, half),
    )
    corners = np.array([(x, y, 0.0) for x, y in outline])
    return np.asarray(corners @ rotation.T + np.array(paper.table_from_card.position))


def draw_paper_print(ladder: kit.PaperLadder) -> npt.NDArray[np.uint8]:
    """Return a picture (2 h, w) of the front, with the back below it, as if seen through the front."""
    shape = (2, round(kit.HEIGHT_M * PX_PER_M), round((kit.FAR_END_M - kit.HANDLE_END_M) * PX_PER_M))
    faces = np.full(shape, _PAPER, np.uint8)
    for tag in (*ladder.tags, ladder.thumb):
        _draw_tag(faces[0 if tag.front else 1], tag)
    return faces.reshape(-1, shape[2])


def _draw_tag(face: npt.NDArray[np.uint8], tag: kit.Tag) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, kit.DICTIONARY))
    cells = cv2.aruco.generateImageMarker(dictionary, tag.number, kit.TAG_CELLS)
    if not tag.front:
        cells = cells[::-1]  # as if seen through the front
    cell = round(tag.side_m / kit.TAG_CELLS * PX_PER_M)
    ink = np.kron(np.where(cells > 0, _PAPER, _INK), np.ones((cell, cell)))
    left = round((tag.centre[0] - tag.side_m / 2.0 - kit.HANDLE_END_M) * PX_PER_M)
    top = round((kit.HEIGHT_M / 2.0 - tag.centre[1] - tag.side_m / 2.0) * PX_PER_M)
    face[top : top + len(ink), left : left + len(ink)] = ink
