"""A figure of the book to try: its structure without the ladder that forms it, which is dealt first."""

from __future__ import annotations

from dataclasses import replace

from armoon.games.moon.figures.recognise import recognise
from armoon.games.moon.figures.shape import Figures
from armoon.games.moon.pictures.standing import book_table, page_named, slots_of
from armoon.games.moon.rules.game import initial
from armoon.games.moon.table.saving import MoonStart, no_counts, setup_to_plain
from armoon.games.moon.table.setup import MoonSetup
from armoon.world.base import make_base
from armoon.world.local import LocalWorld


def trying(setup: MoonSetup, figure: str) -> MoonSetup:
    """Return the same practice, begun with that figure. Raises KeyError for an unknown one."""
    page = page_named(figure)
    ladders, _ = book_table(page)
    slots = slots_of(page)
    last = page.makers[-1]
    fixed = tuple(name for name, _, is_fixed in page.standing if is_fixed)
    free = tuple((name, pose) for name, pose, is_fixed in page.standing if not is_fixed and name != last)
    # Those that make it came after those that only carry it.
    placed = tuple(
        sorted((name for name, _ in free), key=lambda name: (name in page.makers, _turn(name, page.makers)))
    )
    rest = tuple(one.piece for one in ladders.ladders if one.piece not in {*fixed, *placed, last})
    state = initial(
        setup.players, setup.edition, setup.seed, setup.options, starting=fixed, supply=(last, *rest, *placed)
    )
    state = replace(state, supply=(last, *(name for name in state.supply if name in rest)), placed=placed)
    world = LocalWorld(ladders, make_base(tuple(ladders[name] for name in fixed), slots))
    try:
        world.rebuild(tuple(row for row in page.standing if row[0] != last), asleep=True)
        facts = world.tick(None)
    finally:
        world.close()
    start = MoonStart(
        state=state,
        structure=free,
        at_rest=True,
        places={},
        rules=setup_to_plain(state),
        moves=(),
        figures=tuple(Figures(0, 0, name, recognise(ladders, facts, name, ())) for name in placed),
        counted=no_counts(setup.players),
    )
    return replace(setup, ladder_seed=page.ladder_seed, slots=slots, start=start)


def _turn(name: str, makers: tuple[str, ...]) -> int:
    return makers.index(name) if name in makers else 0
