"""The demo that was looked for, as it is kept, and what its player can do that others don't."""

from __future__ import annotations

from dataclasses import replace

import pytest

from armoon.app.setup import seeded
from armoon.app.sources.part import source_of
from armoon.games import game_options
from armoon.games.moon.kind import KIND
from armoon.games.moon.player.ways import UNHURRIED, Wish, manner_of, trailer
from armoon.settings.preferences import PlayOptions

OPTIONS = PlayOptions(game="moon", game_options=game_options("moon")(), seed=5)


def test_it_means_to_honour_every_die_and_dares_once_at_the_end() -> None:
    manner = trailer().manner
    assert set(manner.wishes) == {Wish.HONOUR}
    assert manner.dares_at > 2
    assert manner.turns_before > 0
    assert manner.waits_in > 0


def test_other_seeds_are_played_unhurriedly() -> None:
    assert manner_of(trailer().seed) is trailer().manner
    assert manner_of(trailer().seed + 1) is UNHURRIED


def test_the_demo_of_which_nobody_chose_the_seed_is_the_trailer() -> None:
    assert source_of(OPTIONS).plays
    assert seeded(OPTIONS).seed == trailer().seed == KIND.demo_seed()


@pytest.mark.parametrize("changes", [{"camera": "0"}, {"asked": frozenset({"seed"})}, {"game": "lake"}])
def test_any_other_game_keeps_its_seed(changes: dict[str, object]) -> None:
    assert seeded(replace(OPTIONS, **changes)).seed == 5  # type: ignore[arg-type]
