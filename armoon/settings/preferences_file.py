"""A party's changes on the settings pages, kept from evening to evening beside the settings file.

The settings file is the user's own and never written. This one is the program's: a JSON object, replaced as a
whole. An unreadable one counts as missing, since nothing in it is worth a question.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from armoon.codec import MalformedError, convert, encode_json, parse
from armoon.codec.files import read_bytes
from armoon.codec.whole import write_whole
from armoon.messages import set_language
from armoon.options.option import WrongValue, read
from armoon.settings.options import settings_path
from armoon.settings.preferences import PREFERENCES, Preferences
from armoon.settings.table import AnySettings

FILE_NAME = "preferences.json"


def preferences_path() -> Path:
    """Where they are kept."""
    return settings_path().with_name(FILE_NAME)


def load_preferences(path: Path | None = None, usual: Preferences | None = None) -> Preferences:
    """Return the stored preferences; ``usual`` (default: the defaults) gives the others."""
    kept = read_own(path or preferences_path())
    if "volume" in kept:  # one volume was for all, before the night had its own
        kept.setdefault("music_volume", kept["volume"])
    sound: dict[str, Any] = {}
    for option in PREFERENCES:
        with suppress(WrongValue):
            value = read(option, kept.get(option.name))
            sound.update({option.name: value} if value is not None else {})
    return replace(usual or Preferences(), **sound)


def speak(settings: AnySettings) -> AnySettings:
    """Speak the language chosen on the pages, else that of the settings; return the settings with it."""
    language = load_preferences(usual=settings.preferences()).language
    set_language(language)
    return replace(settings, language=language)


def is_kept(name: str) -> bool:
    """Return whether the user has set this once."""
    return name in read_own(preferences_path())


def save_preferences(
    preferences: Preferences, path: Path | None = None, *, without: Collection[str] = ()
) -> None:
    """Keep all but those ``without``; where nothing can be written, they hold for this evening only."""
    values = {name: value for name, value in vars(preferences).items() if name not in without}
    write_own(path or preferences_path(), values)


def read_own(path: Path) -> dict[str, Any]:
    """Return a file of the program's own; one that isn't there or can't be read is as good as an empty one."""
    try:
        return convert(dict[str, Any], parse(read_bytes(path)))
    except (OSError, MalformedError):
        return {}


def write_own(path: Path, values: object) -> None:
    """Replace a file of the program's own as a whole; where nothing can be written, nothing is."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, encode_json(values, indent=2) + b"\n")
