"""The layout beside the base: the lid that presents the next ladder; its top edge is the height line."""

from __future__ import annotations

from armoon.geometry import quat_from_axis_angle, quat_rotate
from armoon.values.pieces import Ladder
from armoon.values.poses import IDENTITY_POSE, Pose, Vec3
from armoon.world.exact import lowest_point

#: The offered ladder stands upright here, right of the base (for a left hand as far to its left,
#: ``values.pieces.Base.lid_x_m``), its lowest point this far above the table.
LID_X_M, LID_Y_M = 0.17, 0.0
LID_FLOOR_M = 0.02
#: Half the lid's opening: the widest ladder with a finger's room on either side.
LID_HALF_WIDTH_M = 0.045
LID_HALF_DEPTH_M = 0.045
#: The lid's box of air, up to here, in which ladders are presented.
LID_HEIGHT_M = 0.20
#: In the co-operative game the other half of the box stands on its edge at the base's other side: its
#: upper edge is the height line (ruling C2). It takes no part in physics: nothing is built out there.
UPRIGHT_X_M, UPRIGHT_Y_M = -0.165, 0.0


def offered_pose(ladder: Ladder, lid_x_m: float = LID_X_M) -> Pose:
    """Upright in the lid, facing the player, its lowest point at the lid's floor."""
    return Pose((lid_x_m, LID_Y_M, LID_FLOOR_M - lowest_point(ladder.boxes, IDENTITY_POSE)))


def in_lid(point: Vec3, turned_rad: float = 0.0, lid_x_m: float = LID_X_M) -> bool:
    """Whether a point of the table frame lies in the lid's volume; the lid stays where it is on a turned table."""
    x, y, z = (
        point if turned_rad == 0.0 else quat_rotate(quat_from_axis_angle((0.0, 0.0, 1.0), turned_rad), point)
    )
    return (
        abs(x - lid_x_m) <= LID_HALF_WIDTH_M
        and abs(y - LID_Y_M) <= LID_HALF_DEPTH_M
        and 0.0 <= z <= LID_HEIGHT_M
    )
