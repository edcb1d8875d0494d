"""What a party has changed on the settings page, kept from evening to evening beside the settings file.

The settings file is the user's own and never written. This one is the program's: a JSON object, replaced as a
whole; one that can't be read is as good as none, for nothing in it is worth a question.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, fields, replace
from pathlib import Path

from armoon.screens.preferences import DEPTH_HELPS, GRIPS, TIERS, Preferences
from armoon.settings.options import settings_path

FILE_NAME = "preferences.json"


def preferences_path() -> Path:
    """Where they are kept."""
    return settings_path().with_name(FILE_NAME)


def load_preferences(
    language: str, path: Path | None = None, usual: Preferences | None = None
) -> Preferences:
    """The kept ones; of what was never changed, the usual ones in this language."""
    usual = replace(usual or Preferences(), language=language)
    try:
        kept = json.loads((path or preferences_path()).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return usual
    if not isinstance(kept, dict):
        return usual
    types = {field.name: type(getattr(usual, field.name)) for field in fields(Preferences)}
    # Exactly the type: True is an int, but no volume.
    sound = {name: value for name, value in kept.items() if type(value) is types.get(name)}
    try:
        loaded = replace(usual, **{**sound, "language": language})
        _ = loaded.text_scale
    except KeyError:
        return usual
    if loaded.grip not in GRIPS or loaded.depth_help not in DEPTH_HELPS or loaded.tier not in TIERS:
        return usual
    return loaded


def save_preferences(preferences: Preferences, path: Path | None = None) -> None:
    """Keep them; where nothing can be written, they hold for this evening only."""
    target = path or preferences_path()
    draft = target.with_suffix(".new")
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps(asdict(preferences), indent=2) + "\n", encoding="utf-8")
        os.replace(draft, target)
