"""How far a fist is shown to be closed, from wide open to closed."""

from __future__ import annotations

import pytest

from armoon.hands.grips import kinds


@pytest.mark.parametrize(
    ("part", "shown"), [(-0.5, 0.0), (0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0), (1.5, 1.0)]
)
def test_a_fist_is_shown_as_far_closed_as_it_is(part: float, shown: float) -> None:
    fist = kinds.FistGrip()
    fist.gap = kinds.FIST_SHOWN_OPEN + part * (kinds.FIST_SHOWN_CLOSED - kinds.FIST_SHOWN_OPEN)
    assert fist.closing == pytest.approx(shown)
