"""The paper kit: the die acts like keys, the lid is compared with the line, and the print size is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from armoon.app import picture_readers
from armoon.app.front import Front
from armoon.app.picture_readers import PaperDie, PaperLid, PaperSize
from armoon.camera.profiles import make_mirror_seat, make_table_seat
from armoon.camera.sources import Frame, make_blank
from armoon.games.contract import RenderSetup
from armoon.geometry import pose_compose, pose_inverse
from armoon.hands.card_tracker import CardSighting
from armoon.hands.paper_pieces import StandingLid
from armoon.messages import text
from armoon.screens.state import PageName
from armoon.values.acts import Act
from armoon.values.paper import RIGHT_LADDER
from armoon.values.poses import Pose


class ImmediateWatcher:
    def __init__(self, make: Callable[[], Any]) -> None:
        self.tracker, self.seen = make(), list[tuple[Frame, Any]]()

    def submit(self, frame: Frame) -> None:
        self.seen.append((frame, self.tracker.track(frame.image, frame.time_s, frame.index)))

    def get_result(self) -> tuple[Frame, Any] | None:
        return self.seen.pop() if self.seen else None

    def close(self) -> None:
        self.seen.clear()


class Table:
    """A game that waits for a face of the die, and a reader with scripted answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, mirrored: bool = False) -> None:
        self.answers: list[int | None] = []
        self.readings: list[tuple[float, bool]] = []
        self.scales: list[float] = []
        self.acts: list[Act] = []
        monkeypatch.setattr(picture_readers, "WatcherThread", ImmediateWatcher)
        monkeypatch.setattr(picture_readers, "DieReader", self._reader)
        self.screens = SimpleNamespace(
            is_awaiting_face=True, page=PageName.TABLE, preferences=SimpleNamespace(kit_mm=100.0)
        )
        self.front = SimpleNamespace(screens=self.screens, frame_input=SimpleNamespace(result=None))
        seat = (make_mirror_seat if mirrored else make_table_seat)(640, 360)
        front = cast(Front, self.front)
        self.die = PaperDie(
            front, lambda: RenderSetup.empty(seat), lambda act, down: self._ask(act, down=down)
        )
        self.frames = 0

    def _reader(self, scale: float = 1.0) -> Any:
        self.scales.append(scale)
        return SimpleNamespace(read_die=self._look)

    def _look(self, grey: object, time_s: float, camera: object, table: object) -> int | None:
        self.readings.append((time_s, table is not None))
        return self.answers.pop(0) if self.answers else None

    def _ask(self, act: Act, *, down: bool) -> None:
        if down:
            self.acts.append(act)

    def frame(self, *, seconds: float = 0.1, seen: bool = True) -> None:
        self.frames += 1
        image = np.zeros((360, 640, 3), np.uint8) if seen else make_blank(640, 360)
        frame = Frame(self.frames, self.frames * seconds, image)
        self.front.frame_input.result = SimpleNamespace(frame=frame)
        self.die.poll()


@pytest.mark.parametrize(("value", "act"), [(1, Act.ONE), (2, Act.TWO), (3, Act.THREE)])
def test_a_read_face_has_the_same_effect_as_its_key(
    monkeypatch: pytest.MonkeyPatch, value: int, act: Act
) -> None:
    table = Table(monkeypatch)
    table.answers = [None, value]
    table.frame(seconds=0.3)
    assert table.acts == []
    table.frame(seconds=0.3)
    assert table.acts == [act]


def test_the_die_is_read_four_times_a_second_only_while_a_face_is_requested(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(monkeypatch)
    for _ in range(20):
        table.frame()
    assert 6 <= len(table.readings) <= 8, "wrong number of readings in two seconds"
    before = len(table.readings)
    for name, value in (("is_awaiting_face", False), ("page", PageName.PAUSE)):
        usual = getattr(table.screens, name)
        setattr(table.screens, name, value)
        for _ in range(5):
            table.frame()
        setattr(table.screens, name, usual)
    for _ in range(5):
        table.frame(seen=False)
    assert len(table.readings) == before


def test_the_player_is_asked_about_a_tilted_die_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch)
    table.answers = [0, 2]
    table.frame(seconds=0.3)
    assert table.acts == []
    assert table.die.trouble == text("kit.askew")
    table.frame(seconds=0.3)
    assert (table.acts, table.die.trouble) == ([Act.TWO], "")


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_die_is_read_on_the_located_table_unless_the_camera_faces_the_player(
    monkeypatch: pytest.MonkeyPatch, mirrored: bool
) -> None:
    table = Table(monkeypatch, mirrored=mirrored)
    table.frame(seconds=0.3)
    assert table.readings == [(0.3, not mirrored)]


