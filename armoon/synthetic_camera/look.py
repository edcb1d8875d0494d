"""The look of the rendered webcam's picture: skin, cloth, light, noise and the scenery behind the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from armoon.values.poses import Vec3

SkinTone = Literal["light", "tan", "dark"]

#: Linear albedo of the back of the hand.
SKIN_ALBEDO: dict[SkinTone, Vec3] = {
    "light": (0.68, 0.42, 0.30),
    "tan": (0.47, 0.27, 0.175),
    "dark": (0.265, 0.148, 0.098),
}


@dataclass(frozen=True)
class StageLook:
    """Everything about the picture that isn't the camera or the hands."""

    skin: SkinTone = "light"
    cloth: Vec3 = (0.10, 0.135, 0.20)
    """Linear albedo of the sleeve."""
    light_gain: float = 1.0
    """Exposure: 1 is a well-lit evening table."""
    noise_sigma: float = 2.3
    """Sensor noise in grey levels; 2.3 gives the pinch-point jitter of a webcam (0.6 to 0.9 px)."""
    hand_scale: float = 1.0
    """1 is a hand of 0.187 m."""
    seed: int = 0
    """Of the sensor noise: equal seeds give equal frames."""
    player_view: bool | None = None
    """Whether the camera faces the player: the room behind them, light from the screen's side, and only a
    strip of desk. None decides by the camera's tilt: a level camera faces the player."""
