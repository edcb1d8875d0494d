"""Locations of a player's files, the settings file, which is only read, and files with choices made on pages."""

from __future__ import annotations

import locale
import os
import re
import stat
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import platformdirs

from armoon.codec import MalformedError, convert, encode_json, parse
from armoon.codec.files import read_bytes, write_whole
from armoon.errors import SettingsError
from armoon.games import game_names, game_options
from armoon.games.options import GameOptions
from armoon.games.shared import FirstBy
from armoon.messages import set_language, text
from armoon.options.kinds import Names
from armoon.options.option import FILE, PAGE, InvalidValueError, Option, filter_options, read
from armoon.options.parts import list_part_options
from armoon.settings.preferences import GENERAL, LANGUAGE, PREFERENCES, AnySettings, Preferences, Settings
from armoon.values.choices import Language, SeatName
from armoon.values.text import quote_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Maximum size of a settings file, in bytes, in case its path leads to a film or a device.
MAX_BYTES = 1024 * 1024
#: Environment variables with the system's language, in order of precedence; Windows and macOS may not set them.
_LANGUAGE_NAMES = ("LC_ALL", "LC_MESSAGES", "LANG")


def settings_path() -> Path:
    return Path(platformdirs.user_config_dir("armoon", appauthor=False)) / "settings.toml"


def camera_profiles_folder() -> Path:
    return settings_path().parent / "cameras"


def games_folder() -> Path:
    """Return the games folder in the user's data, or a private temporary one if it isn't writable.

    Raises SettingsError if neither is writable.
    """
    home = _usual_games_folder()
    if can_write(home):
        return home
    temporary = Path(tempfile.gettempdir())
    private_name = f"armoon-games-{os.getuid()}" if hasattr(os, "getuid") else "armoon-games"
    for folder in (temporary / "armoon-games", temporary / private_name):
        if _is_private(folder) and can_write(folder):
            return folder
    raise SettingsError(
        "fault.settings.no_folder", remedy="fault.remedy.make_room", home=home, temporary=temporary
    )


def temp_folder() -> Path | None:
    """Return the temporary folder if games are saved there; None if they are saved in the usual folder."""
    folder = games_folder()
    return None if folder == _usual_games_folder() else folder


def temp_folder_notice() -> str:
    """Return a sentence about the temporary folder, or "" if the usual one is used."""
    folder = temp_folder()
    return "" if folder is None else text("kept.elsewhere", home=_usual_games_folder(), folder=folder)


def _usual_games_folder() -> Path:
    return Path(platformdirs.user_data_dir("armoon", appauthor=False)) / "games"


def voice_folder() -> Path:
    return Path(platformdirs.user_data_dir("armoon", appauthor=False)) / "voice"


def trials_folder() -> Path:
    return Path(platformdirs.user_data_dir("armoon", appauthor=False)) / "trials"


