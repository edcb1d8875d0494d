"""The look of the rendered webcam's picture: skin, cloth, light, noise and the scenery behind the table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from armoon.values.poses import Vec3

SkinTone = Literal["light", "tan", "dark"]

#: Linear albedo of the back of the hand.
SKIN_ALBEDO: dict[SkinTone, Vec3] = {
    "light": (0.68, 0.42, 0.30),
    "tan": (0.47, 0.27, 0.175),
    "dark": (0.265, 0.148, 0.098),
}


#: Gold.
RING: Vec3 = (0.78, 0.52, 0.19)


@dataclass(frozen=True)
class StageLook:
    """Everything about the picture that isn't the camera or the hands."""

    skin: SkinTone = "light"
    cloth: Vec3 = (0.10, 0.135, 0.20)
    """Linear albedo of the sleeve."""
    varnish: Vec3 | None = None
    """Linear albedo of varnished nails; None: plain ones."""
    ring: bool = False
    """Whether the ring finger wears one."""
    light_gain: float = 1.0
    """Exposure: 1 is a well-lit evening table."""
    noise_sigma: float = 2.3
    """Sensor noise in grey levels; 2.3 gives the pinch-point jitter of a webcam (0.6 to 0.9 px)."""
    hand_scale: float = 1.0
    """1 is a hand of 0.187 m."""
    seed: int = 0
    """Seed of the sensor noise: equal seeds give equal frames."""
    player_view: bool | None = None
    """Whether the camera faces the player: the room behind them, light from the screen's side, and only a
    strip of desk. None decides by the camera's tilt: a level camera faces the player."""


@dataclass(frozen=True)
class HandKind:
    """One person's hand, as it is dressed and lit."""

    name: str
    scale: float
    stretch: Vec3
    look: StageLook

    def seen(self, seed: int) -> StageLook:
        """Return its look with another sensor noise."""
        return replace(self.look, hand_scale=self.scale, seed=seed)


def _kind(name: str, scale: float, stretch: Vec3, **look: Any) -> HandKind:
    return HandKind(name, scale, stretch, StageLook(**look))


_WHITE, _BLACK, _RED, _GREEN, _GREY = (
    *((0.62, 0.62, 0.58), (0.02, 0.02, 0.022), (0.33, 0.045, 0.04)),
    *((0.07, 0.16, 0.08), (0.24, 0.24, 0.26)),
)
#: Eight hands, as different as those of eight people: length times breadth times thickness, skin, nails, sleeve, ring
#: and light.
HANDS: tuple[HandKind, ...] = (
    _kind("median", 1.0, (1.0, 1.0, 1.0), skin="tan"),
    _kind("child", 0.80, (0.96, 1.04, 1.05), skin="light", cloth=_RED),
    _kind(
        "slender", 0.97, (1.06, 0.92, 0.92), skin="light", varnish=(0.45, 0.02, 0.04), ring=True, cloth=_BLACK
    ),
    _kind("broad", 1.05, (0.95, 1.10, 1.10), skin="tan", cloth=_GREY, light_gain=0.8),
    _kind("large", 1.12, (1.0, 1.0, 1.0), skin="dark", cloth=_WHITE, light_gain=1.2),
    _kind("long", 1.06, (1.08, 0.98, 0.95), skin="dark", cloth=_GREEN, light_gain=0.7),
    _kind("small", 0.89, (1.0, 0.97, 0.97), skin="dark", varnish=(0.62, 0.55, 0.52), ring=True, cloth=_RED),
    _kind("stout", 0.93, (0.93, 1.08, 1.12), skin="light", cloth=_WHITE, light_gain=1.4),
)
HANDS_BY_NAME = {hand.name: hand for hand in HANDS}
