"""The settings file: read if it is there, never written; a wrong one is told with file, line and remedy."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs
import pytest

from armoon.errors import SettingsError
from armoon.settings import files as settings
from armoon.settings.files import games_folder, load_settings
from armoon.settings.preferences import Settings


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
