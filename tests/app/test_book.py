"""The book of figures shows each figure complete, large and rotating, and lists the players who made it."""

from __future__ import annotations

import datetime
import math
from pathlib import Path

import numpy as np
import pytest

from armoon.app.setup import count_figures
from armoon.app.waiting import STEP_S, TURN_S, BookStage
from armoon.camera.profiles import make_table_seat
from armoon.games.contract import find_picture_book_kind
from armoon.geometry import pose_apply, project_table_points
from armoon.saves.profiles import Result, store_result
from armoon.screens.events import FigureCount
from armoon.values.page import TALL_ASPECT

SEAT = make_table_seat(640, 360)


def open_stage(page: int, *, tall: bool) -> BookStage:
    stage = BookStage()
    assert stage.open_page(page, SEAT, tall=tall) is not None
    assert stage.open_page(page, SEAT, tall=tall) is None
    return stage


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("page", range(len(find_picture_book_kind().figures)))
def test_the_figure_stays_complete_and_large_at_every_angle(page: int, tall: bool) -> None:
    stage = open_stage(page, tall=tall)
    highest, lowest = math.inf, -math.inf
    eye = stage.compose_scene(0.0, calm=False).seen_from
    assert eye is not None
    for time_s in np.linspace(0.0, TURN_S, 9):
        scene = stage.compose_scene(float(time_s), calm=False)
        ends = [
            pose_apply(piece.pose, end)
            for piece in scene.pieces
            for rail in stage.ladders[piece.piece].rails
            for end in rail
        ]
        pixels = project_table_points(SEAT.camera, eye, ends)
        half = TALL_ASPECT / 2.0 * SEAT.camera.height if tall else SEAT.camera.width / 2.0
        assert (np.abs(pixels[:, 0] - SEAT.camera.cx) < half).all()
        highest, lowest = min(highest, pixels[:, 1].min()), max(lowest, pixels[:, 1].max())
    top, bottom = (0.05, 0.95) if tall else (0.25, 0.85)
    assert highest >= top * SEAT.camera.height - 1.0
    assert lowest <= bottom * SEAT.camera.height + 1.0
    # Base and ladders fill most of the free area.
    base = project_table_points(SEAT.camera, eye, [(0.0, -0.08, 0.0)])
    assert base[0, 1] - highest > 0.75 * (bottom - top) * SEAT.camera.height


def test_the_figure_turns_slowly_and_in_steps_with_less_motion() -> None:
    stage = open_stage(0, tall=False)

    def at(time_s: float, *, calm: bool) -> tuple[float, ...]:
        return stage.compose_scene(time_s, calm=calm).pieces[0].pose.position

    assert at(1.0, calm=False) != at(1.1, calm=False)
    assert math.dist(at(1.0, calm=False), at(1.1, calm=False)) < 0.002
    assert at(0.1, calm=True) == at(STEP_S - 0.1, calm=True)
    assert at(0.1, calm=True) != at(STEP_S + 0.1, calm=True)
    assert stage.compose_scene(0.0, calm=False).contact_points


def test_makers_are_counted_over_all_games(tmp_path: Path) -> None:
    assert count_figures(tmp_path) == {}

    def result(game: str, date: str, **figures: dict[str, int]) -> Result:
        return Result(game, date, "bombyx-2017", "", ("Ann", "Ben"), ("Ann",), None, "moon", figures)

    store_result(tmp_path, "a", result("a", "2026-11-20T20:00:00", Ann={"swing": 2}, Ben={"swing": 1}))
    store_result(tmp_path, "b", result("b", "2026-11-21T20:00:00", Ann={"swing": 1, "bolt": 1}))
    book = count_figures(tmp_path)
    assert book["swing"] == (
        FigureCount("Ann", 3, datetime.date(2026, 11, 21)),
        FigureCount("Ben", 1, datetime.date(2026, 11, 20)),
    )
    assert book["bolt"] == (FigureCount("Ann", 1, datetime.date(2026, 11, 21)),)
    assert "candle" not in book
