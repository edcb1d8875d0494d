"""The picture behind the screens while no game is in progress: the empty table."""

from __future__ import annotations

from armoon.camera.seat import Seat
from armoon.clock import TICKS_PER_SECOND
from armoon.games.contract.kind import Viewed
from armoon.values.scene import Scene, SceneHud


def title_scene(now_s: float, banner: str = "") -> Scene:
    """Return the empty table, with nothing on the glass but perhaps a banner."""
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)


def empty(seat: Seat) -> Viewed:
    """Nothing but the camera's picture, seen from this seat."""
    return Viewed(seat.camera, seat.table_from_camera, seat.mirrored)
