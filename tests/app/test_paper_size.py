"""A paper ladder that was printed otherwise than is said, laid on the table: it is told, until the size is set."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from armoon.app.front import Front
from armoon.app.paper import PaperSize
from armoon.camera.profiles import mirror_seat, table_seat
from armoon.games.contract.kind import Viewed
from armoon.geometry import pose_compose, pose_inverse
from armoon.hands.card_tracker import CardSight
from armoon.messages import text
from armoon.values.paper import RIGHT_LADDER
from armoon.values.poses import Pose


class Laid:
    """Cards printed at 97 % before a seat, in one place after the other."""

    def __init__(self, *, mirrored: bool = False) -> None:
        self.seat = (mirror_seat if mirrored else table_seat)(1280, 720)
        self.preferences = SimpleNamespace(kit_mm=100.0)
        front = SimpleNamespace(screens=SimpleNamespace(preferences=self.preferences))
        self.sight: CardSight | None = None
        self.time_s = 0.0
        self.size = PaperSize(cast(Front, front), lambda: Viewed.of(self.seat), lambda: self.sight)

    def lay(self, x: float, seconds: float = 1.5) -> None:
        seen = pose_compose(pose_inverse(self.seat.table_from_camera), Pose((x, -0.05, 0.0)))
        u, v, w = (one / 0.97 * self.preferences.kit_mm / 100.0 for one in seen.position)
        for _ in range(round(30 * seconds)):
            self.time_s += 1.0 / 30.0
            pose = Pose((u, v, w), seen.rotation)
            self.sight = CardSight(self.time_s, RIGHT_LADDER, True, pose, 0.001, 0.01, 3, 3, None, 0.01)
            self.size.pump()


def test_a_print_of_another_size_is_said_once_it_lay_in_two_places() -> None:
    laid = Laid()
    laid.lay(0.0)
    assert laid.size.trouble == ""
    laid.lay(0.1)
    assert laid.size.trouble == text("kit.wrong_scale", said="100", seen="97")
    laid.preferences.kit_mm = 97.0
    laid.lay(0.0)
    laid.lay(0.1)
    assert laid.size.trouble == ""


def test_where_the_camera_faces_the_player_no_table_is_known() -> None:
    laid = Laid(mirrored=True)
    laid.lay(0.0)
    laid.lay(0.1)
    assert laid.size.trouble == ""
