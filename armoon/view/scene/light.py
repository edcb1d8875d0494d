"""The light on virtual objects, and the colours of the picture."""

from __future__ import annotations

from dataclasses import dataclass

from armoon.geometry import unit, vec3
from armoon.values.poses import Vec3

Rgba = tuple[float, float, float, float]


@dataclass(frozen=True)
class Light:
    """A key light, the sky and the table's reflection; linear colours."""

    towards: Vec3
    """Unit vector from the table to the key light."""
    key: Vec3
    sky: Vec3
    bounce: Vec3
    evening: float
    """0 leaves the camera's colours alone, 1 is full moonlight."""
    bounce_gain: float = 1.0
    """What the table sends back in times of how it looks in the camera's picture."""
    level: float = 0.28
    """How bright the table's place is in the pictures that these colours were made for (linear, median)."""
    rim: float = 0.0
    """How much of the key light comes round the edges of wood that stands before it."""


#: A lamp beyond the left end of the table: shadows fall to the right and towards the viewer.
LAMP = Light(
    towards=vec3(unit((-0.52, 0.28, 0.80))),
    key=(1.95, 1.74, 1.44),
    sky=(0.56, 0.60, 0.68),
    bounce=(0.36, 0.26, 0.18),
    evening=0.65,
)
#: A camera that faces the player has screen and window behind it, and so has the light.
SCREEN = Light(
    towards=vec3(unit((-0.45, -0.60, 0.66))),
    key=(1.45, 1.40, 1.32),
    sky=(0.42, 0.45, 0.52),
    bounce=(0.30, 0.24, 0.18),
    evening=0.55,
    bounce_gain=3.2,
    level=0.075,
)

#: Wood from dark to light (linear): walnut, cherry, oak, birch.
WOODS: tuple[Vec3, ...] = (
    (0.330, 0.180, 0.092),
    (0.560, 0.340, 0.175),
    (0.740, 0.520, 0.300),
    (0.880, 0.720, 0.500),
)

#: Milk paint of the marks that tell ladders apart (linear): brick, slate, sage, ochre, chalk, plum. Muted, so that none
#: looks like a mark with a meaning, and of different lightness, for colour-blind players.
PAINTS: tuple[Vec3, ...] = (
    (0.380, 0.080, 0.048),
    (0.055, 0.115, 0.230),
    (0.150, 0.250, 0.135),
    (0.600, 0.320, 0.050),
    (0.840, 0.780, 0.660),
    (0.140, 0.040, 0.110),
)


def wood_colour(tone: float) -> Vec3:
    """Return the linear colour of a ladder of this tone, 0 dark to 1 light."""
    place = min(max(tone, 0.0), 1.0) * (len(WOODS) - 1)
    low = min(int(place), len(WOODS) - 2)
    mix = place - low
    r, g, b = (a + (b - a) * mix for a, b in zip(WOODS[low], WOODS[low + 1], strict=True))
    return (r, g, b)


#: Colour and strength of the looks that a ladder can have (display colours).
GOLD: Vec3 = (1.00, 0.80, 0.42)
MOONLIGHT: Vec3 = (0.62, 0.80, 1.00)
GOOD: Vec3 = (0.45, 0.92, 0.62)
FAULT: Vec3 = (1.00, 0.30, 0.24)
GLOWS: dict[str, Rgba] = {
    "plain": (0.0, 0.0, 0.0, 0.0),
    "offered": (*GOLD, 0.22),
    "waiting": (*GOLD, 0.34),
    "hover": (1.00, 0.90, 0.66, 0.34),
    "held": (*GOLD, 0.16),
    "touched": (*MOONLIGHT, 0.26),
    "honoured": (*GOOD, 0.34),
    "fault": (*FAULT, 0.42),
}
