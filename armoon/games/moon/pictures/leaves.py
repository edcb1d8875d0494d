"""The leaves of the picture book: each figure as it settled in the game's own physics; and the bare base."""

from __future__ import annotations

import math

from armoon.games.contract.capabilities import Leaf
from armoon.games.moon.figures.figure import BookPage, pages
from armoon.games.moon.figures.shape import meeting
from armoon.games.moon.rules.editions import STRAIGHT
from armoon.values.choices import Slots
from armoon.values.pieces import Base, LadderSet
from armoon.values.scene import ScenePiece
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set

#: How strongly the ladders that make a figure shine: their wood has still to be seen.
_GLOW = 0.45


def page_named(figure: str) -> BookPage:
    """Return the book's page of that figure. KeyError where it has none."""
    return {page.figure: page for page in pages()}[figure]


def book_table(page: BookPage) -> tuple[LadderSet, Base]:
    """Return the ladders and the base of the page's structure."""
    ladders = make_ladder_set(page.ladder_seed)
    fixed = tuple(ladders[name] for name, _, is_fixed in page.standing if is_fixed)
    return ladders, make_base(fixed)


def slots_of(page: BookPage) -> Slots:
    """Return the configuration in which the page's starting ladders stand."""
    ladders, _ = book_table(page)
    fixed = [(ladders[name], pose) for name, pose, is_fixed in page.standing if is_fixed]

    def off_m(slots: Slots) -> float:
        base = make_base(tuple(ladder for ladder, _ in fixed), slots)
        return sum(
            math.dist(pose.position, slot.position) for (_, pose), slot in zip(fixed, base.slots, strict=True)
        )

    return min(Slots, key=off_m)


def leaf_of(number: int) -> Leaf:
    """Return a page's structure, with the ladders that make the figure in another tone."""
    page = pages()[number]
    ladders, base = book_table(page)
    pieces = tuple(
        ScenePiece(name, pose, "touched" if name in page.makers else "plain", _GLOW)
        for name, pose, _ in page.standing
    )
    by_name = {name: ladders[name] for name, _, _ in page.standing}
    poses = {name: pose for name, pose, _ in page.standing}
    pairs = {
        frozenset((piece, other)): spot
        for piece in page.makers
        for other, spot in meeting(by_name, poses, piece).items()
    }
    return Leaf(ladders, base, pieces, tuple(pairs.values()))


def bare_table(slots: Slots, *, left_handed: bool) -> tuple[LadderSet, Base]:
    """Ladders, and the base on which two of them will stand."""
    ladders = make_ladder_set(BOX_SEED)
    two = tuple(ladders[name] for name in STRAIGHT[:2])
    return ladders, make_base(two, slots, left_handed=left_handed)
