"""The picture benchmark measures the right thing."""

from __future__ import annotations

import pytest

from armoon.errors import DisplayError


@pytest.mark.gl
@pytest.mark.slow
@pytest.mark.tracker
def test_the_drawn_mask_fits_the_hand() -> None:
    from benchmarks.picture import POSES, measure_hand

    try:
        found = measure_hand()
    except DisplayError as error:
        pytest.skip(str(error))
    assert found["hand_poses_seen"] == len(POSES)
    assert found["hand_mask_iou"] >= 0.90
    assert found["hand_mask_iou_least"] >= 0.75
