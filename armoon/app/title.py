"""What stands behind the screens while no game is under way: the table, with nobody at it."""

from __future__ import annotations

from armoon.clock import TICKS_PER_SECOND
from armoon.values.scene import Scene, SceneHud


def title_scene(now_s: float, banner: str = "") -> Scene:
    """The empty table, with nothing on the glass but perhaps a banner."""
    hud = SceneHud(banner=banner)
    return Scene(tick=round(now_s * TICKS_PER_SECOND), pieces=(), hands=(), hud=hud)
