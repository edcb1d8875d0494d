"""What a party has changed on the settings page, kept from evening to evening beside the settings file.

The settings file is the user's own and never written. This one is the program's: a JSON object, replaced as a
whole; one that can't be read is as good as none, for nothing in it is worth a question.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from armoon.screens.preferences import PREFERENCES, Preferences
from armoon.settings.option import WrongValue, read
from armoon.settings.options import settings_path
from armoon.values.choices import Language

FILE_NAME = "preferences.json"


def preferences_path() -> Path:
    """Where they are kept."""
    return settings_path().with_name(FILE_NAME)


def load_preferences(
    language: Language, path: Path | None = None, usual: Preferences | None = None
) -> Preferences:
    """The kept ones; of what was never changed, the usual ones in this language."""
    usual = replace(usual or Preferences(), language=language)
    try:
        kept = json.loads((path or preferences_path()).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return usual
    if not isinstance(kept, dict):
        return usual
    sound: dict[str, Any] = {}
    for option in PREFERENCES:
        with suppress(WrongValue):
            value = read(option, kept.get(option.name))
            sound.update({option.name: value} if value is not None else {})
    return replace(usual, **{**sound, "language": language})


def save_preferences(preferences: Preferences, path: Path | None = None) -> None:
    """Keep them; where nothing can be written, they hold for this evening only."""
    target = path or preferences_path()
    draft = target.with_suffix(".new")
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(asdict(preferences), indent=2) + "\n", encoding="utf-8")
        os.replace(draft, target)
