"""The picture stays animated while the program works, and errors of the work are raised where it is awaited."""

from __future__ import annotations

import itertools
import threading

import pytest
from support.waiting import PATIENCE_S

from armoon.app.waiting import make_preparing_page, run_animated
from armoon.errors import ArmoonError
from armoon.values.choices import CameraWay, Way
from armoon.values.page import WidgetKind


def test_the_animation_runs_until_the_work_is_done() -> None:
    enough = threading.Event()
    moved = 0

    def move() -> None:
        nonlocal moved
        moved += 1
        assert threading.current_thread() is threading.main_thread()
        if moved == 3:
            enough.set()

    def work() -> bool:
        assert threading.current_thread() is not threading.main_thread()
        return enough.wait(PATIENCE_S)

    assert run_animated(work, move)
    assert moved >= 3


def test_a_workers_error_is_raised_where_its_result_is_awaited() -> None:
    def fail() -> None:
        raise ArmoonError("The disk is full.", remedy="Make room.")

    with pytest.raises(ArmoonError, match="disk"):
        run_animated(fail, lambda: None)

    def fail_later() -> None:
        raise TimeoutError("nobody answered")

    with pytest.raises(TimeoutError, match="nobody"):
        run_animated(fail_later, lambda: None)


def test_the_page_names_the_preparation_and_its_dots_move() -> None:
    pages = [make_preparing_page(0.1 * tenth, CameraWay.REAL, Way.HAND) for tenth in range(24)]
    assert all(page["preparing"].value for page in pages)
    assert all(page["preparing"].kind is WidgetKind.CARD for page in pages)
    rings = [page["ring"].drawing for page in pages]
    assert all(after != before for before, after in itertools.pairwise(rings))


@pytest.mark.parametrize("way", Way)
@pytest.mark.parametrize("camera", CameraWay)
def test_a_hand_is_prepared_only_if_somebody_plays_by_hand(camera: CameraWay, way: Way) -> None:
    words = make_preparing_page(0.0, camera, way)["preparing"].value
    demo, by_hand = camera is CameraWay.DEMO, camera is CameraWay.REAL and way is Way.HAND
    assert ("hand" in words) is (demo or by_hand)
    assert "table" in words
