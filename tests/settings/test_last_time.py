"""What was played with last time is there the next evening, and what was typed counts more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from armoon.app.host import as_last_time, last_time_of
from armoon.cli.play import play_options
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import EditionName, Options
from armoon.games.shared.seating import FirstBy
from armoon.screens.events import seated
from armoon.screens.form import Form
from armoon.settings.files import LastTime, load_last_time, save_last_time
from armoon.settings.preferences import PlayOptions, Settings
from armoon.values.choices import SeatName, Slots

OWN = MoonOptions(EditionName.KOSMOS_2022, Slots.CROSS, Options(tears=3, young_climbers=True))
FORM = Form("lake", seated(("Zoé", "Kim")), {"moon": OWN}, SeatName.MIRROR, FirstBy.CHOSEN, 1)


def usual(*typed: str) -> PlayOptions:
    options = play_options(Settings(), seat=SeatName.TABLE, game="moon", game_options=MoonOptions())
    return replace(options, asked=frozenset(typed))


def test_the_form_of_the_last_game_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "armoon" / "last-time.json"
    save_last_time(last_time_of(FORM), path)
    form = as_last_time(Form(), load_last_time(path), usual())
    assert (form.game, form.seat, form.way, form.chosen) == ("lake", "mirror", FirstBy.CHOSEN, 1)
    assert tuple(player.name for player in form.players) == ("Zoé", "Kim")
    assert form.own["moon"] == OWN


@pytest.mark.parametrize("seat", SeatName)
def test_each_seat_comes_back(tmp_path: Path, seat: SeatName) -> None:
    path = tmp_path / "last-time.json"
    save_last_time(last_time_of(replace(FORM, seat=seat)), path)
    other = next(one for one in SeatName if one is not seat)
    assert as_last_time(replace(Form(), seat=other), load_last_time(path), usual()).seat == seat


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("game", lambda form: form.game == "moon"),
        ("players", lambda form: len(form.players) == 3),
        ("seat", lambda form: form.seat == "table"),
        ("edition", lambda form: (form.game, form.own["moon"]) == ("moon", MoonOptions())),
    ],
)
def test_what_was_typed_counts_more(typed: str, says: object) -> None:
    start = replace(Form(), seat=SeatName.TABLE)
    form = as_last_time(start, last_time_of(FORM), usual(typed))
    assert callable(says)
    assert says(form)


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"games": 3}', '{"players": [1], "seat": "roof", "chosen": -1}']
)
def test_a_file_that_makes_no_sense_is_as_good_as_none(content: str, tmp_path: Path) -> None:
    path = tmp_path / "last-time.json"
    path.write_text(content, encoding="utf-8")
    assert load_last_time(path) == LastTime()
    assert load_last_time(tmp_path / "none.json") == LastTime()


def test_of_a_games_options_those_that_make_no_sense_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "last-time.json"
    kept = {"games": {"moon": {"edition": "kosmos-2022", "slots": "heap", "tears": -4}, "chess": {}}}
    path.write_text(json.dumps(kept), encoding="utf-8")
    assert load_last_time(path).games == {"moon": MoonOptions(EditionName.KOSMOS_2022)}
