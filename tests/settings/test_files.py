"""The settings file and the choices of the last game: missing ones are ignored, wrong settings are reported."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import platformdirs
import pytest

from armoon.app.host import read_last_choices, with_last_choices
from armoon.cli.play import make_play_options
from armoon.errors import SettingsError
from armoon.games.moon.editions import EditionName, Options
from armoon.games.moon.options import MoonOptions
from armoon.games.shared import FirstBy
from armoon.screens.events import seat_players
from armoon.screens.form import Form
from armoon.settings import files
from armoon.settings.files import LastChoices, games_folder, load_settings
from armoon.settings.preferences import PlayOptions, Settings
from armoon.values.choices import SeatName, Slots


def write_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_apply(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()
    assert load_settings(tmp_path / "no" / "such" / "folder.toml") == Settings()
    assert list(tmp_path.iterdir()) == []  # reading creates nothing


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('seat = "table"\nlanguage = "en\n', 2, "is broken"),
        ('seat = "table"\nlanguage = "xx"\n', 2, "one of en, fr"),
        ("\n\nspeed = 3\n", 3, "no setting 'speed'"),
        ("[camera]\nsize = 3\n", 1, "can't be"),
        ('size = "big"\n', 1, 'as "1280x720"'),
        ("rate_hz = nan\n", 1, "from 5 to 240"),
        ('players = ["Ann", "Ann"]\n', 1, "look alike"),
        ('players = "Ann"\n', 1, "a list"),
        ("camera = -1\n", 1, "webcam's number"),
    ],
)
def test_an_invalid_file_is_reported_with_line_and_remedy_and_not_changed(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    path = write_file(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    message = str(caught.value)
    assert str(path) in message
    assert f"line {line}" in message
    assert says in message
    assert "\n" not in message
    assert caught.value.remedy
    assert path.read_text(encoding="utf-8") == text


def test_logs_go_to_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert games_folder() == tmp_path / "data" / "games"
    assert games_folder().is_dir()


def test_with_an_unwritable_home_logs_go_to_a_temporary_folder(
    blocked_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert games_folder() == blocked_home / "armoon-games"
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocked_home.parent / "file"))
    with pytest.raises(SettingsError, match="Make room"):
        games_folder()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no other users' folders")
@pytest.mark.parametrize("kind", ["link", "open", "foreign", "file"])
def test_only_private_temporary_folders_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "elsewhere").mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    games = temporary / "armoon-games"
    if kind == "link":
        games.symlink_to(tmp_path / "elsewhere")
    elif kind == "file":
        games.write_text("mine")
    else:
        games.mkdir(mode=0o777)
        games.chmod(0o777)
    me = os.getuid()
    if kind == "foreign":
        monkeypatch.setattr(os, "getuid", lambda: me + 1)
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "file" / "data"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    if kind == "foreign":  # new folders belong to the real user, so every name fails
        with pytest.raises(SettingsError, match="of your own"):
            games_folder()
        return
    folder = games_folder()
    assert folder == (games if kind == "open" else temporary / f"armoon-games-{me}")
    assert folder.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "elsewhere").iterdir()) == []


MOON_OPTIONS = MoonOptions(EditionName.KOSMOS_2022, Slots.CROSS, Options(tears=3, young_climbers=True))
FORM = Form("lake", seat_players(("Zoé", "Kim")), {"moon": MOON_OPTIONS}, SeatName.MIRROR, FirstBy.CHOSEN, 1)


def default_options(*typed: str) -> PlayOptions:
    options = make_play_options(Settings(), seat=SeatName.TABLE, game="moon", game_options=MoonOptions())
    return replace(options, explicit_names=frozenset(typed))


def test_the_form_of_the_last_game_is_restored(tmp_path: Path) -> None:
    path = tmp_path / "armoon" / "last-time.json"
    files.save_last_choices(read_last_choices(FORM), path)
    form = with_last_choices(Form(), files.load_last_choices(path), default_options())
    assert (form.game, form.seat, form.first_rule, form.chosen_first) == ("lake", "mirror", FirstBy.CHOSEN, 1)
    assert tuple(player.name for player in form.players) == ("Zoé", "Kim")
    assert form.options_by_game["moon"] == MOON_OPTIONS


@pytest.mark.parametrize(
    ("typed", "is_overridden"),
    [
        ("game", lambda form: form.game == "moon"),
        ("players", lambda form: len(form.players) == 3),
        ("seat", lambda form: form.seat == "table"),
        ("edition", lambda form: (form.game, form.options_by_game["moon"]) == ("moon", MoonOptions())),
    ],
)
def test_typed_options_override_the_last_form(typed: str, is_overridden: Callable[[Form], bool]) -> None:
    start = replace(Form(), seat=SeatName.TABLE)
    assert is_overridden(with_last_choices(start, read_last_choices(FORM), default_options(typed)))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"games": 3}',
        '{"players": [1]}',
        '{"seat": "roof"}',
        '{"chosen": -1}',
        '{"game": "chess"}',
        '{"camera": "7"}',
        '{"players": ["Ann", "Ann"]}',
    ],
)
def test_an_invalid_last_form_is_ignored(content: str, tmp_path: Path) -> None:
    path = tmp_path / "last-time.json"
    path.write_text(content, encoding="utf-8")
    assert files.load_last_choices(path) == files.load_last_choices(tmp_path / "none.json") == LastChoices()


def test_invalid_options_of_a_game_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "last-time.json"
    invalid = {"games": {"moon": {"edition": "kosmos-2022", "slots": "heap", "tears": -4}, "chess": {}}}
    path.write_text(json.dumps(invalid), encoding="utf-8")
    assert files.load_last_choices(path).games == {"moon": MoonOptions(EditionName.KOSMOS_2022)}
