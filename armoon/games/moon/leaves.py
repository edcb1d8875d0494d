"""The leaves of the picture book: each figure as it came to rest in the game's own physics; and the bare base."""

from __future__ import annotations

from armoon.games.kind import Leaf
from armoon.games.moon.figures.book import BookPage, pages
from armoon.games.moon.rules.editions import STRAIGHT
from armoon.screens.pages.book import FIGURES
from armoon.values.choices import Slots
from armoon.values.pieces import Base, LadderSet
from armoon.values.scene import ScenePiece
from armoon.world.base import make_base
from armoon.world.ladders import BOX_SEED, make_ladder_set


def page_of(leaf: int) -> BookPage:
    """The book's page of that number."""
    return next(page for page in pages() if page.kind.value == FIGURES[leaf])


def book_table(page: BookPage) -> tuple[LadderSet, Base]:
    """What the page's structure is built of, and on."""
    ladders = make_ladder_set(page.ladder_seed)
    fixed = tuple(ladders[name] for name, _, is_fixed in page.standing if is_fixed)
    return ladders, make_base(fixed)


def leaf_of(number: int) -> Leaf:
    """A page's structure, with the ladders that make the figure in another tone."""
    page = page_of(number)
    ladders, base = book_table(page)
    pieces = tuple(
        ScenePiece(name, pose, "touched" if name in page.makers else "plain")
        for name, pose, _ in page.standing
    )
    return Leaf(ladders, base, pieces)


def bare_table(slots: Slots) -> tuple[LadderSet, Base]:
    """Ladders, and the base on which two of them will stand."""
    ladders = make_ladder_set(BOX_SEED)
    return ladders, make_base(tuple(ladders[name] for name in STRAIGHT[:2]), slots)
