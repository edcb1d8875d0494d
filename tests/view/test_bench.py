"""The picture benchmark measures what it says."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.picture import LADDERS, scene_of

from armoon.errors import DisplayError


@pytest.mark.parametrize("count", LADDERS)
def test_the_scenes_have_as_many_ladders_as_they_say(count: int) -> None:
    tower, scene = scene_of(count)
    pieces = [piece.piece for piece in scene.pieces]
    assert len(pieces) == len(set(pieces)) == count
    assert set(pieces) <= {ladder.piece for ladder in tower.ladders.ladders}


@pytest.mark.gl
@pytest.mark.slow
def test_the_true_mask_is_where_the_rendered_hand_is() -> None:
    from benchmarks.picture import POSES, true_mask

    from armoon.camera.profiles import table_seat
    from armoon.synthetic_camera.anatomy import TABLE_ROTATION, HandState, palm_for_grip
    from armoon.synthetic_camera.look import StageLook, load_hand
    from armoon.synthetic_camera.rendered_camera import RenderedCamera

    seat = table_seat(320, 180)
    try:
        camera = RenderedCamera(seat.camera, seat.table_from_camera, StageLook(noise_sigma=0.0))
    except DisplayError as error:
        pytest.skip(str(error))
    try:
        hand = HandState(palm_for_grip(POSES[0][0], TABLE_ROTATION, 0.0), 0.0)
        empty, full = camera.render([]).astype(int), camera.render([hand]).astype(int)
    finally:
        camera.close()
    mask = true_mask(load_hand(), hand, seat.camera, seat.table_from_camera)
    changed = np.abs(full - empty).max(axis=2) > 12
    assert (changed & mask).sum() > 0.93 * mask.sum()
    # What changes outside is the hand's shadow, on the table only: above its far edge there is none.
    rows = np.nonzero(mask.any(axis=1))[0]
    beyond = changed[: rows.min() - 2]
    assert not beyond.any()


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
