"""Which moments become clips, and how time passes in one."""

from __future__ import annotations

import itertools

import pytest

from armoon.app.films.moments import AFTER_S, BEFORE_S, CLIP_S, SLOW, Telling, tellings
from armoon.broadcast.happenings import Began, Fall, Figures, GameOver, Happening, Seat, Verdict, Words
from armoon.broadcast.speaking import SILENT

SEATS = tuple(Seat(name, "", 0, out=False, note=SILENT) for name in ("Ann", "Ben"))
SAID = Words("said", "dit")


def verdict(turn: int, *, ok: bool = True, die: str = "ladder", margin_m: float | None = None) -> Verdict:
    return Verdict(turn, turn % 2, ok, SAID, die=die, margin_m=margin_m)


def game(*more: tuple[float, Happening]) -> tuple[tuple[float, Happening], ...]:
    return ((0.0, Began("a", SAID, SAID, "side", SEATS, ())), *more)


def test_each_kind_is_found_and_the_best_come_first() -> None:
    happened = game(
        (10.0, verdict(1)),
        (20.0, verdict(2, die="crescent", margin_m=0.05)),
        (30.0, verdict(3, die="crescent", margin_m=0.002)),
        (40.0, Fall(4, 0, ("L01", "L02", "L03"))),
        (40.0, verdict(4, ok=False)),
        (50.0, verdict(5)),
        (50.0, Figures(5, 1, "L09", (Words("bridge", "pont"),))),
        (60.0, GameOver((0,), Words("Ann wins", "Ann gagne"), SAID, (0, 1))),
    )
    found = tellings(happened, "fr")
    assert [one.kind for one in found] == ["fall", "result", "narrow", "figure", "crescent"]
    assert [one.title for one in found] == ["Ann", "Ann gagne", "Ben", "Ben", "Ann"]
    assert found[3].words == "pont"
    assert tellings(happened, "en")[3].words == "bridge"


def test_two_moments_at_once_are_one_clip() -> None:
    happened = game(
        (30.0, Fall(1, 0, ("L01",))), (30.0, verdict(1, ok=False)), (31.0, GameOver((1,), SAID, SAID, (1, 0)))
    )
    assert [one.kind for one in tellings(happened, "en")] == ["result"]


@pytest.mark.parametrize("time_s", [60.0, 2.0, 0.5])
def test_time_goes_on_slowly_round_the_moment_and_never_back(time_s: float) -> None:
    telling = Telling("fall", time_s, 1.0, "", "", good=None)
    times = [telling.at(step / 100.0) for step in range(round(100 * telling.length_s) + 1)]
    assert times[0] == max(0.0, time_s - BEFORE_S)
    assert times[-1] == pytest.approx(time_s + AFTER_S, abs=0.02)
    assert all(0.0 <= b - a <= 0.0101 for a, b in itertools.pairwise(times))
    at_moment = telling.at(telling.told_s)
    assert at_moment == pytest.approx(time_s)
    assert telling.at(telling.told_s + 0.1) - at_moment == pytest.approx(0.1 * SLOW)
    for step in range(round(10 * telling.length_s)):  # what is heard is heard when it is seen
        assert telling.film_at(telling.at(step / 10.0)) == pytest.approx(step / 10.0)
    if time_s > BEFORE_S:
        assert telling.length_s == pytest.approx(CLIP_S)
        assert 8.0 < CLIP_S < 12.0


def test_an_empty_game_has_none() -> None:
    assert tellings((), "en") == ()
    assert tellings(game(), "en") == ()
