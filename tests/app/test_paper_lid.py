"""A real lid at a team's table: shown where two looks agree, and compared with the game's line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from armoon.app import paper as paper_lid
from armoon.app.front import Front
from armoon.app.paper import PaperLid
from armoon.camera.profiles import mirror_seat, table_seat
from armoon.camera.sources import Frame
from armoon.games.contract.kind import Viewed
from armoon.hands.paper_pieces import LidSeen
from armoon.screens.state import PageName
from armoon.values.poses import Pose


class AtOnce:
    """A tracker's thread that has looked as soon as it is asked."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.tracker, self.seen = make(), list[tuple[Frame, LidSeen | None]]()

    def submit(self, frame: Frame) -> None:
        self.seen.append((frame, self.tracker.track(frame.image, frame.time_s, frame.index)))

    def take_seen(self) -> tuple[Frame, LidSeen | None] | None:
        return self.seen.pop() if self.seen else None

    def close(self) -> None:
        self.seen.clear()


def lid(x: float = 0.0, top_m: float = 0.20) -> LidSeen:
    return LidSeen(Pose((x, -0.1, 0.0)), top_m)


def played(
    monkeypatch: pytest.MonkeyPatch, *seen: LidSeen | None, line_m: float = 0.20, mirrored: bool = False
) -> tuple[list[tuple[Pose, float]], str, int]:
    """What is shown, what is said at last, and how often it was looked, one look a second."""
    looks, shown, coming = [0], list[tuple[Pose, float]](), list(seen)

    def look(grey: object, camera: object, table: object) -> LidSeen | None:
        looks[0] += 1
        return coming.pop(0)

    monkeypatch.setattr(paper_lid, "WatcherThread", AtOnce)
    monkeypatch.setattr(paper_lid, "LidReader", lambda scale: SimpleNamespace(look=look))
    preferences = SimpleNamespace(kit_mm=100.0)
    front = SimpleNamespace(
        screens=SimpleNamespace(page=PageName.TABLE, preferences=preferences),
        fed=SimpleNamespace(result=None),
    )
    seat = (mirror_seat if mirrored else table_seat)(640, 360)
    viewed = replace(Viewed.of(seat), line_m=line_m)
    paper = PaperLid(cast(Front, front), lambda: viewed, lambda foot, top_m: shown.append((foot, top_m)))
    for k in range(4 * len(seen)):
        frame = Frame(k, 0.25 * k, np.zeros((360, 640, 3), np.uint8))
        front.fed.result = SimpleNamespace(frame=frame)
        paper.pump()
    return shown, paper.trouble, looks[0]


def test_it_is_shown_once_two_looks_a_second_apart_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    there = lid(0.1)
    shown, said, looks = played(monkeypatch, None, lid(), there, there)
    assert (shown, said, looks) == ([(there.foot, there.top_m)], "", 4)


def test_a_lid_of_another_height_than_the_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    high = lid(top_m=0.25)
    _, said, _ = played(monkeypatch, high, high)
    assert "25 cm" in said
    assert "20 cm" in said
    assert played(monkeypatch, high, high, line_m=0.25)[1] == ""


@pytest.mark.parametrize(("line_m", "mirrored"), [(0.0, False), (0.20, True)])
def test_without_a_line_or_a_known_table_nobody_looks(
    monkeypatch: pytest.MonkeyPatch, line_m: float, mirrored: bool
) -> None:
    assert played(monkeypatch, lid(), lid(), line_m=line_m, mirrored=mirrored) == ([], "", 0)
