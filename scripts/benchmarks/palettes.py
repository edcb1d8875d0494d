"""The benchmark of palettes: how far apart colours are that mean different things, as each sight sees them.

Sight is simulated by Brettel, Viénot and Mollon (1997), distances are CIEDE2000, contrasts WCAG's against the night
on the panels. Above 20 nobody takes two colours for one at a glance; below 10 they are easily mixed up.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from armoon.errors import ArmoonError
from armoon.values.choices import Palette
from armoon.values.look import PALETTES

#: The panels' night, that swatches lie on.
NIGHT = "color(srgb 0.062 0.080 0.200)"
#: What coloraide calls each sight; the usual one isn't simulated.
SIGHTS = {palette.value: palette.value for palette in Palette}


def run(json_path: Path | None) -> int:
    """Work out, print a table, write the figures."""
    found = {palette.value: smallest_by_sight(palette) for palette in Palette}
    contrasts = {palette.value: smallest_contrast(palette) for palette in Palette}
    table = Table("palette", "colours", *(f"ΔE, {sight} sight" for sight in SIGHTS), "contrast")
    for palette, groups in found.items():
        for name, by_sight in groups.items():
            row = [f"{by_sight[sight]:.1f}" for sight in SIGHTS]
            table.add_row(palette, name, *row, f"{contrasts[palette][name]:.1f}")
    Console().print(table)
    if json_path is not None:
        plain = {"delta_e": found, "contrast": contrasts}
        json_path.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    return 0


def smallest_by_sight(palette: Palette) -> dict[str, dict[str, float]]:
    """By group of colours and by sight, the smallest CIEDE2000 between any two of the group. Raises ArmoonError."""
    colour = _coloraide().Color
    found: dict[str, dict[str, float]] = {}
    for name, codes in PALETTES[palette].groups.items():
        found[name] = {}
        for sight in SIGHTS:
            own = sight == Palette.USUAL.value
            seen = [colour(code) if own else colour(code).filter(sight).clip() for code in codes]
            found[name][sight] = min(a.delta_e(b, method="2000") for a, b in itertools.combinations(seen, 2))
    return found


def smallest_contrast(palette: Palette) -> dict[str, float]:
    """By group, WCAG's contrast of its darkest colour against the night."""
    colour = _coloraide().Color
    night = colour(NIGHT)
    return {
        name: min(colour(code).contrast(night) for code in codes)
        for name, codes in PALETTES[palette].groups.items()
    }


def _coloraide() -> Any:
    try:
        import coloraide
    except ImportError as error:
        raise ArmoonError(
            "coloraide isn't installed, which simulates how others see colours.",
            remedy='Install the test extra: pip install "armoon[test]".',
        ) from error
    return coloraide
