"""What players choose that doesn't go together is said in their language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from armoon import messages
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import Mode, trial_options
from armoon.games.moon.rules.values import SetupFault
from armoon.games.moon.trials.tasks import task_named
from armoon.messages import text
from armoon.values.choices import Language

BOMBYX = {"edition": "Bombyx 2017", "least": 2, "most": 6}
TRIAL = MoonOptions(house=trial_options(task_named("place-three")))
#: What is chosen, and what it is said to be.
CHOSEN = {
    SetupFault.PLAYERS: (MoonOptions(), ("Ann",)),
    SetupFault.NAMES: (MoonOptions(), ("Ann", "Ann")),
    SetupFault.ALONE: (MoonOptions().having(edition="kosmos-2022"), ("Ann",)),
    SetupFault.TOGETHER: (MoonOptions().having(mode=Mode.COOPERATIVE), ("Ann", "Ben")),
    SetupFault.TRIAL: (TRIAL, ("Ann", "Ben")),
    SetupFault.TRIAL_HOUSE: (replace(TRIAL, house=replace(TRIAL.house, tears=9)), ("Ann",)),
}


@pytest.fixture(params=Language)
def language(request: pytest.FixtureRequest) -> Iterator[None]:
    messages.set_language(request.param)
    yield
    messages.set_language(Language.EN)


@pytest.mark.parametrize("fault", SetupFault)
def test_each_fault_is_said_in_the_players_language(language: None, fault: SetupFault) -> None:
    options, names = CHOSEN[fault]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - what it says is looked at
        options.check(names)
    assert str(caught.value) == text(f"setup.{fault.value}", **BOMBYX)


def test_a_trial_is_not_typed(language: None) -> None:
    with pytest.raises(ValueError, match="--camera none"):
        replace(TRIAL, no_camera=True).check(("Ann",))
