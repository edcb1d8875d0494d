"""The settings file: read if it is there, never written; a wrong one is told with file, line and remedy."""

from __future__ import annotations

import os
import tempfile
from dataclasses import FrozenInstanceError
from pathlib import Path

import platformdirs
import pytest

from armoon.camera.seat import SEATS
from armoon.errors import SettingsError
from armoon.games.moon.options import MoonOptions
from armoon.games.moon.rules.editions import EDITIONS, EditionName, Options
from armoon.options.kinds import parse_players, parse_size
from armoon.settings import files as settings
from armoon.settings.files import games_folder, load_settings
from armoon.settings.preferences import Settings
from armoon.values.choices import (
    Air,
    ButtonKind,
    DepthHelp,
    FramingName,
    GripKind,
    KeyHand,
    Language,
    OneHand,
    Palette,
    ReaderUse,
    RotatedDeg,
    SeatName,
    Slots,
    Speech,
    TierName,
    Way,
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "settings.toml") == Settings()
    assert load_settings(tmp_path / "no" / "such" / "folder.toml") == Settings()
    assert list(tmp_path.iterdir()) == []  # reading makes nothing


def test_the_users_own_file_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "settings_path", lambda: written(tmp_path, 'seat = "mirror"'))
    assert load_settings().seat == "mirror"


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        # the family's table
        language = "fr"
        edition = "kosmos-2022"
        players = ["Zoé", "Karl"]
        camera = 2
        size = "640x480"
        rate_hz = 60
        seat = "mirror"
        palm_length_m = 0.08
        one_hand = "off"
        slots = "cross"
        grace_s = 5
        tier = "plain"
        framing = "whole"
        grip = "fist"
        depth_help = "lock"
        air = "falls"
        fine_gain = 0.5
        turned_deg = 90
        flipped = true
        way = "switch"
        button = "hold"
        choosing = true
        loud_switch = true
        key_hand = "left"
        keys = {roll = "r"}
        pad = {roll = "y"}
        pad_mappings = "mine.txt"
        head_camera = "1"
        captions = true
        speech = "brief"
        screen_reader = "off"
        palette = "tritan"
        contrast = true
        patterns = true
        left_handed = true
        calm = true
        """,
    )
    assert load_settings(path) == Settings(
        language=Language.FR,
        players=("Zoé", "Karl"),
        camera="2",
        size=(640, 480),
        rate_hz=60.0,
        seat=SeatName.MIRROR,
        palm_length_m=0.08,
        grace_s=5.0,
        tier=TierName.PLAIN,
        framing=FramingName.WHOLE,
        grip=GripKind.FIST,
        depth_help=DepthHelp.LOCK,
        air=Air.FALLS,
        fine_gain=0.5,
        turned_deg=RotatedDeg.RIGHT,
        flipped=True,
        way=Way.SWITCH,
        button=ButtonKind.HOLD,
        choosing=True,
        loud_switch=True,
        key_hand=KeyHand.LEFT,
        keys=(("roll", "r"),),
        pad=(("roll", "y"),),
        pad_mappings=Path("mine.txt"),
        head_camera="1",
        captions=True,
        speech=Speech.BRIEF,
        screen_reader=ReaderUse.OFF,
        palette=Palette.TRITAN,
        contrast=True,
        patterns=True,
        left_handed=True,
        calm=True,
        games={"moon": MoonOptions(EditionName.KOSMOS_2022, Slots.CROSS, Options(one_hand=OneHand.OFF))},
    )


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('seat = "table"\nlanguage = "en\n', 2, "is broken"),
        ('seat = "table"\nlanguage = "xx"\n', 2, "one of en, fr"),
        ("\n\nspeed = 3\n", 3, "no setting 'speed'"),
        ("[camera]\nsize = 3\n", 1, "can't be"),
        ('size = "big"\n', 1, 'as "1280x720"'),
        ('size = "10x10"\n', 1, 'as "1280x720"'),
        ("size = 640\n", 1, 'as "1280x720"'),
        ("rate_hz = true\n", 1, "from 5 to 240"),
        ("rate_hz = nan\n", 1, "from 5 to 240"),
        ("palm_length_m = 95\n", 1, "metres from 0.05 to 0.15"),
        ("players = []\n", 1, "1 to 6"),
        ('players = ["Ann", "Ann"]\n', 1, "different"),
        ('players = "Ann"\n', 1, "a list"),
        ("camera = -1\n", 1, "webcam's number"),
    ],
)
def test_a_wrong_file_is_told_with_line_and_remedy_and_stays_as_it_is(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    message = str(caught.value)
    assert str(path) in message
    assert f"line {line}" in message
    assert says in message
    assert "\n" not in message
    assert caught.value.remedy
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_settings(path)


def test_the_words_are_those_of_the_rooms() -> None:
    assert set(SeatName) == set(SEATS)
    assert set(EditionName) == set(EDITIONS)


def test_settings_cannot_be_changed_in_passing() -> None:
    with pytest.raises(FrozenInstanceError):
        Settings().language = Language.FR  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "size"), [("1280x720", (1280, 720)), ("640X480", (640, 480)), (" 800 × 600 ", (800, 600))]
)
def test_sizes(text: str, size: tuple[int, int]) -> None:
    assert parse_size(text) == size


def test_names_are_trimmed() -> None:
    assert parse_players([" Ann ", "Ben"]) == ("Ann", "Ben")


def test_logs_go_to_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "data"))
    assert games_folder() == tmp_path / "data" / "games"
    assert games_folder().is_dir()


def test_with_a_home_that_can_not_be_written_logs_go_to_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(blocked / "data"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    assert games_folder() == temporary / "armoon-games"
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(blocked))
    with pytest.raises(SettingsError, match="Make room"):
        games_folder()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no other users' folders")
@pytest.mark.parametrize("laid", ["link", "open", "foreign", "file"])
def test_what_others_laid_among_the_temporary_files_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, laid: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "elsewhere").mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    usual = temporary / "armoon-games"
    if laid == "link":
        usual.symlink_to(tmp_path / "elsewhere")
    elif laid == "file":
        usual.write_text("mine")
    else:
        usual.mkdir(mode=0o777)
        usual.chmod(0o777)
    me = os.getuid()
    if laid == "foreign":
        monkeypatch.setattr(os, "getuid", lambda: me + 1)
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "file" / "data"))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    if laid == "foreign":  # and what it makes itself is the other's as well
        with pytest.raises(SettingsError, match="of your own"):
            games_folder()
        return
    folder = games_folder()
    assert folder == (usual if laid == "open" else temporary / f"armoon-games-{me}")
    assert folder.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "elsewhere").iterdir()) == []