def _is_private(folder: Path) -> bool:
    """Create the folder if it is missing; return whether it belongs to this user alone."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            return False
        if not hasattr(os, "getuid"):
            return True
        if status.st_uid != os.getuid():
            return False
        if status.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return True


def has_display() -> bool:
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def can_write(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def system_language() -> Language:
    name = next(filter(None, map(os.environ.get, _LANGUAGE_NAMES)), None) or locale.getlocale()[0] or ""
    return next((language for language in Language if name.lower().startswith(language.value)), Language.EN)


def load_settings(path: Path | None = None) -> Settings:
    """Return the settings in ``path`` (default: the user's file), or the defaults without a file.

    Raises SettingsError.
    """
    path = path or settings_path()
    try:
        toml_text = read_bytes(path, MAX_BYTES).decode()
    except (FileNotFoundError, NotADirectoryError):
        return Settings(language=system_language())
    except PermissionError as error:
        raise SettingsError("fault.settings.forbidden", path=path) from error
    except (OSError, ValueError) as error:
        raise SettingsError("fault.settings.unreadable", path=path, why=error) from error
    return _settings_from_text(toml_text, path)


def list_file_keys() -> dict[str, tuple[Option, tuple[str, ...]]]:
    """Return each key's option, with the games that have it; () if it applies to all games."""
    general = filter_options((*GENERAL, *list_part_options()), FILE)
    keys: dict[str, tuple[Option, tuple[str, ...]]] = {option.name: (option, ()) for option in general}
    for game in game_names():
        for option in filter_options(game_options(game).options(), FILE):
            games = keys[option.name][1] if option.name in keys else ()
            keys[option.name] = (option, (*games, game))
    return keys


def _settings_from_text(toml_text: str, path: Path) -> Settings:
    try:
        table = tomllib.loads(toml_text)
    except (ValueError, RecursionError) as error:  # ValueError also for numbers of thousands of digits
        # The message of ``tomllib`` already ends in "(at line 3, column 5)".
        raise SettingsError(
            "option.file_broken", remedy="option.file_mend", path=path, why=quote_text(str(error))
        ) from error
    keys = list_file_keys()
    values: dict[str, Any] = {}
    by_game: dict[str, dict[str, Any]] = defaultdict(dict)
    for key, value, table_game in _list_entries(table):
        location = {"path": path, "line": _find_line(toml_text, key)}
        option, games = keys.get(key, (None, ()))
        if option is None or (table_game and table_game not in games):
            _apply_table_language(table)
            fields = {**location, "setting": key, "keys": ", ".join(keys)}
            raise SettingsError("option.file_unknown", remedy="option.file_keys", **fields)
        try:
            converted = read(option, value)
        except InvalidValueError as error:
            _apply_table_language(table)
            raise SettingsError("option.in_file", remedy="option.mend", **location, sentence=error) from error
        if games:
            for game in (table_game,) if table_game else games:
                by_game[game][key] = converted
        else:
            values[key] = converted
    game_settings = {
        game: game_options(game).from_values(game_values) for game, game_values in by_game.items()
    }
    return Settings(language=system_language(), games=game_settings).with_values(values)


def _apply_table_language(table: Mapping[str, Any]) -> None:
    with suppress(InvalidValueError):
        set_language(read(LANGUAGE, table.get(LANGUAGE.name, system_language())))


def _list_entries(table: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Yield each key and value with the game of its table, or "" outside of tables; tables come last."""
    for key in sorted(table, key=lambda key: key in game_names()):
        if key in game_names() and isinstance(table[key], dict):
            yield from ((name, value, key) for name, value in table[key].items())
        else:
            yield key, table[key], ""


def _find_line(toml_text: str, key: str) -> int:
    """Return the line number, from 1, of a key or table in a TOML text; 1 if it isn't found."""
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    return next((n for n, line in enumerate(toml_text.splitlines(), start=1) if pattern.match(line)), 1)


FILE_NAME = "preferences.json"


def preferences_path() -> Path:
    return settings_path().with_name(FILE_NAME)


def load_preferences(path: Path | None = None, defaults: Preferences | None = None) -> Preferences:
    """Return the stored preferences, with ``defaults`` for missing ones."""
    stored = read_json(path or preferences_path())
    return replace(defaults or Preferences(), **_read_valid(PREFERENCES, stored))


def _read_valid(options: Iterable[Option], stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options' valid stored values, by name."""
    values: dict[str, Any] = {}
    for option in options:
        if option.name in stored:
            with suppress(InvalidValueError):
                values[option.name] = read(option, stored[option.name])
    return values


def apply_language(settings: AnySettings) -> AnySettings:
    """Use the language chosen on a page, else that of the settings; return the settings with this language."""
    language = load_preferences(defaults=settings.preferences()).language
    set_language(language)
    return replace(settings, language=language)


def is_stored(name: str) -> bool:
    return name in read_json(preferences_path())


def save_preferences(
    preferences: Preferences, path: Path | None = None, *, without: Collection[str] = ()
) -> None:
    """Store all preferences except ``without``; if that fails, they last until the program ends."""
    values = {name: value for name, value in vars(preferences).items() if name not in without}
    write_json(path or preferences_path(), values)


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file written by the program; return {} if it is missing or unreadable."""
    try:
        return convert(dict[str, Any], parse(read_bytes(path)))
    except (OSError, MalformedError):
        return {}


def write_json(path: Path, values: object) -> None:
    """Replace a JSON file written by the program; ignore failures."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, encode_json(values, indent=2) + b"\n")


LAST_CHOICES_FILE = "last-time.json"


@dataclass(frozen=True)
class LastChoices:
    """Choices of the last game, which *Play* uses again; None: not chosen yet."""

    game: str | None = None
    players: tuple[str, ...] | None = None
    seat: SeatName | None = None
    way: FirstBy | None = None
    """How the first player was chosen."""
    chosen: int = 0
    """The first player's seat, if the players chose one."""
    games: Mapping[str, GameOptions] = field(default_factory=dict, hash=False)
    """Each game's options."""
    bots: tuple[str | None, ...] = ()
    """Each seat's bot; None for a person, as at all further seats."""
    camera: str = ""
    """Source to use without a webcam: ``none`` or ``demo``; empty: not chosen yet."""


def last_choices_path() -> Path:
    return settings_path().with_name(LAST_CHOICES_FILE)


def load_last_choices(path: Path | None = None) -> LastChoices:
    """Return the stored choices; drop invalid options of games, and all other choices if one is invalid."""
    stored = read_json(path or last_choices_path())
    games = stored.pop("games", None)
    game_choices = {
        name: _read_game_options(name, games[name])
        for name in game_names()
        if isinstance(games, dict) and isinstance(games.get(name), dict)
    }
    last = LastChoices()
    with suppress(ValueError):
        choices = convert(LastChoices, stored)
        if choices.players:
            Names().read(choices.players)
        is_source = choices.camera in ("", "none", "demo")
        if choices.game in (None, *game_names()) and choices.chosen >= 0 and is_source:
            last = choices
    return replace(last, games=game_choices)


def save_last_choices(last: LastChoices, path: Path | None = None) -> None:
    games = {
        name: {o.name: options.collect_values()[o.name] for o in filter_options(options.options(), PAGE)}
        for name, options in last.games.items()
    }
    write_json(path or last_choices_path(), vars(last) | {"games": games})


def _read_game_options(game: str, stored: Mapping[str, Any]) -> GameOptions:
    kind = game_options(game)
    return kind.from_values(_read_valid(filter_options(kind.options(), PAGE), stored))
