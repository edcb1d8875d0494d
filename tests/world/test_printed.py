"""The table of docs/physics.md that puts the printed game beside this one says what the ladders are."""

from __future__ import annotations

import math
from collections import Counter
from statistics import median

import numpy as np
import pytest
from support.checkout import CHECKOUT

from armoon.games.moon.rules.editions import Options
from armoon.values.pieces import Ladder
from armoon.view.scene.light import WOODS
from armoon.world.bullet import FRICTION
from armoon.world.ladders import (
    BOX_SEED,
    RAIL_WIDTH_M,
    RUNG_WIDTH_M,
    THICKNESS_M,
    make_ladder_set,
)
from armoon.world.slots import FRICTION_N_M, HOLDS_N_M

ALL = make_ladder_set(BOX_SEED).ladders
STRAIGHT = [ladder for ladder in ALL if ladder.straight]
CROOKED = [ladder for ladder in ALL if not ladder.straight]
SHADES = {4: "four"}


def width_m(ladder: Ladder, end: int) -> float:
    """Over the outer faces of its rails."""
    left, right = (rail[end] for rail in ladder.rails)
    return float(np.linalg.norm(np.subtract(left, right))) + RAIL_WIDTH_M


def mm(length_m: float, digits: int = 0) -> str:
    return f"{1000.0 * length_m:.{digits}f}".removesuffix(".0")


def simulated() -> dict[str, str]:
    """The column of what is simulated, by the row's name."""
    one = STRAIGHT[0]
    lengths = sorted(ladder.length_m for ladder in CROOKED)
    widths = [width_m(ladder, end) for ladder in CROOKED for end in (0, -1)]
    rungs = sorted(Counter(len(ladder.rungs) for ladder in CROOKED).items())
    bends = [len(rail) - 2 for ladder in CROOKED for rail in ladder.rails]
    grams = [1000.0 * ladder.mass_kg for ladder in ALL]
    sections = " mm, rungs ".join(
        f"{mm(wide)} × {mm(THICKNESS_M, 1)}" for wide in (RAIL_WIDTH_M, RUNG_WIDTH_M)
    )
    return {
        "ladders": f"{len(ALL)}: {len(STRAIGHT)} straight, {len(CROOKED)} crooked",
        "straight ladder, height : width, rungs": f"{one.length_m / width_m(one, 0):.1f} : 1, {len(one.rungs)} rungs",
        "its size": f"{mm(one.length_m)} × {mm(width_m(one, 0))} mm",
        "length of the crooked ones": (
            f"{mm(lengths[0])} to {mm(lengths[-1])} mm, half of them under {mm(median(lengths))} mm"
        ),
        "their width at foot and head": f"{mm(min(widths))} to {mm(max(widths))} mm",
        "their rungs": ", ".join(f"{count} on {many}" for count, many in rungs),
        "bends in a rail": f"{min(bends)} to {max(bends)}, by straight pieces",
        "section": f"rails {sections} mm",
        "weight of one": f"{min(grams):.1f} to {max(grams):.1f} g; all {len(ALL)}: {sum(grams):.0f} g",
        "friction, wood on wood": f"{FRICTION:.2f}: slides from {math.degrees(math.atan(FRICTION)):.0f}° on",
        "base": (
            f"cloud or socle with slots; grip up to {1000.0 * FRICTION_N_M:.0f} mN m, "
            f"hold up to {1000.0 * HOLDS_N_M:.0f} mN m"
        ),
        "height line together": f"{100.0 * Options().line_m:.0f} cm, `--line`",
        "colour": f"wood in {SHADES[len(WOODS)]} shades, a mark of paint on each",
    }


def table() -> dict[str, tuple[str, ...]]:
    """The page's rows by their names: printed, simulated, and why."""
    page = (CHECKOUT / "docs" / "physics.md").read_text(encoding="utf-8")
    section = page.split("## The printed game\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return {row[0].strip(): tuple(cell.strip() for cell in row[1:]) for row in rows[2:]}


@pytest.mark.parametrize("name", simulated())
def test_the_page_says_what_is_simulated(name: str) -> None:
    assert table()[name][1] == simulated()[name]
