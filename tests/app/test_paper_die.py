"""The paper die at a table: looked for only while a face is asked for, and told as a key tells it."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from armoon.app import paper
from armoon.app.front import Front
from armoon.app.paper import PaperDie
from armoon.camera.profiles import mirror_seat, table_seat
from armoon.camera.sources import Frame, unseen
from armoon.games.contract.kind import Viewed
from armoon.hands.paper_pieces import DieRead
from armoon.messages import text
from armoon.screens.state import PageName
from armoon.values.acts import Act


class AtOnce:
    """A tracker's thread that has looked as soon as it is asked."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.tracker, self.seen = make(), list[tuple[Frame, DieRead | None]]()

    def submit(self, frame: Frame) -> None:
        self.seen.append((frame, self.tracker.track(frame.image, frame.time_s, frame.index)))

    def take_seen(self) -> tuple[Frame, DieRead | None] | None:
        return self.seen.pop() if self.seen else None

    def close(self) -> None:
        self.seen.clear()


class Table:
    """A game that asks for a face, and a reader that says what it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, mirrored: bool = False) -> None:
        self.says: list[DieRead | None] = []
        self.looks: list[tuple[float, bool]] = []
        self.scales: list[float] = []
        self.asked: list[Act] = []
        monkeypatch.setattr(paper, "WatcherThread", AtOnce)
        monkeypatch.setattr(paper, "DieReader", self._reader)
        self.screens = SimpleNamespace(
            asks_face=True, page=PageName.TABLE, preferences=SimpleNamespace(kit_mm=100.0)
        )
        self.front = SimpleNamespace(screens=self.screens, fed=SimpleNamespace(result=None))
        seat = (mirror_seat if mirrored else table_seat)(640, 360)
        self.die = PaperDie(
            cast(Front, self.front), lambda: Viewed.of(seat), lambda act, down: self._ask(act, down=down)
        )
        self.frames = 0

    def _reader(self, scale: float = 1.0) -> Any:
        self.scales.append(scale)
        return SimpleNamespace(look=self._look)

    def _look(self, grey: object, time_s: float, camera: object, table: object) -> DieRead | None:
        self.looks.append((time_s, table is not None))
        return self.says.pop(0) if self.says else None

    def _ask(self, act: Act, *, down: bool) -> None:
        if down:
            self.asked.append(act)

    def frame(self, *, seconds: float = 0.1, seen: bool = True) -> None:
        self.frames += 1
        image = np.zeros((360, 640, 3), np.uint8) if seen else unseen(640, 360)
        frame = Frame(self.frames, self.frames * seconds, image)
        self.front.fed.result = SimpleNamespace(frame=frame)
        self.die.pump()


@pytest.mark.parametrize(("value", "act"), [(1, Act.ONE), (2, Act.TWO), (3, Act.THREE)])
def test_what_was_read_is_told_as_its_key_would(
    monkeypatch: pytest.MonkeyPatch, value: int, act: Act
) -> None:
    table = Table(monkeypatch)
    table.says = [None, DieRead(value)]
    table.frame(seconds=0.3)
    assert table.asked == []
    table.frame(seconds=0.3)
    assert table.asked == [act]


def test_it_looks_four_times_a_second_while_a_face_is_asked_for_and_never_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(monkeypatch)
    for _ in range(20):
        table.frame()
    assert 6 <= len(table.looks) <= 8, "in two seconds"
    before = len(table.looks)
    for name, value in (("asks_face", False), ("page", PageName.PAUSE)):
        usual = getattr(table.screens, name)
        setattr(table.screens, name, value)
        for _ in range(5):
            table.frame()
        setattr(table.screens, name, usual)
    for _ in range(5):
        table.frame(seen=False)
    assert len(table.looks) == before


def test_a_die_that_lies_askew_is_asked_about_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch)
    table.says = [DieRead(None), DieRead(2)]
    table.frame(seconds=0.3)
    assert table.asked == []
    assert table.die.trouble == text("kit.askew")
    table.frame(seconds=0.3)
    assert (table.asked, table.die.trouble) == ([Act.TWO], "")


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_table_is_known_where_the_camera_looks_at_it(
    monkeypatch: pytest.MonkeyPatch, mirrored: bool
) -> None:
    table = Table(monkeypatch, mirrored=mirrored)
    table.frame(seconds=0.3)
    assert table.looks == [(0.3, not mirrored)]


def test_the_measure_of_the_print_holds_for_the_die_too(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch)
    table.screens.preferences.kit_mm = 97.0
    table.frame()
    assert table.scales == [1.0, 0.97]


def test_a_wrong_size_is_said_before_the_next_throw_where_two_dice_tell_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(monkeypatch)

    def throw(line_mm: float) -> str:
        table.says = [DieRead(1, line_mm)]
        table.frame(seconds=0.3)
        table.screens.asks_face = False
        table.frame(seconds=0.3)
        assert table.die.trouble == "", "only while the die is waited for"
        table.screens.asks_face = True
        table.frame(seconds=0.3)
        return table.die.trouble

    assert throw(99.0) == throw(98.6) == "", "as near as it can be seen"
    assert throw(95.9) == "", "one die alone may be seen wrongly"
    assert throw(96.3) == text("kit.wrong_scale", said="100", seen="96")
    table.screens.preferences.kit_mm = 96.0
    table.frame(seconds=0.3)
    assert table.die.trouble == ""
