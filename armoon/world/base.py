"""Makes the base (a cloud of box lobes, with slots for the starting ladders) and the lid beside it."""

from __future__ import annotations

import math

from armoon.errors import WorldError
from armoon.geometry import quat_from_axis_angle, quat_multiply, quat_rotate
from armoon.values.choices import Slots
from armoon.values.pieces import TABLE, Base, Box, Ladder
from armoon.values.poses import IDENTITY_POSE, IDENTITY_QUAT, Pose, Vec3
from armoon.world.exact import find_lowest_m
from armoon.world.ladders import find_foot

#: Half extents of the table: much wider than any camera's view, so that no ladder slides or flies off its edge.
TABLE_HALF_M = (3.0, 3.0, 0.02)


def make_table_boxes() -> tuple[Box, ...]:
    return (Box((0.0, 0.0, -TABLE_HALF_M[2]), IDENTITY_QUAT, TABLE_HALF_M, TABLE),)


#: Position of the offered ladder, upright and right of the base (mirrored for a left hand,
#: ``values.pieces.Base.lid_x_m``), and the height of its lowest point above the table.
LID_X_M, LID_Y_M = 0.17, 0.0
LID_FLOOR_M = 0.02
#: Half the lid's opening: the widest ladder plus a finger on either side.
LID_HALF_WIDTH_M = 0.045
LID_HALF_DEPTH_M = 0.045
#: Top of the lid's volume, in which ladders are presented.
LID_HEIGHT_M = 0.20
#: Position of the box's other half, which stands on edge in the co-operative game, without physics: its top is the
#: height line (C2).
UPRIGHT_X_M, UPRIGHT_Y_M = -0.165, 0.0


def make_offered_pose(ladder: Ladder, lid_x_m: float = LID_X_M) -> Pose:
    return Pose((lid_x_m, LID_Y_M, LID_FLOOR_M - find_lowest_m(ladder.boxes, IDENTITY_POSE)))


def is_in_lid(point: Vec3, turned_rad: float = 0.0, lid_x_m: float = LID_X_M) -> bool:
    """Return whether a point of the table frame is in the lid's volume; the lid doesn't turn with a turned table."""
    x, y, z = (
        point if turned_rad == 0.0 else quat_rotate(quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad), point)
    )
    return (
        abs(x - lid_x_m) <= LID_HALF_WIDTH_M
        and abs(y - LID_Y_M) <= LID_HALF_DEPTH_M
        and 0.0 <= z <= LID_HEIGHT_M
    )


#: Height of the cloud: the real one is about as high as a thumb is wide.
BASE_HEIGHT_M = 0.022
#: Depth of the starting ladders' feet in their slots.
SLOT_DEPTH_M = 0.012
#: Inset of a lobe's upper half, which imitates the cloud's rounded edge.
SHOULDER_M = 0.006


#: Lobes of the cloud, regular octagonal prisms with narrower ones on top: x, y, radius and height.
_LOBES = (
    (0.000, 0.000, 0.047, BASE_HEIGHT_M),
    (-0.044, 0.002, 0.034, 0.020),
    (0.045, 0.004, 0.035, 0.021),
    (-0.020, -0.032, 0.027, 0.016),
    (0.022, -0.033, 0.029, 0.017),
    (-0.024, 0.034, 0.029, 0.018),
    (0.021, 0.036, 0.028, 0.017),
)

#: x and y of the middle between a ladder's feet in a slot, and the ladder's yaw and lean in degrees.
_Slot = tuple[float, float, float, float]
#: The configurations to choose from (ruling M2); the third slot is for the option young climbers.
CONFIGURATIONS: dict[str, tuple[_Slot, _Slot, _Slot]] = {
    Slots.DEFAULT: (
        (-0.028, 0.0, 20.0, -6.0),
        (0.030, 0.006, -51.0, 7.0),
        (0.0, 0.030, 80.0, 4.0),
    ),
    Slots.CROSS: (
        (-0.022, -0.004, 0.0, 0.0),
        (0.024, 0.004, 90.0, 5.0),
        (-0.004, 0.034, 25.0, 5.0),
    ),
    Slots.PARALLEL: (
        (0.0, -0.022, 0.0, 4.0),
        (0.0, 0.022, 0.0, -4.0),
        (0.050, 0.0, 90.0, 0.0),
    ),
    Slots.FACING: (
        (-0.032, 0.0, 90.0, 8.0),
        (0.032, 0.0, 90.0, -8.0),
        (0.0, 0.032, 0.0, -4.0),
    ),
    Slots.CORNER: (
        (-0.030, 0.010, 65.0, 6.0),
        (0.018, -0.020, -20.0, 6.0),
        (0.030, 0.030, 40.0, -5.0),
    ),
}


#: Initial rotation of a drawn table, to either side.
_FIRST_TURN_DEG = 30.0


def find_initial_rotation(configuration: str) -> float:
    """Return the initial rotation, radians, that shows both starting ladders better from the front."""
    yaws = [yaw for _, _, yaw, _ in CONFIGURATIONS[configuration][:2]]

    def measure_visibility(turn: float) -> float:
        return min(abs(math.cos(math.radians(yaw + turn))) for yaw in yaws)

    return math.radians(max((_FIRST_TURN_DEG, -_FIRST_TURN_DEG), key=measure_visibility))


def make_base(
    starting: tuple[Ladder, ...], configuration: str = Slots.DEFAULT, *, left_handed: bool = False
) -> Base:
    """Return the base with slots for these ladders. Raises WorldError if there are too many."""
    slots = CONFIGURATIONS[configuration]
    if len(starting) > len(slots):
        raise WorldError(
            f"The base has {len(slots)} slots, not {len(starting)}.",
            remedy="Play with two or three starting ladders.",
        )
    boxes = tuple(box for lobe in _LOBES for box in _make_lobe_boxes(*lobe))
    poses = tuple(_make_standing_pose(ladder, slot) for ladder, slot in zip(starting, slots, strict=False))
    return Base(boxes, BASE_HEIGHT_M, poses, -LID_X_M if left_handed else LID_X_M)


def _make_lobe_boxes(x: float, y: float, radius: float, height: float) -> list[Box]:
    lower = height * 0.55
    boxes = []
    for half, low, high in ((radius, 0.0, lower), (radius - SHOULDER_M, lower, height)):
        half_side = half * math.tan(math.pi / 8.0)
        for k in range(4):
            rotation = quat_from_axis_angle((0.0, 0.0, 1.0), k * math.pi / 4.0)
            centre = (x, y, (low + high) / 2.0)
            boxes.append(Box(centre, rotation, (half, half_side, (high - low) / 2.0), "base"))
    return boxes


def _make_standing_pose(ladder: Ladder, slot: _Slot) -> Pose:
    x, y, yaw_deg, lean_deg = slot
    yaw = quat_from_axis_angle((0.0, 0.0, 1.0), math.radians(yaw_deg))
    lean = quat_from_axis_angle((1.0, 0.0, 0.0), math.radians(lean_deg))
    rotation = quat_multiply(yaw, lean)
    fx, fy, fz = quat_rotate(rotation, find_foot(ladder))
    return Pose((x - fx, y - fy, BASE_HEIGHT_M - SLOT_DEPTH_M - fz), rotation)