def test_the_measured_print_size_applies_to_the_die_too(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch)
    table.screens.preferences.kit_mm = 97.0
    table.frame()
    assert table.scales == [1.0, 0.97]


def lid(x: float = 0.0, top_m: float = 0.20) -> StandingLid:
    return StandingLid(Pose((x, -0.1, 0.0)), top_m)


def show_lids(
    monkeypatch: pytest.MonkeyPatch, *seen: StandingLid | None, line_m: float = 0.20, mirrored: bool = False
) -> tuple[list[tuple[Pose, float]], str, int]:
    """Return the reported lids, the last message and the number of readings, one per second."""
    readings, lids, answers = [0], list[tuple[Pose, float]](), list(seen)

    def read_lid(grey: object, camera: object, table: object) -> StandingLid | None:
        readings[0] += 1
        return answers.pop(0)

    monkeypatch.setattr(picture_readers, "WatcherThread", ImmediateWatcher)
    monkeypatch.setattr(picture_readers, "LidReader", lambda scale: SimpleNamespace(read_lid=read_lid))
    preferences = SimpleNamespace(kit_mm=100.0)
    front = SimpleNamespace(
        screens=SimpleNamespace(page=PageName.TABLE, preferences=preferences),
        frame_input=SimpleNamespace(result=None),
    )
    seat = (make_mirror_seat if mirrored else make_table_seat)(640, 360)
    viewed = replace(RenderSetup.empty(seat), line_m=line_m)
    paper_lid = PaperLid(cast(Front, front), lambda: viewed, lambda foot, top_m: lids.append((foot, top_m)))
    for k in range(4 * len(seen)):
        frame = Frame(k, 0.25 * k, np.zeros((360, 640, 3), np.uint8))
        front.frame_input.result = SimpleNamespace(frame=frame)
        paper_lid.poll()
    return lids, paper_lid.trouble, readings[0]


def test_a_lid_is_shown_once_two_readings_a_second_apart_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    moved_lid = lid(0.1)
    lids, message, readings = show_lids(monkeypatch, None, lid(), moved_lid, moved_lid)
    assert (lids, message, readings) == ([(moved_lid.foot, moved_lid.top_m)], "", 4)


def test_a_lid_that_differs_from_the_line_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    high = lid(top_m=0.25)
    _, message, _ = show_lids(monkeypatch, high, high)
    assert "25 cm" in message
    assert "20 cm" in message
    assert show_lids(monkeypatch, high, high, line_m=0.25)[1] == ""


@pytest.mark.parametrize(("line_m", "mirrored"), [(0.0, False), (0.20, True)])
def test_the_reader_is_idle_without_a_line_or_a_located_table(
    monkeypatch: pytest.MonkeyPatch, line_m: float, mirrored: bool
) -> None:
    assert show_lids(monkeypatch, lid(), lid(), line_m=line_m, mirrored=mirrored) == ([], "", 0)


class CardOnTable:
    def __init__(self, *, mirrored: bool = False) -> None:
        self.seat = (make_mirror_seat if mirrored else make_table_seat)(1280, 720)
        self.preferences = SimpleNamespace(kit_mm=100.0)
        front = SimpleNamespace(screens=SimpleNamespace(preferences=self.preferences))
        self.sight: CardSighting | None = None
        self.time_s = 0.0
        self.size = PaperSize(cast(Front, front), lambda: RenderSetup.empty(self.seat), lambda: self.sight)

    def lay_card(self, x: float, seconds: float = 1.5) -> None:
        card_pose = pose_compose(pose_inverse(self.seat.table_from_camera), Pose((x, -0.05, 0.0)))
        u, v, w = (metres / 0.97 * self.preferences.kit_mm / 100.0 for metres in card_pose.position)
        for _ in range(round(30 * seconds)):
            self.time_s += 1.0 / 30.0
            pose = Pose((u, v, w), card_pose.rotation)
            self.sight = CardSighting(self.time_s, RIGHT_LADDER, True, pose, 0.001, 0.01, 3, 3, None, 0.01)
            self.size.poll()


def test_a_wrong_print_size_is_reported_once_the_card_has_lain_in_two_places() -> None:
    card = CardOnTable()
    card.lay_card(0.0)
    assert card.size.trouble == ""
    card.lay_card(0.1)
    assert card.size.trouble == text("kit.wrong_scale", setting="100", measured="97")
    card.preferences.kit_mm = 97.0
    card.lay_card(0.0)
    card.lay_card(0.1)
    assert card.size.trouble == ""


def test_no_print_is_measured_if_the_camera_faces_the_player() -> None:
    card = CardOnTable(mirrored=True)
    card.lay_card(0.0)
    card.lay_card(0.1)
    assert card.size.trouble == ""
