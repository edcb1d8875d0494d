"""The drawn hand mask fits the hand, as the picture benchmark measures it."""

from __future__ import annotations

import pytest

from armoon.errors import DisplayError


@pytest.mark.gl
@pytest.mark.slow
@pytest.mark.tracker
def test_the_drawn_mask_fits_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import picture

    monkeypatch.setattr(picture, "POSES", picture.POSES[::2])
    try:
        figures = picture.measure_hand()
    except DisplayError as error:
        pytest.skip(str(error))
    assert figures["hand_poses_seen"] == len(picture.POSES)
    assert figures["hand_mask_iou"] >= 0.90
    assert figures["hand_mask_iou_least"] >= 0.75
