"""The picture book on the screen: the figure of the open page, as it came to rest in the game's own physics."""

from __future__ import annotations

from dataclasses import replace

from armoon.app.title import title_scene
from armoon.games.moon.figures.book import BookPage, pages
from armoon.screens.pages.book import FIGURES
from armoon.values.pieces import Base, LadderSet
from armoon.values.scene import Scene, ScenePiece
from armoon.world.base import make_base
from armoon.world.ladders import make_ladder_set


def page_of(leaf: int) -> BookPage:
    """The book's page of that number."""
    return next(page for page in pages() if page.kind.value == FIGURES[leaf])


def book_table(page: BookPage) -> tuple[LadderSet, Base]:
    """What the page's structure is built of, and on."""
    ladders = make_ladder_set(page.ladder_seed)
    fixed = tuple(ladders[name] for name, _, is_fixed in page.standing if is_fixed)
    return ladders, make_base(fixed)


def book_scene(page: BookPage, now_s: float) -> Scene:
    """The structure, with the ladders that make the figure in another tone."""
    pieces = tuple(
        ScenePiece(name, pose, "touched" if name in page.makers else "plain")
        for name, pose, _ in page.standing
    )
    return replace(title_scene(now_s), pieces=pieces)
